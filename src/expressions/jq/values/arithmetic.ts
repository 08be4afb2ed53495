/** The operators `+ - * / %` and unary minus, on values of any type. */
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { equalValues } from './compare.ts';
import { describe } from './describe.ts';
import { raise, raiseAbout } from '../faults.ts';
import { splitText } from './strings.ts';
import type { ArithmeticOperator } from '../syntax/tree.ts';
import {
  copyMembers,
  isList,
  memberOf,
  type Members,
  OBJECT_ELEMENTS,
  listKeys,
} from './values.ts';

export type Operation = (a: Json, b: Json, meter: Meter) => Json;

export const ARITHMETIC: Readonly<Record<ArithmeticOperator, Operation>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
};

/** A number that JSON cannot write is noted, so that it is put right where it leaves. */
export function counted(value: number, meter: Meter): number {
  if (value - value !== 0) meter.odd = true;
  return value;
}

export function add(a: Json, b: Json, meter: Meter): Json {
  if (typeof a === 'number' && typeof b === 'number') return counted(a + b, meter);
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === 'string' && typeof b === 'string') {
    meter.write(b.length);
    return a + b;
  }
  if (isList(a) && isList(b)) {
    meter.make(a.length + b.length);
    return a.concat(b);
  }
  if (isJsonObject(a) && isJsonObject(b)) return merge(a, b, meter);
  return misfit(a, b, 'added', meter);
}

/**
 * A sum that grows. What it has made itself nobody else has seen, so a list is appended to and an
 * object written to in place: adding up a thousand of them costs a thousand, not a million.
 */
export class Sum {
  value: Json = null;
  readonly #meter: Meter;
  #isOwn = false;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  add(more: Json): void {
    const { value } = this;
    if (this.#isOwn && isList(value) && isList(more)) append(value as Json[], more, this.#meter);
    else if (this.#isOwn && isJsonObject(value) && isJsonObject(more)) {
      assign(value, more, this.#meter);
    } else {
      this.value = add(value, more, this.#meter);
      // Of null and something the sum is that something, which is somebody's.
      if (this.value !== more && this.value !== value) this.#isOwn = true;
    }
  }
}

export function append(list: Json[], more: readonly Json[], meter: Meter): void {
  meter.grow(more.length);
  meter.pay(more.length);
  for (const part of more) list.push(part);
}

export function assign(object: Members, more: JsonObject, meter: Meter): void {
  const keys = listKeys(more, meter);
  meter.grow(keys.length * OBJECT_ELEMENTS);
  meter.pay(1 + keys.length);
  for (const key of keys) object[key] = more[key] as Json;
}

function merge(a: JsonObject, b: JsonObject, meter: Meter): Json {
  const sum = copyMembers(a, meter);
  const keys = listKeys(b, meter);
  meter.make(keys.length * OBJECT_ELEMENTS);
  for (const key of keys) sum[key] = b[key] as Json;
  return sum;
}

export function subtract(a: Json, b: Json, meter: Meter): Json {
  if (typeof a === 'number' && typeof b === 'number') return counted(a - b, meter);
  if (isList(a) && isList(b)) {
    meter.make(a.length);
    meter.pay(a.length * b.length);
    return a.filter((one) => !b.some((other) => equalValues(one, other, meter)));
  }
  return misfit(a, b, 'subtracted', meter);
}

function multiply(a: Json, b: Json, meter: Meter): Json {
  if (typeof a === 'number' && typeof b === 'number') return counted(a * b, meter);
  if (typeof a === 'string' && typeof b === 'number') return repeat(a, b, meter);
  if (typeof a === 'number' && typeof b === 'string') return repeat(b, a, meter);
  if (isJsonObject(a) && isJsonObject(b)) return mergeDeep(a, b, meter);
  return misfit(a, b, 'multiplied', meter);
}

/** What jq's own strings hold. */
const TEXT_BYTES_MAX = 2 ** 31 - 1;

function repeat(text: string, times: number, meter: Meter): Json {
  if (!(times >= 0)) return null;
  const whole = Math.floor(times);
  if (text.length * whole > TEXT_BYTES_MAX) raise(meter, 'Repeat string result too long');
  if (text === '') return '';
  meter.write(text.length * whole);
  return text.repeat(whole);
}

/** As jq: what is deeper is not merged. */
const MERGE_DEPTH_MAX = 10_000;

interface Merging {
  readonly into: Members;
  readonly from: JsonObject;
  readonly depth: number;
}

function mergeDeep(a: JsonObject, b: JsonObject, meter: Meter): Json {
  const whole = copyMembers(a, meter);
  const pending: Merging[] = [{ into: whole, from: b, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { into, from, depth } = next;
    if (depth > MERGE_DEPTH_MAX) raise(meter, 'Object merge too deep');
    const keys = listKeys(from, meter);
    meter.make(keys.length * OBJECT_ELEMENTS);
    for (const key of keys) {
      const theirs = from[key] as Json;
      const ours = memberOf(into, key);
      if (isJsonObject(ours) && isJsonObject(theirs)) {
        const merged = copyMembers(ours, meter);
        into[key] = merged;
        pending.push({ into: merged, from: theirs, depth: depth + 1 });
      } else into[key] = theirs;
    }
  }
  return whole;
}

function divide(a: Json, b: Json, meter: Meter): Json {
  if (typeof a === 'number' && typeof b === 'number') {
    if (b === 0) raise(meter, `${pair(a, b, meter)} cannot be divided because the divisor is zero`);
    return counted(a / b, meter);
  }
  if (typeof a === 'string' && typeof b === 'string') return splitText(a, b, meter);
  return misfit(a, b, 'divided', meter);
}

function remainder(a: Json, b: Json, meter: Meter): Json {
  if (typeof a !== 'number' || typeof b !== 'number') {
    return misfit(a, b, 'divided (remainder)', meter);
  }
  if (a !== a || b !== b) return counted(Number.NaN, meter);
  if (Math.abs(b) < 1) {
    raise(meter, `${pair(a, b, meter)} cannot be divided (remainder) because the divisor is zero`);
  }
  if (Math.abs(a) >= INTEGER_MOST || Math.abs(b) >= INTEGER_MOST) return hugeRemainder(a, b);
  // No minus zero: jq counts these in whole numbers.
  return (Math.trunc(a) % Math.abs(Math.trunc(b))) + 0;
}

const INTEGER_MOST = 2 ** 63;

/** Past the whole numbers of C, which end at one less than a double can say. */
function hugeRemainder(a: number, b: number): number {
  const divisor = clamped(b);
  return Number(clamped(a) % (divisor < 0n ? -divisor : divisor));
}

function clamped(value: number): bigint {
  if (value >= INTEGER_MOST) return 2n ** 63n - 1n;
  return value <= -INTEGER_MOST ? -(2n ** 63n) : BigInt(Math.trunc(value));
}

export function negate(value: Json, meter: Meter): Json {
  // Not minus zero: jq subtracts.
  if (typeof value === 'number') return 0 - value;
  return raiseAbout(meter, value, 'cannot be negated');
}

function misfit(a: Json, b: Json, what: string, meter: Meter): never {
  return raise(meter, `${pair(a, b, meter)} cannot be ${what}`);
}

function pair(a: Json, b: Json, meter: Meter): string {
  return `${describe(a, meter)} and ${describe(b, meter)}`;
}
