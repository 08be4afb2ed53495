/**
 * `reduce` that builds something up, as in `reduce .[] as $x ({}; .[$x.key] += [$x])`. Copying what
 * was built so far in every round would cost the square of its size, so what the rounds have copied
 * once is altered in place from then on.
 *
 * That is right only as long as nobody else holds it. So it is done for updates of a few forms,
 * whose right sides do not look at the state at all: what they put into it comes from elsewhere,
 * and what is in it goes nowhere. Containers that came from elsewhere are copied before they are
 * altered.
 */
import { isJsonObject, type Json } from '../../../base/json.ts';
import { indexValue } from '../values/access.ts';
import { add, append, assign } from '../values/arithmetic.ts';
import type { Meter } from '../budget.ts';
import type { Env, One } from './code.ts';
import { combinerOf } from './operators.ts';
import type { Compiler } from './compiler.ts';
import { setOwned } from '../values/paths.ts';
import type { Scope } from './scope.ts';
import type { Node, NodeOf } from '../syntax/tree.ts';
import { isContainer, isList, isTrue } from '../values/values.ts';

/** The next state. What is in `owned` was made by earlier rounds, and nobody else has it. */
export type Step = (state: Json, env: Env, owned: Set<Json>) => Json;

/** A round that may alter the state in place, if the update is of such a form. */
export function stepInPlace(compiler: Compiler, node: Node, scope: Scope): Step | undefined {
  switch (node.is) {
    case 'identity':
      return (state) => state;
    case 'binary':
      return addStep(compiler, node, scope);
    case 'assign':
      return assignStep(compiler, node, scope);
    case 'pipe':
      return pipeStep(compiler, node, scope);
    case 'if':
      return ifStep(compiler, node, scope);
    default:
      return undefined;
  }
}

/** `. + …`. */
function addStep(compiler: Compiler, node: NodeOf<'binary'>, scope: Scope): Step | undefined {
  if (node.operator !== '+' || node.left.is !== 'identity') return undefined;
  const right = blindCode(compiler, node.right, scope);
  const { meter } = compiler;
  return right && ((state, env, owned) => addOwned(state, right(state, env), owned, meter));
}

function addOwned(a: Json, b: Json, owned: Set<Json>, meter: Meter): Json {
  if (owned.has(a)) {
    if (isList(a) && isList(b)) {
      append(a as Json[], b, meter);
      return a;
    }
    if (isJsonObject(a) && isJsonObject(b)) {
      assign(a, b, meter);
      return a;
    }
  }
  const sum = add(a, b, meter);
  if (isContainer(sum) && sum !== a && sum !== b) owned.add(sum);
  return sum;
}

/** `.a[$b] = …`, `.a[$b] += …` and their like. */
function assignStep(compiler: Compiler, node: NodeOf<'assign'>, scope: Scope): Step | undefined {
  if (node.operator === '|=') return undefined;
  const keys = keysOf(compiler, node.target, scope);
  const right = blindCode(compiler, node.value, scope);
  if (keys === undefined || right === undefined) return undefined;
  const { meter } = compiler;
  const { operator } = node;
  const combine = combinerOf(operator, meter);
  return (state, env, owned) => {
    const found = right(state, env);
    const around: Json[] = [];
    const path: Json[] = [];
    let part = state;
    for (const key of keys) {
      const by = key(state, env);
      meter.pay(1);
      around.push(part);
      path.push(by);
      part = indexValue(part, by, meter);
    }
    let set = operator === '+' ? addOwned(part, found, owned, meter) : combine(part, found);
    for (let at = path.length - 1; at >= 0; at -= 1) {
      set = setOwned(around[at] as Json, path[at] as Json, set, { meter, owned });
    }
    return set;
  };
}

/** The keys of a target that is a chain of indices, from the outside in. */
function keysOf(compiler: Compiler, target: Node, scope: Scope): One[] | undefined {
  if (target.is === 'identity') return [];
  if (target.is !== 'index' || target.isOptional) return undefined;
  const before = keysOf(compiler, target.target, scope);
  const key = compiler.code(target.key, scope);
  if (before === undefined || key.yields !== 'one') return undefined;
  return [...before, key.one];
}

function pipeStep(compiler: Compiler, node: NodeOf<'pipe'>, scope: Scope): Step | undefined {
  const steps: Step[] = [];
  for (const stage of node.stages) {
    const step = stepInPlace(compiler, stage, scope);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return (first, env, owned) => {
    let state = first;
    for (const step of steps) state = step(state, env, owned);
    return state;
  };
}

function ifStep(compiler: Compiler, node: NodeOf<'if'>, scope: Scope): Step | undefined {
  let rest: Step | undefined =
    node.otherwise === null ? (state) => state : stepInPlace(compiler, node.otherwise, scope);
  for (const arm of node.arms.toReversed()) {
    const when = compiler.code(arm.when, scope);
    const body = stepInPlace(compiler, arm.body, scope);
    const otherwise = rest;
    if (body === undefined || otherwise === undefined || when.yields !== 'one') return undefined;
    rest = (state, env, owned) =>
      (isTrue(when.one(state, env)) ? body : otherwise)(state, env, owned);
  }
  return rest;
}

function blindCode(compiler: Compiler, node: Node, scope: Scope): One | undefined {
  if (!isBlind(node)) return undefined;
  const code = compiler.code(node, scope);
  return code.yields === 'one' ? code.one : undefined;
}

/** Whether it never looks at its input, so that nothing of that can be in what it yields. */
function isBlind(node: Node): boolean {
  switch (node.is) {
    case 'literal':
    case 'variable':
      return true;
    case 'text':
      return node.parts.every((part) => typeof part === 'string' || isBlind(part));
    case 'index':
      return isBlind(node.target) && isBlind(node.key);
    case 'array':
      return node.body === null || isBlind(node.body);
    case 'object':
      return node.members.every(
        ({ key, value }) => value !== null && isBlind(key) && isBlind(value),
      );
    case 'pipe':
      // Behind a stage that is blind, the input is another one.
      return node.stages[0] !== undefined && isBlind(node.stages[0]);
    case 'comma':
      return node.items.every(isBlind);
    case 'negate':
      return isBlind(node.body);
    case 'binary':
    case 'and':
    case 'or':
    case 'alternative':
      return isBlind(node.left) && isBlind(node.right);
    default:
      return false;
  }
}
