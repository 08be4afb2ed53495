/**
 * Replacing what an expression leads to in one walk, for those that lead to each place once and by
 * a way that shows: fields, indices, `.[]`, pipes, `select`, conditions. Everything else goes by a
 * list of paths (assign.ts), which comes to the same and costs more.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { cannotIterate, hasKey, indexValue, placeIn } from '../values/access.ts';
import type { Meter } from '../budget.ts';
import type { Env } from './code.ts';
import { ifRaised } from './access.ts';
import type { Compiler } from './compiler.ts';
import { deletePaths, setKey } from '../values/paths.ts';
import { findCallee, type Scope } from './scope.ts';
import type { Node, NodeOf } from '../syntax/tree.ts';
import {
  copyMembers,
  emptyObject,
  isContainer,
  isList,
  isTrue,
  OBJECT_ELEMENTS,
  listKeys,
} from '../values/values.ts';

/** Nothing is there any more. */
export const GONE: unique symbol = Symbol('gone');
/** Nothing has changed. */
export const KEPT: unique symbol = Symbol('kept');

export type Changed = Json | typeof GONE | typeof KEPT;
export type Change = (part: Json) => Changed;
export type Update = (value: Json, env: Env, change: Change) => Changed;

export function updatesOf(compiler: Compiler, node: Node, scope: Scope): Update | undefined {
  switch (node.is) {
    case 'identity':
      return (value, _, change) => change(value);
    case 'index':
      return indexUpdate(compiler, node, scope);
    case 'each':
      return eachUpdate(compiler, node, scope);
    case 'pipe':
      return pipeUpdate(compiler, node, scope);
    case 'if':
      return ifUpdate(compiler, node, scope);
    case 'call':
      return selectUpdate(compiler, node, scope);
    default:
      return undefined;
  }
}

function indexUpdate(compiler: Compiler, node: NodeOf<'index'>, scope: Scope): Update | undefined {
  const { isOptional } = node;
  const { meter } = compiler;
  const target = compiler.updates(node.target, scope);
  const key = compiler.code(node.key, scope);
  if (target === undefined || key.yields !== 'one') return undefined;
  const { one } = key;
  return (value, env, change) => {
    const by = one(value, env);
    return target(value, env, (of) => {
      meter.pay(1);
      const read = (): Json => indexValue(of, by, meter);
      const part = isOptional ? ifRaised(read, meter) : read();
      if (part === undefined) return KEPT;
      const changed = change(part);
      if (changed === KEPT) return KEPT;
      return changed === GONE ? without(of, by, meter) : setKey(of, by, changed, meter);
    });
  };
}

/** Only what is there can go. */
function without(value: Json, key: Json, meter: Meter): Changed {
  if (value === null) return KEPT;
  if (isJsonObject(value) && typeof key === 'string') {
    if (!hasKey(value, key, meter)) return KEPT;
    const copy = copyMembers(value, meter);
    delete copy[key];
    return copy;
  }
  if (!isList(value) || typeof key !== 'number') return deletePaths(value, [[key]], meter);
  const at = placeIn(value, key);
  if (!(at >= 0 && at < value.length)) return KEPT;
  meter.make(value.length);
  return value.toSpliced(at, 1);
}

function eachUpdate(compiler: Compiler, node: NodeOf<'each'>, scope: Scope): Update | undefined {
  const { isOptional } = node;
  const { meter } = compiler;
  const target = compiler.updates(node.target, scope);
  if (target === undefined) return undefined;
  return (value, env, change) =>
    target(value, env, (of) => {
      if (isOptional && !isContainer(of)) return KEPT;
      return updateEach(of, change, meter);
    });
}

/** Changes each part of a value. */
export function updateEach(value: Json, change: Change, meter: Meter): Changed {
  if (isList(value)) return updateList(value, change, meter);
  if (isJsonObject(value)) return updateMembers(value, change, meter);
  return cannotIterate(value, meter);
}

function updateList(list: readonly Json[], change: Change, meter: Meter): Changed {
  meter.make(list.length);
  const copy: Json[] = [];
  let isKept = true;
  for (const part of list) {
    meter.pay(1);
    const changed = change(part);
    if (changed !== KEPT) isKept = false;
    if (changed !== GONE) copy.push(changed === KEPT ? part : changed);
  }
  return isKept ? KEPT : copy;
}

function updateMembers(value: JsonObject, change: Change, meter: Meter): Changed {
  const keys = listKeys(value, meter);
  meter.make(keys.length * OBJECT_ELEMENTS);
  const copy = emptyObject();
  let isKept = true;
  for (const key of keys) {
    meter.pay(1);
    const part = value[key] as Json;
    const changed = change(part);
    if (changed !== KEPT) isKept = false;
    if (changed !== GONE) copy[key] = changed === KEPT ? part : changed;
  }
  return isKept ? KEPT : copy;
}

function pipeUpdate(compiler: Compiler, node: NodeOf<'pipe'>, scope: Scope): Update | undefined {
  const stages: Update[] = [];
  for (const stage of node.stages) {
    const update = compiler.updates(stage, scope);
    if (update === undefined) return undefined;
    stages.push(update);
  }
  return stages.reduceRight(
    (rest, first) => (value, env, change) => first(value, env, (part) => rest(part, env, change)),
  );
}

function ifUpdate(compiler: Compiler, node: NodeOf<'if'>, scope: Scope): Update | undefined {
  let rest: Update | undefined =
    node.otherwise === null
      ? (value, _, change) => change(value)
      : compiler.updates(node.otherwise, scope);
  for (const arm of node.arms.toReversed()) {
    const when = compiler.code(arm.when, scope);
    const then = compiler.updates(arm.body, scope);
    const otherwise = rest;
    if (then === undefined || otherwise === undefined || when.yields !== 'one') return undefined;
    rest = (value, env, change) =>
      (isTrue(when.one(value, env)) ? then : otherwise)(value, env, change);
  }
  return rest;
}

function selectUpdate(compiler: Compiler, node: NodeOf<'call'>, scope: Scope): Update | undefined {
  const [arg] = node.args;
  if (findCallee(scope, node.name, node.args.length) !== undefined) return undefined;
  if (node.name === 'empty' && arg === undefined) return () => KEPT;
  if (node.name !== 'select' || arg === undefined || node.args.length !== 1) return undefined;
  const { meter } = compiler;
  const condition = compiler.code(arg, scope);
  if (condition.yields !== 'one') return undefined;
  return (value, env, change) => {
    meter.pay(condition.size);
    return isTrue(condition.one(value, env)) ? change(value) : KEPT;
  };
}
