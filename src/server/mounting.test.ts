/**
 * The API as part of other applications: the same short story wherever it is mounted, by real
 * requests, and the routes of the host as if it were not there.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import express, { type Express } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine, flow, memory } from '../index.ts';
import { Notebook } from '../testing/world.ts';
import { createApiKey } from './access/api-keys.ts';
import { Api } from './api.ts';
import type { ServerOptions } from './premises.ts';

const BODY_BYTES_MAX = 2_000;
const waits = flow<{ text: string }>('waits')
  .waitFor('go', { event: 'go', key: () => 'any' })
  .end();
const { key, record } = createApiKey({ id: 'ann', role: 'operator' });

let engine: Engine;
let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

async function openApi(options: ServerOptions = {}): Promise<Api> {
  engine = await createEngine({ store: memory(), flows: [waits], worker: false });
  const api = new Api(engine, { limits: { BODY_BYTES_MAX }, logger: new Notebook(), ...options });
  closing.push(
    () => engine.close(),
    () => api.close(),
  );
  return api;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.unshift(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Ask = (path: string, init?: RequestInit & { duplex?: 'half' }) => Promise<Response>;

/** Asks a server by HTTP, below where it is mounted. */
function askAt(origin: string, path: string): Ask {
  return (below, init) => fetch(`${origin}${path}${below}`, init);
}

function post(body: unknown): RequestInit & { readonly body: string } {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

/** A start whose body has so many bytes. */
function startOf(bytes: number): RequestInit & { readonly body: string } {
  const bare = JSON.stringify({ flow: 'waits', input: { text: '' } }).length;
  return post({ flow: 'waits', input: { text: 'x'.repeat(bytes - bare) } });
}

/** The same without saying how much it is. */
function inChunks(init: { readonly body: string }): RequestInit & { duplex: 'half' } {
  return { ...init, body: new Blob([init.body]).stream(), duplex: 'half' };
}

async function codeOf(response: Response): Promise<unknown> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return ((await response.json()) as { readonly code: unknown }).code;
}

/** Everything that depends on how a request comes in and an answer goes out. */
async function tell(ask: Ask, mountedAt: string): Promise<void> {
  const started = await ask('/instances', post({ flow: 'waits', input: { text: 'ä' } }));
  expect(started.status).toBe(201);
  const { id } = (await started.json()) as { readonly id: string };
  const location = started.headers.get('location') ?? '';
  const found = new URL(location, `http://here${mountedAt}/instances`).pathname;
  expect(found).toBe(`${mountedAt}/instances/${id}`);

  const shown = await ask(found.slice(mountedAt.length));
  expect(await shown.json()).toMatchObject({ id, input: { text: 'ä' } });
  expect(await (await ask('/instances?flow=waits&limit=5')).json()).toMatchObject({
    instances: [{ id }],
  });
  await followsEvents(ask, id);

  expect((await ask('/instances', startOf(BODY_BYTES_MAX))).status).toBe(201);
  expect((await ask('/instances', inChunks(startOf(BODY_BYTES_MAX)))).status).toBe(201);
  for (const over of [startOf(BODY_BYTES_MAX + 1), inChunks(startOf(BODY_BYTES_MAX + 1))]) {
    const refused = await ask('/instances', over);
    expect(refused.status).toBe(413);
    expect(await codeOf(refused)).toBe('request.too-large');
  }

  expect(await codeOf(await ask('/nothing'))).toBe('route.not-found');
  expect(await codeOf(await ask('/instances', { method: 'POST', body: '{' }))).toBe('request.type');
  const wrong = await ask(`/instances/${id}`, { method: 'DELETE' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
  expect(await codeOf(wrong)).toBe('route.method');

  const document = (await (await ask('/openapi.json')).json()) as object;
  expect(document).toMatchObject({ servers: [{ url: mountedAt === '' ? '/' : mountedAt }] });
}

/** The commits of an instance come as they are made, and the stream ends with it. */
async function followsEvents(ask: Ask, id: string): Promise<void> {
  const response = await ask(`/instances/${id}/events?after=0`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const run = await engine.get(id);
  await run?.send('go', null);
  const text = await response.text();
  const events = [...text.matchAll(/^id: (\d+)$/gm)].map(([, n]) => Number(n));
  const commits = (await run?.history())?.map(({ n }) => n);
  expect(events).toEqual(commits);
}

/** What the host has beside us: another path, a body of its own, and nothing. */
async function tellHost(origin: string): Promise<void> {
  expect(await (await fetch(`${origin}/hello`)).text()).toBe('hello');
  expect(await (await fetch(`${origin}/echo`, post({ a: 1 }))).json()).toEqual({ a: 1 });
  const lost = await fetch(`${origin}/nothing`);
  expect(lost.status).toBe(404);
  expect(lost.headers.get('content-type')).not.toBe('application/problem+json');
}

test('alone, on a port of its own', async () => {
  const api = await openApi();
  const { url } = await api.listen();
  await tell(askAt(url, ''), '');
});

test('as the listener of a server of node:http', async () => {
  const api = await openApi();
  await tell(askAt(await listen(createServer(api.express)), ''), '');
});

test('by fetch alone, where nobody knows who asks and so everybody says it', async () => {
  const api = await openApi({ access: { keys: [record] }, hosts: ['api.example.com'] });
  const ask: Ask = async (path, init = {}) => {
    const request = new Request(`http://api.example.com${path}`, init);
    request.headers.set('authorization', `Bearer ${key}`);
    return api.fetch(request);
  };
  await tell(ask, '');
  const open = await openApi();
  expect(await codeOf(await open.fetch(new Request('http://localhost/instances')))).toBe(
    'access.remote',
  );
});

test('below a path of Hono', async () => {
  const api = await openApi();
  const app = new Hono()
    .get('/hello', (context) => context.text('hello'))
    .post('/echo', async (context) => context.json(await context.req.json()));
  app.route('/perdure', api.hono);
  const origin = await listen(createAdaptorServer(app) as Server);
  await tell(askAt(origin, '/perdure'), '/perdure');
  await tellHost(origin);
});

describe('below a path of Express', () => {
  function withRoutes(app: Express): Express {
    return app
      .get('/hello', (_request, response) => {
        response.type('text/plain').send('hello');
      })
      .post('/echo', express.json(), (request, response) => {
        response.json(request.body);
      });
  }

  test.each([
    ['that reads no bodies', () => express()],
    ['that has read the body already', () => express().use(express.json())],
  ] as const)('%s', async (_, make) => {
    const api = await openApi();
    const origin = await listen(createServer(withRoutes(make().use('/perdure', api.express))));
    await tell(askAt(origin, '/perdure'), '/perdure');
    await tellHost(origin);
  });

  test('in a router of a router', async () => {
    const api = await openApi();
    const inner = express.Router().use('/perdure', api.express);
    const origin = await listen(createServer(withRoutes(express().use('/v1', inner))));
    await tell(askAt(origin, '/v1/perdure'), '/v1/perdure');
  });
});

describe('below a prefix of Fastify', () => {
  test('whose own routes go on reading their bodies as they did', async () => {
    const api = await openApi();
    const app = fastify();
    app.get('/hello', (_request, reply) => void reply.type('text/plain').send('hello'));
    app.post('/echo', (request, reply) => void reply.send(request.body));
    await app.register(api.fastify, { prefix: '/perdure' });
    closing.unshift(() => app.close());
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    await tell(askAt(origin, '/perdure'), '/perdure');
    await tellHost(origin);
  });

  test('in a plugin of a plugin', async () => {
    const api = await openApi();
    const app = fastify();
    await app.register(async (inner) => inner.register(api.fastify, { prefix: '/perdure' }), {
      prefix: '/v1',
    });
    closing.unshift(() => app.close());
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    await tell(askAt(origin, '/v1/perdure'), '/v1/perdure');
  });
});

test('closing it ends its streams and leaves the engine and its host as they are', async () => {
  const api = await openApi();
  const app = express().use('/perdure', api.express);
  app.get('/hello', (_request, response) => {
    response.send('hello');
  });
  const origin = await listen(createServer(app));
  const run = await engine.start(waits, { text: '' });
  const { body } = await fetch(`${origin}/perdure/instances/${run.id}/events?after=0`);
  let text = '';
  for await (const chunk of body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('id: 1')) await api.close();
  }
  expect(text).toContain('event: commit');
  expect(await (await fetch(`${origin}/hello`)).text()).toBe('hello');
  expect(await run.status()).toBe('waiting');
});
