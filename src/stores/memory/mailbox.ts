/**
 * Messages and who waits for them. A topic is a message type with a key; only topics that have both
 * a message and a waiter are looked through, so a mailbox full of one or the other costs nothing.
 */
import { parseJson } from '../../base/json.ts';
import type { SubscriptionRow } from '../../model/commit.ts';
import type { InstanceId, TokenId } from '../../model/ids.ts';
import { encode } from '../payload.ts';
import type { Delivery, NewMessage } from '../store.ts';

interface Topic {
  /** Oldest first. Those that are used up or over are not here. */
  readonly messages: Set<MessageRow>;
  readonly waiters: Map<InstanceId, Set<TokenId>>;
}

interface MessageRow {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly data: string;
  readonly expiresAt: number;
}

export class Mailbox {
  readonly #messages = new Map<string, MessageRow>();
  readonly #topics = new Map<string, Topic>();
  readonly #matched = new Set<Topic>();
  readonly #deliveries = new Map<string, Set<InstanceId>>();
  readonly #subscriptions = new Map<InstanceId, Map<TokenId, Topic[]>>();

  publish({ id, type, key, data, ttlMs }: NewMessage, now: number): boolean {
    if (this.#messages.has(id)) return false;
    const row: MessageRow = { id, type, key, data: encode(data), expiresAt: now + ttlMs };
    this.#messages.set(id, row);
    const topic = this.#topicOf(type, key);
    topic.messages.add(row);
    this.#match(topic);
    return true;
  }

  hasDelivered(message: string, instance: InstanceId): boolean {
    return this.#deliveries.get(message)?.has(instance) ?? false;
  }

  deliver(message: string, instance: InstanceId): void {
    const had = this.#deliveries.get(message);
    if (had === undefined) this.#deliveries.set(message, new Set([instance]));
    else had.add(instance);
  }

  consume(id: string): boolean {
    if (!this.#deliveries.has(id)) return false;
    const row = this.#messages.get(id);
    if (row === undefined) return false;
    const topic = this.#topicOf(row.type, row.key);
    topic.messages.delete(row);
    this.#match(topic);
    return true;
  }

  subscribe(instance: InstanceId, { token, type, key }: SubscriptionRow): void {
    const topic = this.#topicOf(type, key);
    const tokens = topic.waiters.get(instance);
    if (tokens === undefined) topic.waiters.set(instance, new Set([token]));
    else tokens.add(token);
    const own = this.#subscriptions.get(instance) ?? new Map<TokenId, Topic[]>();
    own.set(token, [...(own.get(token) ?? []), topic]);
    this.#subscriptions.set(instance, own);
    this.#match(topic);
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
    const topic = this.#topicOf(row.type, row.key);
    if (topic.messages.has(row)) this.#collect(found, topic, row, limit);
    return found;
  }

  /** One token of each instance: it has a message once, however many of its tokens wait. */
  #collect(found: Delivery[], topic: Topic, row: MessageRow, limit: number): void {
    const { id, type, key, data } = row;
    for (const [instance, tokens] of topic.waiters) {
      if (found.length >= limit) return;
      if (this.hasDelivered(id, instance)) continue;
      const token = Math.min(...tokens) as TokenId;
      const message = Object.freeze({ id, type, key, data: parseJson(data) });
      found.push({ instance, token, message });
    }
  }

  #match(topic: Topic): void {
    if (topic.messages.size > 0 && topic.waiters.size > 0) this.#matched.add(topic);
    else this.#matched.delete(topic);
  }

  #topicOf(type: string, key: string): Topic {
    // The length keeps apart what would read the same when put together.
    const name = `${type.length} ${type}${key}`;
    let topic = this.#topics.get(name);
    if (topic === undefined) {
      topic = { messages: new Set(), waiters: new Map() };
      this.#topics.set(name, topic);
    }
    return topic;
  }
}
