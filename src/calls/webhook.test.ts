import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { assert } from '../base/assert.ts';
import { type LocalRequest, startHttpServer } from '../testing/http-server.ts';
import type { OutboxEvent } from './target.ts';
import { webhook, type WebhookOptions } from './webhook.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(64, 9).toString('base64')}`;
const URL = 'https://shop.example/hook?token=do-not-tell';

const event: OutboxEvent = Object.freeze({
  ...{ id: '0192-ab/7', type: 'order.paid', key: 'order-42', data: { amount: 5 } },
  ...{ instance: '0192-ab', flow: 'my order', at: Date.UTC(2026, 0, 2), attempt: 3 },
});

const signal = new AbortController().signal;

interface Request {
  readonly url: string;
  readonly init: RequestInit & { readonly body: string };
}

/** Sends one event to a receiver that answers like this. */
async function sent(
  answer: () => Response | Promise<Response>,
  { event: fields = {}, ...options }: Partial<WebhookOptions> & { event?: object } = {},
): Promise<Request> {
  const requests: Request[] = [];
  const target = webhook({
    url: URL,
    ...(options.secrets === undefined ? { secret: SECRET } : {}),
    fetch: async (url, init) => {
      const body = init?.body;
      assert(typeof url === 'string' || url instanceof globalThis.URL, 'a URL is asked');
      assert(typeof body === 'string', 'the event is sent as text');
      requests.push({ url: url.toString(), init: { ...init, body } });
      return answer();
    },
    ...options,
  });
  await target.send({ ...event, ...fields }, { signal });
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

const fine = (): Response => new Response(null, { status: 204 });

async function failureOf(answer: () => Response | Promise<Response>, options: object = {}) {
  const failure: unknown = await sent(answer, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return failure as Error & { fatal?: boolean; retryAfterMs?: number };
}

describe('what is sent', () => {
  test('is a CloudEvent in JSON', async () => {
    const { url, init } = await sent(fine);
    expect([url, init.method, init.redirect, init.signal]).toEqual([URL, 'POST', 'manual', signal]);
    expect(JSON.parse(init.body)).toEqual({
      specversion: '1.0',
      id: '0192-ab/7',
      source: '/flows/my%20order',
      type: 'order.paid',
      subject: 'order-42',
      time: '2026-01-02T00:00:00.000Z',
      datacontenttype: 'application/json',
      data: { amount: 5 },
    });
    const headers = new Headers(init.headers);
    expect(headers.get('content-type')).toBe('application/cloudevents+json; charset=utf-8');
  });

  test('has no subject without a key, and the source and headers it was given', async () => {
    const options = { source: 'urn:shop', headers: { authorization: 'Bearer abc' } };
    const { init } = await sent(fine, { ...options, event: { key: null } });
    const body = JSON.parse(init.body) as object;
    expect(body).toMatchObject({ source: 'urn:shop' });
    expect(body).not.toHaveProperty('subject');
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer abc');
  });

  test('is signed with each of the secrets', async () => {
    const { init } = await sent(fine, { secrets: [SECRET, OTHER] });
    const headers = new Headers(init.headers);
    const id = headers.get('webhook-id');
    const at = headers.get('webhook-timestamp');
    expect(id).toBe('0192-ab/7');
    expect(Math.abs(Number(at) - Date.now() / 1_000)).toBeLessThan(60);
    const signatures = [SECRET, OTHER].map((secret) => {
      const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'));
      return `v1,${mac.update(`${id}.${at}.${init.body}`).digest('base64')}`;
    });
    expect(headers.get('webhook-signature')).toBe(signatures.join(' '));
  });

  test('has an id that a header can hold, whatever the instance is called', async () => {
    const { init } = await sent(fine, { event: { id: 'ümlaut.1\n\ud800/7' } });
    const id = new Headers(init.headers).get('webhook-id');
    expect(id).toBe('%C3%BCmlaut%2E1%0A%EF%BF%BD/7');
    expect(JSON.parse(init.body)).toMatchObject({ id });
  });
});

describe('what a server is asked', () => {
  const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

  async function asked(fields: object, headers: Record<string, string>): Promise<LocalRequest> {
    const server = await startHttpServer(() => ({ status: 204 }));
    try {
      const target = webhook({ url: server.url, secret: SECRET, headers });
      await target.send({ ...event, ...fields }, { signal });
      const [request, ...more] = server.requests;
      assert(request !== undefined && more.length === 0, 'it was asked once');
      return request;
    } finally {
      await server.close();
    }
  }

  test('is part of the trace of the event', async () => {
    const { headers, body } = await asked({ trace: TRACE }, { authorization: 'Bearer abc' });
    expect(headers).toMatchObject({ traceparent: TRACE, authorization: 'Bearer abc' });
    expect(body).not.toContain(TRACE);
  });

  test.each(['traceparent', 'Traceparent'])('is part of what "%s" says, if given', async (name) => {
    const other = TRACE.replaceAll('a', 'c');
    const { headers } = await asked({ trace: TRACE }, { [name]: other });
    expect(headers['traceparent']).toBe(other);
  });

  test('has no word of a trace if the event has none', async () => {
    expect((await asked({}, {})).headers).not.toHaveProperty('traceparent');
  });
});

describe('what comes back', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([200, 201, 202, 204])('%i: it has arrived', async (status) => {
    const answer = (): Response => new Response(status === 204 ? null : 'thanks', { status });
    expect(await failureOf(answer)).toBeUndefined();
  });

  test.each([301, 302, 307, 400, 401, 404, 409, 500, 502])('%i: it has not', async (status) => {
    const failure = await failureOf(() => new Response('no\n  luck', { status }));
    expect(failure.message).toBe(`https://shop.example/hook answered ${status}: no luck`);
    expect([failure.fatal, failure.retryAfterMs]).toEqual([false, undefined]);
  });

  test('410: nobody wants it any more', async () => {
    expect((await failureOf(() => new Response(null, { status: 410 }))).fatal).toBe(true);
  });

  test.each<[number, string, number | undefined]>([
    [429, '7', 7_000],
    [503, '0', 0],
    [503, 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
    [429, 'soon', undefined],
    [500, '7', undefined],
  ])('%i with retry-after %s', async (status, text, expected) => {
    const headers = { 'retry-after': text };
    const failure = await failureOf(() => new Response(null, { status, headers }));
    expect(failure.retryAfterMs).toBe(expected);
  });

  test('no answer at all: what was wrong is said, and no secret', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const failure = await failureOf(() => {
      throw new TypeError('fetch failed', { cause: refused });
    });
    expect(failure.message).toBe('https://shop.example/hook did not answer: ECONNREFUSED');
  });

  test('what a receiver echoes of our headers is not kept, nor much at all', async () => {
    const headers = { authorization: 'Bearer s3cr3t-token', 'x-key': 'another-secret' };
    const echo = `Bearer s3cr3t-token another-secret ${'x'.repeat(100_000)}`;
    const failure = await failureOf(() => new Response(echo, { status: 500 }), { headers });
    expect(failure.message).not.toMatch(/s3cr3t|another/);
    expect(failure.message.length).toBeLessThan(300);
  });

  test('an answer that never ends is left after a second, and counts by its status', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let wasLeft = false;
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('and so on')),
      cancel: () => {
        wasLeft = true;
      },
    });
    const failure = failureOf(() => new Response(endless, { status: 200 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failure).toBeUndefined();
    expect(wasLeft).toBe(true);
  });

  test('an answer that is cut off counts by its status, too', async () => {
    const cut = new ReadableStream({
      start: (controller) => controller.error(new Error('socket hang up')),
    });
    expect(await failureOf(() => new Response(cut, { status: 200 }))).toBeUndefined();
  });
});

test.each<[string, object]>([
  ['url is an address', { url: 'not a url' }],
  ['url is an address', { url: 'ftp://shop.example' }],
  ['url is an address', { url: undefined }],
  ['url holds a name or a password', { url: 'https://me:pass@shop.example' }],
  ['takes either a secret or secrets', { secret: undefined }],
  ['takes either a secret or secrets', { secrets: [SECRET] }],
  ['secrets is a list of one or more', { secret: undefined, secrets: [] }],
  ['24 to 64 bytes as base64', { secret: 'whsec_short' }],
  ['24 to 64 bytes as base64', { secret: SECRET.slice(6) }],
  ['24 to 64 bytes as base64', { secret: `whsec_${Buffer.alloc(23).toString('base64')}` }],
  ['24 to 64 bytes as base64', { secret: `whsec_${Buffer.alloc(65).toString('base64')}` }],
  ['the header "webhook-id" is set', { headers: { 'webhook-id': 'mine' } }],
  ['the header "a b" has a name', { headers: { 'a b': 'c' } }],
  ['the header "x" has a name or a value', { headers: { x: 'a\nb' } }],
  ['the header "x" has a name or a value', { headers: { x: 7 } }],
  ['source is a text', { source: '' }],
])('%s: %j is refused', (message, fields) => {
  const make = () => webhook({ url: URL, secret: SECRET, ...fields });
  expect(make).toThrow(message);
  expect(make).toThrow(expect.objectContaining({ code: 'engine.option-invalid' }));
  expect(make).not.toThrow(/whsec_[A-Za-z0-9]|me:pass/);
});
