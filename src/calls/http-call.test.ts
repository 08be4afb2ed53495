import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import { called, callingOf, failureOf, json, kept, serve } from '../testing/called.ts';
import type { Answering } from '../testing/http-server.ts';
import { findFreePort } from '../testing/local-port.ts';
import { startPetStore } from '../testing/pet-store.ts';
import type { CallResult } from './calling.ts';
import { callHttp } from './http-call.ts';

describe('a request', () => {
  test.each(['get', 'Get', 'GET', 'options', 'patch', 'put', 'post', 'delete', 'purge'])(
    'has the method in any case: %s [HT-01] [HT-14]',
    async (method) => {
      const { request, output } = await called(json({ ok: true }), { args: { method } });
      expect(request.method).toBe(method.toUpperCase());
      expect(output).toEqual({ ok: true });
    },
  );

  test('of HEAD has no content, and still its headers [HT-14]', async () => {
    const answer = { headers: { 'content-type': 'application/json', 'x-count': '3' } };
    const { output } = await called(answer, { args: { method: 'head', output: 'response' } });
    expect(output).toMatchObject({ headers: { 'x-count': '3' }, content: null });
  });

  test.each<[string, JsonObject]>([
    ['"method" is a text, and is missing', { endpoint: 'http://a.example' }],
    ['"endpoint" is a text, and is missing', { method: 'get' }],
    ['"endpoint.uri" is a text, and was given null', { method: 'get', endpoint: { uri: null } }],
    ['"endpoint" is a text, and was given a list', { method: 'get', endpoint: [] }],
    ['a method such as GET', { method: 'G T', endpoint: 'http://a.example' }],
    ['a method such as GET', { method: 'trace', endpoint: 'http://a.example' }],
    ['"/pets" does not', { method: 'get', endpoint: '/pets' }],
    ['"ftp://a.example" does not', { method: 'get', endpoint: 'ftp://a.example' }],
  ])('without a method or an endpoint is none: %s [HT-01]', async (detail, args) => {
    const failure = await failureOf(callHttp(callingOf(), args));
    expect(failure).toMatchObject({ kind: 'configuration', status: 400 });
    expect(failure.detail).toContain(detail);
  });

  test('goes where the endpoint says, as a text or as an object [UR-07] [UR-08]', async () => {
    const calling = { input: { petId: 'a/b', status: 'on sale' } };
    const path = '/pet/{petId}?status={status}';
    const plain = await called({}, { calling, path });
    expect(plain.request.path).toBe('/pet/a%2Fb?status=on%20sale');
    const server = await serve({});
    const args = { method: 'get', endpoint: { uri: `${server.url}${path}` } };
    await callHttp(callingOf(calling), args);
    expect(server.requests[0]?.path).toBe('/pet/a%2Fb?status=on%20sale');
  });

  test('has the headers it was given, numbers and lists too [HT-06] [CA-02]', async () => {
    const headers = { 'X-Text': 'a', 'x-count': 3, 'x-on': true, 'x-list': ['a', 2], 'x-no': null };
    const { request } = await called({}, { args: { headers } });
    const expected = { 'x-text': 'a', 'x-count': '3', 'x-on': 'true', 'x-list': 'a, 2' };
    expect(request.headers).toMatchObject(expected);
    expect(request.headers).not.toHaveProperty('x-no');
  });

  test.each<[string, JsonObject]>([
    ['the header "x" takes a text', { x: { a: 1 } }],
    ['the name of a header', { 'a b': 'c' }],
    ['the header "x" is a text of one line', { x: 'hunter2\ny: z' }],
    ['the header "x" is a text of one line', { x: 'hunter2 €' }],
    ['the header "content-length" is set by the client', { 'Content-Length': 3 }],
    ['the header "transfer-encoding" is set', { 'Transfer-Encoding': 'chunked' }],
  ])('has no other headers: %s', async (detail, headers) => {
    const args = { method: 'get', endpoint: 'http://a.example', headers };
    const failure = await failureOf(callHttp(callingOf(), args));
    expect(failure.kind).toBe('configuration');
    expect(failure.detail).toContain(detail);
    expect(failure.message).not.toContain('hunter2');
  });

  test('has its query added to that of the URI, which stays as it is [HT-07]', async () => {
    const query = { a: 1, list: ['x y', 2, null], no: null, 'n&m': 'c=d', on: true };
    const { request } = await called({}, { path: '/p?a=%7e+z&b', args: { query } });
    expect(request.path).toBe('/p?a=%7e+z&b&a=1&list=x%20y&list=2&n%26m=c%3Dd&on=true');
  });

  test('has a query where the URI has none [HT-07]', async () => {
    const { request } = await called({}, { path: '/p#part', args: { query: { a: 1 } } });
    expect(request.path).toBe('/p?a=1');
  });

  test.each([{ a: { b: 1 } }, 'a=1', [1]])('has no such query: %j', async (query) => {
    const args = { method: 'get', endpoint: 'http://a.example', query };
    const failure = await failureOf(callHttp(callingOf(), args));
    expect(failure).toMatchObject({ kind: 'configuration', status: 400 });
  });
});

describe('a body', () => {
  test.each<[Json, string, string]>([
    [{ a: 1 }, '{"a":1}', 'application/json'],
    [[1], '[1]', 'application/json'],
    ['hi ü', 'hi ü', 'text/plain; charset=utf-8'],
  ])('that is %j is sent with its type [HT-08]', async (body, text, type) => {
    const { request } = await called({}, { args: { method: 'post', body } });
    expect([request.body, request.headers['content-type']]).toEqual([text, type]);
  });

  test('is not there if it is not given, or null [HT-08]', async () => {
    const none = await called({}, { args: { method: 'post' } });
    const empty = await called({}, { args: { method: 'post', body: null } });
    for (const { request } of [none, empty]) {
      expect(request.body).toBe('');
      expect(request.headers).not.toHaveProperty('content-type');
    }
  });

  test.each<[string, Json, string]>([
    ['application/x-www-form-urlencoded', { a: 'x y', b: [1, 2] }, 'a=x%20y&b=1&b=2'],
    ['application/vnd.shop+json', { a: 1 }, '{"a":1}'],
    ['text/csv', 'a;b', 'a;b'],
    ['application/octet-stream', 'aGVsbG8=', 'hello'],
  ])('under %s is written as that says [HT-09]', async (type, body, text) => {
    const headers = { 'Content-Type': type };
    const { request } = await called({}, { args: { method: 'put', headers, body } });
    expect([request.body, request.headers['content-type']]).toEqual([text, type]);
  });

  test('in bytes arrives as those bytes [HT-09]', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const args = { method: 'post', headers, body: 'AP+A' };
    const { request } = await called({}, { args });
    expect([...request.bytes]).toEqual([0, 255, 128]);
  });
});

describe('an idempotency key', () => {
  const key = (result: { request: { headers: object } }): unknown =>
    (result.request.headers as Record<string, unknown>)['idempotency-key'];

  test.each(['post', 'patch'])('goes with %s', async (method) => {
    expect(key(await called({}, { args: { method } }))).toBe('visit-1');
  });

  test.each(['get', 'put', 'delete', 'options'])('does not go with %s', async (method) => {
    expect(key(await called({}, { args: { method } }))).toBeUndefined();
  });

  test('is what its author says, who may say that there is none', async () => {
    const own = { method: 'post', headers: { 'Idempotency-Key': 'mine' } };
    expect(key(await called({}, { args: own }))).toBe('mine');
    const none = { method: 'post', headers: { 'idempotency-key': null } };
    expect(key(await called({}, { args: none }))).toBeUndefined();
  });

  test('can be sent whatever the instance is called', async () => {
    const calling = { idempotencyKey: 'order ü\n\ud800/do/0' };
    const result = await called({}, { args: { method: 'post' }, calling });
    expect(key(result)).toBe('order%20%C3%BC%0A%EF%BF%BD/do/0');
  });
});

describe('who asks', () => {
  const user = { username: 'ann', password: 'pass word' };
  const log = (url: string, authentication: JsonObject): Promise<CallResult> => {
    const uri = `${url}/basic-auth/{username}/{password}`;
    const args = { method: 'get', endpoint: { uri, authentication } };
    return callHttp(callingOf({ input: user }), args);
  };

  test('is told by the policy of the endpoint [HT-16]', async () => {
    const store = kept(await startPetStore());
    expect(await log(store.url, { basic: user })).toEqual({
      output: { authenticated: true, user: 'ann' },
      authorization: { scheme: 'Basic', parameter: expect.any(String) },
    });
  });

  test('is refused with the status of the server [HT-10]', async () => {
    const store = kept(await startPetStore());
    const failure = await failureOf(log(store.url, { basic: { ...user, password: 'no' } }));
    expect(failure).toMatchObject({ kind: 'communication', status: 401, title: 'Unauthorized' });
  });

  test('is nobody without a policy', async () => {
    const result = await called(json(null));
    expect(result).not.toHaveProperty('authorization');
  });
});

describe('a server', () => {
  test('that is not there is a communication error [CA-03]', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}/`;
    const failure = await failureOf(callHttp(callingOf(), { method: 'get', endpoint }));
    expect(failure).toMatchObject({ kind: 'communication', status: 500 });
  });

  test('that is not there is named without the secret in its address', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}/bot-hunter2/send`;
    const calling = callingOf({ hide: (text) => text.replaceAll('hunter2', '…') });
    const failure = await failureOf(callHttp(calling, { method: 'get', endpoint }));
    expect(failure).toMatchObject({ kind: 'communication', status: 500 });
    expect(failure.message).toContain('/bot-…/send');
    expect(failure.cause).toBeUndefined();
  });

  test('that hangs up is a communication error [CA-03]', async () => {
    const answer: Answering = (_, response) => {
      response.socket?.destroy();
      return {};
    };
    expect(await failureOf(called(answer))).toMatchObject({ kind: 'communication', status: 500 });
  });

  test('is hung up on as soon as nobody waits any more [CA-04] [CA-05]', async () => {
    const leaving = new AbortController();
    const closed: Promise<unknown>[] = [];
    const answer: Answering = async (_, response) => {
      closed.push(once(response, 'close'));
      leaving.abort();
      await Promise.all(closed);
      return {};
    };
    const failure = await failureOf(called(answer, { calling: { signal: leaving.signal } }));
    expect(failure).toBeInstanceOf(Error);
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
  });
});
