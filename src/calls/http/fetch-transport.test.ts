import { describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask, guarded, requestFor, textOf } from '../../testing/guarded-http.ts';
import type { HttpOptions } from './client.ts';

interface Seen {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client over a `fetch` that answers so, and what that was asked. */
function over(
  answer: (url: string, init: RequestInit) => Response | Promise<Response>,
  options: HttpOptions = {},
) {
  const seen: Seen[] = [];
  const client = guarded({
    fetch: async (url, init = {}) => {
      const { href } = new URL(url instanceof Request ? url.url : url);
      seen.push({ url: href, init });
      return answer(href, init);
    },
    resolve: () => expect.fail('a fetch of the host finds its hosts itself'),
    ...options,
  });
  return { client, seen };
}

const plain = (): Response => new Response('fine');
const never = (): Promise<never> => new Promise(() => {});

test('the host’s own fetch carries requests, and follows no redirect', async () => {
  const { client, seen } = over(plain);
  const headers = { 'X-Name': 'a' };
  const answer = await ask(client, 'https://shop.example/a?b', {
    method: 'post',
    headers,
    body: 'c',
  });
  expect(textOf(answer)).toBe('fine');
  expect(answer.request).toMatchObject({ method: 'POST', uri: 'https://shop.example/a?b' });
  const [{ url, init }] = seen as [Seen];
  expect(url).toBe('https://shop.example/a?b');
  expect(init).toMatchObject({ method: 'POST', redirect: 'manual', headers: { 'x-name': 'a' } });
  expect(await new Response(init.body ?? null).text()).toBe('c');
});

test('the global fetch is such a one', async () => {
  const server = await serve(({ path }) =>
    path === '/' ? { status: 302, headers: { location: '/b' } } : { body: 'fine' },
  );
  const answer = await ask(guarded({ fetch }), server.url, { redirect: true });
  expect(textOf(answer)).toBe('fine');
  expect(answer.request.uri).toBe(`${server.url}/b`);
});

test.each([
  ['http://127.0.0.2/', 'authorization'],
  ['http://10.0.0.1/', 'authorization'],
  ['http://0xa9fea9fe/', 'authorization'],
  ['http://db.internal/', 'authorization'],
  ['ftp://shop.example/', 'authorization'],
  ['http://me@shop.example/', 'configuration'],
])('what a URL tells is checked all the same: %s', async (url, kind) => {
  const { client, seen } = over(plain);
  expect(await errorOf(ask(client, url))).toMatchObject({ kind });
  expect(seen).toEqual([]);
});

test('its redirects are followed here, and checked', async () => {
  const location = (to: string): Response =>
    new Response(null, { status: 302, headers: { location: to } });
  const { client, seen } = over((url) => {
    if (url.endsWith('/a')) return location('https://other.example/b');
    return url.endsWith('/b') ? location('http://169.254.169.254/') : plain();
  });
  const error = await errorOf(ask(client, 'https://shop.example/a', { redirect: true }));
  expect(error).toMatchObject({ kind: 'authorization', status: 403 });
  expect(seen.map(({ url }) => url)).toEqual(['https://shop.example/a', 'https://other.example/b']);
});

test('several cookies are joined', async () => {
  const { client } = over(() => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    return new Response(null, { status: 204, headers });
  });
  const { headers, body } = await ask(client, 'https://shop.example/');
  expect([headers['set-cookie'], body.length]).toEqual(['a=1, b=2', 0]);
});

describe('its limits', () => {
  test('are those of size and of headers', async () => {
    const { client } = over((url) => new Response('x'.repeat(url.endsWith('/long') ? 11 : 10)), {
      maxResponseBytes: 10,
    });
    expect((await ask(client, 'https://shop.example/')).body).toHaveLength(10);
    const long = await errorOf(ask(client, 'https://shop.example/long'));
    expect(long.detail).toContain('http.maxResponseBytes');

    const withHeader = (size: number) =>
      over(() => new Response(null, { headers: { a: 'x'.repeat(size) } }), { maxHeaderBytes: 100 });
    expect(await ask(withHeader(99).client, 'https://shop.example/')).toMatchObject({
      status: 200,
    });
    const over100 = await errorOf(ask(withHeader(100).client, 'https://shop.example/'));
    expect(over100.detail).toContain('http.maxHeaderBytes');
  });

  test('are those of time, whether it heeds its signal or not', async () => {
    const first = await errorOf(
      ask(over(never, { firstByteTimeoutMs: 5 }).client, 'https://shop.example/'),
    );
    expect(first.detail).toContain('did not answer within 5 ms');
    const slow = (): Response => new Response(new ReadableStream({ pull: never }));
    const whole = await errorOf(ask(over(slow, { timeoutMs: 5 }).client, 'https://shop.example/'));
    expect(whole.detail).toContain('took longer than 5 ms');
  });

  test('are the wishes of whoever asks', async () => {
    const left = new AbortController();
    const reason = new Error('nobody waits');
    const { client } = over(() => {
      left.abort(reason);
      return never();
    });
    const asking = ask(client, 'https://shop.example/', { signal: left.signal });
    await expect(asking).rejects.toBe(reason);
  });
});

test('what it throws is a communication error, with the code behind it', async () => {
  const failing = (thrown: unknown) => {
    const { client } = over(async () => {
      throw thrown;
    });
    return errorOf(ask(client, 'https://shop.example/?key=s3cret'));
  };
  const cause = Object.assign(new Error('10.0.0.1 is away'), { code: 'EHOSTUNREACH' });
  const error = await failing(new TypeError('fetch failed', { cause }));
  expect(error).toMatchObject({ kind: 'communication', status: 500 });
  expect(error.detail).toBe(
    'https://shop.example/ did not answer: EHOSTUNREACH, no way leads there',
  );
  expect((await failing(new Error('no code'))).detail).toContain('did not answer: Error');
  expect((await failing('a text')).detail).toContain('no reason is known');
});

test('a stream can be closed', async () => {
  let isCancelled = false;
  const cancel = (): void => void (isCancelled = true);
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
    controller.enqueue(Buffer.from('first'));
  const { client } = over(() => new Response(new ReadableStream({ start, cancel })));
  const stream = await client.open(requestFor('https://shop.example/'));
  for await (const chunk of stream.body) {
    expect(Buffer.from(chunk).toString()).toBe('first');
    stream.close();
  }
  expect(isCancelled).toBe(true);
});
