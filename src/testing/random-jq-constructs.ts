/**
 * The constructs of jq that are more than a template: those that bring names (bindings,
 * destructuring, reduce, foreach, functions, labels), objects, strings and assignments.
 */
import { writeAssignment } from './random-jq-paths.ts';
import {
  type Callable,
  anyShape,
  chance,
  freshName,
  keyOf,
  type Named,
  type Scope,
  type Writer,
} from './random-jq-scope.ts';
import {
  ANY,
  arrayOf,
  fits,
  randomKey,
  randomShape,
  type Shape,
  STRING,
} from './random-jq-shapes.ts';
import { writePatterns } from './random-jq-patterns.ts';
import { LEVEL, type Piece, piece, type Slot, slot, word } from './random-jq-text.ts';

type Construct = (writer: Writer, wanted: Shape, scope: Scope) => Piece;

/** Constructs that can give anything; objects, strings and lists have some of their own. */
const CONSTRUCTS: readonly Construct[] = [
  writeBinding,
  writeDestructuring,
  writeReduce,
  writeFunction,
  (writer, wanted, scope) =>
    piece(LEVEL.term, 'first(', slot(writeLabel(writer, wanted, scope)), ')'),
  (writer, wanted, scope) =>
    piece(LEVEL.term, 'last(', slot(writeForeach(writer, wanted, scope)), ')'),
];

export function writeConstruct(writer: Writer, wanted: Shape, scope: Scope): Piece | undefined {
  const isObject = fits(wanted, { is: 'object', has: {} });
  if (wanted.is === 'string' && chance(writer, 60)) return writeString(writer, scope);
  if (wanted.is === 'object' && chance(writer, 60)) return writeObject(writer, wanted, scope);
  if ((isObject || wanted.is === 'array') && chance(writer, 60)) {
    return writeChanged(writer, wanted, scope);
  }
  return writer.dice.pick(CONSTRUCTS)(writer, wanted, scope);
}

const MANY_CONSTRUCTS: readonly Construct[] = [writeForeach, writeLabel, writeDestructuring];

export function writeConstructs(writer: Writer, wanted: Shape, scope: Scope): Piece {
  return writer.dice.pick(MANY_CONSTRUCTS)(writer, wanted, scope);
}

function writeChanged(writer: Writer, wanted: Shape, scope: Scope): Piece {
  if (fits(scope.dot, wanted) && chance(writer, 60)) return writeAssignment(writer, scope);
  const before = slot(writer.one(wanted, scope), LEVEL.pipe);
  const after = slot(writeAssignment(writer, { ...scope, dot: wanted }));
  return piece(LEVEL.pipe, before, ' | ', after);
}

function withVars(scope: Scope, vars: readonly Named[]): Scope {
  return { ...scope, vars: [...scope.vars, ...vars] };
}

function writeBinding(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const shape = anyShape(writer);
  const name = freshName(writer);
  const source = chance(writer, 25) ? writer.many(shape, scope) : writer.one(shape, scope);
  const body = writer.one(wanted, withVars(scope, [{ name, shape }]));
  return piece(LEVEL.pipe, slot(source, LEVEL.term), ` as $${name} | `, slot(body));
}

function writeDestructuring(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const shape = chance(writer, 50) ? arrayOf(randomShape(writer.dice, 1)) : someObject(writer);
  const { texts, vars } = writePatterns(writer, shape, scope);
  const source = chance(writer, 30) ? writer.many(shape, scope) : writer.one(shape, scope);
  const body = writer.one(wanted, withVars(scope, vars));
  return piece(LEVEL.pipe, slot(source, LEVEL.term), ' as ', ...texts, ' | ', slot(body));
}

function someObject(writer: Writer): Shape {
  const shape = randomShape(writer.dice, 2);
  return shape.is === 'object' ? shape : { is: 'object', has: { a: shape, b: ANY } };
}

function writeReduce(writer: Writer, wanted: Shape, scope: Scope): Piece {
  return writeFold(writer, wanted, scope, 'reduce');
}

function writeForeach(writer: Writer, wanted: Shape, scope: Scope): Piece {
  return writeFold(writer, wanted, scope, 'foreach');
}

function writeFold(
  writer: Writer,
  wanted: Shape,
  scope: Scope,
  keyword: 'reduce' | 'foreach',
): Piece {
  const shape = anyShape(writer);
  const pattern = chance(writer, 20) ? writePatterns(writer, shape, scope) : undefined;
  const name = freshName(writer);
  const texts = pattern?.texts ?? [`$${name}`];
  const inside = withVars(scope, pattern?.vars ?? [{ name, shape }]);
  const state = keyword === 'reduce' || chance(writer, 50) ? wanted : randomShape(writer.dice, 1);
  const source = slot(writer.many(shape, scope), LEVEL.term);
  const from = slot(writer.one(state, scope));
  const update = slot(writer.one(state, { ...inside, dot: state }));
  const parts = [`${keyword} `, source, ' as ', ...texts, ' (', from, '; ', update];
  if (keyword === 'reduce' || (state === wanted && chance(writer, 60))) {
    return piece(LEVEL.term, ...parts, ')');
  }
  const extract = slot(writer.one(wanted, { ...inside, dot: state }));
  return piece(LEVEL.term, ...parts, '; ', extract, ')');
}

function writeLabel(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const name = freshName(writer);
  const inside = { ...scope, labels: [...scope.labels, name] };
  const source = slot(writer.many(wanted, inside));
  const condition = slot(writer.one({ is: 'boolean' }, { ...inside, dot: wanted }));
  const out = writer.dice.pick(inside.labels);
  const breaks = ['., break $', 'break $', '(., .), break $'];
  return piece(
    LEVEL.pipe,
    ...[`label $${name} | `, source, ' | if ', condition],
    ` then ${writer.dice.pick(breaks)}${out} else . end`,
  );
}

/** None that a row of the table defines or calls: a function would call itself, for ever. */
const FUNCTION_NAMES = ['fn', 'fn', 'g1', 'a_1', '_b'];

function writeFunction(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const name = writer.dice.pick(FUNCTION_NAMES);
  const params = Array.from({ length: writer.dice.roll(3) }, (_, at) => ({
    name: `${writer.dice.pick(['p', 'q', 'f'])}${at}`,
    isValue: chance(writer, 50),
    shape: anyShape(writer),
  }));
  const dot = scope.dot;
  const output = anyShape(writer);
  const own = params.map(
    ({ name: param, shape }): Callable => ({ name: param, dot, args: [], output: shape }),
  );
  const values = params.filter(({ isValue }) => isValue);
  const inside = withVars({ ...scope, calls: [...scope.calls, ...own], labels: [] }, values);
  const body = slot(writer.one(output, inside));
  const call = { name, dot, output, args: params.map(({ shape }) => shape) };
  // A later definition of the same name and arity hides an earlier one.
  const others = scope.calls.filter(
    (one) => one.name !== name || one.args.length !== params.length,
  );
  const rest = slot(writer.one(wanted, { ...scope, calls: [...others, call] }));
  const heads = params.map(({ name: param, isValue }) => (isValue ? `$${param}` : param));
  const head = heads.length === 0 ? name : `${name}(${heads.join('; ')})`;
  return piece(LEVEL.pipe, `def ${head}: `, body, '; ', rest);
}

const FORMATS = '@text @json @html @uri @csv @tsv @sh @base64'.split(' ');
const STRING_TEXTS = [
  '',
  'a',
  ' and ',
  ': ',
  '<&>',
  '\\n',
  '\\u00e9',
  '\\"',
  'é',
  '\\\\',
  '\\/',
  '😀',
];

function writeString(writer: Writer, scope: Scope): Piece {
  const { dice } = writer;
  const format = chance(writer, 30) ? dice.pick(FORMATS) : undefined;
  const parts: (string | Slot)[] = [format === undefined ? '"' : `${format} "`];
  const isList = format === '@csv' || format === '@tsv';
  for (let left = dice.roll(3); left >= 0; left -= 1) {
    parts.push(dice.pick(STRING_TEXTS));
    if (chance(writer, 30)) continue;
    const wanted = isList ? arrayOf(STRING) : format === '@sh' ? STRING : anyShape(writer);
    parts.push('\\(', slot(writer.one(wanted, { ...scope, depth: scope.depth - 1 })), ')');
  }
  return piece(LEVEL.term, ...parts, dice.pick(STRING_TEXTS), '"');
}

function writeObject(writer: Writer, wanted: Shape, scope: Scope): Piece {
  const has = wanted.is === 'object' ? Object.entries(wanted.has) : [];
  const members = has.map(([key, shape]) => writeMember(writer, key, shape, scope));
  for (let left = writer.dice.roll(3); left > 0; left -= 1) {
    members.push([writeOddMember(writer, scope)]);
  }
  const separated = members.flatMap((parts, at) => (at === 0 ? parts : [', ', ...parts]));
  return piece(LEVEL.term, '{', ...separated, '}');
}

const WORD = /^[A-Za-z_]\w*$/;

function writeMember(
  writer: Writer,
  key: string,
  shape: Shape,
  scope: Scope,
): readonly (string | Slot)[] {
  const quoted = JSON.stringify(key);
  const value = slot(
    chance(writer, 10) ? writer.many(shape, scope) : writer.one(shape, scope),
    LEVEL.term,
  );
  if (WORD.test(key) && chance(writer, 60)) return [`${key}: `, value];
  if (chance(writer, 10)) return ['(', slot(piece(LEVEL.term, quoted)), '): ', value];
  if (chance(writer, 10)) return [`"\\(${quoted})": `, value];
  if (chance(writer, 10)) return [`@text ${quoted}: `, value];
  return [`${quoted}: `, value];
}

function writeOddMember(writer: Writer, scope: Scope): Slot {
  const { dice } = writer;
  const vars = scope.vars.map(({ name }) => name);
  switch (dice.roll(9)) {
    case 0:
      return slot(word(vars.length === 0 ? '$__loc__' : `$${dice.pick(vars)}`));
    case 1: {
      const keys = slot(writer.many(STRING, scope));
      return slot(piece(LEVEL.term, '(', keys, '): ', slot(writer.one(ANY, scope), LEVEL.term)));
    }
    case 2: {
      const values = slot(writer.many(anyShape(writer), scope), LEVEL.term);
      return slot(piece(LEVEL.term, `${dice.pick(['if', 'and', 'def', 'm'])}: `, values));
    }
    case 3:
      return slot(word(`"${dice.pick(['a', 'b', 'k'])}\\(1, 2)"`));
    case 4:
      return slot(word(JSON.stringify(keyOf(writer, scope.dot))));
    case 5: {
      const one = slot(writer.one(ANY, { ...scope, depth: 1 }), LEVEL.term);
      return slot(piece(LEVEL.term, 'p: ', one, ' | ', slot(word('.'))));
    }
    case 6:
      return slot(word(`"a": ${dice.roll(9)}`));
    case 7:
      return slot(word(`@base64 "x\\(${JSON.stringify(randomKey(dice))})": 1`));
    default: {
      const key = keyOf(writer, scope.dot);
      return slot(word(WORD.test(key) ? key : 'a'));
    }
  }
}
