/** Calls in path expressions: of arguments, of functions of the program, and of builtins. */
import { type PathCode, upFrom } from './code.ts';
import {
  bodyScope,
  type BoundArgument,
  findBuiltin,
  preludeFn,
  severalEnvs,
  singleEnv,
} from './calls.ts';
import { type Compiler, depthOf } from './compiler.ts';
import { nowhere } from './path-walk.ts';
import { findCallee, type Fn, type PathVariant, type Scope } from './scope.ts';
import type { NodeOf } from '../syntax/tree.ts';

export function callPaths(compiler: Compiler, node: NodeOf<'call'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const callee = findCallee(scope, node.name, node.args.length);
  if (callee?.is === 'argument') {
    const hops = scope.size - callee.size;
    return (at, value, env, emit) => {
      const { argument, home } = upFrom(env, hops) as BoundArgument;
      meter.sink(2 * argument.depth);
      const more = argument.paths()(at, value, home, emit);
      meter.rise(2 * argument.depth);
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
      node.args.map((arg) => compiler.argument(arg, scope)),
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
  const args = node.args.map((arg) => compiler.argument(arg, scope));
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

function pathVariantOf(compiler: Compiler, fn: Fn): PathVariant {
  if (fn.paths !== undefined) return fn.paths;
  const variant: PathVariant = { code: undefined };
  fn.paths = variant;
  variant.code = compiler.paths(fn.definition.body, bodyScope(fn, []));
  return variant;
}
