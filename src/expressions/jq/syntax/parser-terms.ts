/** Terms: what an expression is made of where no operator stands. */
import type { Json } from '../../../base/json.ts';
import { refuse } from '../diagnostics.ts';
import type { Token } from './lexer.ts';
import { checkKey, readPatterns } from './parser-patterns.ts';
import type { Arm, Member, Node, NodeOf } from './tree.ts';
import { deeper, isKeyword, type Reader } from './token-reader.ts';

export function readTerm(reader: Reader): Node {
  let term = readStart(reader);
  for (;;) {
    const suffixed = readSuffix(reader, term);
    if (suffixed === undefined) return term;
    term = suffixed;
  }
}

function readSuffix(reader: Reader, target: Node): Node | undefined {
  const token = reader.peek();
  const { at } = token;
  if (token.kind === 'field') {
    reader.take();
    return indexOf(at, target, literal(at, token.text));
  }
  if (token.kind !== 'op') return undefined;
  switch (token.text) {
    case '?':
      reader.take();
      return optionalOf(target);
    case '[':
      return readBrackets(reader, target);
    case '.': {
      const next = reader.peek(1);
      const isText = next.kind === 'string' || next.kind === 'format';
      reader.take();
      if (!isText && !reader.sees('[')) reader.unexpected('a name, a text or "[" after "."');
      return isText ? indexOf(at, target, readText(reader)) : readBrackets(reader, target);
    }
    default:
      return undefined;
  }
}

/** `[index]`, `[from:to]` or `[]`, behind what they are of. */
function readBrackets(reader: Reader, target: Node): Node {
  const { at } = reader.expect('[');
  if (reader.takes(']')) {
    return { is: 'each', target, isOptional: false, at, depth: deeper(at, [target]) };
  }
  if (reader.takes(':')) return sliceOf(reader, at, target, null);
  const key = reader.query();
  if (reader.takes(':')) return sliceOf(reader, at, target, key);
  reader.expect(']');
  return indexOf(at, target, key);
}

function sliceOf(reader: Reader, at: number, target: Node, from: Node | null): Node {
  const to = from !== null && reader.sees(']') ? null : reader.query();
  reader.expect(']');
  const depth = deeper(at, [target, from, to]);
  return { is: 'slice', target, from, to, isOptional: false, at, depth };
}

function indexOf(at: number, target: Node, key: Node): Node {
  return { is: 'index', target, key, isOptional: false, at, depth: deeper(at, [target, key]) };
}

/** Behind an access it is about that alone, behind anything else about all of it. */
function optionalOf(target: Node): Node {
  const isAccess = target.is === 'index' || target.is === 'slice' || target.is === 'each';
  if (isAccess && !target.isOptional) return { ...target, isOptional: true };
  const { at } = target;
  return { is: 'try', body: target, handler: null, at, depth: deeper(at, [target]) };
}

function literal(at: number, value: Json): Node {
  return { is: 'literal', value, at, depth: 1 };
}

function readStart(reader: Reader): Node {
  const token = reader.peek();
  const { at } = token;
  switch (token.kind) {
    case 'number':
      reader.take();
      return literal(at, token.value);
    case 'string':
    case 'format':
      return readText(reader);
    case 'field':
      reader.take();
      return indexOf(at, identity(at), literal(at, token.text));
    case 'binding':
      return readVariable(reader);
    case 'word':
      return readWord(reader);
    case 'op':
      return readPunctuation(reader);
    default:
      return reader.unexpected('an expression');
  }
}

/** `(.a)?` is about all that is in the brackets. */
function grouped(body: Node): Node {
  const isAccess = body.is === 'index' || body.is === 'slice' || body.is === 'each';
  return isAccess ? pipeOf(body.at, [body, identity(body.at)]) : body;
}

function identity(at: number): Node {
  return { is: 'identity', at, depth: 1 };
}

function readVariable(reader: Reader): Node {
  const { at, text } = reader.take();
  if (text === '__loc__') return { is: 'location', at, depth: 1 };
  return { is: 'variable', name: text, at, depth: 1 };
}

function readPunctuation(reader: Reader): Node {
  const { at, text } = reader.peek();
  switch (text) {
    case '.': {
      reader.take();
      const next = reader.peek();
      const isText = next.kind === 'string' || next.kind === 'format';
      return isText ? indexOf(at, identity(at), readText(reader)) : identity(at);
    }
    case '..':
      reader.take();
      return { is: 'recurse', at, depth: 1 };
    case '(': {
      reader.take();
      const body = reader.query();
      reader.expect(')');
      return grouped(body);
    }
    case '[': {
      reader.take();
      if (reader.takes(']')) return { is: 'array', body: null, at, depth: 1 };
      const body = reader.query();
      reader.expect(']');
      return { is: 'array', body, at, depth: deeper(at, [body]) };
    }
    case '{':
      return readObject(reader);
    default:
      return reader.unexpected('an expression');
  }
}

/** `"…"`, `@name "…"`, or `@name` alone. */
function readText(reader: Reader): Node {
  const first = reader.take();
  if (first.kind === 'string') return textOf(reader, first, 'text');
  const next = reader.peek();
  if (next.kind !== 'string') return { is: 'format', name: first.text, at: first.at, depth: 1 };
  reader.take();
  return textOf(reader, next, first.text);
}

function textOf(reader: Reader, token: Extract<Token, { kind: 'string' }>, format: string): Node {
  const { at } = token;
  const [only = ''] = token.parts;
  if (token.parts.length <= 1 && typeof only === 'string') return literal(at, only);
  const parts = token.parts.map((part) => (typeof part === 'string' ? part : reader.queryOf(part)));
  const nodes = parts.filter((part) => typeof part !== 'string');
  return { is: 'text', format, parts, at, depth: deeper(at, nodes) };
}

function readWord(reader: Reader): Node {
  const { at, text } = reader.take();
  switch (text) {
    case 'true':
      return literal(at, true);
    case 'false':
      return literal(at, false);
    case 'null':
      return literal(at, null);
    case 'if':
      return readIf(reader, at);
    case 'reduce':
      return readReduce(reader, at);
    case 'foreach':
      return readForeach(reader, at);
    case 'break': {
      const name = reader.expectBinding().text;
      return { is: 'break', name, at, depth: 1 };
    }
    default:
      if (isKeyword(text)) refuse(at, `expected an expression, found "${text}"`);
      return readCall(reader, at, text);
  }
}

function readCall(reader: Reader, at: number, name: string): Node {
  const args: Node[] = [];
  if (reader.takes('(')) {
    do args.push(reader.query());
    while (reader.takes(';'));
    reader.expect(')');
  }
  return { is: 'call', name, args, at, depth: deeper(at, args) };
}

function readIf(reader: Reader, at: number): Node {
  const arms: Arm[] = [];
  do {
    const when = reader.query();
    reader.expect('then');
    arms.push({ when, body: reader.query() });
  } while (reader.takes('elif'));
  const otherwise = reader.takes('else') ? reader.query() : null;
  reader.expect('end');
  const below = arms.flatMap(({ when, body }) => [when, body]);
  return { is: 'if', arms, otherwise, at, depth: deeper(at, [otherwise, ...below], arms.length) };
}

function readReduce(reader: Reader, at: number): Node {
  const fold = readFold(reader);
  reader.expect(')');
  const depth = deeper(at, [fold.source, fold.start, fold.update, ...fold.patterns]);
  return { is: 'reduce', ...fold, at, depth };
}

function readForeach(reader: Reader, at: number): Node {
  const fold = readFold(reader);
  const extract = reader.takes(';') ? reader.query() : null;
  reader.expect(')');
  const depth = deeper(at, [fold.source, fold.start, fold.update, extract, ...fold.patterns]);
  return { is: 'foreach', ...fold, extract, at, depth };
}

/** `… as $x (start; update`, as far as the two are alike. */
function readFold(
  reader: Reader,
): Pick<NodeOf<'reduce'>, 'source' | 'patterns' | 'start' | 'update'> {
  const source = reader.expression();
  reader.expect('as');
  const patterns = readPatterns(reader);
  reader.expect('(');
  const start = reader.query();
  reader.expect(';');
  return { source, patterns, start, update: reader.query() };
}

function readObject(reader: Reader): Node {
  const { at } = reader.expect('{');
  const members: Member[] = [];
  while (!reader.takes('}')) {
    members.push(readMember(reader));
    if (reader.sees('}')) continue;
    if (!reader.takes(',')) reader.unexpected('"," or "}"');
  }
  const below = members.flatMap(({ key, value }) => [key, value]);
  return { is: 'object', members, at, depth: deeper(at, below, 2) };
}

function readMember(reader: Reader): Member {
  const token = reader.peek();
  const { at } = token;
  switch (token.kind) {
    case 'word': {
      reader.take();
      const key = literal(at, token.text);
      return { key, value: readValue(reader) ?? null };
    }
    case 'binding': {
      const variable = readVariable(reader);
      const value = readValue(reader);
      if (value !== undefined && variable.is === 'location') {
        refuse(at, '$__loc__ is no text, and cannot be a key of an object');
      }
      if (value !== undefined) return { key: variable, value };
      return { key: literal(at, token.text), value: variable };
    }
    case 'string':
    case 'format': {
      const key = readText(reader);
      if (key.is === 'format') refuse(at, 'expected a key of an object');
      return { key, value: readValue(reader) ?? null };
    }
    default: {
      if (!reader.takes('(')) refuse(at, 'a key is a word, a text, a variable, or in ( … )');
      const key = reader.query();
      reader.expect(')');
      checkKey(key);
      const value = readValue(reader);
      return value === undefined ? reader.unexpected('":"') : { key, value };
    }
  }
}

/** What stands behind the colon: pipes of expressions, but no commas, which end the member. */
function readValue(reader: Reader): Node | undefined {
  if (!reader.takes(':')) return undefined;
  const { at } = reader.peek();
  const stages = [reader.expression()];
  while (reader.takes('|')) stages.push(reader.expression());
  return pipeOf(at, stages);
}

/** Stages run one inside the other, so each of them counts as deeper. */
export function pipeOf(at: number, stages: readonly Node[]): Node {
  const [first] = stages;
  if (stages.length === 1 && first !== undefined) return first;
  return { is: 'pipe', stages, at, depth: deeper(at, stages, stages.length) };
}
