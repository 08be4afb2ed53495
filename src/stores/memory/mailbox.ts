/**
 * Messages and who waits for them. A topic is a message type with a key, or with an instance; only
 * topics that have both a message and a waiter are looked through, so a mailbox full of one or the
 * other costs nothing.
 */
import { parseJson } from '../../base/json.ts';
import type { SubscriptionRow } from '../../model/commit.ts';
import type { InstanceId, Instant, TokenId } from '../../model/ids.ts';
import type { Message } from '../../model/input.ts';
import type { PrunedMessages, PruneMessagesRequest } from '../instances.ts';
import { encode } from '../payload.ts';
import type { Delivery, NewMessage, PendingMessage, PendingRequest, TokenRef } from '../store.ts';

interface Topic {
  readonly name: string;
  /** Oldest first. Those that are used up or over are not here. */
  readonly messages: Set<MessageRow>;
  /** Who waits, by which tokens, and since when each of them does. */
  readonly waiters: Map<InstanceId, Map<TokenId, number>>;
}

interface MessageRow {
  readonly n: number;
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly instance: InstanceId | undefined;
  readonly data: string;
  readonly publishedAt: number;
  readonly expiresAt: number;
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
  readonly #topics = new Map<string, Topic>();
  readonly #matched = new Set<Topic>();
  readonly #deliveries = new Map<string, Had>();
  readonly #subscriptions = new Map<InstanceId, Map<TokenId, Topic[]>>();
  readonly #suspended = new Set<InstanceId>();
  #last = 0;

  publish({ id, type, key, instance, data, ttlMs }: NewMessage, now: number): boolean {
    if (this.#messages.has(id)) return false;
    this.#last += 1;
    const n = this.#last;
    const times = { publishedAt: now, expiresAt: now + ttlMs };
    const row: MessageRow = { n, id, type, key, instance, data: encode(data), ...times };
    this.#messages.set(id, row);
    const topic = this.#topicOf(row);
    topic.messages.add(row);
    this.#match(topic);
    return true;
  }

  hasDelivered(message: string, instance: InstanceId): boolean {
    return this.#deliveries.get(message)?.by.has(instance) ?? false;
  }

  deliver(message: string, instance: InstanceId, at: number): void {
    const had = this.#deliveries.get(message);
    if (had === undefined) {
      this.#deliveries.set(message, { by: new Set([instance]), first: at, last: at });
      return;
    }
    had.by.add(instance);
    had.first = Math.min(had.first, at);
    had.last = Math.max(had.last, at);
  }

  knows(id: string): boolean {
    return this.#messages.has(id);
  }

  consume(id: string): boolean {
    if (!this.#deliveries.has(id)) return false;
    const row = this.#messages.get(id);
    if (row === undefined) return false;
    const topic = this.#topicOf(row);
    const waiters = [...topic.waiters.keys()];
    const isAwaited = waiters.some((one) => this.#offered(topic, row, one) !== undefined);
    if (!isAwaited) topic.messages.delete(row);
    this.#match(topic);
    return true;
  }

  /** Newest first. */
  pending(request: PendingRequest, now: number): PendingMessage[] {
    const { before = Number.POSITIVE_INFINITY, limit } = request;
    const rows = [...this.#messages.values()].filter(
      (row) =>
        row.n < before &&
        row.expiresAt >= now &&
        !this.#deliveries.has(row.id) &&
        (['type', 'key', 'instance'] as const).every(
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
    const topic = this.#topicOf(row);
    const isConsumed = !topic.messages.has(row);
    this.#match(topic);
    const last = this.#deliveries.get(id)?.last ?? Number.NEGATIVE_INFINITY;
    return isConsumed && row.publishedAt < before && last < before;
  }

  #forget(id: string): void {
    const row = this.#messages.get(id);
    if (row === undefined) return;
    const topic = this.#topicOf(row);
    topic.messages.delete(row);
    this.#match(topic);
    this.#messages.delete(id);
    this.#deliveries.delete(id);
  }

  /** What waits in an instance that is suspended is not woken. */
  suspend(instance: InstanceId, isSuspended: boolean): void {
    if (isSuspended) this.#suspended.add(instance);
    else this.#suspended.delete(instance);
  }

  subscribe(instance: InstanceId, { token, type, key }: SubscriptionRow, since: number): void {
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

  unsubscribe(instance: InstanceId, token: TokenId): void {
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
    const found: Delivery[] = [];
    for (const topic of [...this.#matched]) {
      for (const row of topic.messages) {
        if (found.length >= limit) return found;
        if (row.expiresAt < now) topic.messages.delete(row);
        else this.#collect(found, topic, row, limit);
      }
      this.#match(topic);
    }
    return found;
  }

  deliverableOf(message: string, limit: number, now: number): Delivery[] {
    const found: Delivery[] = [];
    const row = this.#messages.get(message);
    if (row === undefined || row.expiresAt < now) return found;
    const topic = this.#topicOf(row);
    if (topic.messages.has(row)) this.#collect(found, topic, row, limit);
    this.#match(topic);
    return found;
  }

  /** Of each instance the oldest that it may have. */
  deliverableTo(tokens: readonly TokenRef[], now: number): Delivery[] {
    const found = new Map<InstanceId, MessageRow & { readonly token: TokenId }>();
    for (const { instance, token } of tokens) {
      if (this.#suspended.has(instance)) continue;
      for (const topic of this.#subscriptions.get(instance)?.get(token) ?? []) {
        for (const row of topic.messages) {
          if (row.expiresAt < now || !this.#mayHave(topic, row, instance, token)) continue;
          const best = found.get(instance)?.n ?? Number.POSITIVE_INFINITY;
          if (row.n < best) found.set(instance, { ...row, token });
          break;
        }
      }
    }
    return Array.from(found, ([instance, row]) => {
      return { instance, token: row.token, message: messageOf(row) };
    });
  }

  /** One token of each instance: it has a message once, however many of its tokens wait. */
  #collect(found: Delivery[], topic: Topic, row: MessageRow, limit: number): void {
    for (const instance of topic.waiters.keys()) {
      if (found.length >= limit) return;
      const token = this.#suspended.has(instance) ? undefined : this.#offered(topic, row, instance);
      if (token !== undefined) found.push({ instance, token, message: messageOf(row) });
    }
  }

  /** The first of its tokens that may have the message, if it has not had it. */
  #offered(topic: Topic, row: MessageRow, instance: InstanceId): TokenId | undefined {
    let offered: TokenId | undefined;
    for (const token of topic.waiters.get(instance)?.keys() ?? []) {
      const isBetter = offered === undefined || token < offered;
      if (isBetter && this.#mayHave(topic, row, instance, token)) offered = token;
    }
    return offered;
  }

  #mayHave(topic: Topic, { id }: MessageRow, instance: InstanceId, token: TokenId): boolean {
    const since = topic.waiters.get(instance)?.get(token);
    if (since === undefined || this.hasDelivered(id, instance)) return false;
    return since <= (this.#deliveries.get(id)?.first ?? Number.POSITIVE_INFINITY);
  }

  #match(topic: Topic): void {
    const { name, messages, waiters } = topic;
    if (messages.size > 0 && waiters.size > 0) this.#matched.add(topic);
    else this.#matched.delete(topic);
    if (messages.size === 0 && waiters.size === 0) this.#topics.delete(name);
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

function messageOf({ id, type, key, instance, data }: MessageRow): Message {
  const target = instance === undefined ? {} : { instance };
  return Object.freeze({ id, type, key, ...target, data: parseJson(data) });
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
