/** Calls that are made by the guarded client, as an engine makes them. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { openAgent } from '../testing/agent.ts';
import { faultOf } from '../testing/failing-call.ts';
import { openOffice } from '../testing/grpc-office.ts';
import { openHouse } from '../testing/mcp-house.ts';
import { guarded as guardedClient } from '../testing/guarded-http.ts';
import { plainCalling } from '../testing/plain-calling.ts';
import { callA2a } from './a2a/call-a2a.ts';
import type { Calling } from './calling.ts';
import { callGrpc } from './grpc/call-grpc.ts';
import { callMcp } from './mcp/call-mcp.ts';

function guarded(...allow: readonly string[]): Calling {
  const http = guardedClient({ allow });
  return plainCalling({ http, reach: (host, port) => http.reach(host, port) });
}

describe('where the host allows this machine', () => {
  test.each([true, false])('MCP is spoken (without sessions: %s)', async (isPlain) => {
    const house = await openHouse({ isPlain });
    const parameters = { name: 'add', arguments: { a: 1, b: 2 } };
    const transport = { http: { endpoint: house.url } };
    const args = { method: 'tools/call', parameters, transport };
    const { output } = await callMcp(guarded('127.0.0.1'), args);
    await house.close();
    expect(output).toEqual({ content: [{ type: 'text', text: '3' }] });
  });

  test('an agent is asked, once and by a stream', async () => {
    const { url: server } = await openAgent();
    const calling = guarded('127.0.0.1');
    const once = await callA2a(calling, { method: 'tasks/list', server });
    const stream = await callA2a(calling, { method: 'message/stream', server });
    expect(once.output).toEqual({ method: 'tasks/list', params: null });
    expect(stream.output).toHaveLength(4);
  });

  test('gRPC is called', async () => {
    const { port, proto } = await openOffice();
    const { output } = await callGrpc(guarded('127.0.0.1'), {
      ...{ method: 'Greet', arguments: { firstName: 'Ada' }, proto: { endpoint: proto } },
      service: { name: 'office.v1.Desk', host: '127.0.0.1', port },
    });
    expect(output).toEqual({ text: 'Hello Ada, of no age' });
  });
});

test('where it does not, nobody there hears of it', async () => {
  const house = await openHouse();
  const agent = await openAgent();
  const office = await openOffice();
  const service = { name: 'office.v1.Desk', host: '127.0.0.1', port: office.port };
  const calls: readonly [typeof callMcp, JsonObject][] = [
    [callMcp, { method: 'tools/list', transport: { http: { endpoint: house.url } } }],
    [callA2a, { method: 'tasks/list', server: agent.url }],
    [callGrpc, { method: 'Greet', proto: { endpoint: office.proto }, service }],
  ];
  for (const [call, args] of calls) {
    expect((await faultOf(call(guarded(), args))).slice(0, 2)).toEqual(['authorization', 403]);
  }
  expect([...house.requests, ...agent.requests]).toEqual([]);
  await house.close();
});
