/**
 * Paths as values: reading, setting and deleting what a path leads to. Nothing is altered in place;
 * what lies on the path is copied, the rest is shared.
 */
import { isJsonObject, type Json } from '../../../base/json.ts';
import { boundsOf, cannotIndex, indexValue, placeIn } from './access.ts';
import type { Meter } from '../budget.ts';
import { compareValues, sortSteps } from './compare.ts';
import { typeOf } from './describe.ts';
import { raise } from '../faults.ts';
import {
  copyList,
  copyMembers,
  emptyObject,
  hasMember,
  isList,
  memberOf,
  type Members,
  OBJECT_ELEMENTS,
} from './values.ts';

/** As jq: longer ones are refused. */
export const PATH_KEYS_MAX = 10_000;

/** As jq: an index past this is a mistake. */
const INDEX_MAX = 536_870_911;

export function checkPath(path: Json, meter: Meter): readonly Json[] {
  if (!isList(path)) return raise(meter, 'Path must be specified as an array');
  if (path.length > PATH_KEYS_MAX) return raise(meter, 'Path too deep');
  return path;
}

export function getPath(value: Json, path: readonly Json[], meter: Meter): Json {
  meter.pay(path.length);
  let found = value;
  for (const key of path) found = indexValue(found, key, meter);
  return found;
}

/** If given, `owned` holds what nobody else has: that is altered, and what is copied is added. */
export function setPath(
  value: Json,
  path: readonly Json[],
  to: Json,
  meter: Meter,
  owned?: Set<Json>,
): Json {
  meter.pay(path.length);
  const around: Json[] = [];
  let inside = value;
  for (const key of path) {
    around.push(inside);
    if (isList(key) && isList(inside)) return cannotUpdate(meter);
    inside = indexValue(inside, key, meter);
  }
  let set = to;
  for (let at = path.length - 1; at >= 0; at -= 1) {
    set = setOwned(around[at] as Json, path[at] as Json, set, { meter, owned });
  }
  return set;
}

interface Setting {
  readonly meter: Meter;
  readonly owned: Set<Json> | undefined;
}

export function setOwned(value: Json, key: Json, part: Json, { meter, owned }: Setting): Json {
  if (owned?.has(value) === true && setInPlace(value, key, part, meter)) return value;
  const copy = setKey(value, key, part, meter);
  owned?.add(copy);
  return copy;
}

/** Alters a value that nobody else has seen, if that is all it takes. */
function setInPlace(value: Json, key: Json, part: Json, meter: Meter): boolean {
  if (typeof key === 'string' && isJsonObject(value)) {
    meter.key(key);
    meter.grow(OBJECT_ELEMENTS);
    // Only what was made here gets here, so it may be written to.
    const own: Members = value;
    own[key] = part;
    return true;
  }
  if (typeof key !== 'number' || !isList(value)) return false;
  const at = placeIn(value, key);
  if (!(at >= 0 && at <= value.length)) return false;
  meter.grow(1);
  (value as Json[])[at] = part;
  return true;
}

/** The value with another part; that it has such a part or could have was seen before. */
export function setKey(value: Json, key: Json, part: Json, meter: Meter): Json {
  if (typeof key === 'string' && (value === null || isJsonObject(value))) {
    const copy = value === null ? emptyObject() : copyMembers(value, meter);
    meter.key(key);
    meter.grow(OBJECT_ELEMENTS);
    copy[key] = part;
    return copy;
  }
  if (typeof key === 'number' && (value === null || isList(value))) {
    return setElement(value ?? [], key, part, meter);
  }
  if (isJsonObject(key)) {
    if (value === null || isList(value)) {
      if (!hasMember(key, 'start') || !hasMember(key, 'end')) {
        return raise(meter, 'Array/string slice indices must be integers');
      }
      return setSlice(value ?? [], memberOf(key, 'start'), memberOf(key, 'end'), part, meter);
    }
    if (typeof value === 'string') return raise(meter, 'Cannot update string slices');
  }
  if (isList(key) && isList(value)) return cannotUpdate(meter);
  return cannotIndex(value, key, meter);
}

function cannotUpdate(meter: Meter): never {
  return raise(meter, 'Cannot update field at array index of array');
}

function setElement(value: readonly Json[], key: number, part: Json, meter: Meter): Json {
  if (key !== key) return raise(meter, 'Cannot set array element at NaN index');
  const at = placeIn(value, key);
  if (at < 0) return raise(meter, 'Out of bounds negative array index');
  if (at > INDEX_MAX) return raise(meter, 'Array index too large');
  const copy = copyList(value, meter);
  if (at > copy.length) meter.make(at - copy.length);
  while (copy.length < at) copy.push(null);
  copy[at] = part;
  return copy;
}

function setSlice(value: readonly Json[], from: Json, to: Json, part: Json, meter: Meter): Json {
  const bounds = boundsOf(value.length, from, to, meter);
  if (!isList(part)) {
    return raise(meter, 'A slice of an array can only be assigned another array');
  }
  meter.make(value.length + part.length);
  return [...value.slice(0, bounds.from), ...part, ...value.slice(bounds.to)];
}

/** Without what any of the paths leads to. */
export function deletePaths(value: Json, paths: Json, meter: Meter): Json {
  if (!isList(paths)) return raise(meter, 'Paths must be specified as an array');
  meter.pay(sortSteps(paths.length));
  const checked: (readonly Json[])[] = [];
  for (const path of paths.toSorted((a, b) => compareValues(a, b, meter))) {
    if (!isList(path)) {
      return raise(meter, `Path must be specified as array, not ${typeOf(path)}`);
    }
    if (path.length > PATH_KEYS_MAX) return raise(meter, 'Path too deep');
    checked.push(path);
  }
  const [first] = checked;
  if (first === undefined) return value;
  return first.length === 0 ? null : deleteBelow(value, checked, 0, meter);
}

/** Sorted paths that agree up to some key; those that end with the next one are done together. */
function deleteBelow(
  value: Json,
  paths: readonly (readonly Json[])[],
  at: number,
  meter: Meter,
): Json {
  let left = value;
  const gone: Json[] = [];
  for (let first = 0; first < paths.length; ) {
    const key = paths[first]?.[at] as Json;
    let last = first + 1;
    while (last < paths.length && compareValues(paths[last]?.[at] as Json, key, meter) === 0) {
      last += 1;
    }
    meter.pay(last - first);
    // The shortest of them comes first; if it ends here, what is below goes with it.
    if (paths[first]?.length === at + 1) gone.push(key);
    else {
      const part = indexValue(left, key, meter);
      if (part !== null) {
        const rest = deleteBelow(part, paths.slice(first, last), at + 1, meter);
        left = setKey(left, key, rest, meter);
      }
    }
    first = last;
  }
  return deleteKeys(left, gone, meter);
}

function deleteKeys(value: Json, keys: readonly Json[], meter: Meter): Json {
  if (value === null || keys.length === 0) return value;
  if (isList(value)) return deleteElements(value, keys, meter);
  if (!isJsonObject(value)) return raise(meter, `Cannot delete fields from ${typeOf(value)}`);
  const copy = copyMembers(value, meter);
  for (const key of keys) {
    if (typeof key !== 'string') {
      return raise(meter, `Cannot delete ${typeOf(key)} field of object`);
    }
    meter.key(key);
    delete copy[key];
  }
  return copy;
}

function deleteElements(value: readonly Json[], keys: readonly Json[], meter: Meter): Json {
  const gone = new Set<number>();
  for (const key of keys) {
    if (typeof key === 'number') gone.add(placeIn(value, key));
    else if (isJsonObject(key)) {
      const start = memberOf(key, 'start');
      const bounds = boundsOf(value.length, start, memberOf(key, 'end'), meter);
      meter.pay(bounds.to - bounds.from);
      for (let at = bounds.from; at < bounds.to; at += 1) gone.add(at);
    } else return raise(meter, `Cannot delete ${typeOf(key)} element of array`);
  }
  meter.make(value.length);
  return value.filter((_, at) => !gone.has(at));
}
