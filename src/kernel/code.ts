/**
 * Calling a flow's closures (D19): synchronous, on frozen values, and never trusted. Whatever one
 * throws or returns becomes JSON or a fault here, so kinds deal in values alone.
 */
import { admitJson, EMPTY, type Json, type JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, type Result } from '../base/result.ts';
import type { Space } from '../model/change.ts';
import type { CodeView } from '../model/definition.ts';
import type { ScopeId } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import { type Instance, type OpenScope, passAround, scopeOf } from './instance.ts';
import type { Place, Seen } from './kind.ts';
import type { Machine } from './machine.ts';

export function callCode(
  machine: Machine,
  instance: Instance,
  place: Place,
  slot: string,
  seen: Seen,
): Result<Json, Omit<Fault, 'node'>> {
  const code = machine.code?.get(place.node.id)?.[slot];
  if (code === undefined) {
    const message = `node "${place.node.id}" has no code for "${slot}"`;
    return no({ code: 'code.missing', message });
  }
  const sight = new Sight(instance, seen.scope ?? place.scope.id);
  const { input, results, vars, item, index } = sight;
  const view: Mutable<CodeView> = { input, results, vars, item, index: seen.index ?? index };
  if (seen.error !== undefined) view.error = seen.error;
  let value: unknown;
  try {
    value = code(view);
  } catch (thrown) {
    return no(faultOf(thrown, 'code.threw', machine.limits));
  }
  const where = `"${slot}" of node "${place.node.id}"`;
  const admitted = admitJson(value);
  if (!admitted.ok) {
    const hint = silence(value) ? ': a closure is synchronous; use a step instead' : '';
    const message = `${where} did not return JSON: ${admitted.problem}${hint}`;
    return no({ code: 'code.not-json', message });
  }
  const { VALUE_CHARS_MAX } = machine.limits;
  const size = sizeOf(admitted.value);
  if (size <= VALUE_CHARS_MAX) return admitted;
  const limit = `VALUE_CHARS_MAX ${VALUE_CHARS_MAX}`;
  const message = `${where} returned ${size} characters of JSON (${limit})`;
  return no({ code: 'code.too-large', message });
}

/** The length of the JSON text. Conditions answer all the time and need not be written out. */
function sizeOf(value: Json): number {
  return typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value).length : 1;
}

/**
 * True for a promise. It was refused, and nobody is left to hear if it fails: unless someone
 * listens, a rejection takes the whole process down.
 */
export function silence(value: unknown): boolean {
  try {
    const then: unknown = typeof value === 'object' && value && Reflect.get(value, 'then');
    if (typeof then !== 'function') return false;
    Reflect.apply(then, value, [() => undefined, () => undefined]);
    return true;
  } catch {
    // Not a promise but a stranger's trap.
    return false;
  }
}

/**
 * What a scope sees, as it is at this moment. Few handlers read everything, so values are put
 * together when they are asked for.
 */
export class Sight implements CodeView {
  readonly input: Json;
  readonly item: Json;
  readonly index: number | null;
  readonly #scopes: readonly OpenScope[];
  #results: JsonObject | null = null;
  #vars: JsonObject | null = null;

  constructor(instance: Instance, scope: ScopeId) {
    const { index, item } = passAround(instance, scope);
    this.input = instance.head.input;
    this.item = item;
    this.index = index;
    this.#scopes = scopesUp(instance, scope);
  }

  get results(): JsonObject {
    this.#results ??= layered(this.#scopes, 'results');
    return this.#results;
  }

  get vars(): JsonObject {
    this.#vars ??= layered(this.#scopes, 'vars');
    return this.#vars;
  }
}

/** What a node keeps for itself is not read up the tree. */
type Seeable = Exclude<Space, 'items'>;

/** One object of everything a scope sees: its own values over its parent's, up to the root. */
export function valuesUp(instance: Instance, id: ScopeId, space: Seeable): JsonObject {
  return layered(scopesUp(instance, id), space);
}

/** A scope and those it lies in, outermost last. */
function scopesUp(instance: Instance, id: ScopeId): readonly OpenScope[] {
  let scope = scopeOf(instance, id);
  const scopes = [scope];
  while (scope.parent !== null) {
    scope = scopeOf(instance, scope.parent);
    scopes.push(scope);
  }
  return scopes;
}

function layered(scopes: readonly OpenScope[], space: Seeable): JsonObject {
  const layers = scopes.flatMap((scope) => (scope[space].isEmpty ? [] : [scope[space].object]));
  if (layers.length <= 1) return layers[0] ?? EMPTY;
  // Not Object.assign: it would take a value named __proto__ for a prototype.
  const values = layers.reverse().flatMap((layer) => Object.entries(layer));
  return Object.freeze(Object.fromEntries(values));
}

/** Anything that can be thrown, as a fault of bounded size. */
export function faultOf(thrown: unknown, fallback: string, limits: Limits): Omit<Fault, 'node'> {
  try {
    const { code, message, details, fatal } = readThrown(thrown, fallback);
    const fault: Mutable<Omit<Fault, 'node'>> = {
      code: cut(code, 200),
      message: cut(message, limits.FAULT_CHARS_MAX),
    };
    const kept = detailsOf(details, limits);
    if (kept !== undefined) fault.details = kept;
    if (fatal === true) fault.fatal = true;
    return fault;
  } catch {
    // A getter, a proxy or a toString of the stranger's threw while we looked at it.
    return { code: fallback, message: 'something unreadable was thrown' };
  }
}

interface Thrown {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
  readonly fatal?: unknown;
}

function readThrown(thrown: unknown, fallback: string): Thrown {
  if (thrown === undefined) return { code: fallback, message: 'undefined was thrown' };
  if (typeof thrown !== 'object' || thrown === null) {
    const plain = thrown as string | number | boolean | bigint | symbol | null;
    return { code: fallback, message: String(plain) };
  }
  const code: unknown = Reflect.get(thrown, 'code');
  const name: unknown = Reflect.get(thrown, 'name');
  const message: unknown = Reflect.get(thrown, 'message');
  const fatal: unknown = Reflect.get(thrown, 'fatal');
  const isPlain = name === '' || name === 'Error' || fatal === true;
  const named = typeof name === 'string' && !isPlain ? `${name}: ` : '';
  return {
    code: typeof code === 'string' && code !== '' ? code : fallback,
    message:
      typeof message === 'string' ? named + message : 'an object that is no error was thrown',
    details: Reflect.get(thrown, 'details'),
    fatal,
  };
}

/** What an error says besides: kept if it is JSON and short. */
function detailsOf(details: unknown, { FAULT_CHARS_MAX }: Limits): JsonObject | undefined {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return undefined;
  const admitted = admitJson(details);
  if (!admitted.ok || JSON.stringify(admitted.value).length > FAULT_CHARS_MAX) return undefined;
  return Object.keys(details).length === 0 ? undefined : (admitted.value as JsonObject);
}

/** What is too long is cut off, and said to be. */
export function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text.slice(0, max)}… (${text.length - max} more characters)`;
}
