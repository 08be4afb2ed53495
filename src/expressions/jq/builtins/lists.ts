/** Builtins on arrays and objects: counting, sorting, grouping, searching, turning around. */
import { isJsonObject, type Json } from '../../../base/json.ts';
import { hasKey, indexValue, keysOf, partsOf, placesOf } from '../values/access.ts';
import { subtract, Sum } from '../values/arithmetic.ts';
import { type Builtins, form, plain0, plain1 } from '../compile/builtin.ts';
import type { Meter } from '../budget.ts';
import { type Code, type Env, oneCode } from '../compile/code.ts';
import { compareValues, equalValues, sortedKeys, sortSteps, sortTexts } from '../values/compare.ts';
import { gather } from '../compile/construct.ts';
import { describe } from '../values/describe.ts';
import { raise, raiseAbout } from '../faults.ts';
import { textPlaces } from '../values/strings.ts';
import { countCodePoints } from '../values/text.ts';
import { hasMember, isList, listKeys } from '../values/values.ts';

export const LISTS: Builtins = {
  'length/0': plain0(lengthOf),
  'keys/0': plain0((value, meter) =>
    isJsonObject(value) ? sortedKeys(value, meter) : keysOf(value, meter),
  ),
  'keys_unsorted/0': plain0(keysOf),
  'has/1': plain1(hasKey),
  'contains/1': plain1(contains),
  'map/1': form(([arg], meter) => mapEach(arg as Code, meter)),
  'add/0': plain0((value, meter) => {
    const sum = new Sum(meter);
    for (const part of partsOf(value, meter)) {
      meter.pay(1);
      sum.add(part);
    }
    return sum.value;
  }),
  'add/1': form(([arg], meter) => {
    const { many, size } = arg as Code;
    return oneCode(size + 1, (value, env) => {
      const sum = new Sum(meter);
      many(value, env, (found) => {
        meter.pay(1);
        sum.add(found);
        return true;
      });
      return sum.value;
    });
  }),
  'sort/0': plain0(sorted),
  'sort_by/1': by((values, keys, meter) => ordered(values, keys, meter).map(({ value }) => value)),
  'group_by/1': by((values, keys, meter) => groups(values, keys, meter)),
  'unique/0': plain0((value, meter) => {
    const list = sorted(value, meter) as readonly Json[];
    return groups(list, list, meter).map(([first]) => first as Json);
  }),
  'unique_by/1': by((values, keys, meter) =>
    groups(values, keys, meter).map(([first]) => first as Json),
  ),
  'min/0': plain0((value, meter) => extreme(value, value, -1, meter)),
  'max/0': plain0((value, meter) => extreme(value, value, 1, meter)),
  'min_by/1': extremeBy(-1),
  'max_by/1': extremeBy(1),
  'reverse/0': plain0(reversed),
  'flatten/0': plain0((value, meter) => flatten(value, -1, meter)),
  'flatten/1': plain1((value, depth, meter) => {
    if (compareValues(depth, 0, meter) < 0) {
      return raise(meter, 'flatten depth must not be negative');
    }
    return flatten(value, depth, meter);
  }),
  'indices/1': plain1(indices),
  'index/1': plain1((value, part, meter) => indexValue(indices(value, part, meter), 0, meter)),
  'rindex/1': plain1((value, part, meter) => indexValue(indices(value, part, meter), -1, meter)),
  '_strindices/1': plain1((value, part, meter) => {
    if (typeof value !== 'string') {
      return raiseAbout(meter, value, 'cannot be searched, as it is not a string');
    }
    if (typeof part !== 'string') return raiseAbout(meter, part, 'is not a string');
    return textPlaces(value, part, meter);
  }),
  'bsearch/1': plain1(binarySearch),
  'toarray/0': plain0((value, meter) => {
    if (isList(value)) return value;
    meter.make(1);
    return [value];
  }),
};

function lengthOf(value: Json, meter: Meter): Json {
  switch (typeof value) {
    case 'string':
      meter.scan(value.length);
      return countCodePoints(value);
    case 'number':
      return Math.abs(value);
    case 'boolean':
      return raiseAbout(meter, value, 'has no length');
    default:
      if (value === null) return 0;
      return isList(value) ? value.length : listKeys(value, meter).length;
  }
}

/** As jq: what is deeper is not looked into; and no deeper than the stack. */
const CONTAINS_DEPTH_MAX = 500;

function contains(value: Json, part: Json, meter: Meter): boolean {
  if (kindOf(value) === kindOf(part)) return containsPart(value, part, 0, meter);
  const both = `${describe(value, meter)} and ${describe(part, meter)}`;
  return raise(meter, `${both} cannot have their containment checked`);
}

function containsPart(value: Json, part: Json, depth: number, meter: Meter): boolean {
  if (depth > CONTAINS_DEPTH_MAX) return raise(meter, 'Containment check too deep');
  meter.pay(1);
  if (isJsonObject(value) && isJsonObject(part)) {
    return listKeys(part, meter).every(
      (key) =>
        hasMember(value, key) &&
        containsPart(value[key] as Json, part[key] as Json, depth + 1, meter),
    );
  }
  if (isList(value) && isList(part)) {
    return part.every((one) => value.some((other) => containsPart(other, one, depth + 1, meter)));
  }
  if (typeof value === 'string' && typeof part === 'string') {
    meter.scan(value.length + part.length);
    return value.includes(part);
  }
  return equalValues(value, part, meter);
}

function kindOf(value: Json): string {
  return value === null ? 'null' : isList(value) ? 'array' : typeof value;
}

function mapEach(code: Code, meter: Meter): Code {
  const { opt, many, size } = code;
  if (code.yields === 'many') {
    return oneCode(size + 2, (value, env) => {
      const list: Json[] = [];
      const parts = partsOf(value, meter);
      meter.make(0);
      for (const part of parts) {
        meter.pay(size);
        many(part, env, (found) => {
          meter.grow(1);
          list.push(found);
          return true;
        });
      }
      return list;
    });
  }
  return oneCode(size + 2, (value, env) => {
    const parts = partsOf(value, meter);
    meter.make(parts.length);
    const list: Json[] = [];
    for (let at = 0; at < parts.length; at += 1) {
      meter.pay(size);
      const found = opt(parts[at] as Json, env);
      if (found !== undefined) list.push(found);
    }
    return list;
  });
}

function sorted(value: Json, meter: Meter): Json {
  if (!isList(value)) return raiseAbout(meter, value, 'cannot be sorted, as it is not an array');
  meter.make(value.length);
  meter.pay(sortSteps(value.length));
  if (value.every((part) => typeof part === 'number' && part === part)) {
    return value.toSorted((a, b) => (a as number) - (b as number));
  }
  return value.toSorted((a, b) => compareValues(a, b, meter));
}

/** For each value its key: what a function yields of it, or the list of it if that is not one. */
function keysBy(code: Code, value: Json, env: Env, meter: Meter): Json[] {
  const keys: Json[] = [];
  const parts = partsOf(value, meter);
  meter.make(parts.length);
  for (const part of parts) {
    meter.pay(code.size);
    keys.push(code.yields === 'one' ? code.one(part, env) : gather(code, part, env, meter));
  }
  return keys;
}

function by(
  arrange: (values: readonly Json[], keys: readonly Json[], meter: Meter) => Json,
): Builtins[string] {
  return form(([arg], meter) => {
    const code = arg as Code;
    return oneCode(code.size + 2, (value, env) => {
      const keys = keysBy(code, value, env, meter);
      if (!isList(value)) return cannotSort(value, shownKeys(code, keys), meter);
      return arrange(value, keys, meter);
    });
  });
}

/** In messages a key is the list of what the function yields, also if that is one. */
function shownKeys(code: Code, keys: Json[]): Json {
  return code.yields === 'one' ? keys.map((key) => [key]) : keys;
}

function cannotSort(value: Json, keys: Json, meter: Meter): never {
  const both = `${describe(value, meter)} and ${describe(keys, meter)}`;
  return raise(meter, `${both} cannot be sorted, as they are not both arrays`);
}

interface Keyed {
  readonly key: Json;
  readonly value: Json;
}

function ordered(values: readonly Json[], keys: readonly Json[], meter: Meter): Keyed[] {
  meter.make(2 * values.length);
  meter.pay(sortSteps(values.length));
  const keyed = values.map((value, at): Keyed => ({ key: keys[at] as Json, value }));
  if (keys.every((key) => typeof key === 'number' && key === key)) {
    return keyed.sort((a, b) => (a.key as number) - (b.key as number));
  }
  return keyed.sort((a, b) => compareValues(a.key, b.key, meter));
}

function groups(values: readonly Json[], keys: readonly Json[], meter: Meter): Json[][] {
  if (keys.every((key) => typeof key === 'string')) return groupsByText(values, keys, meter);
  const found: Json[][] = [];
  let last: Json | undefined;
  for (const { key, value } of ordered(values, keys, meter)) {
    if (last === undefined || compareValues(last, key, meter) !== 0) {
      meter.make(0);
      found.push([]);
      last = key;
    }
    found.at(-1)?.push(value);
  }
  return found;
}

/** Only the keys need sorting, and there are mostly fewer of them than there are values. */
function groupsByText(values: readonly Json[], keys: readonly string[], meter: Meter): Json[][] {
  const found = new Map<string, Json[]>();
  meter.make(values.length);
  for (const [at, key] of keys.entries()) {
    meter.scan(key.length);
    const group = found.get(key);
    if (group === undefined) {
      meter.make(2);
      found.set(key, [values[at] as Json]);
    } else group.push(values[at] as Json);
  }
  const names = sortTexts([...found.keys()], meter);
  return names.map((name) => found.get(name) as Json[]);
}

/** The least of those that are equal comes first, and the greatest last, as in jq. */
function extreme(value: Json, keys: Json, sign: -1 | 1, meter: Meter): Json {
  if (!isList(value) || !isList(keys)) {
    const both = `${describe(value, meter)} and ${describe(keys, meter)}`;
    return raise(meter, `${both} cannot be iterated over`);
  }
  let best = 0;
  for (let at = 1; at < value.length; at += 1) {
    meter.pay(1);
    const found = compareValues(keys[at] as Json, keys[best] as Json, meter);
    if (sign === 1 ? found >= 0 : found < 0) best = at;
  }
  return value[best] ?? null;
}

function extremeBy(sign: -1 | 1): Builtins[string] {
  return form(([arg], meter) => {
    const code = arg as Code;
    return oneCode(code.size + 2, (value, env) => {
      const keys = keysBy(code, value, env, meter);
      return extreme(value, isList(value) ? keys : shownKeys(code, keys), sign, meter);
    });
  });
}

function reversed(value: Json, meter: Meter): Json {
  if (isList(value)) {
    meter.make(value.length);
    return value.toReversed();
  }
  const length = lengthOf(value, meter) as number;
  if (length > 0) indexValue(value, length - 1, meter);
  meter.make(0);
  return [];
}

interface Flattening {
  readonly parts: readonly Json[];
  readonly depth: Json;
  next: number;
}

function flatten(value: Json, depth: Json, meter: Meter): Json {
  const flat: Json[] = [];
  meter.make(0);
  const open: Flattening[] = [{ parts: partsOf(value, meter), depth, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const part = top.parts[top.next];
    top.next += 1;
    meter.pay(1);
    if (part === undefined) open.pop();
    else if (isList(part) && top.depth !== 0) {
      open.push({ parts: part, depth: subtract(top.depth, 1, meter), next: 0 });
    } else {
      meter.grow(1);
      flat.push(part);
    }
  }
  return flat;
}

function indices(value: Json, part: Json, meter: Meter): Json {
  if (isList(value)) return placesOf(value, isList(part) ? part : [part], meter);
  if (typeof value === 'string' && typeof part === 'string') return textPlaces(value, part, meter);
  return indexValue(value, part, meter);
}

/** Where it is, or where it would have to be put: minus one minus that. */
function binarySearch(value: Json, target: Json, meter: Meter): Json {
  if (!isList(value)) return raiseAbout(meter, value, 'cannot be searched from');
  let from = 0;
  let to = value.length;
  while (from < to) {
    meter.pay(2);
    const middle = (from + to) >> 1;
    const found = compareValues(value[middle] as Json, target, meter);
    if (found === 0) return middle;
    if (found < 0) from = middle + 1;
    else to = middle;
  }
  return -1 - from;
}
