/**
 * Events as CloudEvents 1.0. One that comes as such is kept whole, as the data of its message under
 * a name of its own; whoever waits for the message has the event's data, and whoever listens has
 * the event. What was published without that is an event, too, for those who listen.
 */
import { sha256 } from '../base/hash.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Message } from './input.ts';

/** The only name in the data of a message that is an event; no other data may have it. */
export const CLOUD_EVENT = '$cloudevent';

/** What an event says that nobody has given a source. */
const OWN_SOURCE = '/perdure';

/** Longer ids are kept as their hash. */
const ID_CHARS_MAX = 500;

/** Names of more attributes are lower-case letters and digits. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time?: string;
  readonly datacontenttype?: string;
  readonly dataschema?: string;
  readonly data?: unknown;
  readonly data_base64?: string;
  readonly [extension: string]: unknown;
}

/** The event that the data of a message holds, if it is one. */
export function findEvent(data: Json): JsonObject | undefined {
  if (!isJsonObject(data)) return undefined;
  const event = data[CLOUD_EVENT];
  if (!isJsonObject(event) || Object.keys(data).length !== 1) return undefined;
  return isEvent(event) ? event : undefined;
}

export function isEvent(value: Json): value is JsonObject {
  if (!isJsonObject(value) || value['specversion'] !== '1.0') return false;
  return ['id', 'source', 'type'].every((name) => typeof value[name] === 'string');
}

/** What whoever waits for the message is told. */
export function dataOf({ data }: Pick<Message, 'data'>): Json {
  const event = findEvent(data);
  if (event === undefined) return data;
  return event['data'] ?? event['data_base64'] ?? null;
}

/** What whoever listens is told. */
export function eventOf({ id, type, key, data }: Message): JsonObject {
  const event = findEvent(data);
  if (event !== undefined) return event;
  const about = key === '' ? {} : { subject: key };
  const datacontenttype = 'application/json';
  return { specversion: '1.0', id, source: OWN_SOURCE, type, ...about, datacontenttype, data };
}

/** The same source and id are the same event. A source has no space in it. */
export function eventId({ source, id }: Pick<CloudEvent, 'source' | 'id'>): string {
  const whole = `${source} ${id}`;
  return whole.length <= ID_CHARS_MAX ? whole : `sha256:${sha256(whole)}`;
}
