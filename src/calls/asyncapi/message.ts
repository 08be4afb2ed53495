/**
 * Messages: what leaves and comes as bytes, and what a workflow sees of it.
 *
 * In a workflow a message has a `payload`, `headers` and, if it has any, a `correlationId`: where
 * the document says it is, else what MQTT 5 has a field for, else the header of that name. Whatever
 * a stranger sends can be read: bytes that are not what they ought to be are a text, and what is no
 * text is base64. A filter can tell, and one bad message does not end a subscription.
 */
import { admitJson, type Json, type JsonObject } from '../../base/json.ts';
import { writeBody } from '../http-body.ts';
import { base64Of } from '../http-content.ts';
import { isBinaryType, isJsonType, isTextType, readMediaType } from '../media-type.ts';
import { pointed } from '../references.ts';

/** As it comes in. */
export interface Arrived {
  readonly body: Uint8Array;
  readonly headers: JsonObject;
  readonly contentType?: string | undefined;
  /** If the protocol has a place of its own for it. */
  readonly correlationId?: string | undefined;
}

export function messageOf(arrived: Arrived, correlations: readonly string[]): JsonObject {
  return withCorrelation(
    { payload: payloadOf(arrived.body, arrived.contentType), headers: arrived.headers },
    arrived.correlationId,
    correlations,
  );
}

export interface WrittenPayload {
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
}

export interface Bare {
  readonly payload: Json;
  readonly headers: JsonObject;
}

export function withCorrelation(
  message: Bare,
  told: string | undefined,
  correlations: readonly string[],
): JsonObject {
  const { payload, headers } = message;
  const located = correlations.map((location) => atExpression(location, message));
  const named = Object.entries(headers).find(([name]) => /^correlation-?id$/i.test(name))?.[1];
  const id = [...located, told, named].find((one) => isScalar(one));
  return id === undefined ? { payload, headers } : { payload, headers, correlationId: String(id) };
}

function isScalar(value: Json | undefined): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** What `$message.payload#/a/b` or `$message.header#/a` stands for. */
export function atExpression(expression: string, message: Bare): Json | undefined {
  const [, part, pointer = ''] = /^\$message\.(payload|header)(?:#(.*))?$/s.exec(expression) ?? [];
  if (part === undefined) return undefined;
  return pointed(part === 'payload' ? message.payload : message.headers, pointer);
}

/** Null is an empty message. A text is one, unless the document says that messages are JSON. */
export function writePayload(payload: Json, contentType: string | undefined): WrittenPayload {
  if (payload === null) return {};
  const isJson = contentType !== undefined && isJsonType(readMediaType(contentType).type);
  return isJson ? { body: JSON.stringify(payload), contentType } : writeBody(payload, contentType);
}

export function payloadOf(body: Uint8Array, contentType: string | undefined): Json {
  const { type } = readMediaType(contentType);
  if (body.length === 0) return null;
  if (isBinaryType(type)) return base64Of(body);
  const text = textOf(body);
  if (text === undefined) return base64Of(body);
  return isTextType(type) && type !== 'text/json' ? text : valueOf(text);
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // Bytes of some other kind.
    return undefined;
  }
}

/** JSON if it is, and a text if not. */
export function valueOf(text: string): Json {
  try {
    const admitted = admitJson(JSON.parse(text));
    return admitted.ok ? admitted.value : text;
  } catch {
    // Not JSON: people send plain words, too.
    return text;
  }
}

/** Several values of one name are a list, as MQTT 5 and HTTP may have them. */
export function headersOf(pairs: Readonly<Record<string, unknown>>): JsonObject {
  const headers: Record<string, Json> = {};
  for (const [name, value] of Object.entries(pairs)) {
    const admitted = admitJson(value);
    if (admitted.ok && name !== '__proto__') headers[name] = admitted.value;
  }
  return headers;
}
