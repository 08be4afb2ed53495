/**
 * Functions: defining them, and calling those of the program, their arguments, and the builtins.
 *
 * A function is compiled once for each way in which its arguments yield. What a recursive one
 * yields is guessed to be as little as possible; if that shows to be wrong, it is compiled again
 * with what came out. A call to itself that is the last thing a function does is left to whoever
 * called it, so that such recursion is a loop and takes no stack.
 */
import type { Json } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import type { Builtin } from './builtin.ts';
import type { Meter } from '../budget.ts';
import {
  bindArgument,
  type Argument,
  type Code,
  Env,
  manyCode,
  oneCode,
  optCode,
  upFrom,
  type Yields,
  yieldsMore,
} from './code.ts';
import { type Compiler, depthOf } from './compiler.ts';
import { parseDefinition } from '../syntax/parser.ts';
import {
  findCallee,
  type Fn,
  type Found,
  namesIn,
  ROOT_SCOPE,
  type Scope,
  type Variant,
  withArgument,
  withFunction,
  withVariable,
} from './scope.ts';
import type { Definition, NodeOf } from '../syntax/tree.ts';

export function defineCode(
  compiler: Compiler,
  { definition, body }: NodeOf<'define'>,
  scope: Scope,
  tail: Variant | null,
): Code {
  const inner = withFunction(scope, definition);
  checkUncalled(compiler, inner as Found<'function'>);
  return compiler.code(body, inner, tail);
}

/** A function that nobody calls may hold mistakes, too. */
function checkUncalled(compiler: Compiler, { fn }: Found<'function'>): void {
  const yields = fn.definition.params.map((): Yields => 'many');
  variantOf(compiler, fn, yields);
}

export function callCode(
  compiler: Compiler,
  node: NodeOf<'call'>,
  scope: Scope,
  tail: Variant | null,
): Code {
  const callee = findCallee(scope, node.name, node.args.length);
  if (callee?.is === 'argument') return argumentCode(compiler, callee, scope);
  const args = node.args.map((arg) => compiler.argument(arg, scope));
  if (callee?.is === 'function') {
    return functionCode(compiler, callee.fn, { args, hops: scope.size - callee.size, tail });
  }
  const builtin = findBuiltin(compiler, node, scope);
  if (builtin === undefined) return oneCode(1, (value) => value);
  if (builtin.code !== undefined) return builtin.code(compiler, args);
  const fn = preludeFn(compiler, `${node.name}/${node.args.length}`, builtin);
  return functionCode(compiler, fn, { args, hops: scope.size, tail: null });
}

export function findBuiltin(
  compiler: Compiler,
  { name, args, at }: NodeOf<'call'>,
  scope: Scope,
): Builtin | undefined {
  const full = `${name}/${args.length}`;
  const { builtins, unsupported } = compiler;
  if (Object.hasOwn(builtins, full)) return builtins[full];
  if (compiler.isFull) return undefined;
  const why = Object.hasOwn(unsupported, full) ? unsupported[full] : undefined;
  if (why !== undefined) compiler.mistake(at, 'jq.unsupported', `${full}: ${why}`);
  else if (name.includes('::')) {
    compiler.mistake(at, 'jq.unsupported', `${shortened(name)}: there are no modules here`);
  } else {
    const shown = `${shortened(name)}/${args.length}`;
    const message = `${shown} is not defined${hintFor(compiler, full, scope)}`;
    compiler.mistake(at, 'jq.undefined-function', message);
  }
  return undefined;
}

/** A name as a message shows it. */
const NAME_CHARS_MAX = 60;

export function shortened(name: string): string {
  return name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name;
}

function hintFor({ builtins }: Compiler, full: string, scope: Scope): string {
  const [name = ''] = full.split('/');
  if (name.length > NAME_CHARS_MAX) return '';
  const args = namesIn(scope, 'argument').map((one) => `${one}/0`);
  const known = [...args, ...namesIn(scope, 'function'), ...Object.keys(builtins)];
  const same = known.filter((one) => one.startsWith(`${name}/`));
  if (same.length === 1) return `; there is ${same.join()}`;
  if (same.length > 1) return `; there are ${same.join(', ')}`;
  const meantName = nearestName(
    name,
    known.map((one) => one.split('/')[0] ?? one),
  );
  return meantName === undefined ? '' : `; did you mean "${meantName}"?`;
}

/** In a name of a letter or two any other one is near. */
const HINT_CHARS_MIN = 3;

/** What was probably meant, if the name is long enough for that to show. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return name.length < HINT_CHARS_MIN ? undefined : nearest(name, known);
}

const definitions = new Map<string, Definition>();

/** A builtin that is written in jq, as if it stood before the program. */
export function preludeFn(compiler: Compiler, full: string, { text = '' }: Builtin): Fn {
  const known = compiler.prelude.get(full);
  if (known !== undefined) return known;
  let definition = definitions.get(full);
  if (definition === undefined) {
    definition = parseDefinition(text);
    definitions.set(full, definition);
  }
  const { fn } = withFunction(ROOT_SCOPE, definition) as Found<'function'>;
  compiler.prelude.set(full, fn);
  return fn;
}

/** An argument, called where it is used with what was bound where it was written. */
function argumentCode({ meter }: Compiler, callee: Found<'argument'>, scope: Scope): Code {
  const hops = scope.size - callee.size;
  const enter = (env: Env): BoundArgument => {
    const bound = upFrom(env, hops) as BoundArgument;
    meter.sink(bound.argument.depth);
    meter.pay(bound.argument.code.size);
    return bound;
  };
  const opt: Code['opt'] = (value, env) => {
    const { argument, home } = enter(env);
    const found = argument.code.opt(value, home);
    meter.rise(argument.depth);
    return found;
  };
  switch (callee.yields) {
    case 'one':
      return oneCode(1, opt as Code['one']);
    case 'opt':
      return optCode(1, opt);
    default:
      return manyCode(1, (value, env, emit) => {
        const { argument, home } = enter(env);
        const more = argument.code.many(value, home, emit);
        meter.rise(argument.depth);
        return more;
      });
  }
}

/** A binding of an argument. */
export interface BoundArgument extends Env {
  readonly argument: Argument;
  readonly home: Env;
}

interface Call {
  readonly args: readonly Argument[];
  /** How far up the function was defined. */
  readonly hops: number;
  readonly tail: Variant | null;
}

function functionCode(compiler: Compiler, fn: Fn, { args, hops, tail }: Call): Code {
  const variant = variantOf(
    compiler,
    fn,
    args.map(({ code }) => code.yields),
  );
  const { definition } = fn;
  const size = args.reduce((sum, { code }) => sum + code.size, 2);
  const values = args.filter((_, at) => definition.params[at]?.isValue === true);
  if (values.some(({ code }) => code.yields !== 'one')) {
    const enter = severalEnvs(args, values, hops, compiler.meter);
    const call = caller(variant, depthOf(definition), compiler.meter);
    return manyCode(size, (value, env, emit) =>
      enter(value, env, (inner) => call.many(value, inner, emit)),
    );
  }
  const enter = singleEnv(args, values, hops);
  if (tail === variant) return tailCode(variant, enter, size);
  const { one, opt, many } = caller(variant, depthOf(definition), compiler.meter);
  switch (variant.yields) {
    case 'one':
      return oneCode(size, (value, env) => one(value, enter(value, env)));
    case 'opt':
      return optCode(size, (value, env) => opt(value, enter(value, env)));
    default:
      return manyCode(size, (value, env, emit) => many(value, enter(value, env), emit));
  }
}

type Enter = (value: Json, env: Env) => Env;

/** Where the body runs: the arguments as they were written, then those that are values. */
export function singleEnv(
  args: readonly Argument[],
  values: readonly Argument[],
  hops: number,
): Enter {
  const [only] = args;
  if (only === undefined) return (_, env) => upFrom(env, hops);
  return (value, env) => {
    let inner = upFrom(env, hops);
    for (const arg of args) inner = bindArgument(inner, arg, env);
    for (const { code } of values) inner = new Env(inner, code.one(value, env));
    return inner;
  };
}

/** The same for each combination of values; the first argument varies slowest. */
export function severalEnvs(
  args: readonly Argument[],
  values: readonly Argument[],
  hops: number,
  meter: Meter,
): (value: Json, env: Env, go: (inner: Env) => boolean) => boolean {
  return (value, env, go) => {
    let first = upFrom(env, hops);
    for (const arg of args) first = bindArgument(first, arg, env);
    const from = (at: number, inner: Env): boolean => {
      const argument = values[at];
      if (argument === undefined) return go(inner);
      return argument.code.many(value, env, (found) => {
        meter.pay(1);
        return from(at + 1, new Env(inner, found));
      });
    };
    return from(0, first);
  };
}

/** Runs the body, and again as long as it ends with a call of itself. */
function caller(variant: Variant, cost: number, meter: Meter): Pick<Code, 'one' | 'opt' | 'many'> {
  const sink = (): void => {
    meter.sink(cost);
    meter.pay((variant.code as Code).size);
  };
  const opt: Code['opt'] = (value, env) => {
    sink();
    const code = variant.code as Code;
    let found = code.opt(value, env);
    for (let inner = variant.nextEnv; inner !== null; inner = variant.nextEnv) {
      variant.nextEnv = null;
      meter.pay(code.size);
      found = code.opt(variant.nextValue, inner);
    }
    meter.rise(cost);
    return found;
  };
  const many: Code['many'] = (value, env, emit) => {
    if (variant.yields !== 'many') {
      // What it yields before it calls itself is no output.
      const found = opt(value, env);
      return found === undefined || emit(found);
    }
    sink();
    const code = variant.code as Code;
    let more = code.many(value, env, emit);
    for (let inner = variant.nextEnv; inner !== null; inner = variant.nextEnv) {
      variant.nextEnv = null;
      meter.pay(code.size);
      more = code.many(variant.nextValue, inner, emit);
    }
    meter.rise(cost);
    return more;
  };
  return { one: opt as Code['one'], opt, many };
}

/** Nothing is done after it, so it is noted for the caller, to whom everything returns at once. */
function tailCode(variant: Variant, enter: Enter, size: number): Code {
  const note = (value: Json, env: Env): void => {
    variant.nextEnv = enter(value, env);
    variant.nextValue = value;
  };
  switch (variant.yields) {
    case 'one':
      return oneCode(size, (value, env) => {
        note(value, env);
        return null;
      });
    case 'opt':
      return optCode(size, (value, env) => {
        note(value, env);
        return undefined;
      });
    default:
      return manyCode(size, (value, env) => {
        note(value, env);
        return true;
      });
  }
}

/** Functions of more arguments than this are compiled once, for whatever the arguments yield. */
const SPECIAL_ARGS_MAX = 3;

function variantOf(compiler: Compiler, fn: Fn, yields: readonly Yields[]): Variant {
  const known = yields.length > SPECIAL_ARGS_MAX ? yields.map((): Yields => 'many') : yields;
  const key = known.join();
  const found = fn.variants.get(key);
  if (found !== undefined) {
    if (found.code === undefined) found.isReliedOn = true;
    return found;
  }
  const scope = bodyScope(fn, known);
  for (let guess: Yields = 'one'; ; ) {
    const variant: Variant = {
      yields: guess,
      code: undefined,
      isReliedOn: false,
      nextValue: null,
      nextEnv: null,
    };
    fn.variants.set(key, variant);
    const code = compiler.code(fn.definition.body, scope, variant);
    if (!variant.isReliedOn) variant.yields = code.yields;
    if (!yieldsMore(code.yields, variant.yields)) {
      variant.code = code;
      return variant;
    }
    guess = code.yields;
  }
}

export function bodyScope(fn: Fn, yields: readonly Yields[]): Scope {
  const { params } = fn.definition;
  let scope = fn.scope;
  for (const [at, { name }] of params.entries()) {
    scope = withArgument(scope, name, yields[at] ?? 'many');
  }
  for (const { name, isValue } of params) if (isValue) scope = withVariable(scope, name);
  return scope;
}
