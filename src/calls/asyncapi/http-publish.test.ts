import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import {
  callingWith,
  DOCUMENT_URL,
  documentOf,
  publicationOf,
} from '../../testing/asyncapi-calls.ts';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import type { LocalAnswer, LocalRequest, LocalServer } from '../../testing/http-server.ts';
import type { CallResult, Calling } from '../calling.ts';
import { publishAsyncApi } from './publish.ts';

interface Published {
  readonly message?: JsonObject;
  readonly binding?: JsonObject;
  readonly document?: JsonObject;
  readonly args?: JsonObject;
  readonly calling?: Partial<Calling>;
}

function publish({ url }: LocalServer, asked: Published = {}): Promise<CallResult> {
  const { message, binding, document, args, calling } = asked;
  const server = { host: new URL(url).host, pathname: '/api/', protocol: 'http' };
  const operations = {
    talk: { channel: { $ref: '#/channels/talk' }, bindings: { http: binding ?? {} } },
  };
  const whole = documentOf(server, '/orders/new', { operations, ...document });
  return publishAsyncApi(callingWith(whole, calling), {
    ...publicationOf({ id: 7 }),
    ...(message === undefined ? {} : { message }),
    ...args,
  });
}

/** What was asked of a server that takes everything. */
async function published(asked: Published = {}): Promise<LocalRequest> {
  const server = await serve({ status: 202 });
  await publish(server, asked);
  const [request] = server.requests;
  if (request === undefined) throw new Error('nothing was asked');
  return request;
}

describe('a message that is published over HTTP', () => {
  test('is posted to the address of its channel [AS-04]', async () => {
    const { method, path, body, headers } = await published();
    expect([method, path, body]).toEqual(['POST', '/api/orders/new', '{"id":7}']);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['idempotency-key']).toBe('visit-1');
  });

  test('has its headers, of which a list is one with commas [AS-04]', async () => {
    const message = { payload: 1, headers: { 'X-Tenant': 'acme', 'x-tags': ['a', 2], none: null } };
    const { headers, body } = await published({ message });
    expect([headers['x-tenant'], headers['x-tags'], body]).toEqual(['acme', 'a, 2', '1']);
    expect(headers['none']).toBeUndefined();
  });

  test('goes on with the input of the task as its output [AS-05]', async () => {
    const server = await serve({ status: 200, body: 'thank you' });
    const input = { order: [1] };
    expect(await publish(server, { calling: { input } })).toEqual({ output: input });
  });

  test.each<[string, Json, string, string]>([
    ['text/plain', 'hello', 'hello', 'text/plain'],
    ['application/json', 'hello', '"hello"', 'application/json'],
    ['application/vnd.pets+json', [1], '[1]', 'application/vnd.pets+json'],
    ['application/x-www-form-urlencoded', { a: 1 }, 'a=1', 'application/x-www-form-urlencoded'],
  ])('is written as the document says: %s', async (type, payload, body, contentType) => {
    const document = { defaultContentType: type };
    const request = await published({ message: { payload }, document });
    expect([request.body, request.headers['content-type']]).toEqual([body, contentType]);
  });

  test('takes the method and the query that the document binds it to', async () => {
    const properties = { source: { const: 'flow' }, mode: { default: 'fast' }, other: {} };
    const binding = { method: 'put', query: { type: 'object', properties } };
    const { method, path } = await published({ binding });
    expect([method, path]).toEqual(['PUT', '/api/orders/new?source=flow&mode=fast']);
  });

  test('by a method without a body has its payload in the query', async () => {
    const properties = { id: {}, mode: { default: 'fast' } };
    const binding = { method: 'GET', query: { properties } };
    const message = { payload: { id: 'a b', mode: 'slow', more: 1 } };
    const { method, path, body } = await published({ binding, message });
    expect([method, path, body]).toEqual(['GET', '/api/orders/new?id=a%20b&mode=slow', '']);
  });

  test('lacks nothing that the document requires', async () => {
    const server = await serve({});
    const binding = { query: { properties: { id: {} }, required: ['id'] } };
    const error = await errorOf(publish(server, { binding }));
    expect(error).toMatchObject({ kind: 'configuration' });
    expect(error.detail).toContain('requires the query parameter "id"');
    const method = await errorOf(publish(server, { binding: { method: 'TRACE' } }));
    expect(method.detail).toContain('"TRACE"');
  });

  test.each<[LocalAnswer, JsonObject]>([
    [
      { status: 503, body: 'later', headers: { 'content-type': 'text/plain' } },
      { status: 503, title: 'Service Unavailable', detail: 'later' },
    ],
    [
      { status: 302, headers: { location: '/x' } },
      { status: 302, title: 'Found' },
    ],
  ])('and not taken is an error with the answer’s status', async (answer, expected) => {
    const server = await serve(answer);
    const error = await errorOf(publish(server));
    expect(error).toMatchObject({ kind: 'communication', ...expected });
  });

  test('is authenticated by the policy of the call [AS-13]', async () => {
    const server = await serve({});
    const args = { authentication: { bearer: { token: 't0ken' } } };
    const { authorization } = await publish(server, { args });
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer t0ken');
    expect(authorization).toEqual({ scheme: 'Bearer', parameter: 't0ken' });
  });

  test('goes to a channel of AsyncAPI 2 [AS-01]', async () => {
    const server = await serve({});
    const document = {
      asyncapi: '2.6.0',
      servers: { main: { url: `${server.url}/api`, protocol: 'http' } },
      channels: { 'orders/new': { publish: { bindings: { http: { method: 'PATCH' } } } } },
    };
    const args = { document: { endpoint: DOCUMENT_URL }, channel: 'orders/new', message: {} };
    await publishAsyncApi(callingWith(document), args);
    const [request] = server.requests;
    expect([request?.method, request?.path, request?.body]).toEqual([
      'PATCH',
      '/api/orders/new',
      '',
    ]);
  });
});

test('to publish takes a message, and to be one thing [AS-02]', async () => {
  const args = { document: { endpoint: DOCUMENT_URL }, operation: 'talk', subscription: {} };
  const error = await errorOf(publishAsyncApi(callingWith({}), args));
  expect(error).toMatchObject({ kind: 'configuration', detail: 'to publish takes a "message"' });
});
