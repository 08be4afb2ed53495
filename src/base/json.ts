/**
 * JSON as the only kind of value (D20): what enters an instance is copied, checked and frozen here,
 * once, so that nothing beyond this door needs to be distrusted.
 *
 * A value is admitted when writing it as JSON and reading it back gives an equal value. Two things
 * are let through that JSON itself lets through silently, because every handler does them: a bare
 * `undefined` becomes null, and an undefined property is left out.
 */
import { no, ok, type Result } from './result.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Deeper nesting is a cycle or an attack; V8's own JSON.stringify gives up at some thousands. */
export const JSON_DEPTH_MAX = 200;

/** Parts that are shared unfold when written out, in the worst case to more than memory holds. */
export const JSON_VALUES_MAX = 4_194_304;

export const EMPTY: JsonObject = Object.freeze({});

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A frozen copy of a stranger's value, or the place and reason why it is not JSON. */
export function admitJson(value: unknown): Result<Json, string> {
  // What most steps return, and not worth the walk.
  if (value === null || typeof value === 'boolean') return ok(value);
  try {
    return ok(value === undefined ? null : admit(value, 0, '', { values: 0 }));
  } catch (thrown) {
    if (thrown instanceof NotJson) return no(thrown.message);
    // A getter or a proxy of the stranger's may throw anything at all.
    return no('reading it threw an error of its own');
  }
}

class NotJson extends Error {}

/** How many values one call has seen so far. */
interface Tally {
  values: number;
}

function admit(value: unknown, depth: number, path: string, tally: Tally): Json {
  tally.values += 1;
  if (tally.values > JSON_VALUES_MAX) return refuse('', `of more than ${JSON_VALUES_MAX} parts`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return refuse(path, `the number ${value}`);
    return value === 0 ? 0 : value;
  }
  if (value === undefined) return refuse(path, 'undefined');
  if (typeof value !== 'object') return refuse(path, `a ${typeof value}`);
  if (depth >= JSON_DEPTH_MAX) {
    return refuse(path.slice(0, 60), `nested deeper than ${JSON_DEPTH_MAX}, or in a cycle`);
  }
  if (Array.isArray(value)) {
    const list: Json[] = [];
    for (let i = 0; i < value.length; i += 1) {
      list.push(admit(value[i], depth + 1, `${path}/${i}`, tally));
    }
    return Object.freeze(list);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !isForeignPlain(prototype)) {
    const name = nameOf(value);
    const advice = name === 'Date' ? 'use date.toISOString()' : 'use a plain object instead';
    return refuse(path, `a ${name}; ${advice}`);
  }
  return admitObject(value, depth, path, tally);
}

function admitObject(value: object, depth: number, path: string, tally: Tally): JsonObject {
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (key === 'toJSON' && typeof item === 'function')
      return refuse(path, 'an object with toJSON');
    const admitted = admit(item, depth + 1, `${path}/${key}`, tally);
    // Assigning to __proto__ would set the prototype instead of a key.
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: admitted, enumerable: true });
    else copy[key] = admitted;
  }
  return Object.freeze(copy);
}

/** Plain objects of another realm (a vm context, a test runner) have another Object.prototype. */
function isForeignPlain(prototype: unknown): boolean {
  return (
    typeof prototype === 'object' &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'hasOwnProperty')
  );
}

function nameOf(value: object): string {
  const maker: unknown = Reflect.get(value, 'constructor');
  return typeof maker === 'function' && maker.name !== ''
    ? maker.name.slice(0, 60)
    : 'class instance';
}

function refuse(path: string, what: string): never {
  throw new NotJson(`${path === '' ? 'the value' : `"${path.slice(0, 200)}"`} is ${what}`);
}

/** Reads stored text back as deep-frozen JSON. */
export function parseJson(text: string): Json {
  return freeze(JSON.parse(text) as Json);
}

function freeze(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}

/** One text per value: keys sorted, no spaces. What is hashed must not depend on key order. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value as JsonObject).sort(([a], [b]) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  const fields = entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${fields.join(',')}}`;
}

/** Whether two values are the same, whatever the order of their keys. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    return (
      Object.hasOwn(b, name) && sameJson(Reflect.get(a, name) as Json, Reflect.get(b, name) as Json)
    );
  });
}
