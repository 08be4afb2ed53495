/** Reading a part of a value: `.[key]`, `.[from:to]` and `.[]`. */
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { equalValues } from './compare.ts';
import { describe, typeOf } from './describe.ts';
import { raise, raiseAbout } from '../faults.ts';
import { countCodePoints, sliceCodePoints } from './text.ts';
import { hasMember, isList, memberOf, listKeys } from './values.ts';

export function indexValue(value: Json, key: Json, meter: Meter): Json {
  if (typeof key === 'string') {
    meter.key(key);
    if (isJsonObject(value)) return memberOf(value, key);
    if (value === null) return null;
  } else if (typeof key === 'number') {
    if (isList(value)) return value[placeIn(value, key)] ?? null;
    if (value === null) return null;
  } else if (isJsonObject(key)) {
    if (value === null) return null;
    if (isList(value) || typeof value === 'string') return sliceBy(value, key, meter);
  } else if (isList(key) && isList(value)) return placesOf(value, key, meter);
  return cannotIndex(value, key, meter);
}

export function cannotIndex(value: Json, key: Json, meter: Meter): never {
  return raise(meter, `Cannot index ${typeOf(value)} with ${describe(key, meter)}`);
}

/** Where in the list a number points; somewhere outside if nowhere. */
export function placeIn(value: readonly Json[], key: number): number {
  const at = Math.trunc(key);
  return at < 0 ? at + value.length : at + 0;
}

/** Where one list occurs in another. */
export function placesOf(value: readonly Json[], part: readonly Json[], meter: Meter): Json {
  const places: number[] = [];
  if (part.length === 0) return places;
  meter.pay(value.length);
  for (let at = 0; at + part.length <= value.length; at += 1) {
    let same = 0;
    while (same < part.length && equalAt(value, at + same, part, same, meter)) same += 1;
    if (same === part.length) places.push(at);
  }
  meter.make(places.length);
  return places;
}

function equalAt(
  a: readonly Json[],
  at: number,
  b: readonly Json[],
  other: number,
  meter: Meter,
): boolean {
  meter.pay(1);
  return equalValues(a[at] as Json, b[other] as Json, meter);
}

/** From and up to, as whole numbers within the length. */
export interface Bounds {
  readonly from: number;
  readonly to: number;
}

export function boundsOf(length: number, from: Json, to: Json, meter: Meter): Bounds {
  if (!isBound(from) || !isBound(to)) {
    return raise(meter, 'Array/string slice indices must be integers');
  }
  const start = clampBound(from === null || from !== from ? 0 : from, length);
  const end = clampBound(to === null || to !== to ? length : to, length);
  return { from: Math.floor(start), to: Math.max(Math.floor(start), Math.ceil(end)) };
}

function isBound(value: Json): value is number | null {
  return value === null || typeof value === 'number';
}

function clampBound(bound: number, length: number): number {
  return Math.min(Math.max(bound < 0 ? bound + length : bound, 0), length);
}

export function sliceValue(value: Json, from: Json, to: Json, meter: Meter): Json {
  if (value === null) return null;
  if (!isList(value) && typeof value !== 'string') {
    return cannotIndex(value, { start: from, end: to }, meter);
  }
  return slice(value, from, to, meter);
}

/** By a key of a path, which is an object. */
function sliceBy(value: readonly Json[] | string, key: JsonObject, meter: Meter): Json {
  if (!hasMember(key, 'start') || !hasMember(key, 'end')) {
    return raise(meter, 'Array/string slice indices must be integers');
  }
  return slice(value, memberOf(key, 'start'), memberOf(key, 'end'), meter);
}

function slice(value: readonly Json[] | string, from: Json, to: Json, meter: Meter): Json {
  if (typeof value === 'string') {
    meter.scan(value.length);
    const bounds = boundsOf(countCodePoints(value), from, to, meter);
    const part = sliceCodePoints(value, bounds.from, bounds.to);
    meter.write(part.length);
    return part;
  }
  const bounds = boundsOf(value.length, from, to, meter);
  meter.make(bounds.to - bounds.from);
  return value.slice(bounds.from, bounds.to);
}

/** The elements of a list, or the values of an object. */
export function partsOf(value: Json, meter: Meter): readonly Json[] {
  if (isList(value)) return value;
  if (isJsonObject(value)) return memberValues(value, meter);
  return cannotIterate(value, meter);
}

export function memberValues(value: JsonObject, meter: Meter): readonly Json[] {
  const values = Object.values(value);
  meter.keys(values.length);
  return values;
}

export function cannotIterate(value: Json, meter: Meter): never {
  return raise(meter, `Cannot iterate over ${describe(value, meter)}`);
}

export function hasKey(value: Json, key: Json, meter: Meter): boolean {
  if (isJsonObject(value) && typeof key === 'string') {
    meter.key(key);
    return hasMember(value, key);
  }
  if (isList(value) && typeof key === 'number') {
    const at = Math.trunc(key);
    return at >= 0 && at < value.length;
  }
  if (value === null) return false;
  return raise(meter, `Cannot check whether ${typeOf(value)} has a ${typeOf(key)} key`);
}

export function keysOf(value: Json, meter: Meter): string[] | number[] {
  if (isJsonObject(value)) {
    const keys = listKeys(value, meter);
    meter.make(keys.length);
    return keys;
  }
  if (!isList(value)) return raiseAbout(meter, value, 'has no keys');
  meter.make(value.length);
  return Array.from(value, (_, at) => at);
}
