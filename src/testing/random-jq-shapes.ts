/**
 * What a value in a random jq program is expected to look like, and random values of that look.
 *
 * Shapes are for aim only: they let most programs ask a value for what it has. Nothing depends on
 * them being right, and now and then they are wrong on purpose.
 */
import type { Json } from '../base/json.ts';
import type { Dice } from './dice.ts';

export type Shape =
  | { readonly is: Plain }
  | { readonly is: 'array'; readonly of: Shape }
  | { readonly is: 'object'; readonly has: Readonly<Record<string, Shape>> };

type Plain = 'any' | 'null' | 'boolean' | NumberShape | TextShape | ListShape;
type NumberShape = 'number' | 'small' | 'moment';
type TextShape = 'string' | 'date' | 'json' | 'numeral' | 'base64';
/** Lists with a meaning: a broken-down time, code points, {key, value} pairs, paths, a stream. */
type ListShape = 'calendar' | 'codepoints' | 'entries' | 'path' | 'events';

export const ANY: Shape = { is: 'any' };
const NUMBER: Shape = { is: 'number' };
export const STRING: Shape = { is: 'string' };
export const SMALL: Shape = { is: 'small' };
export const BOOLEAN: Shape = { is: 'boolean' };

/** One letter each, for the tables of templates; `a` and the letter of its items for an array. */
const LETTERS: Readonly<Record<string, Shape>> = {
  x: ANY,
  z: { is: 'null' },
  b: BOOLEAN,
  n: NUMBER,
  i: SMALL,
  T: { is: 'moment' },
  s: STRING,
  D: { is: 'date' },
  J: { is: 'json' },
  N: { is: 'numeral' },
  X: { is: 'base64' },
  B: { is: 'calendar' },
  C: { is: 'codepoints' },
  E: { is: 'entries' },
  H: { is: 'path' },
  U: { is: 'events' },
  o: { is: 'object', has: {} },
};

export function shapeOf(code: string): Shape {
  if (code.startsWith('a')) return arrayOf(code === 'a' ? ANY : shapeOf(code.slice(1)));
  const shape = LETTERS[code];
  if (shape === undefined) throw new Error(`"${code}" is no letter of a shape`);
  return shape;
}

export function arrayOf(of: Shape): Shape {
  return { is: 'array', of };
}

/** The broadest shape that a narrow one is also. */
const BROADER: Readonly<Partial<Record<Shape['is'], Shape>>> = {
  small: NUMBER,
  moment: NUMBER,
  date: STRING,
  json: STRING,
  numeral: STRING,
  base64: STRING,
  calendar: arrayOf(NUMBER),
  codepoints: arrayOf(NUMBER),
  entries: arrayOf({ is: 'object', has: { key: STRING, value: ANY } }),
  path: arrayOf(ANY),
  events: arrayOf(arrayOf(ANY)),
};

/** Whether a value of one shape will do where the other is wanted. */
export function fits(has: Shape, wanted: Shape): boolean {
  if (wanted.is === 'any' || has === wanted) return true;
  if (has.is === 'array' && wanted.is === 'array') return fits(has.of, wanted.of);
  if (has.is === 'object' && wanted.is === 'object') {
    return Object.entries(wanted.has).every(([key, inner]) => {
      const own = Object.hasOwn(has.has, key) ? has.has[key] : undefined;
      return own !== undefined && fits(own, inner);
    });
  }
  if (has.is === wanted.is) return true;
  const broader = BROADER[has.is];
  return broader !== undefined && fits(broader, wanted);
}

/** What is in a value: the items of a list, the members of an object. */
export function itemOf(shape: Shape, dice: Dice): Shape {
  if (shape.is === 'array') return shape.of;
  if (shape.is === 'object') {
    const inner = Object.values(shape.has);
    return inner.length === 0 ? ANY : dice.pick(inner);
  }
  const broader = BROADER[shape.is];
  return broader?.is === 'array' ? broader.of : ANY;
}

const PLAIN_WANTED = 'n n n i s s s b z D J N T C E'.split(' ').map(shapeOf);

/** A shape to aim at where anything will do. */
export function randomShape(dice: Dice, depth: number): Shape {
  const kind = dice.roll(depth > 0 ? 10 : 5);
  if (kind < 5) return dice.pick(PLAIN_WANTED);
  if (kind < 8) return arrayOf(randomShape(dice, depth - 1));
  return randomObject(dice, depth);
}

const KEYS = [
  ...['a', 'b', 'c', 'a', 'b', 'name', 'items', 'id', 'k1', '_x', 'A'],
  ...['and', 'if', 'def', 'not', 'end', 'reduce', 'a b', '', 'é', '日本', '$a', 'a-b', '__loc__'],
  // Names that objects of JavaScript have without having been given them.
  ...['constructor', 'toString', '__proto__'],
];

export function randomKey(dice: Dice): string {
  return dice.pick(KEYS);
}

function randomObject(dice: Dice, depth: number): Shape {
  const members = Array.from({ length: 1 + dice.roll(4) }, (): [string, Shape] => [
    randomKey(dice),
    randomShape(dice, depth - 1),
  ]);
  return { is: 'object', has: Object.fromEntries(members) };
}

/** Whole numbers below 1e16 and short decimals: jq writes these as it read them, and as we do. */
const NUMBERS = [
  ...[0, 1, 2, 3, 4, 5, 7, 10, 12, -1, -2, -7, 100, 255, 1000, 65, 0.5, 1.5, -0.5, 2.25, 3.7, 0.1],
  ...[-1.1, 12.345, 99.99, 1e6, 123456, 1e9, 1e15, -1e15, 4294967296, 0.001, 2147483647],
];
const MOMENTS = [0, 1, 86399, 1425599621, 1700000000, 951782400, -1, -86400, 1e9, 4102444800, 1.5];
const STRINGS = [
  ...['a', 'b', 'abc', 'foo', 'bar', 'foo bar', 'Foo Bar', 'a,b, c', 'x=1;y=2', 'hello world'],
  ...[
    '',
    ' ',
    ' pad ',
    'aXbXc',
    'aaa',
    'abcabc',
    '12',
    'é',
    'ÀÉ',
    '日本語',
    '😀',
    'a😀b',
    'e\u0301',
  ],
  ...['<b>&\'"</b>', 'tab\there', 'line\nbreak', 'back\\slash', '\u0000', '\u007f\u0080', '%41%zz'],
  ...['"quoted"', 'null', 'true', '1e3', 'a.b.c', '2015-03-05', '\u2028', '~!@#$%^&*()_+', 'ß'],
];
const DATES = [
  ...['2015-03-05T23:51:47Z', '1970-01-01T00:00:00Z', '2000-02-29T12:00:00Z'],
  ...['1969-12-31T23:59:59Z', '2038-01-19T03:14:08Z', '1900-03-01T00:00:00Z'],
];
const JSONS = [
  ...['1', '"a"', '[1,2,3]', '{"a":1}', ' [ ] ', 'null', '{"a":[1,{"b":null}],"c":"\\u00e9"}'],
  ...['-0.5', '[1,"x",true]', 'true', '{"a":1,"a":2}', '"\\ud83d\\ude00"', '[nan]', '[1,2'],
];
const NUMERALS = ['0', '1', '42', '-7', '3.5', '0.1', '1e3', '100', '-0', ' 1', '1 ', '0x1', '.5'];
const BASE64S = ['YWJj', 'Zm9v', 'Zg==', 'Zg', '4pyT', '', 'YQ==', '/+8=', '8J+YgA=='];
const CODE_POINTS = [65, 97, 98, 99, 233, 128512, 8232, 0, 55357, 65533, 1114111];
const CALENDARS: readonly Json[] = [
  [2015, 2, 5, 23, 51, 47, 4, 63],
  [1970, 0, 1, 0, 0, 0, 4, 0],
  [2000, 1, 29, 12, 30, 15.25, 2, 59],
  [1969, 11, 31, 23, 59, 59, 3, 364],
];
const EVENTS: readonly Json[] = [
  [[[0], 1], [[1], 2], [[1]]],
  [[['a', 0], 1], [['a', 0]], [['b'], 2], [['b']]],
  [[[], 3]],
];

/** A random value of a shape. */
export function valueOf(shape: Shape, dice: Dice, depth: number): Json {
  switch (shape.is) {
    case 'any':
      return valueOf(randomShape(dice, depth), dice, depth);
    case 'null':
      return null;
    case 'boolean':
      return dice.roll(2) === 0;
    case 'number':
      return dice.pick(NUMBERS);
    case 'small':
      return dice.roll(5);
    case 'moment':
      return dice.pick(MOMENTS);
    case 'array':
      return Array.from({ length: lengthOf(dice) }, () => valueOf(shape.of, dice, depth - 1));
    case 'object':
      return objectOf(shape.has, dice, depth);
    default:
      return meaningfulOf(shape.is, dice, depth);
  }
}

function meaningfulOf(is: TextShape | ListShape, dice: Dice, depth: number): Json {
  switch (is) {
    case 'string':
      return dice.pick(STRINGS);
    case 'date':
      return dice.pick(DATES);
    case 'json':
      return dice.pick(JSONS);
    case 'numeral':
      return dice.pick(NUMERALS);
    case 'base64':
      return dice.pick(BASE64S);
    case 'calendar':
      return dice.pick(CALENDARS);
    case 'codepoints':
      return Array.from({ length: lengthOf(dice) }, () => dice.pick(CODE_POINTS));
    case 'entries':
      return Array.from({ length: lengthOf(dice) }, () => entryOf(dice, depth));
    case 'path':
      return Array.from({ length: dice.roll(3) }, () =>
        dice.roll(2) === 0 ? randomKey(dice) : dice.roll(3),
      );
    case 'events':
      return dice.pick(EVENTS);
  }
}

const lengthOf = (dice: Dice): number => (dice.roll(6) === 0 ? 0 : 1 + dice.roll(4));

const ENTRY_KEYS = ['key', 'key', 'key', 'k', 'name', 'Name', 'Key', 'K'];
const ENTRY_VALUES = ['value', 'value', 'value', 'v', 'Value', 'V'];

function entryOf(dice: Dice, depth: number): Json {
  const key = dice.roll(8) === 0 ? valueOf(ANY, dice, 0) : randomKey(dice);
  const inner = valueOf(ANY, dice, depth - 1);
  return { [dice.pick(ENTRY_KEYS)]: key, [dice.pick(ENTRY_VALUES)]: inner };
}

function objectOf(has: Readonly<Record<string, Shape>>, dice: Dice, depth: number): Json {
  const keys = Object.keys(has);
  const all = keys.length === 0 ? [randomKey(dice), randomKey(dice)] : keys;
  return Object.fromEntries(
    all.map((key) => {
      const inner = Object.hasOwn(has, key) ? has[key] : undefined;
      return [key, valueOf(inner ?? ANY, dice, depth - 1)];
    }),
  );
}
