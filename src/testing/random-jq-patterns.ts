/** Random patterns of destructuring, alternatives included. */
import { chance, freshName, type Named, type Scope, type Writer } from './random-jq-scope.ts';
import { ANY, randomKey, type Shape, STRING } from './random-jq-shapes.ts';
import { type Slot, slot } from './random-jq-text.ts';

export interface Patterns {
  readonly texts: readonly (string | Slot)[];
  readonly vars: readonly Named[];
}

const NESTING_MAX = 2;

/** One pattern, or several with `?//` between them; whose names are all there, and may be null. */
export function writePatterns(writer: Writer, shape: Shape, scope: Scope): Patterns {
  const first = writePattern(writer, shape, scope, NESTING_MAX);
  if (!chance(writer, 25)) return first;
  const others = Array.from({ length: 1 + writer.dice.roll(2) }, () =>
    writePattern(writer, chance(writer, 50) ? shape : ANY, scope, 1),
  );
  return {
    texts: [first, ...others].flatMap(({ texts }, at) => (at === 0 ? texts : [' ?// ', ...texts])),
    vars: [first, ...others].flatMap(({ vars }) => vars),
  };
}

function writePattern(writer: Writer, shape: Shape, scope: Scope, nesting: number): Patterns {
  const kind = nesting === 0 || chance(writer, 25) ? 'name' : shape.is;
  if (kind === 'array' && shape.is === 'array') {
    const items = Array.from({ length: 1 + writer.dice.roll(2) }, () =>
      writePattern(writer, shape.of, scope, nesting - 1),
    );
    return enclosed('[', items, ']');
  }
  if (kind === 'object' && shape.is === 'object') {
    const members = Object.entries(shape.has).slice(0, 2);
    const keyed = members.length === 0 ? [[randomKey(writer.dice), ANY] as const] : members;
    const items = keyed.map(([key, inner]) => writeMember(writer, { key, inner, scope, nesting }));
    return enclosed('{', items, '}');
  }
  const name = freshName(writer);
  return { texts: [`$${name}`], vars: [{ name, shape }] };
}

function enclosed(open: string, items: readonly Patterns[], close: string): Patterns {
  const texts = items.flatMap((item, at) => (at === 0 ? item.texts : [', ', ...item.texts]));
  return { texts: [open, ...texts, close], vars: items.flatMap(({ vars }) => vars) };
}

interface Member {
  readonly key: string;
  readonly inner: Shape;
  readonly scope: Scope;
  readonly nesting: number;
}

const WORD = /^[A-Za-z_]\w*$/;

function writeMember(writer: Writer, { key, inner, scope, nesting }: Member): Patterns {
  const quoted = JSON.stringify(key);
  const value = writePattern(writer, inner, scope, nesting - 1);
  const isWord = WORD.test(key) && key !== '__loc__';
  switch (writer.dice.roll(6)) {
    case 0:
      if (isWord) return { texts: [`$${key}`], vars: [{ name: key, shape: inner }] };
      return { texts: [`${quoted}: `, ...value.texts], vars: value.vars };
    case 1:
      if (!isWord) return { texts: [`${quoted}: `, ...value.texts], vars: value.vars };
      return {
        texts: [`$${key}: `, ...value.texts],
        vars: [{ name: key, shape: inner }, ...value.vars],
      };
    case 2: {
      const inside = { ...scope, depth: 0 };
      const computed = chance(writer, 70) ? quoted : slot(writer.one(STRING, inside));
      return { texts: ['(', computed, '): ', ...value.texts], vars: value.vars };
    }
    case 3:
      return { texts: [`"\\(${quoted})": `, ...value.texts], vars: value.vars };
    default:
      return { texts: [`${isWord ? key : quoted}: `, ...value.texts], vars: value.vars };
  }
}
