/**
 * Messages: kept first, then delivered to whoever waits, each delivery a commit of its own.
 *
 * The row is durable before anyone is woken, and a delivery is keyed by message and instance, so a
 * crash between two deliveries loses none and repeats none: the sweep goes on where it stopped.
 */
import { EngineError } from '../base/engine-error.ts';
import { admitJson } from '../base/json.ts';
import { type Duration, parseDuration } from '../base/duration.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Tx } from '../model/tx.ts';
import type { Delivery, NewMessage, Store } from '../stores/store.ts';
import type { Alarm } from './alarm.ts';
import { pauseMs } from './backoff.ts';
import { newId } from './ids.ts';
import { isRetryable, isUnsure, move, type MoveHouse, unsureOf } from './move.ts';
import { NAME_CHARS_MAX } from './options.ts';
import type { Request } from './strides.ts';
import { UNSURE_MS_MAX, UNSURE_PAUSES } from './unsure.ts';
import type { Worker } from './worker.ts';

/** How long a message waits for its waiter unless the publisher says otherwise. */
const TTL_MS_DEFAULT = 7 * 86_400_000;
/** Waiters found at once. */
const ROUND_MAX = 200;

export interface Publication {
  readonly type: string;
  /** Waits match by it; the default key of a wait is the instance's business key. */
  readonly key: string;
  readonly data?: unknown;
  /** Publishing the same id again is a duplicate and changes nothing. */
  readonly id?: string;
  readonly ttl?: Duration;
}

export interface Published {
  readonly outcome: 'woken' | 'buffered' | 'duplicate';
  readonly id: string;
  /** Those that this call woke itself. */
  readonly instances: readonly InstanceId[];
}

export interface MessageHouse extends MoveHouse {
  readonly store: Store;
  readonly limits: Limits;
  readonly alarm: Alarm;
}

export async function publish(
  house: MessageHouse,
  publication: Publication,
  worker: Worker | null,
): Promise<Published> {
  const message = checked(publication, house.limits);
  const { id } = message;
  const { isOurs, wasLost } = await keep(house, message);
  if (!isOurs) return { outcome: 'duplicate', id, instances: [] };
  // While its answer was lost, a sweep may have brought it to whoever waited for it.
  const { instances, isWoken } = await deliverNow(house, id, worker, wasLost);
  return { outcome: isWoken ? 'woken' : 'buffered', id, instances };
}

/** In a transaction of the caller's: whoever waits for it is woken once that has committed. */
export async function publishWithin(
  { store, limits }: MessageHouse,
  publication: Publication,
  tx: Tx,
): Promise<Published> {
  const message = checked(publication, limits);
  const isNew = await store.within(tx).publish(message);
  return { outcome: isNew ? 'buffered' : 'duplicate', id: message.id, instances: [] };
}

/**
 * Not ours if the id was known. If the answer is lost, it is simply kept again: the id has it kept
 * once, and if the id is known then, it is the one we brought (D3).
 */
async function keep(
  { store, alarm }: MessageHouse,
  message: NewMessage,
): Promise<{ isOurs: boolean; wasLost: boolean }> {
  const until = store.now() + UNSURE_MS_MAX;
  for (let losses = 0; ; ) {
    try {
      const isNew = await store.publish(message);
      return { isOurs: isNew || losses > 0, wasLost: losses > 0 };
    } catch (thrown) {
      const isLost = losses === 0 ? isUnsure(thrown) : isRetryable(thrown);
      if (!isLost || store.now() >= until) throw losses === 0 ? thrown : unsureOf(thrown);
    }
    losses += 1;
    const ms = pauseMs(UNSURE_PAUSES, losses, `${message.id} ${losses}`);
    await new Promise<void>((resolve) => void alarm.set(ms, resolve));
  }
}

/** Wakes whoever waits for a message that is kept by now; `wasHad`: some may have had it before. */
export async function deliverNow(
  house: MoveHouse & { readonly store: Store },
  id: string,
  worker: Worker | null,
  wasHad = false,
): Promise<{ instances: readonly InstanceId[]; isWoken: boolean }> {
  const instances: InstanceId[] = [];
  const taker = worker === null ? {} : { taker: worker.fresh };
  try {
    for (;;) {
      const found = await house.store.deliverable(ROUND_MAX, id);
      const woken = await deliver(house.store, found, async (request) => {
        return (await move(house, worker, { ...request, ...taker })) === 'moved';
      });
      instances.push(...woken);
      if (woken.length > 0) continue;
      // Those found and not woken were reached by something else: a sweep, with this very message?
      const hadIt = (wasHad || found.length > 0) && (await house.store.consume(id));
      return { instances, isWoken: hadIt || instances.length > 0 };
    }
  } catch (thrown) {
    if (!isRetryable(thrown)) throw thrown;
    // The message is kept: whoever sweeps next delivers it. An error would have it sent again.
    house.logger.warn({ message: id, error: String(thrown) }, 'a message is delivered later');
    return { instances, isWoken: instances.length > 0 };
  }
}

/** Wakes those that still wait, and marks a message as used once everybody had it. */
export async function deliver(
  store: Store,
  deliveries: readonly Delivery[],
  apply: (request: Request) => Promise<boolean>,
): Promise<readonly InstanceId[]> {
  const woken = await Promise.all(
    deliveries.map(async ({ instance, token, message }) => {
      const moved = await apply({
        instance,
        input: (at) => ({ type: 'message', at, token, message }),
        message: message.id,
      });
      return moved ? [{ instance, message: message.id }] : [];
    }),
  );
  const had = woken.flat();
  for (const id of new Set(had.map(({ message }) => message))) {
    // More may wait for it than were found at once.
    const left = await store.deliverable(1, id);
    if (left.length === 0) await store.consume(id);
  }
  return had.map(({ instance }) => instance);
}

function checked(publication: Publication, { VALUE_CHARS_MAX }: Limits): NewMessage {
  const { type, key, id = newId(), ttl = TTL_MS_DEFAULT } = publication;
  for (const [name, value] of Object.entries({ type, key, id })) {
    if (typeof value === 'string' && value !== '' && value.length <= NAME_CHARS_MAX) continue;
    throw bad(`the ${name} of a message is a text of 1 to ${NAME_CHARS_MAX} characters`);
  }
  const data = admitJson(publication.data);
  if (!data.ok) throw bad(`the data of a message is JSON: ${data.problem}`);
  const size = JSON.stringify(data.value).length;
  if (size > VALUE_CHARS_MAX) {
    throw bad(`a message has at most VALUE_CHARS_MAX ${VALUE_CHARS_MAX} characters; came ${size}`);
  }
  const ttlMs = parseDuration(ttl);
  if (!ttlMs.ok) throw bad(`the ttl of a message: ${ttlMs.problem}`);
  return { id, type, key, data: data.value, ttlMs: ttlMs.value };
}

function bad(message: string): EngineError {
  return new EngineError('message.invalid', message);
}
