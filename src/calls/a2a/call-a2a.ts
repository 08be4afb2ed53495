/**
 * `call: a2a`: one method of an agent of the Agent2Agent protocol, by JSON-RPC.
 *
 * A message without an id is given one that is made of the visit of the task: an agent that is
 * asked again after a crash can tell that it has had it. Where an agent answers by a stream, the
 * output is everything that came by it, in order, until the agent says that this was all or ends
 * the stream.
 */
import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { mapArgument } from '../arguments.ts';
import type { Calling, CallResult, HttpStream } from '../calling.ts';
import { brokenAs, placeOf } from '../http/failures.ts';
import { unlessAborted } from '../http/patience.ts';
import { answers, rpcMessages, rpcMethod, rpcRequest, rpcResult } from '../json-rpc.ts';
import { findAgent } from './agent-card.ts';
import { showWho } from './security.ts';

const METHODS: readonly string[] = [
  ...['message/send', 'message/stream', 'tasks/get', 'tasks/list', 'tasks/cancel'],
  ...['tasks/resubscribe', 'tasks/pushNotificationConfig/set'],
  ...['tasks/pushNotificationConfig/get', 'tasks/pushNotificationConfig/list'],
  ...['tasks/pushNotificationConfig/delete', 'agent/getAuthenticatedExtendedCard'],
];
const SENDING = /^message\//;
const STREAMING = /^(message\/stream|tasks\/resubscribe)$/;

/** What is kept of one stream: so many results, and so many characters of them as JSON. */
export const RESULTS_MAX = 10_000;
export const RESULTS_CHARS_MAX = 16_777_216;

/** One request to one agent. */
interface Question {
  readonly id: string;
  readonly method: string;
  readonly place: string;
}

/** `args` is what the task has as `with`, every expression evaluated. */
export async function callA2a(calling: Calling, args: JsonObject): Promise<CallResult> {
  return unlessAborted(calling.signal, ask(calling, args));
}

async function ask(calling: Calling, args: JsonObject): Promise<CallResult> {
  const id = uuidOf(calling.idempotencyKey);
  const method = rpcMethod('A2A', METHODS, args['method']);
  const params = paramsOf(method, args['parameters'], id);
  const agent = await findAgent(calling, args);
  const shown = showWho(agent);
  const isStream = STREAMING.test(method);
  const accept = isStream ? 'text/event-stream' : 'application/json';
  const answer = await calling.http.open({
    ...shown.request,
    method: 'POST',
    headers: { ...shown.request.headers, accept, 'content-type': 'application/json' },
    body: JSON.stringify(rpcRequest(id, method, params)),
    signal: calling.signal,
  });
  const question = { id, method, place: placeOf(agent.url) };
  try {
    const read = isStream ? readStream : readOne;
    const output = await read(calling, question, answer);
    const authorization = shown.authorization ?? answer.authorization;
    return authorization === undefined ? { output } : { output, authorization };
  } finally {
    answer.close();
  }
}

async function readOne(
  calling: Calling,
  { id, method, place }: Question,
  answer: HttpStream,
): Promise<Json> {
  for await (const message of rpcMessages(calling, answer, place)) {
    if (answers(message, id)) return rpcResult(calling, method, message);
  }
  throw brokenAs(`${place} ended without an answer`);
}

/** Every message of this stream is for us, whatever id an agent has given it. */
async function readStream(
  calling: Calling,
  { method, place }: Question,
  answer: HttpStream,
): Promise<Json> {
  const results: Json[] = [];
  let size = 0;
  for await (const message of rpcMessages(calling, answer, place)) {
    if ('method' in message) continue;
    const result = rpcResult(calling, method, message);
    results.push(result);
    size += JSON.stringify(result).length;
    if (results.length > RESULTS_MAX || size > RESULTS_CHARS_MAX) {
      throw brokenAs(
        `${place} streams more than ${RESULTS_MAX} results or ${RESULTS_CHARS_MAX} characters`,
      );
    }
    if (isJsonObject(result) && result['final'] === true) break;
  }
  return results;
}

function paramsOf(method: string, given: Json | undefined, id: string): JsonObject | undefined {
  if (given === undefined || given === null) return undefined;
  const params = mapArgument('parameters', given);
  const { message } = params;
  if (!SENDING.test(method) || !isJsonObject(message)) return params;
  const { messageId, role, kind } = message;
  // The kind is what revision 0.3 tells messages from tasks by.
  const named = { messageId: messageId ?? id, role: role ?? 'user', kind: kind ?? 'message' };
  return { ...params, message: { ...message, ...named } };
}

/** The same for the same visit of a task. A UUID of version 8: made by a rule of our own. */
function uuidOf(key: string): string {
  const bytes = createHash('sha256').update(`a2a ${key}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
