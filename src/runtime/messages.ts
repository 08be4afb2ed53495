/**
 * Messages: kept first, then delivered to whoever waits, each delivery a commit of its own.
 *
 * The row is durable before anyone is woken, and a delivery is keyed by message and instance, so a
 * crash between two deliveries loses none and repeats none: the sweep goes on where it stopped.
 */
import { EngineError } from '../base/engine-error.ts';
import { admitJson, isJsonObject, type Json } from '../base/json.ts';
import { type Duration, parseDuration } from '../base/duration.ts';
import { ANY } from '../model/awaited.ts';
import { CLOUD_EVENT, type CloudEvent, eventId } from '../model/cloud-event.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Limits } from '../model/limits.ts';
import type { Tx } from '../model/tx.ts';
import type { Delivery, NewMessage, Store } from '../stores/store.ts';
import type { Alarm } from './alarm.ts';
import { pauseMs } from './backoff.ts';
import { bad, checkEvent, isEventLike, wrapped } from './cloud-events.ts';
import type { WatchHouse } from './commit-watch.ts';
import { checkFields, told } from './fields.ts';
import { newId } from './ids.ts';
import { showDelivery, showPublish } from './message-watch.ts';
import { isRetryable, isUnsure, move, type MoveHouse, unsureOf } from './move.ts';
import { checkName, isName, NAME_CHARS_MAX } from './options.ts';
import type { Request } from './strides.ts';
import { idGiven, ofTenant } from './tenant-messages.ts';
import { CALLER } from './tracing.ts';
import { UNSURE_MS_MAX, UNSURE_PAUSES } from './unsure.ts';
import type { Worker } from './worker.ts';

/** How long a message waits for its waiter unless the publisher says otherwise. */
const TTL_MS_DEFAULT = 7 * 86_400_000;
/** Waiters found at once. */
const ROUND_MAX = 200;

export interface Publication {
  readonly type: string;
  /**
   * Waits match by it; the default key of a wait is the instance's business key. Without one it is
   * for those who listen to any key.
   */
  readonly key?: string;
  readonly data?: unknown;
  /** Publishing the same id again is a duplicate and changes nothing. */
  readonly id?: string;
  readonly ttl?: Duration;
}

const FIELDS: readonly (keyof Publication)[] = ['type', 'key', 'data', 'id', 'ttl'];

/** A message for one instance: any wait of it for the type has it, whatever the key of that. */
export type Sending = Omit<Publication, 'key'>;

export interface PublishOptions {
  /** Publishes it in this transaction of yours: it is there once that commits, and not before. */
  readonly tx?: Tx;
  /** Only instances of this tenant may have it, and its id is known to this tenant alone. */
  readonly tenant?: string;
}

const OPTIONS: readonly (keyof PublishOptions)[] = ['tx', 'tenant'];

export interface Published {
  readonly outcome: 'woken' | 'buffered' | 'duplicate';
  readonly id: string;
  /** Those that this call woke itself. */
  readonly instances: readonly InstanceId[];
}

export interface MessageHouse extends MoveHouse, WatchHouse {
  readonly store: Store;
  readonly limits: Limits;
  readonly alarm: Alarm;
}

export async function publish(
  house: MessageHouse,
  publication: Publication | CloudEvent,
  options: PublishOptions,
  worker: Worker | null,
): Promise<Published> {
  checkFields('publish', options, OPTIONS);
  const { tx, tenant } = options;
  if (tenant !== undefined) checkName('tenant', tenant);
  const message = ofTenant(messageOf(publication, house.limits), tenant ?? null);
  return tx === undefined
    ? keepAndDeliver(house, message, worker)
    : publishWithin(house, message, tx);
}

/** What a program publishes, as it is kept. An event says by which rules it is one. */
function messageOf(publication: Publication | CloudEvent, limits: Limits): NewMessage {
  if (isEventLike(publication)) return eventMessage(publication, limits);
  checkFields('a message', publication, FIELDS);
  return checked(publication, limits);
}

/** The same source and id are the same event, whoever publishes it and how often. */
function eventMessage(publication: object, limits: Limits): NewMessage {
  const event = checkEvent(publication);
  const { type, subject } = event;
  const about = subject === undefined ? {} : { key: subject };
  const message = checked({ type, ...about, id: eventId(event) }, limits);
  return { ...message, data: sized(wrapped(event), limits) };
}

export async function keepAndDeliver(
  house: MessageHouse,
  message: NewMessage,
  worker: Worker | null,
): Promise<Published> {
  return showPublish(house, message, CALLER, (traced) => keepThenDeliver(house, traced, worker));
}

async function keepThenDeliver(
  house: MessageHouse,
  message: NewMessage,
  worker: Worker | null,
): Promise<Published> {
  const id = idGiven(message);
  const { isOurs, wasLost } = await keep(house, message);
  if (!isOurs) return { outcome: 'duplicate', id, instances: [] };
  // While its answer was lost, a sweep may have brought it to whoever waited for it.
  const { instances, isWoken } = await deliverNow(house, message.id, worker, wasLost);
  return { outcome: isWoken ? 'woken' : 'buffered', id, instances };
}

export function hasEnded(instance: InstanceId): EngineError {
  const why = `instance ${instance} has ended, and no message can reach it any more`;
  return new EngineError('instance.over', why, { details: { instance } });
}

/** In a transaction of the caller's: whoever waits for it is woken once that has committed. */
async function publishWithin(house: MessageHouse, message: NewMessage, tx: Tx): Promise<Published> {
  return showPublish(house, message, CALLER, async (traced) => {
    const isNew = await house.store.within(tx).publish(traced);
    return { outcome: isNew ? 'buffered' : 'duplicate', id: idGiven(message), instances: [] };
  });
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

/** Wakes whoever waits for a message that is kept by now; `mayBeHad`: somebody may have had it. */
export async function deliverNow(
  house: MoveHouse & WatchHouse & { readonly store: Store },
  id: string,
  worker: Worker | null,
  mayBeHad = false,
): Promise<{ instances: readonly InstanceId[]; isWoken: boolean }> {
  const instances: InstanceId[] = [];
  const taker = worker === null ? {} : { taker: worker.fresh };
  try {
    for (;;) {
      const found = await house.store.deliverable(ROUND_MAX, id);
      const woken = await deliver(house, found, async (request) => {
        return (await move(house, worker, { ...request, ...taker })) === 'moved';
      });
      instances.push(...woken);
      // Fewer than were asked for are all there are.
      if (found.length === ROUND_MAX && woken.length > 0) continue;
      if (instances.length > 0) return { instances, isWoken: true };
      // Those found and not woken were reached by something else: a sweep, with this very message?
      const isWoken = (mayBeHad || found.length > 0) && (await wasHad(house.store, id));
      return { instances, isWoken };
    }
  } catch (thrown) {
    if (!isRetryable(thrown)) throw thrown;
    // The message is kept: whoever sweeps next delivers it. An error would have it sent again.
    house.logger.warn({ message: id, error: String(thrown) }, 'a message is delivered later');
    return { instances, isWoken: instances.length > 0 };
  }
}

/**
 * Wakes those that still wait, and marks messages as used that everybody had. What the store could
 * not do for one of them does not keep the others from theirs.
 */
export async function deliver(
  house: Pick<MessageHouse, 'store' | 'logger' | keyof WatchHouse>,
  deliveries: readonly Delivery[],
  apply: (request: Request) => Promise<boolean>,
): Promise<readonly InstanceId[]> {
  const { store, logger } = house;
  const readable = deliveries.filter(({ instance, message, isCorrupt = false }) => {
    const details = { message: idGiven(message), instance };
    if (isCorrupt) logger.error(details, 'the data of a message is no JSON: nobody can have it');
    return !isCorrupt;
  });
  const first = firstOfEach(readable);
  const moved = await Promise.allSettled(
    first.map((delivery) => {
      const { instance, token, message, published } = delivery;
      const heard = published === undefined ? {} : { published };
      const input = (at: Instant): Input => ({ type: 'message', at, token, message, ...heard });
      return showDelivery(house, delivery, { instance, input, message: message.id }, apply);
    }),
  );
  const had = first.filter((_, n) => {
    const each = moved[n];
    return each?.status === 'fulfilled' && each.value;
  });
  // More may wait for one than were found at once: that one is not used up.
  if (had.length > 0) await store.consume([...new Set(had.map(({ message }) => message.id))]);
  for (const each of moved) if (each.status === 'rejected') throw each.reason;
  return had.map(({ instance }) => instance);
}

/** Whether some instance has had it. */
async function wasHad(store: Store, id: string): Promise<boolean> {
  return (await store.consume([id])).length > 0;
}

/** A token has one of them and moves on: the others are found again by whoever waits then. */
function firstOfEach(deliveries: readonly Delivery[]): readonly Delivery[] {
  const seen = new Set<string>();
  return deliveries.filter(({ instance, token }) => {
    const name = `${token} ${instance}`;
    return seen.size < seen.add(name).size;
  });
}

/** A message as it is kept, or why it cannot be. */
export function checked(
  publication: Sending & { readonly key?: string },
  limits: Limits,
  instance?: InstanceId,
): NewMessage {
  const { type, id = newId(), ttl = TTL_MS_DEFAULT, key } = publication;
  const texts = { type, id, ...(instance === undefined && 'key' in publication ? { key } : {}) };
  for (const [name, value] of Object.entries(texts)) {
    if (isName(value) && (value !== ANY || name === 'id')) continue;
    const but = name === 'id' ? '' : `, and not "${ANY}"`;
    const rule = `a text of 1 to ${NAME_CHARS_MAX} characters${but}`;
    throw bad(`the ${name} of a message is ${rule}; came ${told(value)}`);
  }
  const data = admitJson(publication.data);
  if (!data.ok) throw bad(`the data of a message is JSON: ${data.problem}`);
  if (isJsonObject(data.value) && CLOUD_EVENT in data.value) {
    const advice = 'publish the event itself instead: { specversion: "1.0", … }';
    throw bad(`the data of a message has no "${CLOUD_EVENT}": ${advice}`);
  }
  const ttlMs = parseDuration(ttl);
  if (!ttlMs.ok) throw bad(`the ttl of a message: ${ttlMs.problem}`);
  const to = instance === undefined ? { key: key ?? '' } : { key: '', instance };
  return { id, type, ...to, data: sized(data.value, limits), ttlMs: ttlMs.value };
}

function sized(data: Json, { VALUE_CHARS_MAX }: Limits): Json {
  const size = JSON.stringify(data).length;
  if (size <= VALUE_CHARS_MAX) return data;
  throw bad(`a message has at most VALUE_CHARS_MAX ${VALUE_CHARS_MAX} characters; came ${size}`);
}
