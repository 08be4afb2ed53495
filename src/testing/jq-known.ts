/**
 * Where our jq differs from the real one and is meant to, or where there is nothing to be done: one
 * table, each entry with its reason. An entry is as narrow as what it explains: it compares the
 * answers in its own way, or asks both again about a program in which the cause is taken away, or
 * looks at the program after all that makes no difference has been cut from it.
 */
import { EXACTLY, isSameAnswer, type Likeness, type OwnAnswer } from './jq-likeness.ts';
import type { Answer, Question } from './jq-asking.ts';
import { INEXACT_MATH } from './random-jq-rows.ts';

export interface Pair {
  readonly question: Question;
  readonly ours: OwnAnswer;
  readonly theirs: Answer;
}

export interface Known {
  readonly name: string;
  readonly reason: string;
  /** Judged by the text of the program alone, which must then be as short as it can be. */
  readonly byText?: boolean;
  readonly explains: (pair: Pair, again: Again) => boolean | Promise<boolean>;
}

/** Asks both about another program, with the same input. */
export type Again = (program: string) => Promise<Pair | undefined>;

export const KNOWN: readonly Known[] = [
  {
    name: 'last digits',
    reason: 'the last digits of these functions differ from library to library',
    explains: async ({ question: { program } }, again) => {
      const used = INEXACT_MATH.filter((name) => new RegExp(`\\b${name}\\b`).test(program));
      if (used.length === 0) return false;
      return agrees(await again(`${used.map(rounded).join(' ')} ${program}`), EXACTLY);
    },
  },
  {
    name: 'digits of literals',
    reason: 'jq writes a number that it has only read as it was written; ours are doubles',
    explains: (pair) => hasOddLiteral(pair.question) && agrees(pair, SAME_NUMERALS),
  },
  {
    name: 'sign of zero',
    reason: 'jq negates a zero that it has read to 0 and one that it has computed to -0',
    explains: (pair) => /-[^\d\s]/.test(pair.question.program) && agrees(pair, SAME_BUT_ZEROS),
  },
  {
    name: 'sign of nan',
    reason: 'whether nan is negative differs from library to library',
    byText: true,
    explains: (pair) => pair.question.program.includes('copysign') && agrees(pair, SAME_BUT_SIGNS),
  },
  {
    name: 'order of nan',
    reason:
      'jq says that nan is less than nan, both ways round: what sorting makes of it is chance',
    byText: true,
    explains: ({ question: { program } }) =>
      GIVES_NAN.test(program) && /\b(sort|group|unique|min|max)(_by)?\b/.test(program),
  },
  {
    name: 'caught by ?//',
    reason:
      'jq takes what is raised by whoever gets an output of ?//, and a break, for its own error',
    byText: true,
    explains: ({ question: { program }, ours, theirs }) =>
      program.includes('?//') &&
      (ours.end === 'error' || theirs.end === 'error' || BREAKS.test(program)),
  },
  {
    name: 'pattern in a path',
    reason: 'jq takes the steps of a pattern for steps of the path around it',
    byText: true,
    explains: ({ question: { program } }) => / as [[{]|\?\/\//.test(program) && hasPath(program),
  },
  {
    name: 'why a path is none',
    reason: 'most builtins of jq are written in jq, which looks at paths before it looks at values',
    byText: true,
    explains: ({ question: { program }, ours, theirs }) =>
      hasPath(program) &&
      JSON.stringify(theirs).includes('Invalid path expression near') &&
      /Invalid path expression|Cannot (index|iterate)/.test(JSON.stringify(ours)),
  },
  {
    name: 'last of a path that is none',
    reason:
      'jq finds the last output by paths, and so finds one that is none; we ask for the value',
    byText: true,
    explains: ({ question: { program }, theirs }) =>
      hasPath(program) &&
      /\blast\(/.test(program) &&
      JSON.stringify(theirs).includes('Invalid path expression'),
  },
  {
    name: 'assignment in a path',
    reason: 'jq assigns by paths, and takes those for the path that was asked for',
    byText: true,
    explains: ({ theirs }) =>
      /access element [01] of \[.*,\s*\[\]/.test(JSON.stringify(theirs).replaceAll('\\', '')),
  },
  {
    name: 'index in a path',
    reason: 'jq looks for an index by paths; where there is nothing to look through, that is one',
    byText: true,
    explains: ({ question: { program } }) =>
      hasPath(program) && /\b(r?index|indices)\(/.test(program),
  },
  {
    name: 'break in a try',
    reason:
      'the real jq takes a break for an error, and so does its try; here it goes on to its label',
    byText: true,
    explains: ({ question: { program } }) =>
      /\bbreak\b/.test(program) && /\btry\b|\?/.test(program),
  },
  {
    name: 'several starts of reduce',
    reason: 'jq gives its input away with the first start, and has null for the others',
    byText: true,
    explains: ({ question: { program }, ours, theirs }) =>
      /\breduce\b/.test(program) &&
      'outputs' in ours &&
      'outputs' in theirs &&
      JSON.stringify(ours.outputs[0]) === JSON.stringify(theirs.outputs[0]),
  },
  {
    name: 'slice behind a dot',
    reason: 'jq takes an index there, and we take a slice as well',
    byText: true,
    explains: ({ question: { program }, ours, theirs }) =>
      theirs.end === 'refused' && ours.end !== 'refused' && /\.\s*\[[^[\]]*:/.test(program),
  },
  {
    name: 'which key of a path is wrong',
    reason: 'jq looks at the keys of a path from both ends',
    byText: true,
    explains: ({ question: { program }, ours, theirs }) =>
      hasPath(program) &&
      BAD_KEY.test(JSON.stringify(ours)) &&
      BAD_KEY.test(JSON.stringify(theirs)),
  },
  {
    name: 'the very same value',
    reason: 'jq knows an equal text or number from the one at hand, and refuses it as a path',
    byText: true,
    explains: ({ question: { program }, ours, theirs }) =>
      hasPath(program) &&
      /Invalid path expression with result (\\*"|-?\d)/.test(JSON.stringify(theirs)) &&
      !JSON.stringify(ours).includes('Invalid path expression'),
  },
  {
    name: 'unknown name in an unused function',
    reason: 'jq does not look into a function that nobody calls; we tell the author',
    byText: true,
    explains: ({ question: { program }, ours, theirs }) =>
      ours.end === 'refused' &&
      ours.message.includes('is not defined') &&
      theirs.end !== 'refused' &&
      /\bdef\b/.test(program),
  },
  {
    name: 'order of whole numbers as keys',
    reason: 'objects of JavaScript have keys such as "7" before all others',
    byText: true,
    explains: ({ ours, theirs }) => /[{,]\\*"\d+\\*":/.test(JSON.stringify([ours, theirs])),
  },
  {
    name: 'exponent of infinity',
    reason: 'frexp leaves the exponent of what is not a finite number open',
    byText: true,
    explains: ({ question: { program }, ours }) =>
      /\bfrexp\b/.test(program) &&
      /\[(null|-?1.7976931348623157e\+308),0\]/.test(JSON.stringify(ours)),
  },
  {
    name: 'years of two digits',
    reason: 'the calendar of the oracle is that of JavaScript, to which the year 5 is 1905',
    explains: (pair) =>
      pair.question.program.includes('mktime') && agrees(pair, NINETEEN_CENTURIES),
  },
  {
    name: 'weekdays of years of two digits',
    reason: 'so it is with the day of the week that the oracle works out for itself',
    byText: true,
    explains: ({ question: { program, input, given } }) =>
      /strftime\(".*%[aAGuUVw]/.test(program) &&
      /\[\d{1,2}\b/.test(`${program}${JSON.stringify([[input], [given]])}`),
  },
  {
    name: 'beyond the calendar',
    reason: 'the calendar of the oracle ends in the year 275760, and says so with the day 0',
    byText: true,
    explains: ({ theirs }) => JSON.stringify(theirs).includes('1900-01-00'),
  },
  {
    name: 'slices of one array',
    reason: 'jq takes two slices of one array for equal if they are equally long',
    byText: true,
    explains: ({ question: { program } }) =>
      (program.match(/\[-?\d*:-?\d*\]/g) ?? []).length > 1 &&
      /[=!]=|\b(unique|group)(_by)?\b|\b(IN|contains|inside)\b/.test(program),
  },
  {
    name: 'empty match inside a character',
    reason: 'jq goes on one byte after an empty match, which is in the middle of most characters',
    byText: true,
    explains: ({ question, ours, theirs }) =>
      EMPTY_PATTERN.test(question.program) &&
      /[^\0-\x7f]|\\u|base64d|implode/.test(JSON.stringify([question, ours, theirs])),
  },
];

function agrees(pair: Pair | undefined, alike: Likeness): boolean {
  return pair !== undefined && isSameAnswer(pair.ours, pair.theirs, alike);
}

/** A definition that takes the place of a builtin and leaves out its last digits. */
function rounded(name: string): string {
  const params = ARITIES[name] ?? [];
  const head = (own: string): string => (params.length ? `${own}(${params.join('; ')})` : own);
  const each = `if . == 0 or isnan or isinfinite then . else ${ROUND} end`;
  const round = name === 'lgamma_r' ? `map(${each})` : each;
  const builtin = head(`_${name}`);
  return `def ${builtin}: ${head(name)}; def ${head(name)}: ${builtin} | ${round};`;
}

/** To ten digits; by powers of two, so that the rounding itself is the same everywhere. */
const ROUND = 'ldexp((significand * 1e10 | round) / 1e10; logb)';
const ARITIES: Readonly<Record<string, readonly string[]>> = {
  pow: ['a', 'b'],
  atan2: ['a', 'b'],
  hypot: ['a', 'b'],
  jn: ['a', 'b'],
  yn: ['a', 'b'],
};

const NUMERAL = /-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi;

const onTexts =
  (read: (numeral: string) => string): Likeness =>
  (one, other) => {
    if (typeof one === 'number') return read(String(one)) === read(String(other));
    return one.replaceAll(NUMERAL, read) === String(other).replaceAll(NUMERAL, read);
  };

const SAME_NUMERALS = onTexts((numeral) => String(Number(numeral)));
const SAME_BUT_ZEROS = onTexts((numeral) => (Number(numeral) === 0 ? '0' : numeral));
const SAME_BUT_SIGNS = onTexts((numeral) => numeral.replace('-', ''));

/** The seconds of 1900 years, give or take a few days. */
const NINETEEN_CENTURIES_S = 59_958_230_400;

const NINETEEN_CENTURIES: Likeness = (one, other) => {
  const distance = Math.abs(Number(one) - Number(other));
  return one === other || Math.abs(distance - NINETEEN_CENTURIES_S) < 1e6;
};

/** A number that is not written as it would be if it were computed. */
function hasOddLiteral({ program, input, given }: Question): boolean {
  const texts = [program, JSON.stringify(input), JSON.stringify(given)];
  return texts.some((text) =>
    (text.match(NUMERAL) ?? []).some((numeral) => String(Number(numeral)) !== numeral),
  );
}

const BAD_KEY = /Cannot (update|index|delete)|Out of bounds|[Ss]lice/;

/** Builtins that stop a generator early, which jq does by a break. */
const BREAKS = /\|=|\b(break|first|limit|skip|nth|isempty|any|all|IN|walk|map_values)\b/;

const GIVES_NAN = new RegExp(`\\b(nan|infinite|sqrt|fmod|${INEXACT_MATH.join('|')})\\b`);

function hasPath(program: string): boolean {
  return /=|\b(path|paths|del|(get|set)path|delpaths|pick|with_entries|map_values)\b/.test(program);
}

/** A call with one of those patterns of ours that match nothing at all. */
const EMPTY_PATTERN =
  /\("(|\^|\$|, \*|\\\\s\*|x\*|\( \)\*|\(a\*\)\(b\*\)|\(\?<x>a\)\?\(\?<x>b\)\?|\(\?<e>\))"|\(\["/;
