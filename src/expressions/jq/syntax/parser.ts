/**
 * From tokens to a tree: the grammar of jq 1.8, by recursive descent with a table of precedences.
 *
 *     query       pipes of commas of items
 *     item        expression | expression "as" patterns "|" query | "def" … query | "label" … query
 *     expression  operators over operands
 *     operand     "-" operand | "try" operand "catch" operand | term
 *     term        something to start with, then .field  ."text"  [index]  [from:to]  []  ?
 *
 * One mistake ends the reading, since what follows it would be guessed.
 */
import { refuse } from '../diagnostics.ts';
import { readTokens } from './lexer.ts';
import { readPatterns } from './parser-patterns.ts';
import { pipeOf, readTerm } from './parser-terms.ts';
import type { AssignOperator, BinaryOperator, Definition, Node, Param } from './tree.ts';
import { deeper, isKeyword, Reader } from './token-reader.ts';

/** Longer texts are data and belong into a variable. */
export const PROGRAM_CHARS_MAX = 65_536;

export function parse(text: string): Node {
  if (text.length > PROGRAM_CHARS_MAX) {
    refuse(0, `a program has at most ${PROGRAM_CHARS_MAX} characters`, 'jq.too-big');
  }
  const reader = new Reader(readTokens(text), { query: readQuery, expression: readExpression });
  const first = reader.peek();
  if (first.kind === 'word' && /^(module|import|include)$/.test(first.text)) {
    refuse(first.at, `"${first.text}": there are no modules here`, 'jq.unsupported');
  }
  if (first.kind === 'end') refuse(0, 'the program is empty; the input itself is written .');
  const node = reader.query();
  if (reader.peek().kind !== 'end') reader.unexpected('the end of the program');
  return node;
}

function readQuery(reader: Reader): Node {
  const { at } = reader.peek();
  const stages = [readComma(reader)];
  while (reader.takes('|')) stages.push(readComma(reader));
  return pipeOf(at, stages);
}

function readComma(reader: Reader): Node {
  const { at } = reader.peek();
  const items = [readItem(reader)];
  while (reader.takes(',')) items.push(readItem(reader));
  const [first] = items;
  if (items.length === 1 && first !== undefined) return first;
  return { is: 'comma', items, at, depth: deeper(at, items) };
}

/** A single definition, which is all of the text. */
export function parseDefinition(text: string): Definition {
  const reader = new Reader(readTokens(text), { query: readQuery, expression: readExpression });
  return readDefinition(reader);
}

/** What begins with `def`, `label` or `… as` reaches as far to the right as it can. */
function readItem(reader: Reader): Node {
  const { at } = reader.peek();
  if (reader.sees('def')) {
    const definition = readDefinition(reader);
    const body = reader.query();
    return { is: 'define', definition, body, at, depth: deeper(at, [definition.body, body]) };
  }
  if (reader.takes('label')) {
    const name = reader.expectBinding().text;
    reader.expect('|');
    const body = reader.query();
    return { is: 'label', name, body, at, depth: deeper(at, [body]) };
  }
  const source = readExpression(reader);
  if (!reader.takes('as')) return source;
  const patterns = readPatterns(reader);
  reader.expect('|');
  const body = reader.query();
  // Each pattern is a callback inside the one before, so it takes as much of the stack as a stage.
  const isPlain = patterns.length === 1 && patterns[0]?.is === 'variable';
  const own = { depth: body.depth + (isPlain ? 1 : 1 + patterns.length) };
  return { is: 'bind', source, patterns, body, at, depth: deeper(at, [source, own, ...patterns]) };
}

function readDefinition(reader: Reader): Definition {
  const { at } = reader.expect('def');
  const name = reader.peek();
  if (name.kind !== 'word' || isKeyword(name.text)) reader.unexpected('the name of a function');
  reader.take();
  const params: Param[] = [];
  if (reader.takes('(')) {
    do params.push(readParam(reader));
    while (reader.takes(';'));
    reader.expect(')');
  }
  reader.expect(':');
  const body = reader.query();
  reader.expect(';');
  return { at, name: name.text, params, body };
}

function readParam(reader: Reader): Param {
  const { kind, text } = reader.peek();
  const isName = kind === 'binding' || (kind === 'word' && !isKeyword(text));
  if (!isName) reader.unexpected('the name of a parameter');
  reader.take();
  return { name: text, isValue: kind === 'binding' };
}

interface Precedence {
  readonly level: number;
  readonly side: 'left' | 'right' | 'none';
}

const LEVELS: readonly (readonly [Precedence['side'], string])[] = [
  ['right', '//'],
  ['none', '= |= += -= *= /= %= //='],
  ['left', 'or'],
  ['left', 'and'],
  ['none', '== != < <= > >='],
  ['left', '+ -'],
  ['left', '* / %'],
];

const COMPARISON_LEVEL = 5;

const OPERATORS: ReadonlyMap<string, Precedence> = new Map(
  LEVELS.flatMap(([side, operators], level) =>
    operators.split(' ').map((operator) => [operator, { level: level + 1, side }] as const),
  ),
);

function readExpression(reader: Reader, least = 0): Node {
  let left = readOperand(reader);
  let most = Number.POSITIVE_INFINITY;
  for (;;) {
    const token = reader.peek();
    const isOperator = token.kind === 'op' || token.kind === 'word';
    const found = isOperator ? OPERATORS.get(token.text) : undefined;
    if (found === undefined || found.level < least) return left;
    if (found.level > most) {
      const what = found.level === COMPARISON_LEVEL ? 'comparison' : 'assignment';
      refuse(token.at, `"${token.text}" cannot follow another ${what}; use ( … )`);
    }
    reader.take();
    const { level, side } = found;
    const right = reader.inside(() => readExpression(reader, side === 'right' ? level : level + 1));
    left = combine(token.text, left, right);
    most = side === 'none' ? level - 1 : level;
  }
}

function combine(operator: string, left: Node, right: Node): Node {
  const { at } = left;
  const depth = deeper(at, [left, right]);
  switch (operator) {
    case '//':
      return { is: 'alternative', left, right, at, depth };
    case 'or':
    case 'and':
      return { is: operator, left, right, at, depth };
    case '=':
    case '|=':
    case '//=':
      return { is: 'assign', operator, target: left, value: right, at, depth };
    default:
      if (!/^[-+*/%]=$/.test(operator)) {
        return { is: 'binary', operator: operator as BinaryOperator, left, right, at, depth };
      }
      return {
        is: 'assign',
        operator: operator.slice(0, 1) as AssignOperator,
        target: left,
        value: right,
        at,
        depth,
      };
  }
}

function readOperand(reader: Reader): Node {
  const { at } = reader.peek();
  if (reader.takes('-')) {
    const body = reader.inside(() => readOperand(reader));
    return { is: 'negate', body, at, depth: deeper(at, [body]) };
  }
  if (reader.takes('try')) {
    const body = reader.inside(() => readOperand(reader));
    const handler = reader.takes('catch') ? reader.inside(() => readOperand(reader)) : null;
    return { is: 'try', body, handler, at, depth: deeper(at, [body, handler]) };
  }
  return readTerm(reader);
}
