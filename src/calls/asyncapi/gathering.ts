/**
 * How many messages a subscription takes, and when it has had enough.
 *
 * `amount` counts those that pass the filter. `until` is asked before each message is waited for,
 * and `while` after each that was accepted. `forMs` bounds the time: what has come by then is the
 * result, and nothing is wrong with it.
 *
 * Messages are consumed in rounds, each of which somebody commits; see `subscribe.ts`. A round that
 * is full does not ask `until`: what it looks at may change before the next round begins.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Alarm } from './alarm.ts';

export interface Consume {
  /** The same for all rounds of one visit of a task, and for nobody else: names the session. */
  readonly session: string;
  /** The filter: what it refuses is not counted. What it throws ends the call. */
  readonly accept: (message: JsonObject) => boolean;
  readonly amount?: number;
  /** Given the message that was just accepted, and all of this round. */
  readonly while?: (message: JsonObject, soFar: readonly JsonObject[]) => boolean;
  /** Given all of this round; of what came in earlier ones its caller knows. */
  readonly until?: (soFar: readonly JsonObject[]) => boolean;
  /** What is left of the time. */
  readonly forMs?: number;
  /** A round ends with so many; it may end with fewer. */
  readonly max?: number;
  /** Accepted in earlier rounds. */
  readonly known: number;
  /** What the round before has returned as `state`; null in the first. */
  readonly state: Json;
}

/** Where messages come from. */
export interface Feed {
  /** The next one; undefined once there will be no more. */
  next(): Promise<Arrival | undefined>;
  /** Takes no more before these are settled. */
  isFull(): boolean;
}

export interface Arrival {
  readonly message: JsonObject;
  /** Said of each message before the next is asked for. */
  judge(isAccepted: boolean): void;
}

export interface Gathered {
  readonly messages: readonly JsonObject[];
  /** No more is wanted; there may be more; there is no more. */
  readonly why: 'over' | 'full' | 'ended';
}

const LATE = Symbol('the time is over');

export async function gather(
  feed: Feed,
  consume: Consume,
  { alarm, signal }: { readonly alarm: Alarm; readonly signal: AbortSignal },
): Promise<Gathered> {
  const messages: JsonObject[] = [];
  const end = endOf(consume.forMs, alarm, signal);
  try {
    for (;;) {
      signal.throwIfAborted();
      if (hasAll(consume, messages.length)) return { messages, why: 'over' };
      if (isRoundFull(consume, feed, messages.length)) return { messages, why: 'full' };
      if (consume.until?.(messages) === true) return { messages, why: 'over' };
      const coming = feed.next();
      // It may lose the race, and fail when nobody listens any more.
      coming.catch(() => {});
      const arrival = await Promise.race([coming, end.promise]);
      if (arrival === LATE) return { messages, why: 'over' };
      if (arrival === undefined) return { messages, why: 'ended' };
      const { message } = arrival;
      const isAccepted = consume.accept(message);
      arrival.judge(isAccepted);
      if (!isAccepted) continue;
      messages.push(message);
      if (consume.while?.(message, messages) === false) return { messages, why: 'over' };
    }
  } finally {
    end.cancel();
  }
}

/** Whether nothing is to be waited for at all. */
export function isOver(consume: Consume): boolean {
  const { forMs, until } = consume;
  return hasAll(consume, 0) || (forMs !== undefined && forMs <= 0) || until?.([]) === true;
}

function hasAll({ amount, known }: Consume, count: number): boolean {
  return amount !== undefined && known + count >= amount;
}

function isRoundFull({ max }: Consume, feed: Feed, count: number): boolean {
  return feed.isFull() || (max !== undefined && count >= max);
}

function endOf(
  forMs: number | undefined,
  alarm: Alarm,
  signal: AbortSignal,
): { readonly promise: Promise<typeof LATE>; cancel(): void } {
  let cancel = (): void => {};
  const promise = new Promise<typeof LATE>((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave);
    const stop = forMs === undefined ? () => {} : alarm.set(forMs, () => resolve(LATE));
    cancel = () => {
      signal.removeEventListener('abort', leave);
      stop();
    };
  });
  promise.catch(() => {});
  return { promise, cancel };
}
