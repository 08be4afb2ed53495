/**
 * Path expressions: the same nodes, asked where they lead instead of what they yield.
 *
 * A path goes along with the value it leads to. What yields some other value (a literal, a sum)
 * leaves the path as it is, and the two no longer fit together: that is an error only if somebody
 * goes on from there, or at the end. A value that is the same again fits again.
 */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import type { PathCode, PathNode } from './code.ts';
import { boundCode, ifRaised } from './access.ts';
import { boundBy } from './bindings.ts';
import { attempt, breakOf, withinLabel } from './control.ts';
import { callPaths } from './path-calls.ts';
import { foreachPaths, reducePaths } from './path-folds.ts';
import type { Compiler } from './compiler.ts';
import { checkAccess, checkIteration, emitEachPath, goTo, nowhere } from './path-walk.ts';
import { type Scope, withFunction, withLabel } from './scope.ts';
import type { Node, NodeOf } from '../syntax/tree.ts';
import { emptyObject, isContainer, isTrue } from '../values/values.ts';

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

/** One key further, or nothing where that may be. */
function stepTo(
  of: PathNode,
  value: Json,
  key: Json,
  { meter, isOptional }: { readonly meter: Meter; readonly isOptional: boolean },
): PathNode | undefined {
  checkAccess(of, value, key, meter);
  const go = (): PathNode => goTo(of, value, key, meter);
  return isOptional ? ifRaised(go, meter) : go();
}

function indexPaths(compiler: Compiler, node: NodeOf<'index'>, scope: Scope): PathCode {
  const { meter } = compiler;
  const target = compiler.paths(node.target, scope);
  const key = compiler.code(node.key, scope);
  return (at, value, env, emit) =>
    key.many(value, env, (by) =>
      target(at, value, env, (of, found) => {
        const next = stepTo(of, found, by, { meter, isOptional: node.isOptional });
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
          const next = stepTo(of, found, key, { meter, isOptional: node.isOptional });
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
      checkIteration(of, found, meter);
      if (node.isOptional && !isContainer(found)) return true;
      return emitEachPath(of, found, meter, emit);
    });
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
  return (at, value, env, emit) =>
    attempt<PathNode, Json>(
      (guard) => body(at, value, env, guard(emit)),
      (error) => handler === undefined || handler(at, error, env, emit),
      meter,
    );
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
  return (at, value, env, emit) => withinLabel(env, (inner) => body(at, value, inner, emit), meter);
}
