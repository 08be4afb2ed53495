/**
 * JSON-RPC 2.0 over HTTP, as far as a client needs it: MCP and A2A both speak it, and both answer
 * either with one message or with a stream of them.
 *
 * An error that was answered is a `runtime` error; no answer, or one that is none, is a
 * `communication` error with the status that came.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../base/json.ts';
import { meant } from '../base/nearest.ts';
import { WorkflowError } from '../model/workflow-error.ts';
import { textArgument } from './arguments.ts';
import type { Calling, HttpStream } from './calling.ts';
import { brokenAs, brokenBy, notAskable } from './http/failures.ts';
import { isJsonType, readMediaType } from './media-type.ts';
import { readEvents } from './server-sent-events.ts';

/** Of an answer that is one message and no stream. */
export const BODY_BYTES_MAX: number = 10 * 1_048_576;
const EXCERPT_CHARS_MAX = 500;

export const RPC_TYPES = 'application/json, text/event-stream';

/** The method a task names, if it is one of those the protocol has. */
export function rpcMethod(
  protocol: string,
  methods: readonly string[],
  given: Json | undefined,
): string {
  const method = textArgument('method', given);
  if (methods.includes(method)) return method;
  const hint = meant(method, methods);
  throw notAskable(`"method" is one of ${protocol}'s, and not "${method}"; ${hint}`);
}

export function rpcRequest(id: string | number, method: string, params?: Json): JsonObject {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

/** Whether a message answers this request; an error without an id answers whatever was asked. */
export function answers(message: JsonObject, id: string | number): boolean {
  if ('method' in message) return false;
  return message['id'] === id || ('error' in message && (message['id'] ?? null) === null);
}

/** What was asked for, or a `runtime` error with what the server says of it. */
export function rpcResult({ hide }: Calling, method: string, answer: JsonObject): Json {
  const { result, error } = answer;
  if (error === undefined) return result ?? null;
  const { code, message, data } = isJsonObject(error) ? error : { message: error };
  const number = typeof code === 'number' ? ` ${code}` : '';
  const text = typeof message === 'string' ? message : JSON.stringify(message ?? null);
  const more = (data ?? null) === null ? '' : ` (${excerpt(hide, JSON.stringify(data))})`;
  const detail = `${method} was answered by error${number}: ${excerpt(hide, text)}${more}`;
  throw new WorkflowError('runtime', { detail });
}

/** The messages of an answer as they come, whether it is one or a stream; `place` is for errors. */
export async function* rpcMessages(
  calling: Calling,
  answer: HttpStream,
  place: string,
): AsyncGenerator<JsonObject> {
  try {
    yield* messagesOf(calling, answer, place);
  } catch (thrown) {
    throw brokenBy(thrown, place);
  }
}

async function* messagesOf(
  { hide }: Calling,
  answer: HttpStream,
  place: string,
): AsyncGenerator<JsonObject> {
  const { type } = readMediaType(answer.headers['content-type']);
  const isFine = answer.status >= 200 && answer.status < 300;
  if (isFine && type === 'text/event-stream') {
    for await (const { data } of readEvents(answer.body)) {
      // Some servers begin with an event that only has an id.
      if (data.trim() !== '') yield* read(data, place, hide);
    }
    return;
  }
  const text = await readBody(answer, place);
  if (isFine && text.trim() === '') return;
  const isRpc = isJsonType(type) && (isFine || isRpcError(text));
  if (isRpc) yield* read(text, place, hide);
  else throw refusalOf(answer, place, excerpt(hide, text));
}

function refusalOf({ status, headers }: HttpStream, place: string, text: string): WorkflowError {
  const said = text === '' ? '' : `: ${text}`;
  if (status < 200 || status > 299) return brokenAs(`${place} answered ${status}${said}`, status);
  const type = headers['content-type'] ?? 'no type';
  return brokenAs(`${place} answered ${type} in the place of JSON or events${said}`);
}

function* read(text: string, place: string, hide: Calling['hide']): Generator<JsonObject> {
  const value = parse(text);
  // A batch, which older revisions allow.
  const messages = Array.isArray(value) ? (value as readonly Json[]) : [value];
  for (const message of messages) {
    if (isJsonObject(message)) yield message;
    else throw brokenAs(`${place} answered what is no JSON-RPC: ${excerpt(hide, text)}`);
  }
}

/** Some servers answer an error with a status that says the same. */
function isRpcError(text: string): boolean {
  const value = parse(text);
  return isJsonObject(value) && value['jsonrpc'] === '2.0' && isJsonObject(value['error']);
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

async function readBody(answer: HttpStream, place: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= BODY_BYTES_MAX) continue;
    answer.close();
    throw brokenAs(`${place} answered more than ${BODY_BYTES_MAX} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Hidden before it is cut: a part of a secret would not be known for one. */
function excerpt(hide: Calling['hide'], text: string): string {
  return hide(text).replaceAll(/\s+/g, ' ').trim().slice(0, EXCERPT_CHARS_MAX);
}
