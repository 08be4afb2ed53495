/** Builtins about paths, and about values as trees. */
import type { Json } from '../../../base/json.ts';
import { keysOf } from '../values/access.ts';
import { type Builtin, type Builtins, form, plain1, plainN } from '../compile/builtin.ts';
import type { Meter } from '../budget.ts';
import {
  type Argument,
  type Code,
  type Emit,
  manyCode,
  oneCode,
  type PathCode,
  type PathEmit,
  PathNode,
} from '../compile/code.ts';
import { whileCode } from './core.ts';
import { anyPartsOf } from '../compile/access.ts';
import { modifyByWalk, modifyCode } from '../compile/assign.ts';
import { emitEachPath, goTo, pathValue } from '../compile/path-walk.ts';
import { updateEach } from '../compile/updates.ts';
import { checkPath, deletePaths, getPath, setPath } from '../values/paths.ts';
import { isContainer } from '../values/values.ts';

export const PATHS: Builtins = {
  'path/1': withPaths((paths, meter) =>
    manyCode(2, (value, env, emit) =>
      paths()(rootAt(value), value, env, (at, found) => emit(pathValue(at, found, meter))),
    ),
  ),
  'del/1': withPaths((paths, meter) =>
    oneCode(2, (value, env) => {
      const gone: Json[] = [];
      paths()(rootAt(value), value, env, (at, found) => {
        gone.push(pathValue(at, found, meter));
        return true;
      });
      return deletePaths(value, gone, meter);
    }),
  ),
  'pick/1': withPaths((paths, meter) =>
    oneCode(2, (value, env) => {
      let picked: Json = null;
      const owned = new Set<Json>();
      paths()(rootAt(value), value, env, (at, found) => {
        const path = pathValue(at, found, meter);
        picked = setPath(picked, path, getPath(value, path, meter), meter, owned);
        return true;
      });
      return picked;
    }),
  ),
  'getpath/1': {
    ...plain1((value, path, meter) => getPath(value, checkPath(path, meter), meter)),
    paths: getpathPaths,
  },
  'setpath/2': plainN((value, [path = null, to = null], meter) =>
    setPath(value, checkPath(path, meter), to, meter),
  ),
  'delpaths/1': plain1((value, paths, meter) => deletePaths(value, paths, meter)),
  'recurse/0': {
    code: ({ meter }) => manyCode(1, (value, _, emit) => emitAll(value, meter, emit)),
    paths:
      ({ meter }) =>
      (at, value, _, emit) =>
        emitAllPaths(at, value, meter, emit),
  },
  'recurse/1': form(([next], meter) => whileCode(ALWAYS, next as Code, meter)),
  'map_values/1': form(([update], meter) => mapValuesCode(update as Code, meter)),
  'tostream/0': {
    code: ({ meter }) => manyCode(1, (value, _, emit) => emitStream(value, meter, emit)),
  },
};

const ALWAYS: Code = oneCode(0, () => true);

function rootAt(value: Json): PathNode {
  return new PathNode(null, null, value);
}

function withPaths(build: (paths: () => PathCode, meter: Meter) => Code): Builtin {
  return { code: ({ meter }, [arg]) => build((arg as Argument).paths, meter) };
}

function getpathPaths({ meter }: { meter: Meter }, [arg]: readonly Argument[]): PathCode {
  const { code } = arg as Argument;
  return (at, value, env, emit) =>
    code.many(value, env, (path) => {
      let next = at;
      let found = value;
      for (const key of checkPath(path, meter)) {
        next = goTo(next, found, key, meter);
        found = next.value;
      }
      return emit(next, found);
    });
}

/** The value and everything in it, from the top; deeper than the stack if need be. */
function emitAll(value: Json, meter: Meter, emit: Emit): boolean {
  if (!isContainer(value)) return emit(value);
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    meter.pay(2);
    if (!emit(next)) return false;
    if (!isContainer(next)) continue;
    const parts = anyPartsOf(next, meter);
    meter.pay(parts.length);
    for (let at = parts.length - 1; at >= 0; at -= 1) pending.push(parts[at] as Json);
  }
  return true;
}

function emitAllPaths(at: PathNode, value: Json, meter: Meter, emit: PathEmit): boolean {
  if (!emit(at, value)) return false;
  if (!isContainer(value)) return true;
  const pending: PathNode[] = [];
  const pushBelow = (node: PathNode, of: Json): void => {
    const from = pending.length;
    emitEachPath(node, of, meter, (next) => pending.push(next) > 0);
    pending.push(...pending.splice(from).reverse());
  };
  pushBelow(at, value);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!emit(next, next.value)) return false;
    if (isContainer(next.value)) pushBelow(next, next.value);
  }
  return true;
}

/** `.[] |= f`. */
function mapValuesCode(update: Code, meter: Meter): Code {
  const modify = modifyByWalk((value, _, change) => updateEach(value, change, meter));
  return modifyCode(modify, update, update.size + 1);
}

interface Streaming {
  readonly at: PathNode;
  readonly keys: readonly (string | number)[];
  next: number;
}

/** Every leaf with its path, and the path of the last part of what ends. */
function emitStream(value: Json, meter: Meter, emit: Emit): boolean {
  const open: Streaming[] = [];
  const enter = (at: PathNode): boolean => {
    const keys = isContainer(at.value) ? keysOf(at.value, meter) : [];
    if (keys.length === 0) return emit([pathValue(at, at.value, meter), at.value]);
    open.push({ at, keys, next: 0 });
    return true;
  };
  if (!enter(rootAt(value))) return false;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { at, keys, next } = top;
    meter.make(2);
    const key = keys[next];
    top.next += 1;
    if (key !== undefined) {
      if (!enter(goTo(at, at.value, key, meter))) return false;
      continue;
    }
    open.pop();
    const last = goTo(at, at.value, keys.at(-1) as string | number, meter);
    if (!emit([pathValue(last, last.value, meter)])) return false;
  }
  return true;
}
