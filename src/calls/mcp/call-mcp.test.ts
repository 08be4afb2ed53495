import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { errorOf, faultOf } from '../../testing/failing-call.ts';
import { type McpHouse, openHouse } from '../../testing/mcp-house.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Calling } from '../calling.ts';
import { callMcp } from './call-mcp.ts';

const PROGRAM = fileURLToPath(new URL('../../testing/mcp-program.ts', import.meta.url));
const BY_STDIO = { stdio: { command: process.execPath, arguments: [PROGRAM] } };

let house: McpHouse | undefined;

afterEach(async () => {
  await house?.close();
  house = undefined;
});

async function byHttp(isPlain = false): Promise<JsonObject> {
  house = await openHouse({ isPlain });
  return { http: { endpoint: house.url } };
}

async function call(args: JsonObject, parts: Partial<Calling> = {}): Promise<Json> {
  const { output } = await callMcp(plainCalling(parts), args);
  return output;
}

/** What a tool of the office said. */
async function said(name: string, given: JsonObject, rest: JsonObject): Promise<unknown> {
  const parameters = { name, arguments: given };
  const output = await call({ method: 'tools/call', parameters, ...rest });
  const { content } = output as { content: readonly { text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
}

describe.each([
  ['standard streams', () => Promise.resolve(BY_STDIO)],
  ['HTTP with sessions and streams', () => byHttp()],
  ['HTTP with neither', () => byHttp(true)],
])('by %s', (_, open) => {
  test('each of the seven methods has its result as the output [MC-08]', async () => {
    const transport = await open();
    const ask = (method: string, parameters?: JsonObject): Promise<Json> =>
      call({ method, transport, ...(parameters === undefined ? {} : { parameters }) });

    expect(await ask('tools/list')).toMatchObject({
      tools: [{ name: 'add' }, {}, {}, {}, {}, {}, {}],
    });
    expect(await ask('tools/call', { name: 'add', arguments: { a: 2, b: 3 } })).toEqual({
      content: [{ type: 'text', text: '5' }],
    });
    expect(await ask('prompts/list')).toEqual({ prompts: [{ name: 'greet' }] });
    expect(await ask('prompts/get', { name: 'greet', arguments: { whom: 'Ada' } })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }],
    });
    expect(await ask('resources/list')).toEqual({
      resources: [{ uri: 'memo://1', name: 'memo 1' }],
    });
    expect(await ask('resources/read', { uri: 'memo://7' })).toEqual({
      contents: [{ uri: 'memo://7', mimeType: 'text/plain', text: 'this is memo://7' }],
    });
    expect(await ask('resources/templates/list')).toEqual({
      resourceTemplates: [{ uriTemplate: 'memo://{number}', name: 'memos' }],
    });
  });

  test('an error that is answered is a runtime error with its number [MC-08]', async () => {
    const parameters = { name: 'fail', arguments: {} };
    const args = { method: 'tools/call', parameters, transport: await open() };
    expect(await faultOf(call(args))).toEqual([
      ...['runtime', 500],
      'tools/call was answered by error -32603: the tool is broken',
    ]);
  });

  test('a timeout ends the call with a timeout error [MC-07]', async () => {
    const parameters = { name: 'hang', arguments: {} };
    const args = { method: 'tools/call', parameters, transport: await open() };
    const timeout = { milliseconds: 300 };
    expect(await faultOf(call({ ...args, timeout }))).toEqual([
      ...['timeout', 408, 'the MCP server did not answer tools/call within 300 ms'],
    ]);
  });
});

test('a server that asks back is told that we are there, and that we have no roots', async () => {
  const answer = 'McpError: MCP error -32601: a workflow does not answer roots/list';
  expect(await said('ask', {}, { transport: BY_STDIO })).toBe(answer);
  expect(await said('ask', {}, { transport: await byHttp() })).toBe(answer);
});

test('a call introduces itself as the engine, or as whom its author says [MC-05]', async () => {
  const transport = await byHttp();
  const version: unknown = expect.stringMatching(/^\d+\.\d+\.\d+/);
  expect(await said('client', {}, { transport })).toEqual({ name: 'perdure', version });
  const client = { name: 'night-shift', version: '7' };
  expect(await said('client', {}, { transport, client })).toEqual(client);
});

test('before anything else, initialize names the revision [MC-05]', async () => {
  const transport = await byHttp();
  const list = { method: 'tools/list', transport };
  await call(list);
  await call({ ...list, protocolVersion: '2025-03-26' });

  const asked = house?.requests.map(({ verb, method, body: { params } }) => {
    const { protocolVersion } = (params ?? {}) as { protocolVersion?: string };
    return [verb, method, protocolVersion].filter((part) => part !== undefined).join(' ');
  });
  const rest = ['POST notifications/initialized', 'POST tools/list', 'DELETE'];
  expect(asked).toEqual([
    ...['POST initialize 2025-06-18', ...rest],
    ...['POST initialize 2025-03-26', ...rest],
  ]);
});

test('a session and the revision are named in every request after the first', async () => {
  await call({ method: 'tools/list', transport: await byHttp() });

  const [first, ...others] = house?.requests ?? [];
  expect(first?.headers).not.toHaveProperty('mcp-session-id');
  expect(first?.headers).not.toHaveProperty('mcp-protocol-version');
  const sessions = new Set(others.map(({ headers }) => headers['mcp-session-id']));
  expect(sessions.size).toBe(1);
  expect(others.every(({ headers }) => headers['mcp-protocol-version'] === '2025-06-18')).toBe(
    true,
  );
});

test('a call that is given up tells the server so, and ends its session', async () => {
  const transport = await byHttp();
  const giveUp = new AbortController();
  const parameters = { name: 'hang', arguments: {} };
  const args = { method: 'tools/call', parameters, transport };
  const calling = call(args, { signal: giveUp.signal });
  calling.catch(() => {});
  await house?.seen(({ method }) => method === 'tools/call');
  giveUp.abort(new Error('the workflow is cancelled'));

  await expect(calling).rejects.toThrow('the workflow is cancelled');
  const told = await house?.seen(({ method }) => method === 'notifications/cancelled');
  expect(told?.body['params']).toMatchObject({ requestId: 1 });
  const last = await house?.seen(({ verb }) => verb === 'DELETE');
  expect(last?.headers['mcp-session-id']).toBe(told?.headers['mcp-session-id']);
});

describe('what is refused before anything is sent', () => {
  const transport = BY_STDIO;

  test.each([
    [
      'a method that is none of the seven [MC-01]',
      { method: 'tools/cal', transport },
      `"method" is one of MCP's, and not "tools/cal"; did you mean "tools/call"?`,
    ],
    [
      'a call without a transport [MC-02]',
      { method: 'tools/list', transport: {} },
      '"transport" is either http or stdio: name one of them',
    ],
    [
      'a call with both transports [MC-02]',
      { method: 'tools/list', transport: { ...transport, http: { endpoint: 'http://a.b' } } },
      '"transport" is either http or stdio: name one of them',
    ],
    [
      'a client without a version [MC-09]',
      { method: 'tools/list', transport, client: { name: 'a', description: 'b' } },
      '"client.version" is a text, and is missing',
    ],
    [
      'a client without a name [MC-09]',
      { method: 'tools/list', transport, client: { version: '1' } },
      '"client.name" is a text, and is missing',
    ],
    [
      'parameters that came out of their expression as a text [MC-06]',
      { method: 'tools/list', transport, parameters: 'name' },
      '"parameters" is an object, and was given a string',
    ],
    [
      'a timeout that is no duration [MC-07]',
      { method: 'tools/list', transport, timeout: 'soon' },
      '"timeout" is a duration such as { seconds: 30 } or PT30S',
    ],
    [
      'an endpoint that is no address [MC-04]',
      { method: 'tools/list', transport: { http: { endpoint: 'ftp://a.b' } } },
      'an address begins with https:// or http://, and "ftp://a.b" does not',
    ],
  ] satisfies [string, JsonObject, string][])('%s', async (_, args, detail) => {
    expect(await faultOf(call(args))).toEqual(['configuration', 400, detail]);
  });
});

test('parameters may be whatever object an expression has made [MC-06]', async () => {
  const made = JSON.parse('{ "name": "add", "arguments": { "a": 40, "b": 2 } }') as JsonObject;
  const output = await call({ method: 'tools/call', parameters: made, transport: BY_STDIO });
  expect(output).toEqual({ content: [{ type: 'text', text: '42' }] });
});

test('a timeout is also written as ISO 8601 [MC-07]', async () => {
  const parameters = { name: 'hang', arguments: {} };
  const args = { method: 'tools/call', parameters, transport: BY_STDIO, timeout: 'PT0.2S' };
  expect((await errorOf(call(args))).kind).toBe('timeout');
});
