import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask, guarded, requestFor, textOf } from '../../testing/guarded-http.ts';
import type { HttpOptions } from './client.ts';
import { CODINGS_MAX } from './decoding.ts';
import { LIMITS_DEFAULT } from './limits.ts';

const never = (): Promise<never> => new Promise(() => {});
const MEBIBYTE = 1_048_576;

describe('the size of an answer', () => {
  test('is exactly what is allowed, or an error', async () => {
    const server = await serve(({ path }) => ({ body: 'x'.repeat(Number(path.slice(1))) }));
    const client = guarded({ maxResponseBytes: 100 });
    expect((await ask(client, `${server.url}/100`)).body).toHaveLength(100);
    const error = await errorOf(ask(client, `${server.url}/101`));
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
    expect(error.detail).toContain('more than http.maxResponseBytes, 100 bytes');
  });

  test('is ten mebibytes unless the host says otherwise', async () => {
    const limit = LIMITS_DEFAULT.maxResponseBytes;
    expect(limit).toBe(10 * MEBIBYTE);
    const server = await serve(({ path }) => ({ body: Buffer.alloc(Number(path.slice(1))) }));
    expect((await ask(guarded(), `${server.url}/${limit}`)).body).toHaveLength(limit);
    const over = ask(guarded(), `${server.url}/${limit + 1}`);
    expect(await errorOf(over)).toMatchObject({ kind: 'communication' });
  });

  test('of an answer that never ends is found out, too', async () => {
    const server = await serve((_, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(1_000)));
      };
      response.on('drain', more);
      more();
      return never();
    });
    expect((await errorOf(ask(guarded(), server.url))).detail).toContain('maxResponseBytes');
  });
});

describe('a coded answer', () => {
  const text = 'a coded text '.repeat(100);
  const CODED = {
    gzip: gzipSync(text),
    'x-gzip': gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text),
    GZIP: gzipSync(text),
    'identity, gzip': gzipSync(text),
    'deflate, gzip': gzipSync(deflateSync(text)),
    'gzip, gzip, gzip': gzipSync(gzipSync(gzipSync(text))),
  };

  test.each(Object.entries(CODED))('is read: %s', async (coding, body) => {
    const server = await serve({ headers: { 'content-encoding': coding }, body });
    expect(textOf(await ask(guarded(), server.url))).toBe(text);
    expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
  });

  test('is read without the header of zlib, and a piece at a time', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate' });
      for (const byte of deflateRawSync(text)) response.write(Buffer.of(byte));
      response.end();
      return never();
    });
    expect(textOf(await ask(guarded(), server.url))).toBe(text);
  });

  test('may be asked for in another way by whoever asks', async () => {
    const server = await serve({ body: text });
    await ask(guarded(), server.url, { headers: { 'Accept-Encoding': 'identity' } });
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('of no bytes at all needs no decoding', async () => {
    for (const status of [200, 304]) {
      const server = await serve({ status, headers: { 'content-encoding': 'gzip' } });
      expect((await ask(guarded(), server.url)).body).toHaveLength(0);
    }
  });

  test.each([
    ['gzip', gzipSync('small').subarray(0, 15)],
    ['gzip', Buffer.from('this is not gzip')],
    ['br', Buffer.from('nor is it brotli')],
    ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3])],
    ['zstd', Buffer.from('unknown')],
    ['constructor', Buffer.from('unknown')],
    [Array.from({ length: CODINGS_MAX + 1 }, () => 'gzip').join(), Buffer.from('x')],
  ])('that cannot be read is a communication error: %s', async (coding, body) => {
    const server = await serve({ headers: { 'content-encoding': coding }, body });
    expect(await errorOf(ask(guarded(), server.url))).toMatchObject({ kind: 'communication' });
  });

  const bomb = Buffer.alloc(64 * MEBIBYTE);
  test.each([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['gzip, gzip', gzipSync(gzipSync(bomb))],
  ])('that unfolds to more than is allowed is stopped at the limit: %s', async (coding, body) => {
    const server = await serve({ headers: { 'content-encoding': coding }, body });
    const error = await errorOf(ask(guarded(), server.url));
    expect(body.length).toBeLessThan(100_000);
    expect(error.detail).toContain('more than http.maxResponseBytes');
  });

  test('is decoded in streams, too', async () => {
    const server = await serve({ headers: { 'content-encoding': 'br' }, body: CODED.br });
    const stream = await guarded().open(requestFor(server.url));
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream.body) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });
});

describe('the headers of an answer', () => {
  const withHeader = (chars: number) => serve({ headers: { 'x-long': 'x'.repeat(chars) } });

  test('may be as long as is allowed and no longer', async () => {
    const limit = 2_000;
    const client = guarded({ maxHeaderBytes: limit });
    // The first line and the others that Node adds take a little of it.
    const fits = await withHeader(limit - 250);
    expect(await ask(client, fits.url)).toMatchObject({ status: 200 });
    const error = await errorOf(ask(client, (await withHeader(limit)).url));
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
    expect(error.detail).toContain('http.maxHeaderBytes');
  });

  test('may be 32 kibibytes unless the host says otherwise', async () => {
    const limit = LIMITS_DEFAULT.maxHeaderBytes;
    expect(limit).toBe(32_768);
    const fits = await withHeader(limit - 250);
    expect(await ask(guarded(), fits.url)).toMatchObject({ status: 200 });
    const over = ask(guarded(), (await withHeader(limit)).url);
    expect(await errorOf(over)).toMatchObject({ kind: 'communication' });
  });
});

describe('the time of a request', () => {
  const LATE: readonly (readonly [string, HttpOptions, RegExp])[] = [
    ['to connect', { connectTimeoutMs: 5, resolve: never }, /did not connect within 5 ms/],
    ['to answer', { firstByteTimeoutMs: 5 }, /did not answer within 5 ms/],
    ['as a whole', { timeoutMs: 5 }, /took longer than 5 ms/],
  ];

  test.each(LATE)('%s is limited', async (_, options, words) => {
    const server = await serve(never);
    const url = options.resolve === undefined ? server.url : 'http://slow.example/';
    const error = await errorOf(ask(guarded(options), url));
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
    expect(error.detail).toMatch(words);
  });

  test('as a whole counts the reading of the answer', async () => {
    const server = await serve((_, response) => {
      response.write('a little');
      return never();
    });
    const error = await errorOf(ask(guarded({ timeoutMs: 20 }), server.url));
    expect(error.detail).toContain('took longer than 20 ms');
  });

  test('as a whole does not end a stream, which has begun', async () => {
    const server = await serve((_, response) => {
      response.write('first');
      return never();
    });
    const client = guarded({ timeoutMs: 1, firstByteTimeoutMs: 60_000 });
    const stream = await client.open(requestFor(server.url));
    for await (const chunk of stream.body) {
      expect(Buffer.from(chunk).toString()).toBe('first');
      // Another request of this client waits out its time meanwhile, and the stream stays.
      expect(await errorOf(ask(client, server.url))).toMatchObject({ kind: 'communication' });
      break;
    }
  });

  test('until it stands and until it answers holds for streams, too', async () => {
    const server = await serve(never);
    const opening = guarded({ firstByteTimeoutMs: 5 }).open(requestFor(server.url));
    expect((await errorOf(opening)).detail).toContain('did not answer within 5 ms');
  });
});

test.each(Object.keys(LIMITS_DEFAULT))('%s is a whole number from 1 on', (name) => {
  for (const value of [0, -1, 1.5, Number.NaN, 2 ** 31, '5']) {
    const options = { [name]: value } as HttpOptions;
    expect(() => guarded(options)).toThrow(
      expect.objectContaining({
        code: 'engine.option-invalid',
        message: expect.stringContaining(name),
      }),
    );
  }
  expect(() => guarded({ [name]: 2 ** 31 - 1 })).not.toThrow();
  expect(() => guarded({ [name]: 1 })).not.toThrow();
});

test('an option that there is not is an error of its name', () => {
  const options = { timeoutMS: 5 } as HttpOptions;
  expect(() => guarded(options)).toThrow('http has no option "timeoutMS"; it has allow, ');
});
