/**
 * Equality and order of values: null, false, true, numbers, texts, arrays, objects. Objects are
 * compared by their sorted keys first, then by what stands under them. nan is less than any number,
 * itself included, and equal to none.
 *
 * Values may be deeper than the stack, so what is still to be compared is kept in lists of our own,
 * and each part is paid for: shared parts unfold to more than anyone has time for.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { raise } from '../faults.ts';
import { compareText } from './text.ts';
import { hasMember, listKeys } from './values.ts';

/** As jq: deeper values are not compared. */
const COMPARE_DEPTH_MAX = 10_000;

export function equalValues(a: Json, b: Json, meter: Meter): boolean {
  if (typeof a === 'string' && typeof b === 'string') return equalTexts(a, b, meter);
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return equalContainers(a, b, meter);
}

/** Texts of different lengths are not looked at; others may have to be put together first. */
function equalTexts(a: string, b: string, meter: Meter): boolean {
  if (a.length !== b.length) return false;
  meter.key(a);
  return a === b;
}

function equalContainers(a: Json, b: Json, meter: Meter): boolean {
  const pending: Json[] = [a, b];
  const depths: number[] = [0];
  for (;;) {
    const depth = depths.pop();
    if (depth === undefined) return true;
    const right = pending.pop() as Json;
    const left = pending.pop() as Json;
    if (typeof left === 'string' && typeof right === 'string') {
      if (!equalTexts(left, right, meter)) return false;
      continue;
    }
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
      return false;
    }
    if (depth > COMPARE_DEPTH_MAX) raise(meter, 'Equality check too deep');
    if (!pushParts(left, right, pending, meter)) return false;
    while (depths.length < pending.length / 2) depths.push(depth + 1);
  }
}

/** Parts that must be equal, or false if it shows already that they are not. */
function pushParts(left: Json, right: Json, pending: Json[], meter: Meter): boolean {
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    meter.pay(1 + left.length);
    for (let at = 0; at < left.length; at += 1) pending.push(left[at] as Json, right[at] as Json);
    return true;
  }
  if (Array.isArray(right)) return false;
  const keys = listKeys(left as JsonObject, meter);
  if (keys.length !== listKeys(right as JsonObject, meter).length) return false;
  meter.pay(2 + 2 * keys.length);
  for (const key of keys) {
    if (!hasMember(right as JsonObject, key)) return false;
    pending.push((left as JsonObject)[key] as Json, (right as JsonObject)[key] as Json);
  }
  return true;
}

export function compareValues(a: Json, b: Json, meter: Meter): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') {
    meter.scan(a.length + b.length);
    return compareText(a, b);
  }
  const left = rankOf(a);
  const right = rankOf(b);
  if (left !== right) return left - right;
  if (left < ARRAY_RANK) return 0;
  return compareContainers(a, b, meter);
}

function compareNumbers(a: number, b: number): number {
  if (a < b) return -1;
  if (a === b) return 0;
  return a !== a ? -1 : 1;
}

const ARRAY_RANK = 5;

function rankOf(value: Json): number {
  switch (typeof value) {
    case 'boolean':
      return value ? 2 : 1;
    case 'number':
      return 3;
    case 'string':
      return 4;
    default:
      return value === null ? 0 : Array.isArray(value) ? ARRAY_RANK : 6;
  }
}

/** Two lists that are compared from the front; for objects their values in the order of keys. */
interface Pair {
  readonly left: readonly Json[];
  readonly right: readonly Json[];
  at: number;
}

function compareContainers(a: Json, b: Json, meter: Meter): number {
  const pairs: Pair[] = [];
  let found = openPair(a, b, pairs, meter);
  while (found === 0) {
    const pair = pairs.at(-1);
    if (pair === undefined) return 0;
    const { left, right, at } = pair;
    if (at >= left.length || at >= right.length) {
      found = left.length - right.length;
      pairs.pop();
      continue;
    }
    pair.at += 1;
    found = compareParts(left[at] as Json, right[at] as Json, pairs, meter);
  }
  return found;
}

function compareParts(a: Json, b: Json, pairs: Pair[], meter: Meter): number {
  meter.pay(1);
  const rank = rankOf(a);
  if (rank < ARRAY_RANK || rank !== rankOf(b)) return compareValues(a, b, meter);
  if (pairs.length > COMPARE_DEPTH_MAX) raise(meter, 'Comparison too deep');
  return openPair(a, b, pairs, meter);
}

function openPair(a: Json, b: Json, pairs: Pair[], meter: Meter): number {
  if (Array.isArray(a)) {
    pairs.push({ left: a as readonly Json[], right: b as readonly Json[], at: 0 });
    return 0;
  }
  const left = sortedKeys(a as JsonObject, meter);
  const right = sortedKeys(b as JsonObject, meter);
  const most = Math.min(left.length, right.length);
  for (let at = 0; at < most; at += 1) {
    const found = compareText(left[at] as string, right[at] as string);
    if (found !== 0) return found;
  }
  if (left.length !== right.length) return left.length - right.length;
  pairs.push({ left: valuesOf(a, left), right: valuesOf(b, right), at: 0 });
  return 0;
}

function valuesOf(value: Json, keys: readonly string[]): Json[] {
  if (!isJsonObject(value)) return [];
  return keys.map((key) => value[key] as Json);
}

export function sortedKeys(value: JsonObject, meter: Meter): string[] {
  const keys = listKeys(value, meter);
  return sortTexts(keys, meter);
}

/** Sorts them in place. */
export function sortTexts(texts: string[], meter: Meter): string[] {
  meter.pay(sortSteps(texts.length));
  return texts.sort((a, b) => {
    // Short ones are paid for above.
    meter.key(a.length < b.length ? a : b);
    return compareText(a, b);
  });
}

/** What sorting so many costs beside the comparing of large ones. */
export function sortSteps(length: number): number {
  return 2 + length * (2 + 1.5 * Math.log2(length + 1));
}
