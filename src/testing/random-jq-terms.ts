/**
 * Writes a random jq expression that probably gives what is wanted: something at hand, a row of the
 * table, or one of the constructs that bring names of their own.
 */
import type { Dice } from './dice.ts';
import { writeConstruct, writeConstructs } from './random-jq-constructs.ts';
import { writePath } from './random-jq-paths.ts';
import { CALLED_AT_RANDOM } from './random-jq-corners.ts';
import { DATE_FORMATS, FLAGS, PATTERNS } from './random-jq-rows.ts';
import {
  type Callable,
  anyShape,
  chance,
  keyOf,
  type Scope,
  stepsInto,
  type Writer,
  writeLeaf,
  writeLeaves,
} from './random-jq-scope.ts';
import { fits, itemOf, randomShape, type Shape } from './random-jq-shapes.ts';
import { aimOf, codeShape, type Hole, type Row, TEMPLATES } from './random-jq-templates.ts';
import { joined, LEVEL, type Piece, piece, type Slot, slot, word } from './random-jq-text.ts';

/** Of a hundred expressions, so many are of a wrong kind, have many outputs, or end here. */
const MISTAKEN_PERCENT = 2;
const MANY_PERCENT = 4;
const LEAF_PERCENT = 15;
const CONSTRUCT_PERCENT = 25;

export function newWriter(dice: Dice): Writer {
  const writer: Writer = {
    dice,
    names: 0,
    one: (wanted, scope) => write(writer, wanted, scope),
    many: (wanted, scope) => writeMany(writer, wanted, scope),
  };
  return writer;
}

function write(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const aim = chance(writer, MISTAKEN_PERCENT) ? mistake(writer, wanted) : wanted;
  if (scope.depth <= 0 || chance(writer, LEAF_PERCENT)) return writeLeaf(writer, aim, scope);
  if (chance(writer, MANY_PERCENT)) return writeMany(writer, aim, scope);
  const inner = { ...scope, depth: scope.depth - 1 };
  if (chance(writer, CONSTRUCT_PERCENT)) {
    const construct = writeConstruct(writer, aim, inner);
    if (construct !== undefined) return construct;
  }
  return writeCall(writer, aim, inner) ?? writeRow(writer, aim, inner, false);
}

/** Another shape than the one that is wanted; never a number that could be a count. */
function mistake(writer: Writer, wanted: Shape): Shape {
  const shape = randomShape(writer.dice, 1);
  return wanted.is === 'small' && fits(shape, { is: 'number' }) ? { is: 'null' } : shape;
}

function writeMany(writer: Writer, wanted: Shape, scope: Scope): Piece {
  if (scope.depth <= 0 || chance(writer, LEAF_PERCENT)) return writeLeaves(writer, wanted, scope);
  const inner = { ...scope, depth: scope.depth - 1 };
  if (chance(writer, CONSTRUCT_PERCENT)) return writeConstructs(writer, wanted, inner);
  return writeRow(writer, wanted, inner, true);
}

/** A call of a function that the program has defined, if there is one that fits. */
function writeCall(writer: Writer, wanted: Shape, scope: Scope): Piece | undefined {
  const fitting = scope.calls.filter(({ output }) => fits(output, wanted));
  if (fitting.length === 0 || !chance(writer, 40)) return undefined;
  const { name, dot, args }: Callable = writer.dice.pick(fitting);
  const at = { ...scope, dot };
  const values = args.map((shape) => slot(write(writer, shape, at)));
  const call =
    args.length === 0 ? word(name) : piece(LEVEL.term, `${name}(`, ...joined(values, '; '), ')');
  return piped(writer, { input: dot, scope, call });
}

interface Piped {
  readonly input: Shape;
  readonly scope: Scope;
  readonly call: Piece;
}

/** Something that takes an input, with the input before it unless that is at hand. */
function piped(writer: Writer, { input, scope, call }: Piped): Piece {
  if (fits(scope.dot, input) && chance(writer, 50)) return call;
  const before = slot(write(writer, input, scope), LEVEL.pipe);
  return piece(LEVEL.pipe, before, ' | ', slot(call));
}

function writeRow(writer: Writer, wanted: Shape, scope: Scope, many: boolean): Piece {
  const rows = rowsFor(wanted, many);
  if (rows.length === 0) return writeLeaf(writer, wanted, scope);
  const row = writer.dice.pick(rows);
  const aim = aimOf(row, wanted);
  if (aim === undefined) return writeLeaf(writer, wanted, scope);
  const dot = row.input === undefined ? scope.dot : aim.input;
  const parts = row.parts.map((part) =>
    typeof part === 'string'
      ? part
      : slot(writeHole(writer, part, { scope: { ...scope, dot }, result: aim.result }), part.least),
  );
  const call = piece(row.level, ...parts);
  return row.input === undefined ? call : piped(writer, { input: aim.input, scope, call });
}

const known = new Map<string, readonly Row[]>();

function rowsFor(wanted: Shape, many: boolean): readonly Row[] {
  const key = `${many}${JSON.stringify(wanted)}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const rows = TEMPLATES.filter((row) => row.many === many && aimOf(row, wanted) !== undefined);
  known.set(key, rows);
  return rows;
}

interface Place {
  /** With the input of the row as `.`. */
  readonly scope: Scope;
  /** What holes marked `r` are to give. */
  readonly result: Shape;
}

function writeHole(writer: Writer, hole: Hole, { scope, result }: Place): Piece {
  const { dice } = writer;
  switch (hole.code) {
    case 'R':
      return writePattern(writer);
    case 'F':
      return word(dice.pick(FLAGS));
    case 't':
      return word(JSON.stringify(dice.pick(DATE_FORMATS)));
    case 'K':
      return word(JSON.stringify(keyOf(writer, scope.dot)));
    case 'h':
      return word(JSON.stringify(stepsInto(writer, scope.dot)));
    case 'W':
      return writeAnyCall(writer, scope);
    case 'P':
      return writePath(writer, scope).piece;
    default:
  }
  const wanted = codeShape(hole.code, result);
  const aim = wanted.is === 'any' ? anyShape(writer) : wanted;
  const dot = dotOf(writer, hole, { scope, result });
  return hole.many
    ? writeMany(writer, aim, { ...scope, dot })
    : write(writer, aim, { ...scope, dot });
}

function dotOf(writer: Writer, { dot }: Hole, { scope, result }: Place): Shape {
  if (dot === undefined) return scope.dot;
  return dot === 'e' ? itemOf(scope.dot, writer.dice) : codeShape(dot, result);
}

function writePattern(writer: Writer): Piece {
  return word(JSON.stringify(writer.dice.pick(PATTERNS)));
}

/** A builtin with whatever comes to hand as input and arguments: what it says is what is tried. */
function writeAnyCall(writer: Writer, scope: Scope): Piece {
  const inner = { ...scope, depth: Math.min(scope.depth, 1) };
  const anything = (): Slot => slot(writer.one(randomShape(writer.dice, 1), inner));
  const [name = '', ...rest] = writer.dice.pick(CALLED_AT_RANDOM).split(/_(?=[;)])/);
  const call = piece(LEVEL.term, name, ...rest.flatMap((text) => [anything(), text]));
  return piece(LEVEL.pipe, anything(), ' | ', slot(call));
}
