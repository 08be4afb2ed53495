/**
 * Path expressions: the same nodes, asked where they lead instead of what they yield.
 *
 * A path goes along with the value it leads to. What yields some other value (a literal, a sum)
 * leaves the path as it is, and the two no longer fit together: that is an error only if somebody
 * goes on from there, or at the end. A value that is the same again fits again.
 */
import { isJsonObject, type Json } from '../../base/json.ts';
import { cannotIterate, indexValue } from './access.ts';
import type { Meter } from './budget.ts';
import { type Code, Env, type PathCode, type PathEmit, PathNode, upFrom } from './code.ts';
import { boundCode, ifRaised } from './compile-access.ts';
import { boundBy } from './compile-bindings.ts';
import {
  bodyScope,
  type Bound,
  findBuiltin,
  preludeFn,
  severalEnvs,
  singleEnv,
} from './compile-calls.ts';
import { breakOf } from './compile-control.ts';
import { type Compiler, depthOf } from './compiler.ts';
import { brief } from './describe.ts';
import { Broken, raise, Raised } from './faults.ts';
import { PATH_KEYS_MAX } from './paths.ts';
import { findCallee, type Fn, type Scope, withFunction, withLabel } from './scope.ts';
import type { Node, NodeOf } from './syntax.ts';
import { emptyObject, isContainer, isTrue } from './values.ts';

export function pathsOf(compiler: Compiler, node: Node, scope: Scope): PathCode {
  switch (node.is) {
    case 'identity':
      return (at, value, _, emit) => emit(at, value);
    case 'recurse':
      return callPaths(compiler, { ...node, is: 'call', name: 'recurse', args: [] }, scope);
    case 'index':
      return indexPaths(compiler, node, scope);
    case 'slice':
      return slicePaths(compiler, node, scope);
    case 'each':
      return eachPaths(compiler, node, scope);
    case 'pipe':
      return pipePaths(compiler, node, scope);
    case 'comma':
      return commaPaths(compiler, node, scope);
    case 'if':
      return ifPaths(compiler, node, scope);
    case 'alternative':
      return alternativePaths(compiler, node, scope);
    case 'try':
      return tryPaths(compiler, node, scope);
    case 'reduce':
      return reducePaths(compiler, node, scope);
    case 'foreach':
      return foreachPaths(compiler, node, scope);
    case 'bind':
      return bindPaths(compiler, node, scope);
    case 'define':
      return compiler.paths(node.body, withFunction(scope, node.definition));
    case 'call':
      return callPaths(compiler, node, scope);
    case 'label':
      return labelPaths(compiler, node, scope);
    case 'break': {
      const jump = breakOf(compiler, node, scope);
      return (_at, _value, env) => jump(env);
    }
    default:
      return nowhere(compiler.code(node, scope));
  }
}

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
  if (!fits(at, value)) {
    const where = `${brief(key, meter)} of ${brief(value, meter)}`;
    return raise(meter, `Invalid path expression near attempt to access element ${where}`);
  }
  meter.pay(1);
  meter.grow(PATH_NODE_ELEMENTS);
  return new PathNode(at, key, indexValue(value, key, meter));
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

function indexPaths(compiler: Compiler, node: NodeOf<'index'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const target = compiler.paths(node.target, scope);
  const key = compiler.code(node.key, scope);
  return (at, value, env, emit) =>
    key.many(value, env, (by) =>
      target(at, value, env, (of, found) => {
        const go = (): PathNode => goTo(of, found, by, meter);
        const next = node.isOptional ? ifRaised(go, meter) : go();
        return next === undefined || emit(next, next.value);
      }),
    );
}

function slicePaths(compiler: Compiler, node: NodeOf<'slice'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const target = compiler.paths(node.target, scope);
  const from = boundCode(compiler, node.from, scope);
  const to = boundCode(compiler, node.to, scope);
  return (at, value, env, emit) =>
    from.many(value, env, (start) =>
      to.many(value, env, (end) => {
        const key = emptyObject();
        meter.make(2);
        key['start'] = start;
        key['end'] = end;
        return target(at, value, env, (of, found) => {
          const go = (): PathNode => goTo(of, found, key, meter);
          const next = node.isOptional ? ifRaised(go, meter) : go();
          return next === undefined || emit(next, next.value);
        });
      }),
    );
}

function eachPaths(compiler: Compiler, node: NodeOf<'each'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const target = compiler.paths(node.target, scope);
  return (at, value, env, emit) =>
    target(at, value, env, (of, found) => {
      if (node.isOptional && !isContainer(found)) return true;
      return emitEachPath(of, found, meter, emit);
    });
}

export function emitEachPath(at: PathNode, value: Json, meter: Meter, emit: PathEmit): boolean {
  if (!fits(at, value)) {
    const what = 'Invalid path expression near attempt to iterate through';
    return raise(meter, `${what} ${brief(value, meter)}`);
  }
  if (Array.isArray(value)) {
    for (let key = 0; key < value.length; key += 1) {
      meter.pay(1);
      meter.grow(PATH_NODE_ELEMENTS);
      const part = value[key] as Json;
      if (!emit(new PathNode(at, key, part), part)) return false;
    }
    return true;
  }
  if (!isJsonObject(value)) return cannotIterate(value, meter);
  for (const key of Object.keys(value)) {
    meter.pay(1);
    meter.grow(PATH_NODE_ELEMENTS);
    const part = value[key] as Json;
    if (!emit(new PathNode(at, key, part), part)) return false;
  }
  return true;
}

function pipePaths(compiler: Compiler, node: NodeOf<'pipe'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const stages = node.stages.map((stage) => compiler.paths(stage, scope));
  return stages.reduceRight(
    (rest, first) => (at, value, env, emit) =>
      first(at, value, env, (next, found) => {
        meter.pay(1);
        return rest(next, found, env, emit);
      }),
  );
}

function commaPaths(compiler: Compiler, node: NodeOf<'comma'>, scope: Scope): PathCode {
  const items = node.items.map((item) => compiler.paths(item, scope));
  return (at, value, env, emit) => {
    for (const item of items) if (!item(at, value, env, emit)) return false;
    return true;
  };
}

function ifPaths(compiler: Compiler, node: NodeOf<'if'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const last: PathCode =
    node.otherwise === null
      ? (at, value, _, emit) => emit(at, value)
      : compiler.paths(node.otherwise, scope);
  return node.arms.reduceRight<PathCode>((rest, arm) => {
    const when = compiler.code(arm.when, scope);
    const then = compiler.paths(arm.body, scope);
    return (at, value, env, emit) =>
      when.many(value, env, (truth) => {
        meter.pay(when.size);
        return (isTrue(truth) ? then : rest)(at, value, env, emit);
      });
  }, last);
}

function alternativePaths(compiler: Compiler, node: NodeOf<'alternative'>, scope: Scope): PathCode {
  const left = compiler.paths(node.left, scope);
  const right = compiler.paths(node.right, scope);
  return (at, value, env, emit) => {
    let any = false;
    const wanted = left(at, value, env, (next, found) => {
      if (!isTrue(found)) return true;
      any = true;
      return emit(next, found);
    });
    return any ? wanted : right(at, value, env, emit);
  };
}

function tryPaths(compiler: Compiler, node: NodeOf<'try'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const body = compiler.paths(node.body, scope);
  const handler = node.handler === null ? undefined : compiler.paths(node.handler, scope);
  return (at, value, env, emit) => {
    const { depth } = meter;
    let isBehind = false;
    let error: Json;
    try {
      return body(at, value, env, (next, found) => {
        isBehind = true;
        const more = emit(next, found);
        isBehind = false;
        return more;
      });
    } catch (thrown) {
      if (isBehind || !(thrown instanceof Raised)) throw thrown;
      error = thrown.value;
    }
    meter.depth = depth;
    return handler === undefined || handler(at, error, env, emit);
  };
}

/**
 * The state is a value beside the path of the source, so it leads somewhere only as long as it is
 * what that path leads to. This is how `limit` passes paths on: it yields the items themselves.
 */
function reducePaths(compiler: Compiler, node: NodeOf<'reduce'>, scope: Scope): PathCode {
  const fold = foldingPaths(compiler, node, scope);
  return (at, value, env, emit) =>
    fold.start(at, value, env, (first, begun) => {
      let state = begun;
      fold.each(first, value, env, (of, inner) => {
        const before = state;
        state = null;
        return fold.update(of, before, inner, (_, next) => {
          state = next;
          return true;
        });
      });
      return emit(first, state);
    });
}

function foreachPaths(compiler: Compiler, node: NodeOf<'foreach'>, scope: Scope): PathCode {
  const fold = foldingPaths(compiler, node, scope);
  const extract: PathCode =
    node.extract === null
      ? (at, value, _, emit) => emit(at, value)
      : compiler.paths(node.extract, fold.scope);
  return (at, value, env, emit) =>
    fold.start(at, value, env, (first, begun) => {
      let state = begun;
      return fold.each(first, value, env, (of, inner) => {
        const before = state;
        state = null;
        return fold.update(of, before, inner, (next, changed) => {
          state = changed;
          return extract(next, changed, inner, emit);
        });
      });
    });
}

interface FoldingPaths {
  readonly scope: Scope;
  readonly start: PathCode;
  readonly update: PathCode;
  /** Calls back for each item of the source, with its path and what is bound to it. */
  readonly each: (
    at: PathNode,
    value: Json,
    env: Env,
    go: (of: PathNode, inner: Env) => boolean,
  ) => boolean;
}

function foldingPaths(
  compiler: Compiler,
  node: NodeOf<'reduce'> | NodeOf<'foreach'>,
  scope: Scope,
): FoldingPaths {
  const { meter } = compiler;
  const source = compiler.paths(node.source, scope);
  const bound = boundBy(compiler, node.patterns, scope);
  return {
    scope: bound.scope,
    start: compiler.paths(node.start, scope),
    update: compiler.paths(node.update, bound.scope),
    each: (at, value, env, go) =>
      source(at, value, env, (of, found) => {
        meter.pay(bound.size);
        return bound.bind(found, env, (inner) => go(of, inner));
      }),
  };
}

function bindPaths(compiler: Compiler, node: NodeOf<'bind'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const source = compiler.code(node.source, scope);
  const { scope: inner, bind, size } = boundBy(compiler, node.patterns, scope);
  const body = compiler.paths(node.body, inner);
  return (at, value, env, emit) =>
    source.many(value, env, (found) => {
      meter.pay(size);
      return bind(found, env, (bound) => body(at, value, bound, emit));
    });
}

function labelPaths(compiler: Compiler, node: NodeOf<'label'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const body = compiler.paths(node.body, withLabel(scope, node.name));
  return (at, value, env, emit) => {
    const { depth } = meter;
    const label = new Broken();
    try {
      return body(at, value, new Env(env, null, label), emit);
    } catch (thrown) {
      if (thrown !== label) throw thrown;
      meter.depth = depth;
      return true;
    }
  };
}

function callPaths(compiler: Compiler, node: NodeOf<'call'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const callee = findCallee(scope, node.name, node.args.length);
  if (callee?.is === 'closure') {
    const hops = scope.size - callee.size;
    return (at, value, env, emit) => {
      const { closure, home } = upFrom(env, hops) as Bound;
      meter.sink(2 * closure.depth);
      const more = closure.paths()(at, value, home, emit);
      meter.rise(2 * closure.depth);
      return more;
    };
  }
  if (callee?.is === 'function') {
    return functionPaths(compiler, callee.fn, node, { scope, hops: scope.size - callee.size });
  }
  const builtin = findBuiltin(compiler, node, scope);
  if (builtin?.paths !== undefined) {
    return builtin.paths(
      compiler,
      node.args.map((arg) => compiler.closure(arg, scope)),
    );
  }
  if (builtin?.text === undefined) return nowhere(compiler.code(node, scope));
  const fn = preludeFn(compiler, `${node.name}/${node.args.length}`, builtin);
  return functionPaths(compiler, fn, node, { scope, hops: scope.size });
}

function functionPaths(
  compiler: Compiler,
  fn: Fn,
  node: NodeOf<'call'>,
  { scope, hops }: { readonly scope: Scope; readonly hops: number },
): PathCode {
  const { meter } = compiler;
  const args = node.args.map((arg) => compiler.closure(arg, scope));
  const { params } = fn.definition;
  const values = args.filter((_, at) => params[at]?.isValue === true);
  // Paths are found by callbacks alone, which takes twice the stack.
  const cost = 2 * depthOf(fn.definition);
  const variant = pathVariantOf(compiler, fn);
  const call: PathCode = (at, value, inner, emit) => {
    meter.sink(cost);
    const more = (variant.code as PathCode)(at, value, inner, emit);
    meter.rise(cost);
    return more;
  };
  if (values.every(({ code }) => code.yields === 'one')) {
    const enter = singleEnv(args, values, hops);
    return (at, value, env, emit) => call(at, value, enter(value, env), emit);
  }
  const enter = severalEnvs(args, values, hops, meter);
  return (at, value, env, emit) => enter(value, env, (inner) => call(at, value, inner, emit));
}

function pathVariantOf(compiler: Compiler, fn: Fn): { code: PathCode | undefined } {
  if (fn.paths !== undefined) return fn.paths;
  const variant: { code: PathCode | undefined } = { code: undefined };
  fn.paths = variant;
  variant.code = compiler.paths(fn.definition.body, bodyScope(fn, []));
  return variant;
}
