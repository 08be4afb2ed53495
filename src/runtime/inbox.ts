/**
 * The messages that nobody has had: too early, too late, or for a wait that a timeout ended. To be
 * looked at by people; what is listed here may be had a moment later.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { dataOf, findEvent } from '../model/cloud-event.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { PendingMessage, Store } from '../stores/store.ts';
import { checkFields } from './fields.ts';
import { checkCursor, checkPage, checkText } from './options.ts';
import { idGiven } from './tenant-messages.ts';

const PAGE_DEFAULT = 100;
const FIELDS: readonly (keyof InboxFilter)[] = [
  ...(['type', 'key', 'instance', 'tenant', 'limit', 'cursor'] as const),
];

/** What is not said does not matter. */
export interface InboxFilter {
  readonly type?: string;
  readonly key?: string;
  /** Only messages that were sent to this instance alone. */
  readonly instance?: string;
  /** Only messages of this tenant. */
  readonly tenant?: string;
  readonly limit?: number;
  /** Of the page before. */
  readonly cursor?: string;
}

export interface InboxMessage {
  /** As it was given. */
  readonly id: string;
  readonly type: string;
  /** Null if it has none, or is for one instance. */
  readonly key: string | null;
  readonly instance: InstanceId | null;
  /** Null if it is for instances of whatever tenant. */
  readonly tenant: string | null;
  readonly data: Json;
  /** All of it, if it was published as a CloudEvent. */
  readonly event?: JsonObject;
  readonly publishedAt: Instant;
  /** The last moment at which somebody can have it. */
  readonly expiresAt: Instant;
}

export interface InboxPage {
  /** Newest first. */
  readonly messages: readonly InboxMessage[];
  /** For the next page; null on the last. */
  readonly cursor: string | null;
}

export class Inbox {
  readonly #store: Store;
  readonly #assertOpen: () => void;

  constructor(store: Store, assertOpen: () => void) {
    this.#store = store;
    this.#assertOpen = assertOpen;
  }

  /** Messages that are kept and that nobody has had. */
  async list(filter: InboxFilter = {}): Promise<InboxPage> {
    this.#assertOpen();
    checkFields('what is listed', filter, FIELDS);
    const { type, key, instance, tenant, limit = PAGE_DEFAULT, cursor } = filter;
    for (const [name, value] of Object.entries({ type, key, instance, tenant })) {
      if (value !== undefined) checkText(name, value);
    }
    checkPage(limit);
    const found = await this.#store.pending({
      ...(type === undefined ? {} : { type }),
      ...(key === undefined ? {} : { key }),
      ...(instance === undefined ? {} : { instance: instance as InstanceId }),
      ...(tenant === undefined ? {} : { tenant }),
      ...(cursor === undefined ? {} : { before: checkCursor(cursor) }),
      // One more tells whether there is another page.
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { messages: shown.map(shownAs), cursor: last === undefined ? null : String(last.n) };
  }
}

function shownAs({ message, publishedAt, expiresAt }: PendingMessage): InboxMessage {
  const { type, key, instance = null, tenant = null } = message;
  const event = findEvent(message.data);
  const whole = event === undefined ? {} : { event };
  const id = idGiven(message);
  const to = { key: key === '' ? null : key, instance, tenant };
  return { id, type, ...to, data: dataOf(message), ...whole, publishedAt, expiresAt };
}
