/**
 * What leaves a program is plain JSON: no nan, nothing infinite, not deeper than the budget says,
 * and no bigger either. Shared parts count as often as they would be written, since whoever writes
 * an output does not know that they are shared.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Meter } from './budget.ts';
import { exceed } from './faults.ts';
import { emptyObject, isContainer, isList, listKeys } from './values/values.ts';

export function checkOutput(value: Json, meter: Meter): Json {
  if (!isContainer(value)) return meter.odd ? plain(value) : value;
  if (meter.odd) return copyPlain(value, meter);
  checkDepth(value, meter);
  return value;
}

function plain(value: Json): Json {
  if (typeof value !== 'number') return value;
  if (value !== value) return null;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/** Level by level, so that no stack is needed. */
function checkDepth(value: readonly Json[] | JsonObject, meter: Meter): void {
  let level: (readonly Json[] | JsonObject)[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > meter.budget.valueDepth) exceed('valueDepth', meter.budget.valueDepth);
    const next: (readonly Json[] | JsonObject)[] = [];
    for (const container of level) {
      if (isList(container)) {
        meter.pay(1 + container.length / 4);
        for (const part of container) if (isContainer(part)) next.push(part);
      } else pushMembers(container, next, meter);
    }
    level = next;
  }
}

function pushMembers(
  container: JsonObject,
  next: (readonly Json[] | JsonObject)[],
  meter: Meter,
): void {
  let count = 0;
  for (const key in container) {
    const part = container[key] as Json;
    count += 1;
    if (isContainer(part)) next.push(part);
  }
  meter.keys(count);
}

/** A copy in which every number is one that JSON has. */
function copyPlain(value: Json, meter: Meter): Json {
  checkDepth(value as JsonObject, meter);
  const copy = (part: Json): Json => {
    if (isList(part)) {
      meter.make(part.length);
      return part.map(copy);
    }
    if (!isJsonObject(part)) return plain(part);
    const members = emptyObject();
    const keys = listKeys(part, meter);
    meter.make(keys.length);
    for (const key of keys) members[key] = copy(part[key] as Json);
    return members;
  };
  return copy(value);
}
