/** What is otherwise in one JSON value than in another, by path. */
import type { Json, JsonObject } from '../api/shapes.ts';

export interface JsonDifference {
  /** `items[0].price`; empty for the whole. */
  readonly path: string;
  /** Undefined: not there. */
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

/** More than this nobody reads. */
const DIFFERENCES_MAX = 100;

export function jsonDiff(a: Json | undefined, b: Json | undefined): readonly JsonDifference[] {
  const found: JsonDifference[] = [];
  compare(a, b, '', found);
  return found;
}

function compare(
  a: Json | undefined,
  b: Json | undefined,
  path: string,
  found: JsonDifference[],
): void {
  if (found.length >= DIFFERENCES_MAX || a === b) return;
  if (isList(a) && isList(b)) {
    const length = Math.max(a.length, b.length);
    for (let at = 0; at < length; at++) compare(a[at], b[at], `${path}[${at}]`, found);
    return;
  }
  if (isObject(a) && isObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      compare(fieldOf(a, name), fieldOf(b, name), pathTo(path, name), found);
    }
    return;
  }
  found.push({ path, a, b });
}

/** `constructor` is a name like any other. */
function fieldOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function pathTo(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return !isList(value) && value !== null && typeof value === 'object';
}
