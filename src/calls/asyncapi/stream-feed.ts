/**
 * Messages out of a stream of bytes: of HTTP, or of a WebSocket.
 *
 * Such a stream has no memory: what is sent while nobody listens is gone, unless its server can be
 * told where to go on. What had come already when a round ended is kept for the next round, though:
 * nobody else would send it again.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Arrival, Feed } from './gathering.ts';

/** Chunks, until there are no more or nobody wants any. */
export async function* chunksUntil(
  chunks: AsyncIterable<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (;;) {
    const coming = iterator.next();
    coming.catch(() => {});
    const next = await Promise.race([stopped, coming]);
    if (next === undefined || next.done === true) return;
    yield next.value;
  }
}

export class StreamFeed implements Feed {
  readonly #messages: AsyncIterator<JsonObject>;
  readonly #stop: AbortController;
  readonly #rest: JsonObject[];
  #coming: Promise<IteratorResult<JsonObject>> | undefined;
  /** What was asked for last. */
  last: JsonObject | undefined;

  /** `messages` ends once `stop` is aborted and what had come is handed out. */
  constructor(
    messages: AsyncIterable<JsonObject>,
    stop: AbortController,
    rest: readonly JsonObject[],
  ) {
    this.#messages = messages[Symbol.asyncIterator]();
    this.#stop = stop;
    this.#rest = [...rest];
  }

  async next(): Promise<Arrival | undefined> {
    const message = this.#rest.shift() ?? (await this.#pull());
    if (message === undefined) return undefined;
    return { message, judge: () => (this.last = message) };
  }

  isFull(): boolean {
    return false;
  }

  /** Closes the stream, and says what had come and was not asked for. */
  async leave(): Promise<readonly JsonObject[]> {
    this.#stop.abort();
    try {
      for (;;) {
        const message = await this.#pull();
        if (message === undefined) return this.#rest;
        this.#rest.push(message);
      }
    } catch {
      // It broke off: what had come until then is all there is.
      return this.#rest;
    }
  }

  /** One at a time: who has asked and gone away has not had the message. */
  async #pull(): Promise<JsonObject | undefined> {
    const coming = (this.#coming ??= this.#messages.next());
    const { done, value } = await coming;
    if (this.#coming === coming) this.#coming = undefined;
    return done === true ? undefined : value;
  }
}

export interface StreamSubscription {
  readonly feed: Feed;
  /** Closes the stream. What it returns, the next round is given; null if there is no more. */
  readonly leave: () => Promise<Json>;
}

/** What an earlier round has kept. */
export function readRest(state: Json | undefined): readonly JsonObject[] {
  return Array.isArray(state) ? (state as readonly JsonObject[]) : [];
}
