/** Patterns of `as`: `$x`, `[$a, $b]`, `{a: $x, $b, "c": [$d], (key): $e}`, with `?//` between. */
import { refuse } from '../diagnostics.ts';
import type { Token } from './lexer.ts';
import type { MemberPattern, Node, Pattern } from './tree.ts';
import { deeper, type Reader } from './token-reader.ts';

export function readPatterns(reader: Reader): Pattern[] {
  const patterns = [readPattern(reader)];
  while (reader.takes('?//')) patterns.push(readPattern(reader));
  return patterns;
}

function readPattern(reader: Reader): Pattern {
  return reader.inside(() => {
    const { at, kind, text } = reader.peek();
    if (kind === 'binding') {
      reader.take();
      return { is: 'variable', name: text, at, depth: 1 };
    }
    if (reader.takes('[')) {
      const items = [readPattern(reader)];
      while (reader.takes(',')) items.push(readPattern(reader));
      reader.expect(']');
      // Each is taken inside of the one before.
      return { is: 'array', items, at, depth: deeper(at, items, items.length) };
    }
    if (!reader.takes('{')) reader.unexpected('a pattern: $x, [$x] or {key: $x}');
    const members = [readMember(reader)];
    while (reader.takes(',')) members.push(readMember(reader));
    reader.expect('}');
    const below = members.flatMap(({ key, value }) => [key, value]);
    return { is: 'object', members, at, depth: deeper(at, below, members.length) };
  });
}

function readMember(reader: Reader): MemberPattern {
  const token = reader.take();
  const { at } = token;
  if (token.kind === 'binding') {
    const key: Node = { is: 'literal', value: token.text, at, depth: 1 };
    return { key, name: token.text, value: reader.takes(':') ? readPattern(reader) : null };
  }
  const key = readKey(reader, token);
  reader.expect(':');
  return { key, name: null, value: readPattern(reader) };
}

function readKey(reader: Reader, token: Token): Node {
  const { at } = token;
  if (token.kind === 'word') return { is: 'literal', value: token.text, at, depth: 1 };
  const end: Token = { kind: 'end', text: '', at };
  if (token.kind === 'string') return reader.queryOf([token, end]);
  if (token.kind === 'format' && reader.peek().kind === 'string') {
    return reader.queryOf([token, reader.take(), end]);
  }
  if (token.text !== '(') refuse(at, 'a key of a pattern is a word, a text, $x, or in ( … )');
  const key = reader.query();
  reader.expect(')');
  checkKey(key);
  return key;
}

/** A key that is some other constant is a mistake that shows before anything runs. */
export function checkKey(key: Node): void {
  if (key.is === 'literal') {
    if (typeof key.value === 'string') return;
    refuse(key.at, `${JSON.stringify(key.value)} cannot be a key of an object`);
  }
  const isContainer = key.is === 'array' || key.is === 'object';
  if (isContainer && isConstant(key)) refuse(key.at, `an ${key.is} cannot be a key of an object`);
}

function isConstant(node: Node): boolean {
  switch (node.is) {
    case 'literal':
      return true;
    case 'array':
      return node.body === null || isConstant(node.body);
    case 'comma':
      return node.items.every(isConstant);
    case 'object':
      return node.members.every(
        ({ key, value }) => isConstant(key) && value !== null && isConstant(value),
      );
    default:
      return false;
  }
}
