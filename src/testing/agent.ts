/** An agent of A2A that lives on this machine: it echoes, counts, refuses and shows its card. */
import type { Json, JsonObject } from '../base/json.ts';
import { json, serve } from './called.ts';
import type { LocalAnswer, LocalRequest, LocalServer } from './http-server.ts';
import { asked, errorFor, events, resultFor } from './rpc-server.ts';

export interface LocalAgent extends LocalServer {
  /** Where its card lies. */
  readonly card: string;
  /** What it was asked by JSON-RPC. */
  readonly questions: () => readonly JsonObject[];
}

const CARD_PATH = '/.well-known/agent-card.json';

/** Its card says where it is, by JSON-RPC; `parts` say the rest, or otherwise. */
export async function openAgent(parts: JsonObject = {}): Promise<LocalAgent> {
  const server: LocalServer = await serve((request) => {
    if (request.method !== 'GET') return answer(request);
    const { url } = server;
    return json({ name: 'Echo', protocolVersion: '0.3.0', url: `${url}/rpc`, ...parts });
  });
  return {
    ...server,
    card: `${server.url}${CARD_PATH}`,
    questions: () => rpcOf(server.requests).map((request) => asked(request) as JsonObject),
  };
}

export function rpcOf(requests: readonly LocalRequest[]): readonly LocalRequest[] {
  return requests.filter(({ method }) => method === 'POST');
}

function answer(request: LocalRequest): LocalAnswer {
  const { method, params = null } = asked(request);
  switch (method) {
    case 'message/stream':
    case 'tasks/resubscribe':
      return events(streamOf(params).map((result) => resultFor(request, result)));
    case 'tasks/cancel':
      return json(errorFor(request, { code: -32_002, message: 'Task cannot be canceled' }));
    case 'tasks/get':
      return { status: 503, body: 'the agent sleeps' };
    default:
      return json(resultFor(request, { method: method ?? null, params }));
  }
}

/** A task that works in two steps; what it says after its end is nobody's to hear. */
function streamOf(params: Json): readonly Json[] {
  const update = { kind: 'status-update', taskId: 't1' };
  return [
    { kind: 'task', id: 't1', params },
    { ...update, status: { state: 'working' }, final: false },
    { kind: 'artifact-update', taskId: 't1', artifact: { parts: [{ kind: 'text', text: 'Hi' }] } },
    { ...update, status: { state: 'completed' }, final: true },
    { ...update, status: { state: 'too late' } },
  ];
}
