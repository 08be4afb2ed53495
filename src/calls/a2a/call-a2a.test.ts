import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { openAgent } from '../../testing/agent.ts';
import { json, serve } from '../../testing/called.ts';
import { faultOf } from '../../testing/failing-call.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import { events, resultFor } from '../../testing/rpc-server.ts';
import type { Calling } from '../calling.ts';
import { callA2a, RESULTS_CHARS_MAX, RESULTS_MAX } from './call-a2a.ts';

async function call(args: JsonObject, parts: Partial<Calling> = {}): Promise<Json> {
  const { output } = await callA2a(plainCalling(parts), args);
  return output;
}

const TEXT = { parts: [{ kind: 'text', text: 'Generate a report' }] };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a method', () => {
  const ANSWERED_ONCE = [
    ...['message/send', 'tasks/list', 'agent/getAuthenticatedExtendedCard'],
    ...['tasks/pushNotificationConfig/set', 'tasks/pushNotificationConfig/get'],
    ...['tasks/pushNotificationConfig/list', 'tasks/pushNotificationConfig/delete'],
  ];

  test.each(ANSWERED_ONCE)('%s has the result as its output [A2-05]', async (method) => {
    const { url } = await openAgent();
    const parameters = { id: 't1' };
    expect(await call({ method, server: url, parameters })).toEqual({ method, params: parameters });
  });

  test('that is none of the eleven is refused [A2-01]', async () => {
    const args = { method: 'message/sent', server: 'http://agent.example' };
    expect(await faultOf(call(args))).toEqual([
      ...['configuration', 400],
      `"method" is one of A2A's, and not "message/sent"; did you mean "message/send"?`,
    ]);
  });

  test('that needs no parameters is sent without any', async () => {
    const { url, questions } = await openAgent();
    await call({ method: 'agent/getAuthenticatedExtendedCard', server: url });
    expect(questions()[0]).not.toHaveProperty('params');
  });
});

describe('the agent', () => {
  test('is a server, whose address is a URI template [A2-02]', async () => {
    const { url, requests } = await openAgent();
    const server = { uri: `${url}/{team}` };
    await call({ method: 'tasks/list', server }, { input: { team: 'blue' } });
    expect(requests.map(({ method, path }) => [method, path])).toEqual([['POST', '/blue']]);
  });

  test('is where its card says, whatever server is named beside it [A2-02]', async () => {
    const { card, requests } = await openAgent();
    const other = await openAgent();
    const agentCard = { endpoint: card };
    await call({ method: 'tasks/list', agentCard, server: other.url });
    expect(requests.map(({ path }) => path)).toEqual(['/.well-known/agent-card.json', '/rpc']);
    expect(other.requests).toEqual([]);
  });

  test('may be reached by JSON-RPC elsewhere than by what its card prefers [A2-02]', async () => {
    const other = await openAgent();
    const { card } = await openAgent({
      preferredTransport: 'GRPC',
      additionalInterfaces: [
        { transport: 'HTTP+JSON', url: 'http://agent.example/rest' },
        { transport: 'JSONRPC', url: `${other.url}/here` },
      ],
    });
    await call({ method: 'tasks/list', agentCard: { endpoint: { uri: card } } });
    expect(other.requests.map(({ path }) => path)).toEqual(['/here']);
  });

  test('is found beside its card, if that says so', async () => {
    const { card, requests } = await openAgent({ url: '../rpc' });
    await call({ method: 'tasks/list', agentCard: { endpoint: card } });
    expect(requests.at(-1)?.path).toBe('/rpc');
  });

  test('is needed: neither a card nor a server is refused [A2-02]', async () => {
    expect(await faultOf(call({ method: 'tasks/list' }))).toEqual([
      ...['configuration', 400],
      'an A2A call needs an "agentCard" or a "server": neither is given',
    ]);
  });

  test('that does not speak JSON-RPC is refused, with what it offers', async () => {
    const { card } = await openAgent({ preferredTransport: 'GRPC' });
    const [kind, , detail] = await faultOf(
      call({ method: 'tasks/list', agentCard: { endpoint: card } }),
    );
    expect(kind).toBe('configuration');
    expect(detail).toMatch(/has no url for JSONRPC, .*; it offers GRPC$/);
  });

  test('has a card that is JSON', async () => {
    const { url } = await serve({ body: '<html>' });
    const args = { method: 'tasks/list', agentCard: { endpoint: url } };
    const detail = `the agent card ${url} is no JSON object`;
    expect(await faultOf(call(args))).toEqual(['configuration', 400, detail]);
  });

  test('whose card cannot be had is not reached', async () => {
    const { url } = await serve({ status: 404 });
    const args = { method: 'tasks/list', agentCard: { endpoint: url } };
    expect((await faultOf(call(args))).slice(0, 2)).toEqual(['communication', 404]);
  });
});

describe('a message', () => {
  test.each(['message/send', 'message/stream'])(
    'of %s is from the user and has an id of its own by default [A2-04]',
    async (method) => {
      const { url, questions } = await openAgent();
      const parameters = { message: { ...TEXT, messageId: null } };
      const args = { method, server: url, parameters };
      await call(args, { idempotencyKey: 'visit-1' });
      await call(args, { idempotencyKey: 'visit-1' });
      await call(args, { idempotencyKey: 'visit-2' });

      const messages = questions().map(({ params }) => (params as JsonObject)['message']);
      expect(messages[0]).toEqual({
        ...{ ...TEXT, role: 'user', kind: 'message' },
        messageId: expect.stringMatching(UUID) as string,
      });
      expect(messages[1]).toEqual(messages[0]);
      expect(messages[2]).not.toEqual(messages[0]);
    },
  );

  test('keeps what its author has given it [A2-04]', async () => {
    const { url, questions } = await openAgent();
    const message = { ...TEXT, messageId: 'm-1', role: 'agent', kind: 'message' };
    await call({ method: 'message/send', server: url, parameters: { message } });
    expect(questions()[0]?.['params']).toEqual({ message });
  });

  test('is whatever object an expression has made of the parameters [A2-03]', async () => {
    const { url, questions } = await openAgent();
    const made = JSON.parse('{ "id": "t1", "historyLength": 3 }') as JsonObject;
    await call({ method: 'tasks/list', server: url, parameters: made });
    expect(questions()[0]?.['params']).toEqual(made);

    const args = { method: 'tasks/list', server: url, parameters: 't1' };
    const detail = '"parameters" is an object, and was given a string';
    expect(await faultOf(call(args))).toEqual(['configuration', 400, detail]);
  });
});

describe('a stream', () => {
  test.each(['message/stream', 'tasks/resubscribe'])(
    'of %s is all its results in order, up to the one that is final [A2-06]',
    async (method) => {
      const { url } = await openAgent();
      const output = await call({ method, server: url, parameters: { id: 't1' } });
      expect(output).toMatchObject([
        { kind: 'task', params: { id: 't1' } },
        { status: { state: 'working' } },
        { kind: 'artifact-update', artifact: { parts: [{ text: 'Hi' }] } },
        { status: { state: 'completed' }, final: true },
      ]);
    },
  );

  test('may be one result that is no stream [A2-06]', async () => {
    const { url } = await serve((request) => json(resultFor(request, { kind: 'message' })));
    expect(await call({ method: 'message/stream', server: url })).toEqual([{ kind: 'message' }]);
  });

  test('in which an error comes is a runtime error [A2-07]', async () => {
    const error = { code: -32_603, message: 'out of ink' };
    const { url } = await serve((request) =>
      events([resultFor(request, { kind: 'task' }), { jsonrpc: '2.0', id: 1, error }]),
    );
    expect(await faultOf(call({ method: 'message/stream', server: url }))).toEqual([
      ...['runtime', 500, 'message/stream was answered by error -32603: out of ink'],
    ]);
  });

  test('has as many results as may be, and no more', async () => {
    const some = (count: number): Json[] =>
      Array.from({ length: count }, () => ({ id: 1, result: 'x' }));
    const enough = await serve(() => events(some(RESULTS_MAX)));
    const tooMany = await serve(() => events(some(RESULTS_MAX + 1)));
    const args = { method: 'message/stream' };
    expect(await call({ ...args, server: enough.url })).toHaveLength(RESULTS_MAX);
    const [kind, , detail] = await faultOf(call({ ...args, server: tooMany.url }));
    expect([kind, detail]).toEqual([
      'communication',
      `${tooMany.url}/ streams more than 10000 results or ${RESULTS_CHARS_MAX} characters`,
    ]);
  });

  test('has as many characters as may be, and no more', async () => {
    const some = (more: number): Json[] => {
      const part = RESULTS_CHARS_MAX / 8;
      const texts = [...Array<number>(7).fill(part), part + more];
      return texts.map((size) => ({ id: 1, result: 'x'.repeat(size - '""'.length) }));
    };
    const enough = await serve(() => events(some(0)));
    const tooMany = await serve(() => events(some(1)));
    expect(await call({ method: 'message/stream', server: enough.url })).toHaveLength(8);
    const args = { method: 'message/stream', server: tooMany.url };
    expect((await faultOf(call(args)))[0]).toBe('communication');
  });
});

describe('what goes wrong', () => {
  test('is a runtime error if the agent says so [A2-07]', async () => {
    const { url } = await openAgent();
    expect(await faultOf(call({ method: 'tasks/cancel', server: url }))).toEqual([
      ...['runtime', 500, 'tasks/cancel was answered by error -32002: Task cannot be canceled'],
    ]);
  });

  test('is a communication error with its status if the server says so [A2-07]', async () => {
    const { url } = await openAgent();
    expect(await faultOf(call({ method: 'tasks/get', server: url }))).toEqual([
      ...['communication', 503, `${url}/ answered 503: the agent sleeps`],
    ]);
  });

  test('is a communication error if there is no answer among what comes', async () => {
    const { url } = await serve(json({ jsonrpc: '2.0', id: 'another', result: {} }));
    expect(await faultOf(call({ method: 'tasks/list', server: url }))).toEqual([
      ...['communication', 500, `${url}/ ended without an answer`],
    ]);
  });

  test('ends at once when nobody waits any more', async () => {
    const giveUp = new AbortController();
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"id":1,"result":1}\n\n');
      giveUp.abort(new Error('enough'));
      return new Promise(() => {});
    });
    const calling = call({ method: 'message/stream', server: url }, { signal: giveUp.signal });
    await expect(calling).rejects.toThrow('enough');
  });
});
