/**
 * What a backslash means in a pattern, outside and inside of brackets: the codes of characters
 * (`\x41`, `\101`, `\cA`, UTF-8 byte by byte), classes (`\d`, `\p{Greek}`), places (`\b`, `\A`) and
 * what a group has matched before (`\1`, `\k<name>`). Whatever else is escaped means itself.
 */
import {
  EMPTY_NODE,
  EVERYTHING,
  literal,
  nameEnd,
  next,
  NO_NEWLINE,
  type Reading,
  type RegexNode,
  refuse,
  take,
  type Where,
} from './tree.ts';
import {
  findProperty,
  LETTER_CLASSES,
  makeSet,
  type NamedPart,
  setOfClass,
  WORD_ALONE,
} from './sets.ts';

/** What looking up a property costs in steps: the platform builds its table. Measured: 0.4 ms. */
const PROPERTY_STEPS = 4_000;

/** How many groups of one name can be referred to. */
const NAMESAKES_MAX = 32;

const PLACES: ReadonlyMap<string, Where> = new Map([
  ['A', 'text-start'],
  ['B', 'no-word-edge'],
  ['G', 'search-start'],
  ['Z', 'text-end-or-last-line'],
  ['b', 'word-edge'],
  ['z', 'text-end'],
]);

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['e', 27],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
]);

/** Any end of a line; two characters only together. */
const LINE_END: RegexNode = {
  is: 'atomic',
  body: {
    is: 'choice',
    ways: [
      {
        is: 'sequence',
        parts: [
          { is: 'char', code: 13 },
          { is: 'char', code: 10 },
        ],
      },
      {
        is: 'set',
        set: makeSet([
          { part: 'range', from: 10, to: 13 },
          { part: 'range', from: 0x85, to: 0x85 },
          { part: 'range', from: 0x2028, to: 0x2029 },
        ]),
      },
    ],
  },
};

/** What the reading stands behind the backslash of, outside of brackets. */
export function escapeAtom(reading: Reading): RegexNode {
  const { at } = reading;
  const char = next(reading);
  const where = PLACES.get(char);
  if (where !== undefined) return { is: 'place', where };
  switch (char) {
    case 'K':
      return { is: 'keep' };
    case 'N':
      return { is: 'set', set: NO_NEWLINE };
    case 'O':
      return { is: 'set', set: EVERYTHING };
    case 'R':
      return LINE_END;
    case 'X':
    case 'Y':
    case 'y':
      return refuse(reading, `\\${char} is not supported`);
    case 'g':
      if (!/[<']/.test(reading.pattern.charAt(reading.at))) break;
      return refuse(reading, 'calls of groups are not supported');
    case 'k':
      if (take(reading, '<')) return backToName(reading, '>');
      if (take(reading, "'")) return backToName(reading, "'");
      break;
    default:
  }
  const back = /^[1-9]\d{0,5}/.exec(reading.pattern.slice(at, at + 6))?.[0];
  if (back !== undefined && (Number(back) < 10 || Number(back) < reading.groups.length)) {
    reading.at = at + back.length;
    return backTo(reading, [Number(back)]);
  }
  reading.at = at;
  return classOrLiteral(reading);
}

function classOrLiteral(reading: Reading): RegexNode {
  if (take(reading, 'w')) return { is: 'set', set: setOfClass(WORD_ALONE, false) };
  if (take(reading, 'W')) return { is: 'set', set: setOfClass(WORD_ALONE, true) };
  const part = findClass(reading);
  // A class by itself is not widened by `(?i)`; in brackets it is.
  if (part !== undefined) return { is: 'set', set: setOfClass(part.named, part.negated) };
  const codes = escapedCodes(reading);
  if (codes.length === 1) return literal(reading, codes[0] ?? 0);
  const parts = codes.map((code) => literal(reading, code));
  return parts.length === 0 ? EMPTY_NODE : { is: 'sequence', parts };
}

function backTo(reading: Reading, groups: readonly number[]): RegexNode {
  reading.highestBack = Math.max(reading.highestBack, ...groups);
  return { is: 'back', groups, fold: reading.options.fold };
}

/** `\k<name>`, `\k<2>` or `\k<-1>`, which counts from the last group backwards. */
function backToName(reading: Reading, close: string): RegexNode {
  const { pattern, at, groups } = reading;
  const end = nameEnd(reading, close);
  const name = pattern.slice(at, end);
  if (name === '') refuse(reading, 'group name is empty');
  if (pattern[end] !== close) refuse(reading, `invalid group name <${name}>`);
  reading.at = end + 1;
  if (/^[+-]?\d+$/.test(name)) {
    const group = name.startsWith('-') ? groups.length + Number(name) : Number(name);
    if (group < 1 || name.startsWith('+')) refuse(reading, 'invalid backref number/name');
    return backTo(reading, [group]);
  }
  reading.meter.pay(groups.length);
  // Of several groups with the name the last one that fits counts.
  const named = groups.flatMap((each, index) => (each === name ? [index] : [])).toReversed();
  if (named.length === 0) refuse(reading, `undefined name <${name}> reference`);
  if (named.length > NAMESAKES_MAX) {
    refuse(reading, `too big: more than ${NAMESAKES_MAX} groups of one name`);
  }
  return backTo(reading, named);
}

/** `\d`, `\S`, `\p{…}`: a class, if one stands here. */
export function findClass(reading: Reading): NamedPart | undefined {
  const char = reading.pattern.charAt(reading.at);
  const named = LETTER_CLASSES.get(char.toLowerCase());
  if (named !== undefined) {
    reading.at += 1;
    return { part: 'named', named, negated: char !== char.toLowerCase() };
  }
  if (!take(reading, 'p{') && !take(reading, 'P{')) return undefined;
  const hatted = take(reading, '^');
  const end = reading.pattern.indexOf('}', reading.at);
  if (end < 0) return refuse(reading, 'end pattern with unmatched parenthesis');
  const name = reading.pattern.slice(reading.at, end);
  reading.at = end + 1;
  reading.meter.pay(PROPERTY_STEPS);
  const property = findProperty(name);
  if (property === undefined) {
    return refuse(reading, `invalid character property name {${name}}`);
  }
  return { part: 'named', named: property, negated: hatted !== (char === 'P') };
}

/** The characters an escape stands for: mostly one; `\x{61 62}` has several. */
export function escapedCodes(reading: Reading): number[] {
  const { pattern, at } = reading;
  const braced = findBraced(reading);
  if (braced !== undefined) return braced;
  const byte = findByte(reading);
  if (byte !== undefined) return [byte < 0x80 ? byte : restOfBytes(reading, byte)];
  const char = next(reading);
  if (char === '') refuse(reading, 'end pattern at escape');
  if (char === 'c') return [controlCode(reading)];
  return [CONTROLS.get(char) ?? pattern.codePointAt(at) ?? 0];
}

/** `\x{1f600}` and `\o{17}`. */
function findBraced(reading: Reading): number[] | undefined {
  const found = /^(?:x\{([\da-f]+(?: +[\da-f]+)*)|o\{([0-7]+(?: +[0-7]+)*))(\}?)/i.exec(
    reading.pattern.slice(reading.at, reading.at + BRACED_CHARS_MAX),
  );
  if (found === null) return undefined;
  if (found[3] === '') refuse(reading, 'invalid code point value');
  reading.at += found[0].length;
  const [digits, base] = found[1] === undefined ? [found[2] ?? '', 8] : [found[1], 16];
  return digits.split(/ +/).map((each) => {
    if (each.length > (base === 16 ? 8 : 11)) refuse(reading, 'too long wide-char value');
    const code = Number.parseInt(each, base);
    if (code > 0x7f_ff_ff_fe) refuse(reading, 'invalid code point value');
    return code;
  });
}

const BRACED_CHARS_MAX = 1_000;

/** `x41`, `x4`, `x` before something else, `101`: a byte by its number. */
function findByte(reading: Reading): number | undefined {
  const found = /^(?:x([\da-f]{1,2})|x(?=[^{])|([0-7]{1,3}))/is.exec(
    reading.pattern.slice(reading.at, reading.at + 3),
  );
  if (found === null || found[0].startsWith('X')) return undefined;
  reading.at += found[0].length;
  if (found[1] !== undefined) return Number.parseInt(found[1], 16);
  return found[2] === undefined ? 0 : Number.parseInt(found[2], 8) % 256;
}

/** A character that is written as the bytes it has in UTF-8. */
function restOfBytes(reading: Reading, first: number): number {
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  if (first < 0xc2 || first > 0xf4) refuse(reading, 'invalid code point value');
  let code = first & (0x3f >> more);
  for (let read = 0; read < more; read += 1) {
    const byte = take(reading, '\\') ? findByte(reading) : undefined;
    if (byte === undefined) return refuse(reading, 'too short multibyte code string');
    if (byte >> 6 !== 2) refuse(reading, 'invalid code point value');
    code = (code << 6) | (byte & 0x3f);
  }
  return code;
}

function controlCode(reading: Reading): number {
  if (reading.at === reading.pattern.length) refuse(reading, 'end pattern at control');
  if (take(reading, '?')) return 127;
  const code = take(reading, '\\')
    ? (escapedCodes(reading)[0] ?? 0)
    : (next(reading).codePointAt(0) ?? 0);
  return code & 0x9f;
}
