/**
 * Instances in which someone listens, and what each of them is still to hear, oldest first. It is
 * written down as it is published, so nobody else matters to it.
 */
import { ANY, isFor, type Topic, topicsOf } from '../../model/awaited.ts';
import type { SubscriptionRow } from '../../model/commit.ts';
import type { InstanceId, TokenId } from '../../model/ids.ts';
import { isOfTenant, type MessageRow, type TenantOf } from './message-row.ts';

interface Listener {
  readonly topics: Topic[];
  readonly since: number;
  busy: boolean;
}

interface Hearer {
  readonly listeners: Map<TokenId, Listener>;
  /** By id, in the order of publishing. */
  unheard: Map<string, MessageRow>;
}

/** What an instance hears next, and by whom. */
export interface Heard {
  readonly row: MessageRow;
  readonly token: TokenId;
}

export class Hearers {
  readonly #hearers = new Map<InstanceId, Hearer>();
  readonly #byTopic = new Map<string, Set<InstanceId>>();
  /** Who is still to hear a message. */
  readonly #byMessage = new Map<string, Set<InstanceId>>();
  readonly #tenantOf: TenantOf;

  constructor(tenantOf: TenantOf) {
    this.#tenantOf = tenantOf;
  }

  /** A message is new. */
  tell(row: MessageRow): void {
    const { type, instance } = row;
    if (instance !== undefined) {
      const listeners = [...(this.#hearers.get(instance)?.listeners.values() ?? [])];
      const topics = listeners.flatMap((listener) => listener.topics);
      const isHeard = topics.some((topic) => topic.type === type || topic.type === ANY);
      return isHeard ? this.#add(instance, row) : undefined;
    }
    for (const topic of topicsOf(row)) {
      for (const each of this.#byTopic.get(nameOf(topic)) ?? []) this.#add(each, row);
    }
  }

  #add(instance: InstanceId, row: MessageRow): void {
    if (!isOfTenant(row, this.#tenantOf, instance)) return;
    this.#hearers.get(instance)?.unheard.set(row.id, row);
    const hearers = this.#byMessage.get(row.id) ?? new Set<InstanceId>();
    this.#byMessage.set(row.id, hearers.add(instance));
  }

  /** `kept` is what may have been published since it began, if it is behind. */
  listen(
    instance: InstanceId,
    { token, type, key }: SubscriptionRow,
    since: number,
    kept: Iterable<MessageRow>,
  ): void {
    const hearer = this.#hearers.get(instance) ?? { listeners: new Map(), unheard: new Map() };
    this.#hearers.set(instance, hearer);
    const listener = hearer.listeners.get(token) ?? { topics: [], since, busy: false };
    hearer.listeners.set(token, listener);
    listener.topics.push({ type, key });
    const name = nameOf({ type, key });
    this.#byTopic.set(name, (this.#byTopic.get(name) ?? new Set()).add(instance));
    const missed = [...kept].filter((row) => hears(listener, row, instance));
    if (missed.length === 0) return;
    for (const row of missed) this.#add(instance, row);
    const inOrder = [...hearer.unheard.values()].toSorted((a, b) => a.n - b.n);
    hearer.unheard = new Map(inOrder.map((row) => [row.id, row]));
  }

  turn(instance: InstanceId, token: TokenId, busy: boolean): void {
    const listener = this.#hearers.get(instance)?.listeners.get(token);
    if (listener !== undefined) listener.busy = busy;
  }

  leave(instance: InstanceId, token: TokenId): void {
    const hearer = this.#hearers.get(instance);
    const left = hearer?.listeners.get(token)?.topics ?? [];
    hearer?.listeners.delete(token);
    const rest = [...(hearer?.listeners.values() ?? [])].flatMap(({ topics }) => topics);
    const others = new Set(rest.map(nameOf));
    for (const name of left.map(nameOf)) {
      if (others.has(name)) continue;
      const instances = this.#byTopic.get(name);
      instances?.delete(instance);
      if (instances?.size === 0) this.#byTopic.delete(name);
    }
  }

  /** If nobody listens there any more, nothing is to be heard. */
  hush(instance: InstanceId): void {
    const hearer = this.#hearers.get(instance);
    if (hearer === undefined || hearer.listeners.size > 0) return;
    for (const id of [...hearer.unheard.keys()]) this.drop(instance, id);
    this.#hearers.delete(instance);
  }

  /** They have had it. */
  drop(instance: InstanceId, message: string): void {
    this.#hearers.get(instance)?.unheard.delete(message);
    const hearers = this.#byMessage.get(message);
    hearers?.delete(instance);
    if (hearers?.size === 0) this.#byMessage.delete(message);
  }

  /** Who is still to hear it. */
  of(message: string): readonly InstanceId[] {
    return [...(this.#byMessage.get(message) ?? [])];
  }

  /** What is next for each, where there is anything. */
  *heads(now: number): Iterable<readonly [InstanceId, MessageRow]> {
    for (const instance of this.#hearers.keys()) {
      const next = this.next(instance, now);
      if (next !== undefined) yield [instance, next.row];
    }
  }

  listensAt(instance: InstanceId, token: TokenId): boolean {
    return this.#hearers.get(instance)?.listeners.has(token) === true;
  }

  /** Nothing while one of them is busy. */
  next(instance: InstanceId, now: number): Heard | undefined {
    const hearer = this.#hearers.get(instance);
    if (hearer === undefined || hearer.unheard.size === 0) return undefined;
    const all = [...hearer.listeners].toSorted(([a], [b]) => a - b);
    if (all.some(([, { busy }]) => busy)) return undefined;
    for (const row of hearer.unheard.values()) {
      const by = row.expiresAt < now ? undefined : all.find(([, one]) => hears(one, row, instance));
      if (by !== undefined) return { row, token: by[0] };
    }
    return undefined;
  }
}

function hears({ topics, since }: Listener, row: MessageRow, instance: InstanceId): boolean {
  if (row.publishedAt < since) return false;
  return topics.some((topic) => isFor(row, topic, instance));
}

/** The length keeps apart what would read the same when put together. */
function nameOf({ type, key }: Topic): string {
  return `${type.length} ${type}/${key}`;
}
