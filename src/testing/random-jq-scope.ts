/** What a random jq program can refer to at one place, and the plain ways to refer to it. */
import { isJsonObject, type Json } from '../base/json.ts';
import type { Dice } from './dice.ts';
import {
  ANY,
  arrayOf,
  fits,
  itemOf,
  randomKey,
  randomShape,
  type Shape,
  valueOf,
} from './random-jq-shapes.ts';
import { LEVEL, type Piece, piece, slot, word } from './random-jq-text.ts';

export interface Scope {
  /** What `.` looks like. */
  readonly dot: Shape;
  readonly vars: readonly Named[];
  readonly calls: readonly Callable[];
  readonly labels: readonly string[];
  /** How much deeper the program may get from here. */
  readonly depth: number;
}

export interface Named {
  readonly name: string;
  readonly shape: Shape;
}

/** A function that the program has defined, or a parameter of one. */
export interface Callable {
  readonly name: string;
  /** What its input looks like. */
  readonly dot: Shape;
  readonly args: readonly Shape[];
  readonly output: Shape;
}

/** Writes a whole program; handed on, because everything in a program can hold everything else. */
export interface Writer {
  readonly dice: Dice;
  /** Counted, so that names do not clash unless they are meant to. */
  names: number;
  /** One expression, which mostly has one output. */
  one(wanted: Shape, scope: Scope): Piece;
  /** One expression, with any number of outputs. */
  many(wanted: Shape, scope: Scope): Piece;
}

/** A shape to aim at where anything will do. */
export function anyShape(writer: Writer): Shape {
  return chance(writer, 40) ? ANY : randomShape(writer.dice, 1);
}

export function chance(writer: Writer, percent: number): boolean {
  return writer.dice.roll(100) < percent;
}

const NAMES = ['a', 'b', 'x', 'y', 'v', 'item', 'k_1'];
const KEYWORD_NAMES = ['if', 'and', 'reduce', 'label', 'end', '__loc'];

export function freshName(writer: Writer): string {
  if (chance(writer, 4)) return writer.dice.pick(KEYWORD_NAMES);
  if (chance(writer, 25)) return writer.dice.pick(NAMES);
  writer.names += 1;
  return `${writer.dice.pick(NAMES)}${writer.names}`;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A step to a field, in one of the ways to write it. Only the first of a path has its own dot. */
export function fieldStep(writer: Writer, key: string, isFirst: boolean): string {
  const quoted = JSON.stringify(key);
  const style = writer.dice.roll(10);
  if (IDENTIFIER.test(key) && style < 7) return `.${key}`;
  if (style < 9) return `.${quoted}`;
  return isFirst ? `.[${quoted}]` : `[${quoted}]`;
}

/** Steps from a value of one shape to a part of it. */
export type Steps = readonly (string | number)[];

const DIVE_DEPTH = 3;

/** Every way from a value to a part of it that will do, the value itself among them. */
function waysTo(has: Shape, wanted: Shape, depth: number = DIVE_DEPTH): Steps[] {
  const ways: Steps[] = fits(has, wanted) ? [[]] : [];
  if (depth === 0) return ways;
  if (has.is === 'array') {
    for (const way of waysTo(has.of, wanted, depth - 1)) ways.push([0, ...way], [1, ...way]);
  }
  if (has.is === 'object') {
    for (const [key, inner] of Object.entries(has.has)) {
      for (const way of waysTo(inner, wanted, depth - 1)) ways.push([key, ...way]);
    }
  }
  return ways;
}

function writeSteps(writer: Writer, steps: Steps): string {
  if (steps.length === 0) return '.';
  return steps
    .map((step, at) => {
      if (typeof step === 'string') return fieldStep(writer, step, at === 0);
      return at === 0 ? `.[${step}]` : `[${step}]`;
    })
    .join('');
}

/** A literal of a shape. */
function writeLiteral(writer: Writer, shape: Shape): Piece {
  return literalPiece(valueOf(shape, writer.dice, 2));
}

function literalPiece(value: Json): Piece {
  if (typeof value === 'number') {
    return value < 0 ? piece(LEVEL.multiply, String(value)) : word(String(value));
  }
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) =>
      slot(literalPiece(item), LEVEL.otherwise),
    );
    return piece(LEVEL.term, '[', ...items.flatMap((item, at) => (at ? [',', item] : [item])), ']');
  }
  if (!isJsonObject(value)) return word(JSON.stringify(value));
  const members = Object.entries(value).flatMap(([key, item], at) => [
    `${at ? ',' : ''}${JSON.stringify(key)}:`,
    slot(literalPiece(item), LEVEL.multiply),
  ]);
  return piece(LEVEL.term, '{', ...members, '}');
}

/** What is wanted without going any deeper: something at hand, or a literal. */
export function writeLeaf(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const { dice } = writer;
  const ways = waysTo(scope.dot, wanted);
  const vars = scope.vars.filter(({ shape }) => fits(shape, wanted));
  const calls = scope.calls.filter(
    ({ args, dot, output }) => args.length === 0 && fits(scope.dot, dot) && fits(output, wanted),
  );
  const roll = dice.roll(10);
  if (wanted.is === 'boolean' && roll < 7) return writeCondition(writer, scope.dot);
  if (wanted.is === 'small' && roll < 3) return word('(length % 4)');
  if (ways.length > 0 && roll < 7) return word(writeSteps(writer, dice.pick(ways)));
  if (vars.length > 0 && roll < 9) return word(`$${dice.pick(vars).name}`);
  if (calls.length > 0) return word(dice.pick(calls).name);
  return writeLiteral(writer, wanted);
}

const NUMBER_CONDITIONS = ['. > 1', '. < 5', '. == 1', '. >= 0 and . < 9', '. % 2 == 0'];
const STRING_CONDITIONS = ['. == "a"', 'length > 1', '. < "b"', 'startswith("a")', 'test("a")'];
const LIST_CONDITIONS = ['length > 1', '. == []', 'any', 'all', 'length < 3', '.[0] != null'];
const OBJECT_CONDITIONS = ['length > 1', 'has("a")', '.a == null', '.b', '. == {}'];
const CONDITIONS = [
  '.',
  'not',
  '. == null',
  'type == "number"',
  'true',
  'false',
  '. > 1',
  '$given',
];

/** A question that a value of this shape can be asked. */
function writeCondition({ dice }: Writer, dot: Shape): Piece {
  const fitting = fits(dot, { is: 'number' })
    ? NUMBER_CONDITIONS
    : fits(dot, { is: 'string' })
      ? STRING_CONDITIONS
      : dot.is === 'array'
        ? LIST_CONDITIONS
        : dot.is === 'object'
          ? OBJECT_CONDITIONS
          : CONDITIONS;
  const text = dice.pick(dice.roll(4) === 0 ? CONDITIONS : fitting);
  return piece(
    text.includes(' and ') ? LEVEL.and : text.includes(' ') ? LEVEL.compare : LEVEL.term,
    text,
  );
}

/** Any number of what is wanted, without going any deeper. */
export function writeLeaves(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const ways = waysTo(scope.dot, arrayOf(wanted));
  if (ways.length > 0 && chance(writer, 60)) {
    return word(`${writeSteps(writer, writer.dice.pick(ways)).replace(/^\.$/, '.')}[]`);
  }
  const one = slot(writeLeaf(writer, wanted, scope), LEVEL.comma);
  return piece(LEVEL.comma, one, ', ', slot(writeLeaf(writer, wanted, scope), LEVEL.otherwise));
}

/** A key that a value of this shape may have. */
export function keyOf(writer: Writer, shape: Shape): string {
  const keys = shape.is === 'object' ? Object.keys(shape.has) : [];
  return keys.length > 0 && chance(writer, 85) ? writer.dice.pick(keys) : randomKey(writer.dice);
}

/** The array of a path into a value of this shape. */
export function stepsInto(writer: Writer, shape: Shape): Steps {
  const steps: (string | number)[] = [];
  let at = shape;
  for (let left = writer.dice.roll(4); left > 0; left -= 1) {
    if (at.is === 'object') {
      const key = keyOf(writer, at);
      steps.push(key);
      at = (Object.hasOwn(at.has, key) ? at.has[key] : undefined) ?? { is: 'null' };
    } else if (at.is === 'array') {
      steps.push(writer.dice.roll(4) - 1);
      at = itemOf(at, writer.dice);
    } else if (at.is === 'null' || at.is === 'any') {
      steps.push(chance(writer, 50) ? keyOf(writer, at) : writer.dice.roll(3));
    } else break;
  }
  return steps;
}
