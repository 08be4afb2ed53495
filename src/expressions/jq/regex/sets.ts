/**
 * Which characters one place of a pattern takes: a literal letter in any case, `\d`, `[^a-z]`,
 * `[[:upper:]_]`, `\p{Greek}`. A set is built once, when its pattern is read, and asked once for
 * every character looked at, so it holds the answers for ASCII in a table.
 *
 * What a named class holds beyond ASCII is known to the platform's own regular expressions; they
 * are only ever asked about one character, so that nobody's pattern decides how long they take. The
 * letters of a newer Unicode are therefore those of the platform.
 *
 * Case is ignored as Unicode's simple folding has it, letter by letter: `ß` does not equal `ss`.
 */

export const ASCII_SIZE = 128;
/** Of the characters beyond ASCII a set has none or all of them, or it has to be asked. */
export const OTHERS_NONE = 0;
export const OTHERS_ALL = 1;
const OTHERS_ASK = 2;

export interface CharSet {
  /** 1 for each ASCII character that is in the set. */
  readonly ascii: Uint8Array;
  readonly others: typeof OTHERS_NONE | typeof OTHERS_ALL | typeof OTHERS_ASK;
  /** What asking costs, in instructions. */
  readonly cost: number;
  readonly has: (code: number) => boolean;
}

/** A class with a name. */
export interface NamedClass {
  /** The ASCII characters in it as pairs of a first and a last one, or null: ask for these too. */
  readonly ascii: string | null;
  /** All of it, in the notation of the platform. */
  readonly source: string;
}

interface RangePart {
  readonly part: 'range';
  readonly from: number;
  readonly to: number;
}

export interface NamedPart {
  readonly part: 'named';
  readonly named: NamedClass;
  readonly negated: boolean;
}

export type SetPart = RangePart | NamedPart;

const named = (ascii: string, source: string): NamedClass => ({ ascii, source });

const DIGIT = named('09', '\\p{Nd}');
const SPACE = named('\t\r  ', '\\p{White_Space}');
const WORD = named('09AZ__az', '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}');
/** Outside of brackets `\w` and `\b` know six Latin digits and fractions more. */
export const WORD_ALONE: NamedClass = named('09AZ__az', `${WORD.source}²³¹¼½¾`);
const PUNCTUATION = named('!#%*,/:;?@[]__{{}}', '\\p{P}');
const GRAPH = named('!~', '[^\\p{White_Space}\\p{Cc}\\p{Cn}\\p{Cs}]');

/** What stands between `[:` and `:]`. */
export const POSIX_CLASSES: ReadonlyMap<string, NamedClass> = new Map([
  ['alnum', named('09AZaz', '\\p{Alphabetic}\\p{Nd}')],
  ['alpha', named('AZaz', '\\p{Alphabetic}')],
  ['ascii', named('\0\x7f', '\\x00-\\x7f')],
  ['blank', named('\t\t  ', '\\p{Zs}\\t')],
  ['cntrl', named('\0\x1f\x7f\x7f', '\\p{Cc}')],
  ['digit', DIGIT],
  ['graph', GRAPH],
  ['lower', named('az', '\\p{Lowercase}')],
  ['print', named(' ~', `${GRAPH.source}\\p{Zs}`)],
  ['punct', named('!/:@[`{~', '\\p{P}\\p{S}')],
  ['space', SPACE],
  ['upper', named('AZ', '\\p{Uppercase}')],
  ['word', WORD],
  ['xdigit', named('09AFaf', '0-9A-Fa-f')],
]);

/** `\d`, `\s` and `\w`, in brackets. */
export const LETTER_CLASSES: ReadonlyMap<string, NamedClass> = new Map([
  ['d', DIGIT],
  ['s', SPACE],
  ['w', WORD],
]);

/** Names between `\p{` and `}` that the platform does not have, or has for something else. */
const OWN_PROPERTIES: ReadonlyMap<string, NamedClass> = new Map([
  ...POSIX_CLASSES,
  ['newline', named('\n\n', '\\n')],
  ['posixpunct', named('!/:@[`{~', '\\p{P}\\p{S}')],
  ['punct', PUNCTUATION],
  ['word', WORD_ALONE],
]);

/** The class of a `\p{NAME}`; case, spaces, hyphens and underscores do not count in a name. */
export function findProperty(name: string): NamedClass | undefined {
  const plain = name.replaceAll(/[ _-]/g, '');
  const own = OWN_PROPERTIES.get(plain.toLowerCase());
  if (own !== undefined) return own;
  if (!/^[a-z0-9]+$/i.test(plain)) return undefined;
  const words = name
    .trim()
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1_')
    .split(/[ _-]+/);
  const capitalized = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  const lowered = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
  for (const spelling of [capitalized.join('_'), lowered.join('_'), plain.toUpperCase()]) {
    for (const source of [`\\p{${spelling}}`, `\\p{sc=${spelling}}`]) {
      const found = findPlatformClass(source);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The classes of the platform that were asked for. There are only so many. */
const platformClasses = new Map<string, NamedClass>();

function findPlatformClass(source: string): NamedClass | undefined {
  const known = platformClasses.get(source);
  if (known !== undefined) return known;
  try {
    testerOf(source);
  } catch {
    return undefined;
  }
  const found = { ascii: null, source };
  platformClasses.set(source, found);
  return found;
}

/** The platform's expressions for one character of a class. */
const testers = new Map<string, RegExp>();

function testerOf(source: string): RegExp {
  let tester = testers.get(source);
  if (tester === undefined) {
    tester = new RegExp(`[${source}]`, 'v');
    testers.set(source, tester);
  }
  return tester;
}

function isNamed(code: number, { ascii, source }: NamedClass): boolean {
  if (code < ASCII_SIZE && ascii !== null) {
    for (let at = 0; at < ascii.length; at += 2) {
      if (code >= ascii.charCodeAt(at) && code <= ascii.charCodeAt(at + 1)) return true;
    }
    return false;
  }
  return testerOf(source).test(String.fromCodePoint(code));
}

export function isWord(code: number): boolean {
  return isNamed(code, WORD_ALONE);
}

/** The sets that are nothing but a class or its opposite. */
const classSets = new WeakMap<NamedClass, { readonly is: CharSet; readonly isNot: CharSet }>();

export function setOfClass(named: NamedClass, negated: boolean): CharSet {
  let sets = classSets.get(named);
  if (sets === undefined) {
    sets = {
      is: makeSet([{ part: 'named', named, negated: false }]),
      isNot: makeSet([{ part: 'named', named, negated: true }]),
    };
    classSets.set(named, sets);
  }
  return negated ? sets.isNot : sets.is;
}

/** A range of at most so many letters is widened when its set is made, a longer one when asked. */
const WIDENED_MAX = 64;

export function makeSet(
  given: readonly SetPart[],
  { negated = false, fold = false }: { readonly negated?: boolean; readonly fold?: boolean } = {},
): CharSet {
  const parts = fold ? given.flatMap(widen) : given;
  const asksFolded = fold && !given.every(isWidened);
  const raw = (code: number): boolean => {
    for (const part of parts) if (isIn(code, part)) return true;
    return false;
  };
  const has = asksFolded
    ? (code: number): boolean => (raw(code) || variantsOf(code).some(raw)) !== negated
    : (code: number): boolean => raw(code) !== negated;
  const named = parts.filter((part) => part.part === 'named').length;
  const isAscii = named === 0 && parts.every((part) => part.part === 'range' && part.to < 128);
  return {
    ascii: asciiTable(parts, { negated, fold }),
    others: isAscii ? (negated ? OTHERS_ALL : OTHERS_NONE) : OTHERS_ASK,
    cost: (4 + named * 3 + parts.length / 4) * (asksFolded ? 12 : 1),
    has,
  };
}

function isWidened(part: SetPart): part is RangePart {
  return part.part === 'range' && part.to - part.from < WIDENED_MAX;
}

function isIn(code: number, part: SetPart): boolean {
  return part.part === 'range'
    ? code >= part.from && code <= part.to
    : isNamed(code, part.named) !== part.negated;
}

/** The parts that stand for a part once case does not count, as far as they are few. */
function widen(part: SetPart): SetPart[] {
  if (!isWidened(part)) return [part];
  const wide: SetPart[] = [part];
  for (let code = part.from; code <= part.to; code += 1) {
    for (const other of variantsOf(code)) wide.push({ part: 'range', from: other, to: other });
  }
  return wide;
}

function asciiTable(
  parts: readonly SetPart[],
  { negated, fold }: { readonly negated: boolean; readonly fold: boolean },
): Uint8Array {
  const table = new Uint8Array(ASCII_SIZE);
  for (const part of parts) {
    if (part.part === 'range') {
      if (part.from < ASCII_SIZE) table.fill(1, part.from, part.to + 1);
      for (const letter of fold ? 'KS' : '') {
        if (variantsOf(letter.charCodeAt(0)).some((code) => isIn(code, part))) {
          table[letter.charCodeAt(0)] = 1;
        }
      }
    } else {
      for (let code = 0; code < ASCII_SIZE; code += 1) if (isIn(code, part)) table[code] = 1;
    }
  }
  // Upper and lower case are one bit apart.
  for (let code = 0x41; fold && code <= 0x5a; code += 1) {
    const either = Math.max(table[code] as number, table[code + 32] as number);
    table[code] = either;
    table[code + 32] = either;
  }
  return negated ? table.map((is) => 1 - is) : table;
}

/** Letters that are the same without case, where it is more than one upper and one lower. */
const ORBITS: readonly string[] = [
  'Kk\u212a Ss\u017f \u00c5\u00e5\u212b \u00b5\u039c\u03bc \u00df\u1e9e \u01c4\u01c5\u01c6',
  '\u01c7\u01c8\u01c9 \u01ca\u01cb\u01cc \u01f1\u01f2\u01f3 \u0345\u0399\u03b9\u1fbe',
  '\u0392\u03b2\u03d0 \u0395\u03b5\u03f5 \u0398\u03b8\u03d1\u03f4 \u039a\u03ba\u03f0',
  '\u03a0\u03c0\u03d6 \u03a1\u03c1\u03f1 \u03a3\u03c2\u03c3 \u03a6\u03c6\u03d5',
  '\u03a9\u03c9\u2126 \u1e60\u1e61\u1e9b \u0412\u0432\u1c80 \u0414\u0434\u1c81',
  '\u041e\u043e\u1c82 \u0421\u0441\u1c83 \u0422\u0442\u1c84\u1c85 \u042a\u044a\u1c86',
  '\u0462\u0463\u1c87 \ua64a\ua64b\u1c88 \u0130 \u0131',
].flatMap((line) => line.split(' '));

const orbits = new Map(
  ORBITS.flatMap((orbit) => Array.from(orbit).map((letter) => [letter, orbit])),
);

/** The other characters that are the same without case. */
function variantsOf(code: number): readonly number[] {
  if (code < ASCII_SIZE) return ASCII_VARIANTS[code] ?? [];
  if (code > 0x10_ff_ff) return [];
  return computeVariants(code);
}

function computeVariants(code: number): number[] {
  const letter = String.fromCodePoint(code);
  const orbit = orbits.get(letter);
  const others =
    orbit === undefined ? [letter.toLowerCase(), letter.toUpperCase()] : Array.from(orbit);
  return others
    .map((other) => other.codePointAt(0) ?? code)
    .filter((other, at) => other !== code && String.fromCodePoint(other) === others[at]);
}

const ASCII_VARIANTS: readonly (readonly number[])[] = Array.from(
  { length: ASCII_SIZE },
  (_, code) => computeVariants(code),
);

/** Whether two texts are the same but for case. */
export function equalsFolded(one: string, other: string): boolean {
  const codes = Array.from(other, (letter) => letter.codePointAt(0) ?? 0);
  const letters = Array.from(one, (letter) => letter.codePointAt(0) ?? 0);
  return (
    letters.length === codes.length &&
    letters.every((code, at) => {
      const match = codes[at] ?? code;
      return code === match || variantsOf(code).includes(match);
    })
  );
}
