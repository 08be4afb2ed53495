/**
 * Assignment: `=`, `|=`, `//=` and `+=` and its like.
 *
 * The right side of `=` and `+=` is evaluated against the whole input, once for each of its
 * outputs. `|=` takes the first output of its right side; where there is none, the place is
 * deleted, after everything else was done.
 */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { type Code, type Env, manyCode, oneCode, type PathCode, PathNode } from './code.ts';
import { combinerOf } from './operators.ts';
import { pathValue } from './path-walk.ts';
import { type Change, GONE, KEPT, type Update } from './updates.ts';
import type { Compiler } from './compiler.ts';
import { deletePaths, getPath, setPath } from '../values/paths.ts';
import type { Scope } from './scope.ts';
import type { NodeOf } from '../syntax/tree.ts';
import { isContainer } from '../values/values.ts';

export function assignCode(compiler: Compiler, node: NodeOf<'assign'>, scope: Scope): Code {
  const modify = modifier(compiler, node.target, scope);
  const { meter } = compiler;
  const right = compiler.code(node.value, scope);
  const size = right.size + node.target.depth + 1;
  if (node.operator === '|=') return modifyCode(modify, right, size);
  const combine = combinerOf(node.operator, meter);
  const changeBy =
    (found: Json): Change =>
    (part) =>
      combine(part, found);
  if (right.yields === 'one') {
    return oneCode(size, (value, env) => modify(value, env, changeBy(right.one(value, env))));
  }
  return manyCode(size, (value, env, emit) =>
    right.many(value, env, (found) => {
      meter.pay(size);
      return emit(modify(value, env, changeBy(found)));
    }),
  );
}

/** What `target |= update` is. */
export function modifyCode(modify: Modify, update: Code, size: number): Code {
  if (update.yields === 'one') {
    const { one } = update;
    return oneCode(size, (value, env) => modify(value, env, (part) => one(part, env)));
  }
  const first = firstOf(update);
  return oneCode(size, (value, env) =>
    modify(value, env, (part) => {
      const found = first(part, env);
      return found === undefined ? GONE : found;
    }),
  );
}

export function firstOf(code: Code): (value: Json, env: Env) => Json | undefined {
  if (code.yields !== 'many') return code.opt;
  return (value, env) => {
    let first: Json | undefined;
    code.many(value, env, (found) => {
      first = found;
      return false;
    });
    return first;
  };
}

/** Applies a change to all that the target leads to. */
export type Modify = (value: Json, env: Env, change: Change) => Json;

function modifier(compiler: Compiler, target: NodeOf<'assign'>['target'], scope: Scope): Modify {
  const update = compiler.updates(target, scope);
  if (update !== undefined) return modifyByWalk(update);
  return modifyByPaths(compiler.paths(target, scope), compiler.meter);
}

export function modifyByWalk(update: Update): Modify {
  return (value, env, change) => {
    const changed = update(value, env, change);
    if (changed === KEPT) return value;
    return changed === GONE ? null : changed;
  };
}

/** Paths are found in the value as it was, while it is being changed. */
function modifyByPaths(paths: PathCode, meter: Meter): Modify {
  return (value, env, change) => {
    let changing = value;
    const gone: Json[] = [];
    // What was copied once for this change belongs to nobody else, and is altered in place.
    const owned = new Set<Json>();
    paths(new PathNode(null, null, value), value, env, (at, found) => {
      const path = pathValue(at, found, meter);
      const part = getPath(changing, path, meter);
      // Whoever gets a part may keep it.
      if (isContainer(part)) owned.clear();
      const changed = change(part);
      if (changed === GONE) gone.push(path);
      else if (changed !== KEPT) changing = setPath(changing, path, changed, meter, owned);
      return true;
    });
    return gone.length === 0 ? changing : deletePaths(changing, gone, meter);
  };
}
