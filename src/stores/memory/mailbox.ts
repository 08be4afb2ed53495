/**
 * Messages and who waits for them. A topic is a message type with a key, or with an instance; only
 * topics that have both a message and a waiter are looked through, so a mailbox full of one or the
 * other costs nothing. A message is in the topics of all whom it is for; who listens to it is the
 * business of `hearers.ts`, and neither has less of it for the other.
 */
import { ANY, topicsOf } from '../../model/awaited.ts';
import type { SubscriptionRow, TurnRow } from '../../model/commit.ts';
import type { InstanceId, Instant, TokenId } from '../../model/ids.ts';
import type { Message } from '../../model/input.ts';
import type { PrunedMessages, PruneMessagesRequest } from '../instances.ts';
import { encode } from '../payload.ts';
import type { Delivery, NewMessage, PendingMessage, PendingRequest, TokenRef } from '../store.ts';
import { Hearers } from './hearers.ts';
import { isOfTenant, messageOf, type MessageRow, type TenantOf } from './message-row.ts';

interface Topic {
  readonly name: string;
  /** Oldest first. Those that are used up or over are not here. */
  readonly messages: Set<MessageRow>;
  /** Who waits, by which tokens, and since when each of them does. */
  readonly waiters: Map<InstanceId, Map<TokenId, number>>;
}

/** What a token may have. `published`: it is to be heard, and was published then. */
interface Candidate {
  readonly row: MessageRow;
  readonly published: boolean;
}

interface Found extends Candidate {
  readonly token: TokenId;
}

type TopicRef = Pick<Message, 'type' | 'key'> & { readonly instance?: InstanceId | undefined };

/** Who had a message, and when the first and the last of them did. */
interface Had {
  readonly by: Set<InstanceId>;
  first: number;
  last: number;
}

export class Mailbox {
  readonly #messages = new Map<string, MessageRow>();
  /** Those that are not used up. */
  readonly #kept = new Set<MessageRow>();
  readonly #topics = new Map<string, Topic>();
  readonly #matched = new Set<Topic>();
  /** By those who waited, and by those who listen. */
  readonly #waited = new Map<string, Had>();
  readonly #heard = new Map<string, Had>();
  readonly #subscriptions = new Map<InstanceId, Map<TokenId, Topic[]>>();
  readonly #suspended = new Set<InstanceId>();
  readonly #hearers: Hearers;
  readonly #tenantOf: TenantOf;
  #last = 0;

  constructor(tenantOf: TenantOf) {
    this.#tenantOf = tenantOf;
    this.#hearers = new Hearers(tenantOf);
  }

  publish(message: NewMessage, now: number): boolean {
    const { id, type, key, instance, tenant, trace, data, ttlMs } = message;
    if (this.#messages.has(id)) return false;
    this.#last += 1;
    const times = { publishedAt: now, expiresAt: now + ttlMs };
    const to = { instance, tenant, trace };
    const row = { n: this.#last, id, type, key, ...to, data: encode(data), ...times };
    this.#messages.set(id, row);
    this.#kept.add(row);
    for (const topic of this.#topicsOf(row)) {
      topic.messages.add(row);
      this.#match(topic);
    }
    this.#hearers.tell(row);
    return true;
  }

  /** By whom: 0 is one who waits, 1 are those who listen. */
  hasDelivered(message: string, instance: InstanceId, by: number): boolean {
    return this.#hadBy(by).get(message)?.by.has(instance) ?? false;
  }

  deliver(message: string, instance: InstanceId, at: number, by: number): void {
    if (by === 1) this.#hearers.drop(instance, message);
    const deliveries = this.#hadBy(by);
    const had = deliveries.get(message);
    if (had === undefined) {
      deliveries.set(message, { by: new Set([instance]), first: at, last: at });
      return;
    }
    had.by.add(instance);
    had.first = Math.min(had.first, at);
    had.last = Math.max(had.last, at);
  }

  #hadBy(by: number): Map<string, Had> {
    return by === 1 ? this.#heard : this.#waited;
  }

  #wasHad(id: string): boolean {
    return this.#waited.has(id) || this.#heard.has(id);
  }

  knows(id: string): boolean {
    return this.#messages.has(id);
  }

  consume(id: string): boolean {
    const row = this.#messages.get(id);
    if (row === undefined || !this.#wasHad(id)) return false;
    if (!this.#waited.has(id)) return true;
    const topics = this.#topicsOf(row);
    if (this.#offers(row, topics).size === 0) this.#useUp(row, topics);
    else for (const topic of topics) this.#match(topic);
    return true;
  }

  #useUp(row: MessageRow, topics: readonly Topic[]): void {
    this.#kept.delete(row);
    for (const topic of topics) {
      topic.messages.delete(row);
      this.#match(topic);
    }
  }

  /** How many are kept that somebody may have yet. */
  countKept(now: number): number {
    return [...this.#kept].filter(({ expiresAt }) => expiresAt >= now).length;
  }

  /** Newest first. */
  pending(request: PendingRequest, now: number): PendingMessage[] {
    const { before = Number.POSITIVE_INFINITY, limit } = request;
    const rows = [...this.#messages.values()].filter(
      (row) =>
        row.n < before &&
        row.expiresAt >= now &&
        !this.#wasHad(row.id) &&
        (['type', 'key', 'instance', 'tenant'] as const).every(
          (name) => request[name] === undefined || request[name] === row[name],
        ),
    );
    return rows.reverse().slice(0, limit).map(pendingOf);
  }

  prune({ before, after, walk, dryRun }: PruneMessagesRequest): PrunedMessages {
    const ids = [...this.#messages.keys()].filter((id) => after === null || id > after).sort();
    const walked = ids.slice(0, walk);
    const spent = walked.filter((id) => this.#isSpent(id, before));
    if (!dryRun) for (const id of spent) this.#forget(id);
    return { pruned: spent.length, next: walked.length < walk ? null : (walked.at(-1) ?? null) };
  }

  /** Nobody can have it any more, nor had it lately. */
  #isSpent(id: string, before: number): boolean {
    const row = this.#messages.get(id);
    if (row === undefined) return false;
    if (row.expiresAt < before) return true;
    if (this.#kept.has(row) || this.#hearers.of(id).length > 0) return false;
    const had = [this.#waited.get(id), this.#heard.get(id)];
    const last = Math.max(...had.map((one) => one?.last ?? Number.NEGATIVE_INFINITY));
    return row.publishedAt < before && last < before;
  }

  #forget(id: string): void {
    const row = this.#messages.get(id);
    if (row === undefined) return;
    this.#useUp(row, this.#topicsOf(row));
    this.#messages.delete(id);
    this.#waited.delete(id);
    this.#heard.delete(id);
    for (const instance of this.#hearers.of(id)) this.#hearers.drop(instance, id);
  }

  /** What waits in an instance that is suspended is not woken. */
  suspend(instance: InstanceId, isSuspended: boolean): void {
    if (isSuspended) this.#suspended.add(instance);
    else this.#suspended.delete(instance);
  }

  subscribe(instance: InstanceId, row: SubscriptionRow, at: number): void {
    const { token, type, key, since = at, live } = row;
    if (live !== undefined) return this.#listen(instance, row, since);
    const own = this.#subscriptions.get(instance) ?? new Map<TokenId, Topic[]>();
    this.#subscriptions.set(instance, own);
    for (const topic of [this.#topicOf({ type, key }), this.#topicOf({ type, key, instance })]) {
      const tokens = topic.waiters.get(instance);
      if (tokens === undefined) topic.waiters.set(instance, new Map([[token, since]]));
      else if (!tokens.has(token)) tokens.set(token, since);
      own.set(token, [...(own.get(token) ?? []), topic]);
      this.#match(topic);
    }
  }

  #listen(instance: InstanceId, row: SubscriptionRow, since: number): void {
    const kept = row.live === 'behind' ? [...this.#kept] : [];
    const missed = kept.filter(({ id, publishedAt }) => {
      return publishedAt >= since && !this.hasDelivered(id, instance, 1);
    });
    this.#hearers.listen(instance, row, since, missed);
  }

  turn(instance: InstanceId, { token, busy }: TurnRow): void {
    this.#hearers.turn(instance, token, busy);
  }

  hush(instance: InstanceId): void {
    this.#hearers.hush(instance);
  }

  unsubscribe(instance: InstanceId, token: TokenId): void {
    this.#hearers.leave(instance, token);
    const own = this.#subscriptions.get(instance);
    for (const topic of own?.get(token) ?? []) {
      const tokens = topic.waiters.get(instance);
      tokens?.delete(token);
      if (tokens?.size === 0) topic.waiters.delete(instance);
      this.#match(topic);
    }
    own?.delete(token);
    if (own?.size === 0) this.#subscriptions.delete(instance);
  }

  unsubscribeAll(instance: InstanceId): void {
    for (const token of [...(this.#subscriptions.get(instance)?.keys() ?? [])]) {
      this.unsubscribe(instance, token);
    }
  }

  deliverable(limit: number, now: number): Delivery[] {
    const rows = new Set<MessageRow>();
    for (const topic of [...this.#matched]) {
      for (const row of topic.messages) {
        if (row.expiresAt < now) topic.messages.delete(row);
        else rows.add(row);
      }
      this.#match(topic);
    }
    for (const [instance, row] of this.#hearers.heads(now)) {
      if (!this.#suspended.has(instance)) rows.add(row);
    }
    const found: Delivery[] = [];
    for (const { id } of [...rows].toSorted((a, b) => a.n - b.n)) {
      if (found.length >= limit) break;
      found.push(...this.deliverableOf(id, limit - found.length, now));
    }
    return found;
  }

  deliverableOf(message: string, limit: number, now: number): Delivery[] {
    const row = this.#messages.get(message);
    if (row === undefined || row.expiresAt < now) return [];
    const topics = this.#topicsOf(row);
    const waiting = this.#kept.has(row)
      ? this.#offers(row, topics)
      : new Map<InstanceId, TokenId>();
    for (const topic of topics) this.#match(topic);
    const found = new Map<InstanceId, Delivery>();
    const text = messageOf(row);
    for (const [instance, token] of waiting)
      found.set(instance, { instance, token, message: text });
    for (const instance of this.#hearers.of(message)) {
      const next = this.#hearers.next(instance, now);
      if (next?.row !== row) continue;
      const published = row.publishedAt as Instant;
      const { token = next.token } = found.get(instance) ?? {};
      found.set(instance, { instance, token, message: text, published });
    }
    const free = [...found.values()].filter(({ instance }) => !this.#suspended.has(instance));
    return free.slice(0, limit);
  }

  /** Of each instance the oldest that it may have. */
  deliverableTo(tokens: readonly TokenRef[], now: number): Delivery[] {
    const found = new Map<InstanceId, Found>();
    for (const { instance, token } of tokens) {
      if (this.#suspended.has(instance)) continue;
      for (const { row, published } of this.#candidates(instance, token, now)) {
        const best = found.get(instance)?.row.n ?? Number.POSITIVE_INFINITY;
        if (row.n < best) found.set(instance, { row, token, published });
      }
    }
    return Array.from(found, ([instance, { row, token, published }]) => {
      const heard = published ? { published: row.publishedAt as Instant } : {};
      return { instance, token, message: messageOf(row), ...heard };
    });
  }

  /** The oldest that a token may have, of each topic that it waits for, or what it hears next. */
  #candidates(instance: InstanceId, token: TokenId, now: number): readonly Candidate[] {
    if (this.#hearers.listensAt(instance, token)) {
      const next = this.#hearers.next(instance, now);
      return next === undefined ? [] : [{ row: next.row, published: true }];
    }
    const topics = this.#subscriptions.get(instance)?.get(token) ?? [];
    return topics.flatMap((topic) => {
      const row = [...topic.messages].find((one) => {
        return one.expiresAt >= now && this.#mayHave(topic, one, instance, token);
      });
      return row === undefined ? [] : [{ row, published: false }];
    });
  }

  /** One token of each instance: it has a message once, however many of its tokens wait. */
  #offers(row: MessageRow, topics: readonly Topic[]): Map<InstanceId, TokenId> {
    const offers = new Map<InstanceId, TokenId>();
    for (const topic of topics) {
      for (const [instance, tokens] of topic.waiters) {
        for (const token of tokens.keys()) {
          const best = offers.get(instance) ?? Number.POSITIVE_INFINITY;
          if (token < best && this.#mayHave(topic, row, instance, token)) {
            offers.set(instance, token);
          }
        }
      }
    }
    return offers;
  }

  #mayHave(topic: Topic, row: MessageRow, instance: InstanceId, token: TokenId): boolean {
    const { id } = row;
    if (!isOfTenant(row, this.#tenantOf, instance)) return false;
    const since = topic.waiters.get(instance)?.get(token);
    if (since === undefined || this.hasDelivered(id, instance, 0)) return false;
    return since <= (this.#waited.get(id)?.first ?? Number.POSITIVE_INFINITY);
  }

  #match(topic: Topic): void {
    const { name, messages, waiters } = topic;
    if (messages.size > 0 && waiters.size > 0) this.#matched.add(topic);
    else this.#matched.delete(topic);
    if (messages.size === 0 && waiters.size === 0) this.#topics.delete(name);
  }

  /** Of all who wait for a message. */
  #topicsOf({ type, key, instance }: TopicRef): readonly Topic[] {
    if (instance === undefined) return topicsOf({ type, key }).map((ref) => this.#topicOf(ref));
    return [type, ANY].map((each) => this.#topicOf({ type: each, key, instance }));
  }

  #topicOf({ type, key, instance }: TopicRef): Topic {
    // The length keeps apart what would read the same when put together.
    const name = `${type.length} ${type}${instance === undefined ? `/${key}` : `=${instance}`}`;
    let topic = this.#topics.get(name);
    if (topic === undefined) {
      topic = { name, messages: new Set(), waiters: new Map() };
      this.#topics.set(name, topic);
    }
    return topic;
  }
}

function pendingOf(row: MessageRow): PendingMessage {
  const { n, publishedAt, expiresAt } = row;
  return Object.freeze({
    n,
    message: messageOf(row),
    publishedAt: publishedAt as Instant,
    expiresAt: expiresAt as Instant,
  });
}
