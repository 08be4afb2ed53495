/** `reduce` and `foreach` in path expressions. */
import type { Json } from '../../../base/json.ts';
import type { Env, PathCode, PathNode } from './code.ts';
import { boundBy } from './bindings.ts';
import type { Compiler } from './compiler.ts';
import type { Scope } from './scope.ts';
import type { NodeOf } from '../syntax/tree.ts';

/**
 * The state is a value beside the path of the source, so it leads somewhere only as long as it is
 * what that path leads to. This is how `limit` passes paths on: it yields the items themselves.
 */
export function reducePaths(compiler: Compiler, node: NodeOf<'reduce'>, scope: Scope): PathCode {
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

export function foreachPaths(compiler: Compiler, node: NodeOf<'foreach'>, scope: Scope): PathCode {
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
