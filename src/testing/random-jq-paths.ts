/** Random path expressions, in every form that jq takes, and the assignments that use them. */
import {
  anyShape,
  chance,
  fieldStep,
  freshName,
  keyOf,
  type Scope,
  stepsInto,
  type Writer,
} from './random-jq-scope.ts';
import { ANY, BOOLEAN, fits, itemOf, type Shape, SMALL, shapeOf } from './random-jq-shapes.ts';
import { LEVEL, type Piece, piece, type Slot, slot, word } from './random-jq-text.ts';

/** A path expression and what it leads to. */
export interface Path {
  readonly piece: Piece;
  readonly target: Shape;
}

/** One or more steps from what is at hand. */
export function writePath(writer: Writer, scope: Scope): Path {
  const first = writeStep(writer, scope);
  if (scope.depth <= 0 || chance(writer, 45)) return first;
  const inner = { ...scope, dot: first.target, depth: scope.depth - 1 };
  const second = writePath(writer, inner);
  const [text] = second.piece.parts;
  // Steps that are plain text can follow one another without a pipe.
  const isPlain = second.piece.parts.length === 1 && typeof text === 'string' && /^\.\w/.test(text);
  const between = isPlain && first.piece.level === LEVEL.term && chance(writer, 80) ? '' : ' | ';
  const least = between === '' ? LEVEL.term : LEVEL.pipe;
  return {
    piece: piece(least, slot(first.piece, least), between, slot(second.piece, LEVEL.pipe)),
    target: second.target,
  };
}

function writeStep(writer: Writer, scope: Scope): Path {
  if (scope.depth > 0 && chance(writer, 35)) return writeOddStep(writer, scope);
  const { dot } = scope;
  if (dot.is === 'object') return writeMember(writer, scope);
  if (dot.is === 'array' || itemOf(dot, writer.dice) !== ANY) return writeItem(writer, scope);
  if (dot.is === 'null' || dot.is === 'any') {
    const key = keyOf(writer, dot);
    const optional = dot.is === 'any' ? '?' : '';
    return { piece: word(`${fieldStep(writer, key, true)}${optional}`), target: ANY };
  }
  return { piece: word('.'), target: dot };
}

function writeMember(writer: Writer, scope: Scope): Path {
  const { dot } = scope;
  if (chance(writer, 20)) return { piece: word('.[]'), target: itemOf(dot, writer.dice) };
  const key = keyOf(writer, dot);
  const has = dot.is === 'object' && Object.hasOwn(dot.has, key) ? dot.has[key] : undefined;
  const target = has ?? { is: 'null' };
  if (chance(writer, 15)) {
    const quoted = JSON.stringify(key);
    const texts = [`getpath([${quoted}])`, `.[(${quoted})]`, `.[${quoted}]?`, `."\\(${quoted})"`];
    return { piece: word(writer.dice.pick(texts)), target };
  }
  return { piece: word(fieldStep(writer, key, true)), target };
}

const SLICES = ['.[1:]', '.[:2]', '.[-2:]', '.[:-1]', '.[1:3]', '.[0:0]', '.[null:1]', '.[5:9]'];

function writeItem(writer: Writer, scope: Scope): Path {
  const target = itemOf(scope.dot, writer.dice);
  switch (writer.dice.roll(8)) {
    case 0:
    case 1:
      return { piece: word('.[]'), target };
    case 2:
      return { piece: word(writer.dice.pick(SLICES)), target: scope.dot };
    case 3:
      return { piece: word(writer.dice.pick(['.[-1]', '.[-2]', 'first', 'last', '.[9]'])), target };
    case 4:
      return {
        piece: piece(LEVEL.term, '.[', slot(writer.one(SMALL, { ...scope, depth: 1 })), ']'),
        target,
      };
    case 5:
      return { piece: word(`nth(${writer.dice.roll(3)})`), target };
    default:
      return { piece: word(`.[${writer.dice.roll(3)}]`), target };
  }
}

type OddStep = (writer: Writer, scope: Scope) => Path;

/** The forms of a path that are not plain steps. */
const ODD_STEPS: readonly OddStep[] = [
  (writer, scope) => wrapped(writer, scope, (inner) => ['first(', inner, ')']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['last(', inner, ')']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['limit(2; ', inner, ')']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['skip(1; ', inner, ')']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['nth(1; ', inner, ')']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['(', inner, ')?']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['try (', inner, ') catch .']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['(label $here | ', inner, ')']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['(def p: ', inner, '; p)']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['(def p(f): f; p(', inner, '))']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['(. as $it | ', inner, ')']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['getpath(path(', inner, '))']),
  (writer, scope) => wrapped(writer, scope, (inner) => ['(', inner, ', empty)']),
  (writer, scope) => paired(writer, scope, (one, other) => ['(', one, ', ', other, ')']),
  (writer, scope) => paired(writer, scope, (one, other) => ['(', one, ' // ', other, ')']),
  (writer, scope) =>
    paired(writer, scope, (one, other) => {
      const condition = slot(writer.one(BOOLEAN, { ...scope, depth: 1 }));
      return ['if ', condition, ' then ', one, ' else ', other, ' end'];
    }),
  (writer, scope) => filtered(writer, scope, 'select(', BOOLEAN),
  (writer, scope) => filtered(writer, scope, '.[] | select(', BOOLEAN),
  (writer, { dot }) => ({ piece: word(writer.dice.pick(TYPE_FILTERS)), target: dot }),
  (writer, { dot }) => ({
    piece: word(writer.dice.pick(DEEP_STEPS)),
    target: itemOf(dot, writer.dice),
  }),
  (writer, { dot }) => ({
    piece: word(`getpath(${JSON.stringify(stepsInto(writer, dot))})`),
    target: ANY,
  }),
  (writer, { dot }) => {
    const key = JSON.stringify(keyOf(writer, dot));
    const name = freshName(writer);
    return { piece: piece(LEVEL.pipe, `${key} as $${name} | .[$${name}]?`), target: ANY };
  },
  (_, { dot }) => ({ piece: word('reduce (1, 2) as $i (.; .)'), target: dot }),
  (_, { dot }) => ({ piece: word('foreach (1, 2) as $i (.; .; .)'), target: dot }),
  (_, { dot }) => ({ piece: word('.'), target: dot }),
  (_, { dot }) => ({ piece: word('empty'), target: dot }),
];

const TYPE_FILTERS = 'values scalars numbers strings arrays objects iterables nulls'.split(' ');
const DEEP_STEPS = [
  ...[
    '..',
    'recurse',
    'recurse(.[]?)',
    '(.. | numbers)',
    '(.. | select(type == "string"))',
    '.[]?',
  ],
  ...['recurse(.[]?; type != "string")', '(.[]? | .[]?)', 'paths as $p | getpath($p)', '.[]'],
];

function writeOddStep(writer: Writer, scope: Scope): Path {
  return writer.dice.pick(ODD_STEPS)(writer, { ...scope, depth: scope.depth - 1 });
}

function wrapped(
  writer: Writer,
  scope: Scope,
  around: (inner: Slot) => readonly (string | Slot)[],
): Path {
  const inner = writePath(writer, scope);
  return { piece: piece(LEVEL.term, ...around(slot(inner.piece))), target: inner.target };
}

function paired(
  writer: Writer,
  scope: Scope,
  around: (one: Slot, other: Slot) => readonly (string | Slot)[],
): Path {
  const one = writePath(writer, scope);
  const other = writePath(writer, scope);
  const parts = around(slot(one.piece, LEVEL.assign), slot(other.piece, LEVEL.assign));
  return { piece: piece(LEVEL.term, ...parts), target: one.target };
}

function filtered(writer: Writer, scope: Scope, before: string, wanted: Shape): Path {
  const dot = before.startsWith('.') ? itemOf(scope.dot, writer.dice) : scope.dot;
  const condition = slot(writer.one(wanted, { ...scope, dot, depth: 1 }));
  const level = before.startsWith('.') ? LEVEL.pipe : LEVEL.term;
  return { piece: piece(level, before, condition, ')'), target: dot };
}

const NUMBER_UPDATES = ['+=', '-=', '*=', '/=', '%='];

/** An assignment to a part of what is at hand. */
export function writeAssignment(writer: Writer, scope: Scope): Piece {
  const path = writePath(writer, scope);
  const to = slot(path.piece, LEVEL.or);
  const target = path.target.is === 'any' ? anyShape(writer) : path.target;
  const inside = { ...scope, dot: path.target };
  const assign = (operator: string, value: Piece): Piece =>
    piece(LEVEL.assign, to, ` ${operator} `, slot(value, LEVEL.or));
  switch (writer.dice.roll(6)) {
    case 0:
      return assign('=', writer.one(target, scope));
    case 1:
      return assign('//=', writer.one(target, scope));
    case 2:
      return assign('|=', chance(writer, 70) ? writer.one(target, inside) : EMPTY_NOW_AND_THEN);
    case 3:
      return assign('|=', writer.many(target, inside));
    default: {
      if (!fits(target, shapeOf('n'))) return assign('+=', writer.one(target, scope));
      const operator = writer.dice.pick(NUMBER_UPDATES);
      return assign(operator, writer.one(shapeOf('n'), scope));
    }
  }
}

const EMPTY_NOW_AND_THEN = piece(LEVEL.term, 'if . == null or . == 1 then empty else . end');
