import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask, guarded, requestFor, textOf } from '../../testing/guarded-http.ts';
import { findFreePort } from '../../testing/local-port.ts';

/** Why somebody stops waiting. */
const reason = new Error('nobody waits');

describe('an answer', () => {
  test('is told with its status, its headers in lower case and its body', async () => {
    const server = await serve((_, response) => {
      response.setHeader('X-Twice', ['a', 'b']);
      response.setHeader('Set-Cookie', ['c=1', 'd=2']);
      return { status: 201, reason: 'Made', headers: { 'X-Once': 'x' }, body: 'thing' };
    });
    const answer = await ask(guarded(), `${server.url}/things?q=1`);
    expect(answer).toMatchObject({ status: 201, statusText: 'Made' });
    expect(answer.headers).toMatchObject({
      ...{ 'x-once': 'x', 'x-twice': 'a, b', 'set-cookie': 'c=1, d=2' },
    });
    expect(textOf(answer)).toBe('thing');
    expect(answer.request).toMatchObject({ method: 'GET', uri: `${server.url}/things?q=1` });
    expect(answer).not.toHaveProperty('authorization');
  });

  test.each([204, 304, 404, 500, 302])('of status %i is an answer', async (status) => {
    const server = await serve({ status });
    expect(await ask(guarded(), server.url)).toMatchObject({ status, body: Buffer.alloc(0) });
  });

  test('to HEAD has no body, whatever its headers say', async () => {
    const headers = { 'content-length': '999', 'content-encoding': 'gzip' };
    const server = await serve({ headers });
    const answer = await ask(guarded(), server.url, { method: 'head' });
    expect(answer).toMatchObject({ status: 200, headers, body: Buffer.alloc(0) });
    expect(server.requests[0]?.method).toBe('HEAD');
  });
});

describe('a request', () => {
  test('brings its body and its headers, and the length of what it brings', async () => {
    const server = await serve({});
    const client = guarded();
    const headers = { 'Content-Type': 'text/plain', 'X-Name': ' ümlaut ' };
    await ask(client, server.url, { method: 'post', headers, body: 'grüße' });
    await ask(client, server.url, { method: 'PUT', body: Uint8Array.of(0, 255) });
    await ask(client, server.url, { method: 'POST' });
    await ask(client, server.url, { method: 'GET', body: 'even so' });
    expect(server.requests.map(({ body }) => body)).toEqual(['grüße', '\0\ufffd', '', 'even so']);
    expect(server.requests.map((each) => each.headers['content-length'])).toEqual([
      '7',
      '2',
      '0',
      '7',
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      ...{ 'content-type': 'text/plain', 'x-name': 'ümlaut' },
      ...{ accept: '*/*', 'user-agent': 'perdure', host: new URL(server.url).host },
    });
  });

  test.each(['PATCH', 'OPTIONS', 'DELETE', 'PROPFIND'])('may be %s', async (method) => {
    const server = await serve({});
    // Node's parser knows the methods that are registered.
    await ask(guarded(), server.url, { method: method.toLowerCase() });
    expect(server.requests[0]?.method).toBe(method);
  });

  test.each(['CONNECT', 'trace', 'GET /x HTTP/1.1\r\nX: y', ''])(
    'of the method %j is refused',
    async (method) => {
      const error = await errorOf(ask(guarded(), 'http://127.0.0.1/', { method }));
      expect(error).toMatchObject({ kind: 'configuration', status: 400 });
    },
  );

  test.each([
    [{ 'x-a': 'b\r\nx-evil: 1' }],
    [{ 'x-a': 'b\nx-evil: 1' }],
    [{ 'x-a': 'b\0' }],
    [{ 'x-a': 'Ā' }],
    [{ 'x-a\r\nx-evil': '1' }],
    [{ 'x a': '1' }],
    [{ '': '1' }],
  ])('with a header that would become something else is refused: %j', async (headers) => {
    const server = await serve({});
    const error = await errorOf(ask(guarded(), server.url, { headers }));
    expect(error).toMatchObject({ kind: 'configuration', status: 400 });
    expect(server.requests).toEqual([]);
  });

  test.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Upgrade',
    'te',
    'Expect',
  ])('leaves the header %s to the client', async (name) => {
    const error = await errorOf(ask(guarded(), 'http://127.0.0.1/', { headers: { [name]: '1' } }));
    expect(error.detail).toBe(`the header "${name}" is set by the client: leave it out`);
  });

  test('is shown without what opens doors', async () => {
    const server = await serve({});
    const headers = { Authorization: 'Bearer s3cret', cookie: 'id=s3cret', 'X-Name': 'shown' };
    const secret = { ...headers, 'Proxy-Authorization': 'Basic s3cret' };
    const { request } = await ask(guarded(), server.url, { headers: secret });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret' });
    expect(request.headers).toMatchObject({
      ...{ authorization: '***', cookie: '***', 'proxy-authorization': '***', 'x-name': 'shown' },
    });
  });

  test.each(['', 'pets/1', '/pets', 'http://', 'http://[::1'])(
    'needs an absolute URL, so not %j',
    async (url) => {
      expect(await errorOf(ask(guarded(), url))).toMatchObject({ kind: 'configuration' });
    },
  );
});

describe('what keeps an answer from coming', () => {
  test('is a communication error that names the place and the reason, but no query', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/pets?token=s3cret`;
    const error = await errorOf(ask(guarded(), url));
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
    expect(error.detail).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pets did not answer: ECONNREFUSED/);
    expect(error.message).not.toContain('s3cret');
  });

  test('may be a name that nobody knows', async () => {
    const error = await errorOf(
      ask(guarded({ resolve: async () => [] }), 'http://nobody.example/'),
    );
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
    expect(error.detail).toContain('ENOTFOUND, nobody knows its name');
  });

  test('may be a server that hangs up before, or in the middle of, its answer', async () => {
    const early = await serve((_, response) => {
      response.destroy();
      return new Promise(() => {});
    });
    expect((await errorOf(ask(guarded(), early.url))).detail).toContain('ECONNRESET');
    const late = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.destroy());
      return new Promise(() => {});
    });
    expect(await errorOf(ask(guarded(), late.url))).toMatchObject({ kind: 'communication' });
  });
});

describe('an aborted signal', () => {
  const never = (): Promise<never> => new Promise(() => {});

  test.each<readonly [string, (response: ServerResponse, leave: () => void) => void]>([
    ['the wait for an answer', (_, leave) => leave()],
    ['the reading of a slow answer', (response, leave) => response.write('a little', leave)],
  ])('ends %s at once, with its reason', async (_, begin) => {
    const left = new AbortController();
    const server = await serve((_, response) => {
      begin(response, () => left.abort(reason));
      return never();
    });
    const asking = ask(guarded(), server.url, { signal: left.signal });
    await expect(asking).rejects.toBe(reason);
  });

  test('ends the looking up of a name, and keeps anything from beginning', async () => {
    const left = new AbortController();
    const client = guarded({
      resolve: () => {
        left.abort(reason);
        return never();
      },
    });
    const asking = ask(client, 'http://slow.example/', { signal: left.signal });
    await expect(asking).rejects.toBe(reason);
    const server = await serve({});
    const again = ask(guarded(), server.url, { signal: left.signal });
    await expect(again).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });
});

async function readAll(body: AsyncIterable<Uint8Array>, each = (): void => {}): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString();
    each();
  }
  return text;
}

describe('a stream', () => {
  test('has its head at once and its body as it comes', async () => {
    const answering: ServerResponse[] = [];
    const server = await serve((_, response) => {
      response.write('first');
      answering.push(response);
      return new Promise(() => {});
    });
    const stream = await guarded().open(requestFor(server.url));
    expect(stream.status).toBe(200);
    const chunks: string[] = [];
    for await (const chunk of stream.body) {
      chunks.push(Buffer.from(chunk).toString());
      answering[0]?.end(chunks.length === 1 ? 'second' : undefined);
    }
    expect(chunks).toEqual(['first', 'second']);
  });

  test('that is closed ends for whoever reads it, and for the server', async () => {
    const closings: Promise<unknown>[] = [];
    const server = await serve((_, response) => {
      closings.push(once(response, 'close'));
      response.write('first');
      return new Promise(() => {});
    });
    const stream = await guarded().open(requestFor(server.url));
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream.body) {
      chunks.push(chunk);
      stream.close();
    }
    expect(chunks).toHaveLength(1);
    await Promise.all(closings);
    expect(closings).toHaveLength(1);
  });

  test('ends with the reason of its signal, or with what broke it', async () => {
    const left = new AbortController();
    const server = await serve(({ path }, response) => {
      response.write('first', () => (path === '/cut' ? response.destroy() : undefined));
      return new Promise(() => {});
    });
    const client = guarded();
    const stream = await client.open(requestFor(server.url, { signal: left.signal }));
    await expect(readAll(stream.body, () => left.abort(reason))).rejects.toBe(reason);

    const cut = await client.open(requestFor(`${server.url}/cut`));
    const error = await errorOf(readAll(cut.body));
    expect(error).toMatchObject({ kind: 'communication', status: 500 });
  });
});
