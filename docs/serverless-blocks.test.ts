/**
 * Every definition that the guide of Serverless Workflow shows, run: what it calls are servers of
 * this machine, put in the place of those that the page names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serverless } from '../src/serverless.ts';
import { openAgent } from '../src/testing/agent.ts';
import { openOffice } from '../src/testing/grpc-office.ts';
import { type LocalServer, startHttpServer } from '../src/testing/http-server.ts';
import { eventOf, hearing } from '../src/testing/listeners.ts';
import { openHouse } from '../src/testing/mcp-house.ts';
import { startBroker } from '../src/testing/mqtt-broker.ts';
import { createTestEngine } from '../src/testing/test-engine.ts';
import { definitionOf, output, ran, workflow } from '../src/testing/workflows.ts';

const page = readFileSync(join(import.meta.dirname, 'serverless.md'), 'utf8');
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
const used = new Set<string>();

/** The only block of a section. */
function block(heading: string): string {
  const [, after = ''] = page.split(`\n${heading}\n`);
  const [, body = ''] = /^```yaml\n([\s\S]*?)^```/m.exec(after.split(/^#{1,3} /m)[0] ?? '') ?? [];
  used.add(body);
  return body;
}

const HTTP = { http: { allow: ['127.0.0.1'] } };
const json = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

let server: LocalServer;
let answer: (path: string) => ReturnType<typeof json> = () => json({});

beforeAll(async () => {
  server = await startHttpServer(({ path }) => answer(path));
});
afterEach(() => server.requests.splice(0));
afterAll(() => server.close());

/** The addresses of the page, as they are here. */
function here(text: string): string {
  return text.replaceAll(/https:\/\/[\w.]+\.example/g, server.url);
}

test('the first one greets', async () => {
  const text = block('## A first workflow');
  const kit = createTestEngine({ flows: [serverless(text)] });
  const run = await kit.start(serverless(text), { name: 'Ann' });
  await kit.advance('1s');
  expect(await run.result()).toEqual({ text: 'Hello, Ann' });
  await kit.close();
});

test('calls of http and openapi', async () => {
  const parameters = [
    { name: 'pet', in: 'query' },
    { name: 'quantity', in: 'query' },
  ];
  const operation = { operationId: 'placeOrder', parameters };
  const paths = { '/orders': { post: operation } };
  const openapi = { openapi: '3.1.0', servers: [{ url: server.url }], paths };
  answer = (path) => {
    if (path === '/openapi.json') return json(openapi);
    return path.startsWith('/orders') ? json({}, 201) : json({ id: 7 });
  };
  const body = here(block('### http and openapi'));
  expect(await output(body, { id: 7, verbose: true }, HTTP)).toBe(201);
  const asked = server.requests.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual([
    ...['GET /v2/pet/7?verbose=true', 'GET /openapi.json'],
    'POST /orders?pet=7&quantity=1',
  ]);
  expect(server.requests.at(-1)?.headers['idempotency-key']).toBeTruthy();
});

test('calls of grpc, mcp, asyncapi and a2a', async () => {
  const [office, tools, broker] = await Promise.all([openOffice(), openHouse(), startBroker()]);
  const agent = await openAgent();
  const channel = { address: 'sums' };
  const asyncapi = {
    asyncapi: '3.0.0',
    info: { title: 'sums', version: '1' },
    servers: { main: { host: `127.0.0.1:${broker.port}`, protocol: 'mqtt' } },
    channels: { sums: channel },
    operations: { announce: { action: 'send', channel: { $ref: '#/channels/sums' } } },
  };
  answer = () => json(asyncapi);
  const body = block('### grpc, asyncapi, mcp, a2a')
    .replace('https://office.example/protos/office/v1/desk.proto', office.proto)
    .replace('office.example, port: 50051', `127.0.0.1, port: ${office.port}`)
    .replace('https://tools.example/mcp', tools.url)
    .replace('https://agent.example/card.json', agent.card);
  const files = [new URL('../../../', office.proto).pathname];
  const options = { ...HTTP, serverless: { files } };
  expect(await output(here(body), { name: 'Ann' }, options)).toMatchObject({
    params: { message: { role: 'user', parts: [{ text: 'What is 5?' }] } },
  });
  expect(broker.received).toMatchObject([{ topic: 'sums', payload: { sum: '5' } }]);
  expect(agent.questions()).toMatchObject([{ method: 'message/send' }]);
  await Promise.all([tools.close(), broker.close(), agent.close()]);
});

test('scripts and shells, which are off unless the host allows them', async () => {
  const body = block('### run');
  const serverless = { shell: true, script: ['js'] };
  expect(await output(body, { a: 2 }, { serverless })).toBe('SUM 5!');
  expect(await ran(body, { a: 2 })).toMatchObject({ error: { status: 400 } });
});

test('the data flow', async () => {
  const body = block('## Data flow');
  const order = { sku: 'A1', price: 200 };
  const last = { note: 'that is 240' };
  expect(await output(body, { order })).toEqual({ last, whole: { order }, sku: 'A1' });
  const small = { order: { ...order, price: 10 } };
  expect(await output(body, small)).toMatchObject({ last: 12 });
  expect(await ran(body, {})).toMatchObject({ error: { status: 400, instance: '/input' } });
});

test('retries, and what is done when they are used up', async () => {
  answer = () => json({}, 503);
  const body = here(block('## Retries and timeouts'));
  expect(await output(body, {}, HTTP)).toEqual({ paid: false, why: 503 });
  expect(server.requests).toHaveLength(4);
  answer = () => json({}, 404);
  expect(await output(body, {}, HTTP)).toEqual({ paid: false, why: 404 });
  expect(server.requests).toHaveLength(5);
});

describe('events', () => {
  const readings = [
    eventOf('temperature', { celsius: 31 }, { subject: 'room-7' }),
    eventOf('temperature', { celsius: 40 }, { subject: 'room-8' }),
    eventOf('temperature', { celsius: 20 }, { subject: 'room-7' }),
    eventOf('temperature', { celsius: 35 }, { subject: 'room-7' }),
  ];

  test('are emitted, heard, told apart and shaped one by one', async () => {
    const told: unknown[] = [];
    const outbox = ({ event }: { event?: object }): void => {
      if (event !== undefined) told.push(event);
    };
    const input = { room: 'room-7', limit: 30 };
    const options = { input, outbox, serverless: { lifecycle: 'none' as const } };
    const kit = await hearing(block('## Events'), options);
    expect(told).toMatchObject([{ type: 'alarm.armed', subject: 'room-7', data: { at: 30 } }]);
    await kit.tell(...readings);
    expect(await kit.outcome()).toEqual([{ hot: 31 }, { hot: 35 }]);
    await kit.test.close();
  });
});

test('schedules, by the clock and by events that belong together', async () => {
  const flow = workflow(block('## Schedules'), { namespace: 'shop', name: 'report' });
  const kit = createTestEngine({ flows: [flow] });
  await kit.advance('8h');
  const about = (subject: string) => ({ subject });
  await kit.engine.publish(eventOf('order.placed', 1, about('a')));
  await kit.engine.publish(eventOf('order.placed', 2, about('b')));
  await kit.engine.publish(eventOf('order.paid', 3, about('b')));
  await kit.runUntilIdle();
  const { instances } = await kit.engine.list({ flow: 'shop.report', status: ['completed'] });
  const outputs = await Promise.all(
    instances.map(async ({ id }) => (await kit.engine.get(id))?.result()),
  );
  expect(outputs).toHaveLength(2);
  expect(outputs).toEqual(expect.arrayContaining([{ events: {} }, { events: [2, 3] }]));
  const kept = await kit.engine.list({ flow: 'shop.report.on', status: ['waiting'] });
  expect(kept.instances).toHaveLength(1);
  expect(await kit.engine.schedules.get('serverless/shop.report/cron')).toBeDefined();
  await kit.close();
});

test('workflows that run workflows', async () => {
  const head = { namespace: 'shop', name: 'shipping' };
  const others = [workflow("do: [{ send: { set: { sent: '${ .sku }' } } }]", head)];
  const body = block('## Workflows that run workflows');
  expect(await output(body, { sku: 'A1' }, { others })).toEqual({ sent: 'A1' });
});

test('functions, of their own and of a catalog', async () => {
  const shout = JSON.stringify({ set: { text: '${ .text | ascii_upcase }' } });
  answer = (path) => {
    expect(path).toBe('/main/functions/shout/1.0.0/function.yaml');
    return { ...json({}), body: shout };
  };
  const body = here(block('## Functions and catalogs'));
  expect(await output(body, { name: 'Ann' }, HTTP)).toEqual({ text: 'HELLO, ANN' });
  expect(await ran(body, {}, HTTP)).toMatchObject({ error: { status: 400 } });
});

test('policies by name and by secret', async () => {
  answer = (path) => {
    return path === '/oauth2/token' ? json({ access_token: 'tok-1', expires_in: 60 }) : json({});
  };
  const secrets = { bank: { secret: 'hush-hush' }, api: { token: 'tok-2' } };
  const body = here(block('## Authentication and secrets'));
  expect(await output(body, {}, { ...HTTP, secrets })).toEqual({});
  const sent = server.requests.map(({ path, headers }) => [path, headers['authorization']]);
  expect(sent).toEqual([
    ['/oauth2/token', undefined],
    ['/pay', 'Bearer tok-1'],
    ['/told', 'Bearer tok-2'],
  ]);
});

test('every block of the page was run, and is a definition', () => {
  expect(blocks).toHaveLength(used.size);
  for (const text of blocks) {
    const whole = text.startsWith('document:') ? text : definitionOf(text);
    expect(() => serverless(whole)).not.toThrow();
  }
});
