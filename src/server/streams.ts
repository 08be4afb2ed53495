/**
 * Server-sent events: what happens, pushed as it happens. Each has an id, and whoever comes back
 * with the last one they had (`Last-Event-ID`, as browsers do by themselves) is told what has come
 * since: of one instance every commit once, of many each at least once.
 *
 * A stream is read from the store at the pace of its reader and keeps nothing here. It ends with
 * the engine, when its reader goes, and after STREAM_MS_MAX, so that a key that was withdrawn does
 * not go on hearing for ever.
 */
import { RequestError } from './problem.ts';
import type { ServerLimits } from './limits.ts';

export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

export interface StreamHouse {
  readonly limits: Pick<
    ServerLimits,
    'STREAMS_MAX' | 'STREAMS_EACH_MAX' | 'STREAM_MS_MAX' | 'STREAM_BEAT_MS'
  >;
}

export class Streams {
  readonly #limits: StreamHouse['limits'];
  readonly #open = new Map<string, number>();
  readonly #endings = new Set<AbortController>();
  #count = 0;

  constructor({ limits }: StreamHouse) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /** Ends every stream: the server closes. */
  close(): void {
    for (const ending of this.#endings) ending.abort();
  }

  /** `follow` is called with a signal that ends it. */
  open(
    who: string,
    gone: AbortSignal,
    follow: (signal: AbortSignal) => AsyncIterator<ServerEvent>,
  ): ReadableStream<Uint8Array> {
    const each = this.#open.get(who) ?? 0;
    this.#check(each);
    const ending = new AbortController();
    // What cannot be followed is refused here, and has taken no place yet.
    const events = follow(ending.signal);
    if (gone.aborted) ending.abort();
    this.#open.set(who, each + 1);
    this.#count += 1;
    this.#endings.add(ending);
    const limit = setTimeout(() => ending.abort(), this.#limits.STREAM_MS_MAX);
    limit.unref();
    const end = (): void => ending.abort();
    gone.addEventListener('abort', end, { once: true });
    const leave = (): void => {
      clearTimeout(limit);
      gone.removeEventListener('abort', end);
      if (this.#endings.delete(ending)) this.#leave(who);
      ending.abort();
    };
    return streamOf(events, ending.signal, this.#limits.STREAM_BEAT_MS, leave);
  }

  #check(each: number): void {
    const { STREAMS_MAX, STREAMS_EACH_MAX } = this.#limits;
    const isMine = each >= STREAMS_EACH_MAX;
    if (!isMine && this.#count < STREAMS_MAX) return;
    const limit = isMine ? `STREAMS_EACH_MAX ${STREAMS_EACH_MAX}` : `STREAMS_MAX ${STREAMS_MAX}`;
    throw new RequestError('access.too-many', `there are as many streams as may be (${limit})`, {
      retryable: true,
      headers: { 'retry-after': '10' },
    });
  }

  #leave(who: string): void {
    this.#count -= 1;
    const left = (this.#open.get(who) ?? 1) - 1;
    if (left === 0) this.#open.delete(who);
    else this.#open.set(who, left);
  }
}

/** A line that means nothing: there is somebody here. */
const BEAT = ': \n\n';

function streamOf(
  events: AsyncIterator<ServerEvent>,
  signal: AbortSignal,
  beatMs: number,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const text = new TextEncoder();
  let next: Promise<IteratorResult<ServerEvent>> | null = null;
  const stop = async (): Promise<void> => {
    leave();
    await events.return?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      // Something at once: whoever waits for the first byte knows that it has begun.
      start: (out) => out.enqueue(text.encode(BEAT)),
      async pull(out) {
        next ??= events.next();
        try {
          const came = await orBeat(next, signal, beatMs);
          if (came === 'beat') return out.enqueue(text.encode(BEAT));
          next = null;
          if (came === 'over' || came.done === true) {
            await stop();
            return out.close();
          }
          out.enqueue(text.encode(linesOf(came.value)));
        } catch (thrown) {
          leave();
          out.error(thrown);
        }
      },
      cancel: stop,
    },
    // Nothing is read ahead of the reader.
    { highWaterMark: 1 },
  );
}

function orBeat(
  next: Promise<IteratorResult<ServerEvent>>,
  signal: AbortSignal,
  beatMs: number,
): Promise<IteratorResult<ServerEvent> | 'beat' | 'over'> {
  return new Promise((resolve, reject) => {
    const over = (): void => settle(() => resolve('over'));
    const beat = setTimeout(() => settle(() => resolve('beat')), beatMs);
    const settle = (end: () => void): void => {
      clearTimeout(beat);
      signal.removeEventListener('abort', over);
      end();
    };
    signal.addEventListener('abort', over, { once: true });
    if (signal.aborted) over();
    next.then(
      (came) => settle(() => resolve(came)),
      (thrown: Error) => settle(() => reject(thrown)),
    );
  });
}

/** JSON has no line ends of its own, so one line of data is enough. */
function linesOf({ id, event, data }: ServerEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
