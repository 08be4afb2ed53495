/** The code of each kind of node. */
import { unreachable } from '../../../base/assert.ts';
import type { Json } from '../../../base/json.ts';
import { assignCode } from './assign.ts';
import { bindCode, foreachCode, reduceCode } from './bindings.ts';
import { callCode, defineCode, nearestName, shortened } from './calls.ts';
import { arrayCode, objectCode, textCode } from './construct.ts';
import { eachCode, indexCode, sliceCode } from './access.ts';
import {
  alternativeCode,
  breakCode,
  commaCode,
  ifCode,
  labelCode,
  pipeCode,
  tryCode,
} from './control.ts';
import { binaryCode, logicCode, negateCode } from './operators.ts';
import { pathsOf } from './paths.ts';
import { updatesOf } from './updates.ts';
import type { Compiler, Forms } from './compiler.ts';
import { type Code, type Env, oneCode, upFrom } from './code.ts';
import { format } from '../values/formats.ts';
import { findVariable, namesIn, type Scope, type Variant } from './scope.ts';
import type { Node, NodeOf } from '../syntax/tree.ts';
import { emptyObject } from '../values/values.ts';

export const FORMS: Forms = { code: codeOf, paths: pathsOf, updates: updatesOf };

function codeOf(compiler: Compiler, node: Node, scope: Scope, tail: Variant | null): Code {
  switch (node.is) {
    case 'identity':
      return oneCode(1, (value) => value);
    case 'recurse':
      return callCode(compiler, { ...node, is: 'call', name: 'recurse', args: [] }, scope, null);
    case 'literal':
      return oneCode(1, () => node.value);
    case 'location':
      return locationCode(compiler, node);
    case 'format':
      return formatCode(compiler, node.name);
    case 'variable':
      return variableCode(compiler, node, scope);
    case 'text':
      return textCode(compiler, node, scope);
    case 'index':
      return indexCode(compiler, node, scope);
    case 'slice':
      return sliceCode(compiler, node, scope);
    case 'each':
      return eachCode(compiler, node, scope);
    case 'array':
      return arrayCode(compiler, node, scope);
    case 'object':
      return objectCode(compiler, node, scope);
    case 'negate':
      return negateCode(compiler, node, scope);
    case 'binary':
      return binaryCode(compiler, node, scope);
    case 'and':
    case 'or':
      return logicCode(compiler, node, scope);
    case 'assign':
      return assignCode(compiler, node, scope);
    default:
      return controlCode(compiler, node, scope, tail);
  }
}

type ControlNode = NodeOf<
  | 'pipe'
  | 'comma'
  | 'alternative'
  | 'if'
  | 'try'
  | 'reduce'
  | 'foreach'
  | 'bind'
  | 'define'
  | 'call'
  | 'label'
  | 'break'
>;

function controlCode(
  compiler: Compiler,
  node: ControlNode,
  scope: Scope,
  tail: Variant | null,
): Code {
  switch (node.is) {
    case 'pipe':
      return pipeCode(compiler, node, scope, tail);
    case 'comma':
      return commaCode(compiler, node, scope, tail);
    case 'alternative':
      return alternativeCode(compiler, node, scope);
    case 'if':
      return ifCode(compiler, node, scope, tail);
    case 'try':
      return tryCode(compiler, node, scope);
    case 'reduce':
      return reduceCode(compiler, node, scope);
    case 'foreach':
      return foreachCode(compiler, node, scope);
    case 'bind':
      return bindCode(compiler, node, scope, tail);
    case 'define':
      return defineCode(compiler, node, scope, tail);
    case 'call':
      return callCode(compiler, node, scope, tail);
    case 'label':
      return labelCode(compiler, node, scope);
    case 'break':
      return breakCode(compiler, node, scope);
    default:
      return unreachable(node);
  }
}

function locationCode(compiler: Compiler, { at }: NodeOf<'location'>): Code {
  const place = emptyObject();
  place['file'] = '<top-level>';
  place['line'] = compiler.lineAt(at);
  const frozen: Json = Object.freeze(place);
  return oneCode(1, () => frozen);
}

function formatCode({ meter }: Compiler, name: string): Code {
  return oneCode(1, (value) => format(name, value, meter));
}

function variableCode(compiler: Compiler, { name, at }: NodeOf<'variable'>, scope: Scope): Code {
  const found = findVariable(scope, name);
  if (found !== undefined) return localCode(scope.size - found.size);
  const index = compiler.vars.indexOf(name);
  if (index >= 0) {
    const { run } = compiler;
    return oneCode(1, () => run.vars[index] as Json);
  }
  if (compiler.isFull) return oneCode(1, () => null);
  if (name === 'ENV') {
    compiler.mistake(at, 'jq.unsupported', '$ENV: a program does not see the environment');
  } else {
    const known = [...new Set([...namesIn(scope, 'variable'), ...compiler.vars])];
    const message = `$${shortened(name)} is not defined${variableHint(name, known)}`;
    compiler.mistake(at, 'jq.undefined-variable', message);
  }
  return oneCode(1, () => null);
}

function variableHint(name: string, known: readonly string[]): string {
  const near = name.length > SHOWN_VARIABLES_MAX ? undefined : nearestName(name, known);
  if (near !== undefined) return `; did you mean "$${near}"?`;
  if (known.length === 0 || known.length > SHOWN_VARIABLES_MAX) return '';
  const all = known.map((one) => `$${shortened(one)}`).join(', ');
  return known.length === 1 ? `; there is ${all}` : `; there are ${all}`;
}

/** More of them are no help; and no name that is longer was misspelt. */
const SHOWN_VARIABLES_MAX = 40;

function localCode(hops: number): Code {
  switch (hops) {
    case 0:
      return oneCode(1, (_, env) => env.value);
    case 1:
      return oneCode(1, (_, env) => (env.up as Env).value);
    default:
      return oneCode(1, (_, env) => upFrom(env, hops).value);
  }
}
