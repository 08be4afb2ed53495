/** Going along paths, one key at a time, and what they are where they end. */
import { isJsonObject, type Json } from '../../../base/json.ts';
import { cannotIterate, indexValue } from '../values/access.ts';
import type { Meter } from '../budget.ts';
import { type Code, type PathCode, type PathEmit, PathNode } from './code.ts';
import { brief } from '../values/describe.ts';
import { raise } from '../faults.ts';
import { PATH_KEYS_MAX } from '../values/paths.ts';
import { isList, listKeys } from '../values/values.ts';

/** What leads nowhere yields values beside the path. */
export function nowhere({ many }: Code): PathCode {
  return (at, value, env, emit) => many(value, env, (found) => emit(at, found));
}

/** Whether the value is what the path leads to. */
function fits(at: PathNode, value: Json): boolean {
  return at.value === value || (value !== value && at.value !== at.value);
}

/** One key further. */
export function goTo(at: PathNode, value: Json, key: Json, meter: Meter): PathNode {
  checkAccess(at, value, key, meter);
  meter.pay(1);
  meter.grow(PATH_NODE_ELEMENTS);
  return new PathNode(at, key, indexValue(value, key, meter));
}

/** A path that leads nowhere is an error also where what it leads to may be missing. */
export function checkAccess(at: PathNode, value: Json, key: Json, meter: Meter): void {
  if (fits(at, value)) return;
  const where = `${brief(key, meter)} of ${brief(value, meter)}`;
  raise(meter, `Invalid path expression near attempt to access element ${where}`);
}

export function checkIteration(at: PathNode, value: Json, meter: Meter): void {
  if (fits(at, value)) return;
  const what = 'Invalid path expression near attempt to iterate through';
  raise(meter, `${what} ${brief(value, meter)}`);
}

/** What a key of a path takes while it is on its way. */
const PATH_NODE_ELEMENTS = 2;

/** The path as a value, where it ends. */
export function pathValue(at: PathNode, value: Json, meter: Meter): Json[] {
  if (!fits(at, value)) {
    return raise(meter, `Invalid path expression with result ${brief(value, meter)}`);
  }
  return keysOfPath(at, meter);
}

function keysOfPath(at: PathNode, meter: Meter): Json[] {
  if (at.length > PATH_KEYS_MAX) return raise(meter, 'Path too deep');
  meter.make(at.length);
  const keys: Json[] = Array.from({ length: at.length }, () => null);
  for (let node = at; node.up !== null; node = node.up) keys[node.length - 1] = node.key;
  return keys;
}

export function emitEachPath(at: PathNode, value: Json, meter: Meter, emit: PathEmit): boolean {
  checkIteration(at, value, meter);
  const emitPart = (key: Json, part: Json): boolean => {
    meter.pay(1);
    meter.grow(PATH_NODE_ELEMENTS);
    return emit(new PathNode(at, key, part), part);
  };
  if (isList(value)) return value.every((part, key) => emitPart(key, part));
  if (!isJsonObject(value)) return cannotIterate(value, meter);
  return listKeys(value, meter).every((key) => emitPart(key, value[key] as Json));
}
