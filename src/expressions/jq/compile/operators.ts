/** Arithmetic, comparison, `and`, `or` and unary minus. The right side comes first, as in jq. */
import type { Json } from '../../../base/json.ts';
import {
  add,
  ARITHMETIC,
  counted,
  negate,
  type Operation,
  subtract,
} from '../values/arithmetic.ts';
import type { Meter } from '../budget.ts';
import { type Code, manyCode, oneCode } from './code.ts';
import { compareValues, equalValues } from '../values/compare.ts';
import { mapCode } from './access.ts';
import type { Compiler } from './compiler.ts';
import type { Scope } from './scope.ts';
import type { AssignOperator, BinaryOperator, NodeOf } from '../syntax/tree.ts';
import { isTrue } from '../values/values.ts';

const OPERATIONS: Readonly<Record<BinaryOperator, Operation>> = {
  ...ARITHMETIC,
  '==': equalValues,
  '!=': (a, b, meter) => !equalValues(a, b, meter),
  '<': (a, b, meter) => compareValues(a, b, meter) < 0,
  '<=': (a, b, meter) => compareValues(a, b, meter) <= 0,
  '>': (a, b, meter) => compareValues(a, b, meter) > 0,
  '>=': (a, b, meter) => compareValues(a, b, meter) >= 0,
};

export function binaryCode(compiler: Compiler, node: NodeOf<'binary'>, scope: Scope): Code {
  const { meter } = compiler;
  const left = compiler.code(node.left, scope);
  const right = compiler.code(node.right, scope);
  const operate = OPERATIONS[node.operator];
  const size = left.size + right.size + 1;
  if (left.yields === 'one' && node.right.is === 'literal') {
    const { value } = node.right;
    const special = typeof value === 'number' ? withNumber(node.operator, value, meter) : undefined;
    return mapCode(left, 2, special ?? ((found) => operate(found, value, meter)));
  }
  if (left.yields === 'one' && right.yields === 'one') {
    const { one: a } = left;
    const { one: b } = right;
    return oneCode(size, (value, env) => {
      const second = b(value, env);
      return operate(a(value, env), second, meter);
    });
  }
  return manyCode(size, (value, env, emit) =>
    right.many(value, env, (second) => {
      meter.pay(left.size);
      return left.many(value, env, (first) => {
        meter.pay(1);
        return emit(operate(first, second, meter));
      });
    }),
  );
}

/** The commonest cases, without asking what the right side is each time. */
function withNumber(
  operator: BinaryOperator,
  right: number,
  meter: Meter,
): ((value: Json) => Json) | undefined {
  switch (operator) {
    case '+':
      return (value) =>
        typeof value === 'number' ? counted(value + right, meter) : add(value, right, meter);
    case '-':
      return (value) =>
        typeof value === 'number' ? counted(value - right, meter) : subtract(value, right, meter);
    case '==':
      return (value) => value === right;
    case '!=':
      return (value) => value !== right;
    case '<':
      return (value) =>
        typeof value === 'number' && value === value
          ? value < right
          : compareValues(value, right, meter) < 0;
    case '>':
      return (value) =>
        typeof value === 'number' && value === value
          ? value > right
          : compareValues(value, right, meter) > 0;
    default:
      return undefined;
  }
}

/** What `part = found`, `part += found` and their like come to. */
export function combinerOf(
  operator: Exclude<AssignOperator, '|='>,
  meter: Meter,
): (part: Json, found: Json) => Json {
  switch (operator) {
    case '=':
      return (_, found) => found;
    case '//=':
      return (part, found) => (isTrue(part) ? part : found);
    default: {
      const operate = OPERATIONS[operator];
      return (part, found) => operate(part, found, meter);
    }
  }
}

export function negateCode(compiler: Compiler, node: NodeOf<'negate'>, scope: Scope): Code {
  const { meter } = compiler;
  return mapCode(compiler.code(node.body, scope), 1, (value) => negate(value, meter));
}

/** The right side is looked at only if the left one does not decide. */
export function logicCode(compiler: Compiler, node: NodeOf<'and' | 'or'>, scope: Scope): Code {
  const { meter } = compiler;
  const left = compiler.code(node.left, scope);
  const right = compiler.code(node.right, scope);
  const decides = node.is === 'or';
  const size = left.size + right.size + 1;
  if (left.yields === 'one' && right.yields === 'one') {
    const { one: a } = left;
    const { one: b } = right;
    return oneCode(size, (value, env) =>
      isTrue(a(value, env)) === decides ? decides : isTrue(b(value, env)),
    );
  }
  return manyCode(size, (value, env, emit) =>
    left.many(value, env, (first) => {
      meter.pay(right.size);
      if (isTrue(first) === decides) return emit(decides);
      return right.many(value, env, (second) => emit(isTrue(second)));
    }),
  );
}
