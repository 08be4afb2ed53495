import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { json, serve } from '../../testing/called.ts';
import { faultOf } from '../../testing/failing-call.ts';
import type { Answering, LocalServer } from '../../testing/http-server.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import { asked, errorFor, events, resultFor } from '../../testing/rpc-server.ts';
import type { Calling, CallResult } from '../calling.ts';
import { callMcp } from './call-mcp.ts';

/** A server that introduces itself properly, and answers what comes then as it is told. */
function serveMcp(answering: Answering): Promise<LocalServer> {
  return serve((request, response) => {
    switch (asked(request)['method']) {
      case 'initialize':
        return json(resultFor(request, { protocolVersion: '2025-06-18' }));
      case 'tools/list':
        return answering(request, response);
      default:
        return { status: 202, body: 'taken' };
    }
  });
}

function call(http: JsonObject, parts: Partial<Calling> = {}): Promise<CallResult> {
  return callMcp(plainCalling(parts), { method: 'tools/list', transport: { http } });
}

const fine: Answering = (request) => json(resultFor(request, 'fine'));

test('an endpoint is a URI template, whose values are those of the input [MC-04]', async () => {
  const { url, requests } = await serveMcp(fine);
  const { output } = await call({ endpoint: `${url}/{team}` }, { input: { team: 'a/b' } });
  expect(output).toBe('fine');
  expect(requests.map(({ path }) => path)).toEqual(['/a%2Fb', '/a%2Fb', '/a%2Fb']);
});

test('an endpoint may bring a policy, which every request is sent by [MC-04]', async () => {
  const { url: uri, requests } = await serveMcp(fine);
  const authentication = { basic: { username: 'ada', password: 'secret' } };
  const { authorization } = await call({ endpoint: { uri, authentication } });
  const parameter = Buffer.from('ada:secret').toString('base64');
  expect(authorization).toEqual({ scheme: 'Basic', parameter });
  const sent = requests.map(({ headers }) => headers['authorization']);
  expect(sent).toEqual(Array(3).fill(`Basic ${parameter}`));
});

test('headers are sent along, but not in the place of our own [MC-04]', async () => {
  const { url: endpoint, requests } = await serveMcp(fine);
  const headers = { 'X-Team': 'blue', 'X-Level': 3, 'X-None': null, Accept: 'text/plain' };
  await call({ endpoint, headers });
  expect(requests[0]?.headers).toMatchObject({
    ...{ 'x-team': 'blue', 'x-level': '3', accept: 'application/json, text/event-stream' },
  });
  expect(requests[0]?.headers).not.toHaveProperty('x-none');
});

test('where there is no session, none is ended', async () => {
  const { url: endpoint, requests } = await serveMcp(fine);
  await call({ endpoint });
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
});

test('an answer is found among whatever else the server has to say', async () => {
  const { url: endpoint, requests } = await serveMcp((request) =>
    events([
      { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
      { jsonrpc: '2.0', id: 99, result: 'for somebody else' },
      { jsonrpc: '2.0', id: 'p', method: 'ping' },
      resultFor(request, 'fine'),
    ]),
  );
  expect((await call({ endpoint })).output).toBe('fine');
  expect(JSON.parse(requests.at(-1)?.body ?? '')).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
});

test.each<[string, Answering, number, string]>([
  [
    'a status other than 2xx',
    () => ({ status: 401, body: 'who are you?' }),
    ...([401, ' answered 401: who are you?'] as const),
  ],
  [
    'a redirect',
    () => ({ status: 307, headers: { location: '/x' } }),
    ...([307, ' answered 307'] as const),
  ],
  ['a stream that ends too early', () => events([]), 500, ' ended without an answer'],
  [
    'a stream that breaks off',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {', () => response.destroy());
      return new Promise(() => {});
    },
    ...([500, ' did not answer: UND_ERR_SOCKET'] as const),
  ],
  [
    'a page for people',
    () => ({ headers: { 'content-type': 'text/html' }, body: '<p>Hi' }),
    ...([500, ' answered text/html in the place of JSON or events: <p>Hi'] as const),
  ],
  [
    'JSON that is no message',
    () => json('hello'),
    ...([500, ' answered what is no JSON-RPC: "hello"'] as const),
  ],
])('%s is a communication error', async (_, answering, status, detail) => {
  const { url: endpoint } = await serveMcp(answering);
  expect(await faultOf(call({ endpoint }))).toEqual([
    ...['communication', status, `${endpoint}/${detail}`],
  ]);
});

test('an answered error is a runtime error, whatever its status [MC-08]', async () => {
  const error = { code: -32_602, message: 'no\n such  thing', data: { key: 'swordfish' } };
  const { url: endpoint } = await serveMcp((request) =>
    json(errorFor(request, error), { status: 400 }),
  );
  const hide = (text: string): string => text.replaceAll('swordfish', '***');
  expect(await faultOf(call({ endpoint }, { hide }))).toEqual([
    ...['runtime', 500],
    'tools/list was answered by error -32602: no such thing ({"key":"***"})',
  ]);
});

test('nobody there is a communication error', async () => {
  const server = await serveMcp(fine);
  await server.close();
  expect(await faultOf(call({ endpoint: server.url }))).toEqual([
    'communication',
    500,
    'no answer',
  ]);
});

test('a server that does not let go of a session keeps nobody', async () => {
  const { url: endpoint, requests } = await serve((request) => {
    if (request.method === 'DELETE') return new Promise(() => {});
    const { method } = asked(request);
    if (method === 'notifications/initialized') return { status: 202 };
    const result = method === 'initialize' ? { protocolVersion: '2025-06-18' } : 'fine';
    return json(resultFor(request, result), { headers: { 'mcp-session-id': 's-1' } });
  });
  expect((await call({ endpoint })).output).toBe('fine');
  expect(requests.at(-1)?.method).toBe('DELETE');
});
