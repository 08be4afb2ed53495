/**
 * A message over HTTP: the body of one request to the address of the channel, by POST unless the
 * document binds the operation to another method.
 *
 * A `query` that the document describes is sent with the values it fixes: a `const` or a `default`.
 * Of a method that has no body the payload's members of those names go there, before defaults.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Authorization } from '../calling.ts';
import { exchange } from '../http-exchange.ts';
import { addQuery, httpUrl } from '../http-url.ts';
import { pairsOf, textsOf, writePairs } from '../name-values.ts';
import { misconfigured } from './faults.ts';
import { writePayload } from './message.ts';
import type { Publication } from './publish.ts';
import type { Target } from './target.ts';

const METHODS = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;
const BODILESS = /^(GET|HEAD|DELETE|OPTIONS)$/;

export async function publishHttp(publication: Publication): Promise<Authorization | undefined> {
  const { calling, target, message, authentication } = publication;
  const method = methodOf(target, 'POST');
  const isBodiless = BODILESS.test(method);
  const { body, contentType } = isBodiless ? {} : writePayload(message.payload, target.contentType);
  const { authorization } = await exchange(calling, {
    method,
    url: urlOf(publication, isBodiless && isJsonObject(message.payload) ? message.payload : EMPTY),
    headers: {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...readHeaders(message.headers),
    },
    redirect: false,
    output: 'raw',
    ...(body === undefined ? {} : { body }),
    ...(authentication === undefined ? {} : { authentication }),
  });
  return authorization;
}

/** What the document binds the operation to. */
export function methodOf({ binding }: Target, byDefault: string): string {
  const { method } = binding;
  const name = typeof method === 'string' ? method.toUpperCase() : byDefault;
  if (METHODS.test(name)) return name;
  throw misconfigured(`the HTTP binding names the method "${name}", which is none to publish by`);
}

/** The channel below the server, with the query that is bound to it. */
export function urlOf(
  { calling, target }: Pick<Publication, 'calling' | 'target'>,
  values: JsonObject,
): URL {
  const { server, address, binding } = target;
  const base = server.url.href.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const url = httpUrl(calling, `${base}/${address.replace(/^\/+/, '')}`);
  return addQuery(url, writePairs(pairsOf('the query parameter', queryOf(binding, values))));
}

function queryOf({ query }: JsonObject, values: JsonObject): JsonObject {
  if (!isJsonObject(query)) return EMPTY;
  const { properties, required } = query;
  const chosen: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : EMPTY)) {
    const { const: fixed, default: byDefault } = isJsonObject(schema) ? schema : EMPTY;
    const value = fixed ?? values[name] ?? byDefault;
    if (value !== undefined) chosen[name] = value;
  }
  for (const name of Array.isArray(required) ? (required as readonly Json[]) : []) {
    if (typeof name !== 'string' || Object.hasOwn(chosen, name)) continue;
    throw misconfigured(`the HTTP binding requires the query parameter "${name}": it has no value`);
  }
  return chosen;
}

function readHeaders(map: JsonObject): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(map)) {
    const texts = textsOf(`the header "${name}"`, value);
    if (texts.length > 0) headers[name.toLowerCase()] = texts.join(', ');
  }
  return headers;
}
