/**
 * Messages over HTTP: a GET of the channel's address, or what the document binds it to, and what
 * comes back, by its content type.
 *
 * - `text/event-stream`: each server-sent event is a message, its `event` and `id` the headers. If
 *   events have ids, a stream that ends or breaks is asked for again from the last one on, and so
 *   does every further round: nothing gets lost that the server still has.
 * - JSON lines: each line is a message. There is no place to go on from, so what is sent between
 *   two rounds is lost.
 * - Anything else is a whole answer: one message with the answer's headers, or one for each element
 *   of a list. What one round does not need is kept for the next.
 *
 * A stream that ends, and cannot be asked for again, ends the subscription.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Calling, HttpStream } from '../calling.ts';
import { contentOf } from '../http-content.ts';
import { failureOf } from '../http-exchange.ts';
import { readMediaType } from '../media-type.ts';
import { linesOf, readEvents } from '../server-sent-events.ts';
import { type Alarm, waitOr } from './alarm.ts';
import { broken } from './faults.ts';
import { methodOf, urlOf } from './http-publish.ts';
import { headersOf, valueOf, withCorrelation } from './message.ts';
import { chunksUntil, readRest, StreamFeed, type StreamSubscription } from './stream-feed.ts';
import type { Target } from './target.ts';

/** Of an answer that is no stream. */
export const ANSWER_BYTES_MAX = 10_485_760;
/** Of one that is an error: enough to see what was wrong. */
const FAILURE_BYTES_MAX = 65_536;
/** Before a stream is asked for again; as browsers do. */
export const RECONNECT_MS = 3_000;
/** How often that may fail, one time after the other. */
export const RECONNECTS_MAX = 5;

const ACCEPT = 'text/event-stream, application/x-ndjson, application/json;q=0.9, */*;q=0.1';
const EVENTS = 'text/event-stream';
const LINES = /^application\/(x-)?(ndjson|jsonl|json-lines|jsonlines|x-json-stream)$/;

export interface HttpSource {
  readonly calling: Calling;
  readonly alarm: Alarm;
  readonly target: Target;
  readonly authentication?: JsonObject;
}

interface Progress {
  readonly source: HttpSource;
  readonly stop: AbortSignal;
  /** Of the last event that was handed out; undefined if events have no ids. */
  lastId: string | undefined;
  /** The server has said all it has to say. */
  isEnded: boolean;
}

export function openHttpFeed(source: HttpSource, state: Json): StreamSubscription {
  const { rest, lastId, isEnded } = isJsonObject(state) ? state : EMPTY;
  const before = typeof lastId === 'string' ? lastId : undefined;
  const stop = new AbortController();
  const progress = { source, stop: stop.signal, lastId: before, isEnded: isEnded === true };
  const feed = new StreamFeed(messagesOf(progress), stop, readRest(rest));
  return {
    feed,
    leave: async () => {
      // Read before the rest is asked for, which moves it on.
      const isResumable = progress.lastId !== undefined;
      const left = await feed.leave();
      const id = isResumable ? (idOf(feed.last) ?? before) : undefined;
      // A server that goes on from an event sends those after it again.
      if (id !== undefined) return { lastId: id };
      if (left.length === 0 && progress.isEnded) return null;
      return { rest: left, isEnded: progress.isEnded };
    },
  };
}

function idOf(message: JsonObject | undefined): string | undefined {
  const id = isJsonObject(message?.['headers']) ? message['headers']['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

async function* messagesOf(progress: Progress): AsyncGenerator<JsonObject> {
  let failures = 0;
  while (!progress.isEnded && !progress.stop.aborted) {
    const { lastId } = progress;
    try {
      const stream = await ask(progress);
      yield* read(progress, stream);
      failures = 0;
    } catch (thrown) {
      failures = progress.lastId === lastId ? failures + 1 : 1;
      if (!isWorthAnother(progress, thrown) || failures > RECONNECTS_MAX) throw thrown;
    }
    if (progress.isEnded || progress.stop.aborted) return;
    if (progress.lastId === undefined) progress.isEnded = true;
    else await pause(progress);
  }
}

/** Only where the server can be told where to go on, and only if the network was to blame. */
function isWorthAnother({ lastId, stop }: Progress, thrown: unknown): boolean {
  if (lastId === undefined || stop.aborted) return false;
  return !(thrown instanceof WorkflowError) || thrown.kind === 'communication';
}

async function ask({ source, stop, lastId }: Progress): Promise<HttpStream> {
  const { calling, target, authentication } = source;
  const stream = await calling.http.open({
    method: methodOf(target, 'GET'),
    url: urlOf(source, EMPTY),
    headers: { accept: ACCEPT, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: AbortSignal.any([calling.signal, stop]),
    ...(authentication === undefined ? {} : { authentication }),
  });
  if (stream.status >= 200 && stream.status < 300) return stream;
  const body = await readSome(stream, FAILURE_BYTES_MAX);
  stream.close();
  throw failureOf(calling, { ...stream, body: body.bytes });
}

async function* read(progress: Progress, stream: HttpStream): AsyncGenerator<JsonObject> {
  const { correlations } = progress.source.target;
  const { type } = readMediaType(stream.headers['content-type']);
  try {
    // Nothing is there, and nothing will be: browsers do not come back either.
    if (stream.status === 204) progress.isEnded = true;
    else if (type === EVENTS) yield* eventsOf(progress, stream);
    else if (LINES.test(type)) yield* linesAsMessages(progress, stream);
    else yield* wholeOf(progress, stream, correlations);
  } finally {
    stream.close();
  }
}

async function* eventsOf(progress: Progress, { body }: HttpStream): AsyncGenerator<JsonObject> {
  const { stop, source } = progress;
  for await (const { event, data, id } of readEvents(chunksUntil(body, stop))) {
    if (id !== undefined) progress.lastId = id;
    const headers = id === undefined ? { event } : { event, id };
    const bare = { payload: valueOf(data), headers };
    yield withCorrelation(bare, undefined, source.target.correlations);
  }
}

async function* linesAsMessages(
  { stop, source }: Progress,
  { body }: HttpStream,
): AsyncGenerator<JsonObject> {
  for await (const line of linesOf(endedLines(chunksUntil(body, stop), stop))) {
    if (line.trim() === '') continue;
    const bare = { payload: valueOf(line), headers: EMPTY };
    yield withCorrelation(bare, undefined, source.target.correlations);
  }
}

/** The last line needs no end, if the stream has one. */
async function* endedLines(
  chunks: AsyncIterable<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  yield* chunks;
  if (!stop.aborted) yield Buffer.from('\n');
}

async function* wholeOf(
  progress: Progress,
  stream: HttpStream,
  correlations: readonly string[],
): AsyncGenerator<JsonObject> {
  const { bytes, isWhole } = await readSome(stream, ANSWER_BYTES_MAX, progress.stop);
  if (progress.stop.aborted) return;
  if (!isWhole) throw broken(`the answer has more than ${ANSWER_BYTES_MAX} bytes`);
  progress.isEnded = true;
  const content = contentOf({ headers: stream.headers, body: bytes });
  const headers = headersOf(stream.headers);
  for (const payload of Array.isArray(content) ? (content as readonly Json[]) : [content]) {
    yield withCorrelation({ payload, headers }, undefined, correlations);
  }
}

async function readSome(
  { body }: HttpStream,
  bytesMax: number,
  stop: AbortSignal = new AbortController().signal,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksUntil(body, stop)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > bytesMax) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), isWhole: size <= bytesMax };
}

function pause({ source, stop }: Progress): Promise<void> {
  return waitOr(source.alarm, RECONNECT_MS, AbortSignal.any([stop, source.calling.signal]));
}
