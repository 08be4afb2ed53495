/** Pipes, commas, conditions, `//`, `try` and labels. */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import {
  type Code,
  type Emit,
  Env,
  manyCode,
  type Many,
  mostOf,
  oneCode,
  optCode,
  upFrom,
} from './code.ts';
import type { Compiler } from './compiler.ts';
import { Broken, Raised } from '../faults.ts';
import { findLabel, type Scope, type Variant, withLabel } from './scope.ts';
import type { NodeOf } from '../syntax/tree.ts';
import { isTrue } from '../values/values.ts';

export function pipeCode(
  compiler: Compiler,
  { stages }: NodeOf<'pipe'>,
  scope: Scope,
  tail: Variant | null,
): Code {
  const codes: Code[] = [];
  for (const [at, stage] of stages.entries()) {
    // What runs inside of a callback is not the last thing that is done.
    const isLast = at === stages.length - 1 && codes.every(({ yields }) => yields !== 'many');
    codes.push(compiler.code(stage, scope, isLast ? tail : null));
  }
  return codes.reduceRight((rest, first) => joinCode(first, rest, compiler.meter));
}

/** What the second makes of each output of the first. */
function joinCode(first: Code, second: Code, meter: Meter): Code {
  const size = first.size + second.size;
  const { one: a } = first;
  const { one: b } = second;
  switch (mostOf(first, second)) {
    case 'one':
      return oneCode(size, (value, env) => b(a(value, env), env));
    case 'opt':
      return optCode(size, (value, env) => {
        const found = first.opt(value, env);
        return found === undefined ? undefined : second.opt(found, env);
      });
    default:
      return manyCode(size, joinMany(first, second, meter));
  }
}

function joinMany(first: Code, second: Code, meter: Meter): Many {
  const { one, opt } = first;
  const { many, one: map, size } = second;
  switch (first.yields) {
    case 'one':
      return (value, env, emit) => many(one(value, env), env, emit);
    case 'opt':
      return (value, env, emit) => {
        const found = opt(value, env);
        return found === undefined || many(found, env, emit);
      };
    default:
      if (second.yields === 'one') {
        return (value, env, emit) =>
          first.many(value, env, (found) => {
            meter.pay(size);
            return emit(map(found, env));
          });
      }
      return (value, env, emit) =>
        first.many(value, env, (found) => {
          meter.pay(size);
          return many(found, env, emit);
        });
  }
}

export function commaCode(
  compiler: Compiler,
  { items }: NodeOf<'comma'>,
  scope: Scope,
  tail: Variant | null,
): Code {
  const codes = items.map((item, at) =>
    compiler.code(item, scope, at === items.length - 1 ? tail : null),
  );
  const size = codes.reduce((sum, code) => sum + code.size, 1);
  return manyCode(size, (value, env, emit) => {
    for (const { many } of codes) if (!many(value, env, emit)) return false;
    return true;
  });
}

export function ifCode(
  compiler: Compiler,
  { arms, otherwise }: NodeOf<'if'>,
  scope: Scope,
  tail: Variant | null,
): Code {
  const conditions = arms.map(({ when }) => compiler.code(when, scope));
  // What is behind a condition with several outputs runs inside of a callback.
  const several = conditions.findIndex(({ yields }) => yields !== 'one');
  const tailAt = (at: number): Variant | null => (several >= 0 && several <= at ? null : tail);
  const last =
    otherwise === null
      ? oneCode(1, (value) => value)
      : compiler.code(otherwise, scope, tailAt(arms.length));
  return arms.reduceRight<Code>((rest, { body }, at) => {
    const code = compiler.code(body, scope, tailAt(at));
    return choiceCode(conditions[at] as Code, code, rest, compiler.meter);
  }, last);
}

function choiceCode(condition: Code, then: Code, otherwise: Code, meter: Meter): Code {
  const size = condition.size + then.size + otherwise.size + 1;
  if (condition.yields !== 'one') {
    return manyCode(size, (value, env, emit) =>
      condition.many(value, env, (truth) => {
        meter.pay(size);
        return (isTrue(truth) ? then : otherwise).many(value, env, emit);
      }),
    );
  }
  const { one: test } = condition;
  switch (mostOf(then, otherwise)) {
    case 'one':
      return oneCode(size, (value, env) =>
        isTrue(test(value, env)) ? then.one(value, env) : otherwise.one(value, env),
      );
    case 'opt':
      return optCode(size, (value, env) =>
        isTrue(test(value, env)) ? then.opt(value, env) : otherwise.opt(value, env),
      );
    default:
      return manyCode(size, (value, env, emit) =>
        (isTrue(test(value, env)) ? then : otherwise).many(value, env, emit),
      );
  }
}

/** Those on the left that are neither null nor false; if there are none, those on the right. */
export function alternativeCode(
  compiler: Compiler,
  node: NodeOf<'alternative'>,
  scope: Scope,
): Code {
  const left = compiler.code(node.left, scope);
  const right = compiler.code(node.right, scope);
  const size = left.size + right.size + 1;
  if (left.yields !== 'many' && right.yields !== 'many') {
    const { opt: a } = left;
    const { opt: b } = right;
    const pick = (value: Json, env: Env): Json | undefined => {
      const found = a(value, env);
      return found !== undefined && isTrue(found) ? found : b(value, env);
    };
    return right.yields === 'one'
      ? oneCode(size, pick as (value: Json, env: Env) => Json)
      : optCode(size, pick);
  }
  return manyCode(size, (value, env, emit) => {
    let any = false;
    const wanted = left.many(value, env, (found) => {
      if (!isTrue(found)) return true;
      any = true;
      return emit(found);
    });
    return any ? wanted : right.many(value, env, emit);
  });
}

export function tryCode(compiler: Compiler, node: NodeOf<'try'>, scope: Scope): Code {
  const { meter } = compiler;
  const body = compiler.code(node.body, scope);
  const handler =
    node.handler === null ? optCode(0, () => undefined) : compiler.code(node.handler, scope);
  const size = body.size + handler.size + 1;
  if (mostOf(body, handler) === 'many') return manyCode(size, tryMany(body, handler, meter));
  const attempt = (value: Json, env: Env): Json | undefined => {
    const { depth } = meter;
    try {
      return body.opt(value, env);
    } catch (thrown) {
      if (!(thrown instanceof Raised)) throw thrown;
      meter.depth = depth;
      return handler.opt(thrown.value, env);
    }
  };
  return mostOf(body, handler) === 'one'
    ? oneCode(size, attempt as (value: Json, env: Env) => Json)
    : optCode(size, attempt);
}

function tryMany(body: Code, handler: Code, meter: Meter): Many {
  return (value, env, emit) =>
    attempt<Json, undefined>(
      (guard) => body.many(value, env, guard(emit) as Emit),
      (error) => handler.many(error, env, emit),
      meter,
    );
}

/** A callback of what is tried, which makes known what it threw itself. */
type Guard<A, B> = (emit: (a: A, b: B) => boolean) => (a: A, b: B) => boolean;

/** What comes after an output is not part of what is tried, though it runs inside of it. */
export function attempt<A, B>(
  run: (guard: Guard<A, B>) => boolean,
  recover: (error: Json) => boolean,
  meter: Meter,
): boolean {
  const { depth } = meter;
  let behind: unknown;
  let error: Json;
  try {
    return run((emit) => (a, b) => {
      try {
        return emit(a, b);
      } catch (thrown) {
        behind = thrown;
        throw thrown;
      }
    });
  } catch (thrown) {
    if (thrown === behind || !(thrown instanceof Raised)) throw thrown;
    error = thrown.value;
  }
  meter.depth = depth;
  return recover(error);
}

export function labelCode(compiler: Compiler, node: NodeOf<'label'>, scope: Scope): Code {
  const { meter } = compiler;
  const body = compiler.code(node.body, withLabel(scope, node.name));
  return manyCode(body.size + 1, (value, env, emit) =>
    withinLabel(env, (inner) => body.many(value, inner, emit), meter),
  );
}

/** Runs something that may break out of it. */
export function withinLabel(env: Env, run: (inner: Env) => boolean, meter: Meter): boolean {
  const { depth } = meter;
  const label = new Broken();
  try {
    return run(new Env(env, null, label));
  } catch (thrown) {
    if (thrown !== label) throw thrown;
    meter.depth = depth;
    return true;
  }
}

export function breakCode(compiler: Compiler, node: NodeOf<'break'>, scope: Scope): Code {
  const jump = breakOf(compiler, node, scope);
  return optCode(1, (_, env) => jump(env));
}

export function breakOf(
  compiler: Compiler,
  { name, at }: NodeOf<'break'>,
  scope: Scope,
): (env: Env) => never {
  const { meter } = compiler;
  const found = findLabel(scope, name);
  if (found === undefined) {
    compiler.mistake(at, 'jq.undefined-label', `there is no label $${name} to break to`);
  }
  const hops = found === undefined ? 0 : scope.size - found.size;
  return (env) => {
    meter.raising();
    // oxlint-disable-next-line typescript/only-throw-error -- see faults.ts
    throw upFrom(env, hops).label;
  };
}
