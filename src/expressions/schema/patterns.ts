/**
 * Patterns of a JSON Schema, matched by the engine that pays for what it does.
 *
 * The platform's own would do the same, and some patterns have it try more ways through a short
 * text than there are seconds in a day: whoever sends that text would stop the process. Here a
 * check may take so many steps and no more.
 *
 * A schema's patterns are those of JavaScript, with its flag `u`; the engine speaks Oniguruma's
 * dialect. So each is written anew for it, with every class as the characters it has in JavaScript.
 */
import { JQ_BUDGET_DEFAULT, Meter } from '../jq/budget.ts';
import { Exceeded, Raised } from '../jq/faults.ts';
import { RegexCache, testRegex } from '../jq/regex/regex.ts';

/** Of all patterns and texts of one check. Worst of all it takes about a second. */
const PATTERN_STEPS_MAX = 6_000_000;

/** Of all schemas: it lets go of what is too much by itself. */
const cache = new RegexCache();

/** Those of one schema. Each check begins with a full purse. */
export class Patterns {
  readonly #meter = new Meter();
  readonly #written = new Map<string, string>();

  begin(): void {
    this.#meter.begin({ ...JQ_BUDGET_DEFAULT, steps: PATTERN_STEPS_MAX });
  }

  /** Throws an error that tells why if there is no saying. */
  test(pattern: string, text: string): boolean {
    const written = this.#written.get(pattern) ?? rewritten(pattern);
    this.#written.set(pattern, written);
    try {
      return testRegex(text, written, null, cache, this.#meter);
    } catch (thrown) {
      throw new Error(wordsFor(pattern, thrown), { cause: thrown });
    }
  }
}

function wordsFor(pattern: string, thrown: unknown): string {
  if (thrown instanceof Exceeded) {
    const what = `the pattern "${pattern}" takes too long to be matched`;
    return `${what} (PATTERN_STEPS_MAX ${PATTERN_STEPS_MAX})`;
  }
  if (thrown instanceof Raised) return `the pattern "${pattern}": ${JSON.stringify(thrown.value)}`;
  throw thrown;
}

type Ranges = readonly (readonly [number, number])[];

const LAST = 0x10_ffff;
const DIGIT: Ranges = [[0x30, 0x39]];
const WORD: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
];
const LINE_ENDS: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
];

/** By the letter behind the backslash, as what stands between brackets. */
const CLASSES: Readonly<Record<string, string>> = {
  d: listed(DIGIT),
  D: listed(others(DIGIT)),
  w: listed(WORD),
  W: listed(others(WORD)),
  s: listed(SPACE),
  S: listed(others(SPACE)),
};
const CONTROLS: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const AT_WORD = `[${listed(WORD)}]`;
const EDGE = `(?:(?<=${AT_WORD})(?!${AT_WORD})|(?<!${AT_WORD})(?=${AT_WORD}))`;
const NO_EDGE = `(?:(?<=${AT_WORD})(?=${AT_WORD})|(?<!${AT_WORD})(?!${AT_WORD}))`;

/** An escape, a bracket with all that is in it, or any other character. */
const PART = new RegExp(
  [
    String.raw`\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}`,
    String.raw`\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]`,
    String.raw`\\[pP]\{[^}]*\}|\\k<[^>]*>|\\\d+|\\.|[^]`,
  ].join('|'),
  'gsu',
);
const BRACKET = /\[\^?(?:\\.|[^\]\\])*\]/gsu;

/** The same pattern as Oniguruma has it. It is one of JavaScript's: that was asked before. */
function rewritten(pattern: string): string {
  let made = '';
  let from = 0;
  for (const { 0: bracket, index } of bracketsIn(pattern)) {
    made += outside(pattern.slice(from, index)) + bracketed(bracket);
    from = index + bracket.length;
  }
  return made + outside(pattern.slice(from));
}

/** Those that are not escaped. */
function* bracketsIn(pattern: string): Generator<RegExpExecArray> {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') {
      BRACKET.lastIndex = at;
      const found = BRACKET.exec(pattern);
      if (found === null) return;
      yield found;
      at = found.index + found[0].length - 1;
    }
  }
}

function outside(text: string): string {
  return text.replaceAll(PART, (part) => {
    if (part === '^') return String.raw`\A`;
    if (part === '$') return String.raw`\z`;
    if (part === '.') return `[^${listed(LINE_ENDS)}]`;
    if (part === String.raw`\b`) return EDGE;
    if (part === String.raw`\B`) return NO_EDGE;
    if (/^\\(?:k<|[1-9])/.test(part)) return part;
    const named = classOf(part);
    if (named !== undefined) return `[${named}]`;
    return part.startsWith('\\') ? written(codeOf(part)) : part;
  });
}

function bracketed(bracket: string): string {
  const isNegated = bracket.startsWith('[^');
  const inner = bracket.slice(isNegated ? 2 : 1, -1);
  if (inner === '') return isNegated ? `[${written(0)}-${written(LAST)}]` : '(?!)';
  const parts = inner.replaceAll(PART, (part) => {
    // What is between two characters is a range; one that is escaped is itself.
    if (part === '-') return part;
    return classOf(part) ?? written(codeOf(part));
  });
  return `[${isNegated ? '^' : ''}${parts}]`;
}

function classOf(part: string): string | undefined {
  const [, sign, name] = /^\\([pP])\{(?:[^}=]*=)?([^}]*)\}$/.exec(part) ?? [];
  if (name !== undefined) return `\\${sign}{${name}}`;
  return part.length === 2 && part.startsWith('\\') ? CLASSES[part.charAt(1)] : undefined;
}

function codeOf(part: string): number {
  if (!part.startsWith('\\')) return part.codePointAt(0) ?? 0;
  const letter = part.charAt(1);
  if (letter === 'c') return part.charCodeAt(2) % 32;
  if (letter === '0') return 0;
  const units = part.match(/[\da-fA-F]{4}/g);
  if (letter === 'u' && units !== null && !part.includes('{')) {
    return (
      String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))).codePointAt(0) ?? 0
    );
  }
  if (letter === 'u' || letter === 'x') {
    return Number.parseInt(part.replaceAll(/[\\ux{}]/g, ''), 16);
  }
  return CONTROLS[letter] ?? part.codePointAt(1) ?? 0;
}

function written(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function listed(ranges: Ranges): string {
  return ranges.map(([from, to]) => `${written(from)}-${written(to)}`).join('');
}

/** Every character but these. */
function others(ranges: Ranges): Ranges {
  const starts = [0, ...ranges.map(([, to]) => to + 1)];
  const ends = [...ranges.map(([from]) => from - 1), LAST];
  return starts.map((from, n) => [from, ends[n] ?? LAST] as const).filter(([a, b]) => a <= b);
}
