/**
 * `as`, `reduce` and `foreach`: taking values apart by patterns and binding the parts to names.
 *
 * All variables of all alternatives (`?//`) are bound, those of the others to null, always in the
 * same order, so that the code behind need not know which alternative it was.
 */
import type { Json } from '../../../base/json.ts';
import { indexValue } from '../values/access.ts';
import type { Meter } from '../budget.ts';
import { type Code, Env, manyCode, type Many, oneCode, optCode } from './code.ts';
import { type Step, stepInPlace } from './folds.ts';
import type { Compiler } from './compiler.ts';
import { Raised } from '../faults.ts';
import { type Scope, type Variant, withVariable } from './scope.ts';
import type { Node, NodeOf, Pattern } from '../syntax/tree.ts';

/** Calls back with the bindings, once for each way in which the pattern fits. */
export type Binder = (value: Json, env: Env, body: (env: Env) => boolean) => boolean;

export interface Bound {
  readonly scope: Scope;
  readonly bind: Binder;
  /** For a single variable, which is nearly always. */
  readonly isPlain: boolean;
  readonly size: number;
}

export function boundBy(compiler: Compiler, patterns: readonly Pattern[], scope: Scope): Bound {
  const names = [...new Set(patterns.flatMap(namesOf))];
  const inner = names.reduce(withVariable, scope);
  const [only] = patterns;
  if (patterns.length === 1 && only?.is === 'variable') {
    return {
      scope: inner,
      bind: (value, env, body) => body(new Env(env, value)),
      isPlain: true,
      size: 1,
    };
  }
  const naming = { scope, names, keepsFirst: patterns.length === 1 };
  const takers = patterns.map((pattern) => takerOf(compiler, pattern, naming));
  const { meter } = compiler;
  const bind: Binder = (value, env, body) => {
    const go = (taken: readonly Json[]): boolean => {
      let bound = env;
      for (let at = 0; at < names.length; at += 1) bound = new Env(bound, taken[at] ?? null);
      return body(bound);
    };
    return eachAlternative(takers, value, env, { go, meter });
  };
  return { scope: inner, bind, isPlain: false, size: 2 * names.length };
}

interface Going {
  readonly go: (taken: readonly Json[]) => boolean;
  readonly meter: Meter;
}

/** Whatever fails, up to the end of the program, leads to the next alternative. */
function eachAlternative(
  takers: readonly Taker[],
  value: Json,
  env: Env,
  { go, meter }: Going,
): boolean {
  const last = takers.length - 1;
  for (let at = 0; at < last; at += 1) {
    const { depth } = meter;
    try {
      return (takers[at] as Taker)(value, env, [], go);
    } catch (thrown) {
      if (!(thrown instanceof Raised)) throw thrown;
      meter.depth = depth;
    }
  }
  return (takers[last] as Taker)(value, env, [], go);
}

function namesOf(pattern: Pattern): string[] {
  switch (pattern.is) {
    case 'variable':
      return [pattern.name];
    case 'array':
      return pattern.items.flatMap(namesOf);
    default:
      return pattern.members.flatMap(({ name, value }) => [
        ...(name === null ? [] : [name]),
        ...(value === null ? [] : namesOf(value)),
      ]);
  }
}

/** Takes what it finds into a list with a place for each name, and goes on with that. */
type Taker = (
  value: Json,
  env: Env,
  taken: readonly Json[],
  go: (taken: readonly Json[]) => boolean,
) => boolean;

interface Naming {
  readonly scope: Scope;
  readonly names: readonly string[];
  /** Whether a name that is there twice keeps what it had first; among alternatives it does not. */
  readonly keepsFirst: boolean;
}

function takerOf(compiler: Compiler, pattern: Pattern, naming: Naming): Taker {
  switch (pattern.is) {
    case 'variable':
      return takeAs(pattern.name, naming);
    case 'array':
      // From the last to the first, which shows if one of them fails.
      return inTurn(
        pattern.items.map((item, at) => takeElement(compiler, item, at, naming)).reverse(),
      );
    default:
      return inTurn(pattern.members.map((member) => takeMember(compiler, member, naming)));
  }
}

function takeAs(name: string, { names, keepsFirst }: Naming): Taker {
  const place = names.indexOf(name);
  return (value, _, taken, go) => {
    if (keepsFirst && taken[place] !== undefined) return go(taken);
    const more = taken.slice();
    more[place] = value;
    return go(more);
  };
}

function inTurn(takers: readonly Taker[]): Taker {
  return takers.reduceRight(
    (rest, first) => (value, env, taken, go) =>
      first(value, env, taken, (more) => rest(value, env, more, go)),
  );
}

function takeElement(compiler: Compiler, item: Pattern, at: number, naming: Naming): Taker {
  const { meter } = compiler;
  const take = takerOf(compiler, item, naming);
  return (value, env, taken, go) => take(indexValue(value, at, meter), env, taken, go);
}

function takeMember(
  compiler: Compiler,
  { key, name, value: inner }: Extract<Pattern, { is: 'object' }>['members'][number],
  naming: Naming,
): Taker {
  const { meter } = compiler;
  // The names that were taken so far are not in sight of a key, as in jq.
  const keys = compiler.code(key, naming.scope);
  const own = name === null ? undefined : takeAs(name, naming);
  const below = inner === null ? undefined : takerOf(compiler, inner, naming);
  const take = inTurn([own, below].filter((one) => one !== undefined));
  return (value, env, taken, go) =>
    keys.many(value, env, (found) => {
      meter.pay(1);
      return take(indexValue(value, found, meter), env, taken, go);
    });
}

export function bindCode(
  compiler: Compiler,
  node: NodeOf<'bind'>,
  scope: Scope,
  tail: Variant | null,
): Code {
  const { meter } = compiler;
  const source = compiler.code(node.source, scope);
  const { scope: inner, bind, isPlain, size: own } = boundBy(compiler, node.patterns, scope);
  const isSimple = isPlain && source.yields === 'one';
  const body = compiler.code(node.body, inner, isSimple ? tail : null);
  const size = source.size + body.size + own;
  if (isSimple) return withOne(source, body, size);
  return manyCode(size, (value, env, emit) =>
    source.many(value, env, (found) => {
      meter.pay(body.size);
      return bind(found, env, (bound) => body.many(value, bound, emit));
    }),
  );
}

function withOne({ one: source }: Code, body: Code, size: number): Code {
  switch (body.yields) {
    case 'one':
      return oneCode(size, (value, env) => body.one(value, new Env(env, source(value, env))));
    case 'opt':
      return optCode(size, (value, env) => body.opt(value, new Env(env, source(value, env))));
    default:
      return manyCode(size, (value, env, emit) =>
        body.many(value, new Env(env, source(value, env)), emit),
      );
  }
}

interface Folding {
  readonly source: Code;
  readonly start: Code;
  readonly update: Code;
  readonly bound: Bound;
  readonly size: number;
}

function foldingOf(
  compiler: Compiler,
  node: { readonly source: Node; readonly start: Node; readonly update: Node } & {
    readonly patterns: readonly Pattern[];
  },
  scope: Scope,
): Folding {
  const source = compiler.code(node.source, scope);
  const start = compiler.code(node.start, scope);
  const bound = boundBy(compiler, node.patterns, scope);
  const update = compiler.code(node.update, bound.scope);
  const size = source.size + start.size + update.size + bound.size;
  return { source, start, update, bound, size };
}

/** The last output of the update is the next state; if there is none, null is. */
export function reduceCode(compiler: Compiler, node: NodeOf<'reduce'>, scope: Scope): Code {
  const folding = foldingOf(compiler, node, scope);
  const { start, size } = folding;
  const inPlace = stepInPlace(compiler, node.update, folding.bound.scope);
  const fold = folder(folding, inPlace ?? stepper(folding.update), compiler.meter);
  if (start.yields !== 'one') {
    return manyCode(size, (value, env, emit) =>
      start.many(value, env, (state) => emit(fold(value, env, state))),
    );
  }
  return oneCode(size, (value, env) => fold(value, env, start.one(value, env)));
}

function folder(
  { source, update, bound }: Folding,
  step: Step,
  meter: Meter,
): (value: Json, env: Env, state: Json) => Json {
  return (value, env, first) => {
    let state = first;
    const owned = new Set<Json>();
    source.many(value, env, (found) => {
      meter.pay(update.size + bound.size);
      if (bound.isPlain) {
        state = step(state, new Env(env, found), owned);
        return true;
      }
      return bound.bind(found, env, (inner) => {
        // Should it fail, whoever tries the next alternative begins with nothing.
        const before = state;
        state = null;
        state = step(before, inner, owned);
        return true;
      });
    });
    return state;
  };
}

function stepper(update: Code): (state: Json, env: Env) => Json {
  if (update.yields === 'one') return update.one;
  if (update.yields === 'opt') return (state, env) => update.opt(state, env) ?? null;
  return (state, env) => {
    let last: Json = null;
    update.many(state, env, (next) => {
      last = next;
      return true;
    });
    return last;
  };
}

export function foreachCode(compiler: Compiler, node: NodeOf<'foreach'>, scope: Scope): Code {
  const { meter } = compiler;
  const { source, start, update, bound, size } = foldingOf(compiler, node, scope);
  const extract =
    node.extract === null ? oneCode(0, (value) => value) : compiler.code(node.extract, bound.scope);
  const many: Many = (value, env, emit) =>
    start.many(value, env, (first) => {
      let state = first;
      return source.many(value, env, (found) => {
        meter.pay(update.size + extract.size + bound.size);
        return bound.bind(found, env, (inner) => {
          const before = state;
          state = null;
          return update.many(before, inner, (next) => {
            state = next;
            return extract.many(next, inner, emit);
          });
        });
      });
    });
  return manyCode(size + extract.size, many);
}
