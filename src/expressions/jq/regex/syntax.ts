/**
 * Reads a pattern as jq's regular expressions are written (Oniguruma's, in the dialect close to
 * Perl) and makes a tree of it. What the notation means is decided here and in escapes.ts;
 * how it is looked for, elsewhere.
 *
 * Words of errors are Oniguruma's. A few rarities are refused although it has them: calls of
 * groups, conditions, absent expressions, callouts, and whatever needs to know what one sees as a
 * letter.
 */
import type { Meter } from '../budget.ts';
import { readBracket } from './brackets.ts';
import { escapeAtom } from './escapes.ts';
import { shapeOf } from './shape.ts';
import {
  EMPTY_NODE,
  EVERYTHING,
  literal,
  nameEnd,
  next,
  NO_NEWLINE,
  type Reading,
  type RegexNode,
  type RegexOptions,
  refuse,
  take,
} from './tree.ts';

export interface RegexTree {
  readonly root: RegexNode;
  /** The names of the groups; the first stands for the match itself. */
  readonly groups: readonly (string | null)[];
}

/** Whoever reads or writes a tree follows its nesting on the stack of the platform. */
const NESTING_MAX = 200;
/** Oniguruma's own. */
const REPEATS_MAX = 100_000;

export function readRegex(pattern: string, options: RegexOptions, meter: Meter): RegexTree {
  const reading: Reading = {
    pattern,
    meter,
    at: 0,
    options,
    depth: 0,
    groups: [null],
    highestBack: 0,
  };
  const root = readChoice(reading);
  if (reading.at < pattern.length) refuse(reading, 'unmatched close parenthesis');
  if (reading.highestBack >= reading.groups.length) refuse(reading, 'invalid backref number/name');
  return { root, groups: reading.groups };
}

function readChoice(reading: Reading): RegexNode {
  const ways = [readSequence(reading)];
  while (take(reading, '|')) ways.push(readSequence(reading));
  return ways.length === 1 ? (ways[0] ?? EMPTY_NODE) : { is: 'choice', ways };
}

function readSequence(reading: Reading): RegexNode {
  const parts: RegexNode[] = [];
  let switched = false;
  for (;;) {
    skipComments(reading);
    const char = reading.pattern.charAt(reading.at);
    if (char === '' || char === '|' || char === ')') break;
    const atom = readAtom(reading);
    if (atom === undefined) {
      switched ||= parts.length > 0;
    } else {
      const last = atom.pop() ?? EMPTY_NODE;
      parts.push(...atom, readRepeats(reading, last));
    }
  }
  if (parts.length !== 1) return { is: 'sequence', parts };
  const [only = EMPTY_NODE] = parts;
  return switched ? { is: 'options', body: only } : only;
}

/**
 * One thing that can be repeated; a quotation is several, of which the last one can. Undefined if
 * only options were switched.
 */
function readAtom(reading: Reading): RegexNode[] | undefined {
  const { options } = reading;
  if (findRepeat(reading) !== undefined) {
    return refuse(reading, 'target of repeat operator is not specified');
  }
  if (take(reading, '(')) {
    const group = readGroup(reading);
    return group === undefined ? undefined : [group];
  }
  if (take(reading, '[')) return [{ is: 'set', set: readBracket(reading) }];
  if (take(reading, '.')) return [{ is: 'set', set: options.dotAll ? EVERYTHING : NO_NEWLINE }];
  if (take(reading, '^')) {
    return [{ is: 'place', where: options.lines ? 'line-start' : 'text-start' }];
  }
  if (take(reading, '$')) {
    return [{ is: 'place', where: options.lines ? 'line-end' : 'text-end-or-last-line' }];
  }
  if (take(reading, '\\Q')) return readQuotation(reading);
  if (take(reading, '\\')) return [escapeAtom(reading)];
  return [literal(reading, next(reading).codePointAt(0) ?? 0)];
}

/** From `\Q` to `\E` nothing has a meaning. */
function readQuotation(reading: Reading): RegexNode[] {
  const end = reading.pattern.indexOf('\\E', reading.at);
  const text = reading.pattern.slice(reading.at, end < 0 ? undefined : end);
  reading.at += text.length + (end < 0 ? 0 : 2);
  return Array.from(text).map((char) => literal(reading, char.codePointAt(0) ?? 0));
}

function skipComments(reading: Reading): void {
  for (;;) {
    if (take(reading, '(?#')) {
      const end = reading.pattern.indexOf(')', reading.at);
      if (end < 0) refuse(reading, 'end pattern in group');
      reading.at = end + 1;
    } else if (reading.options.extended && take(reading, '#')) {
      const end = reading.pattern.indexOf('\n', reading.at);
      reading.at = end < 0 ? reading.pattern.length : end + 1;
    } else if (
      reading.options.extended &&
      reading.at < reading.pattern.length &&
      ' \t\n\r\f'.includes(reading.pattern.charAt(reading.at))
    ) {
      reading.at += 1;
    } else {
      return;
    }
  }
}

interface Repeat {
  readonly min: number;
  readonly max: number;
  readonly length: number;
}

const REPEAT = /\*|\+|\?|\{(\d+)(?:(,)(\d*))?\}/y;

/** What stands here if it says how often, as far as the numbers go. */
function findRepeat(reading: Reading): Repeat | undefined {
  REPEAT.lastIndex = reading.at;
  const found = REPEAT.exec(reading.pattern);
  if (found === null) return undefined;
  const { length } = found[0];
  if (found[0] === '*') return { min: 0, max: Infinity, length };
  if (found[0] === '+') return { min: 1, max: Infinity, length };
  if (found[0] === '?') return { min: 0, max: 1, length };
  const min = Number(found[1]);
  const max = found[2] === undefined ? min : found[3] === '' ? Infinity : Number(found[3]);
  if (min > REPEATS_MAX || (max !== Infinity && max > REPEATS_MAX)) {
    return refuse(reading, 'too big number for repeat range');
  }
  if (max < min) return refuse(reading, 'upper is smaller than lower in repeat range');
  return { min, max, length };
}

function readRepeats(reading: Reading, atom: RegexNode): RegexNode {
  let node = atom;
  for (;;) {
    skipComments(reading);
    const repeat = findRepeat(reading);
    if (repeat === undefined) return node;
    if (shapeOf(node).height > NESTING_MAX) refuse(reading, 'parse depth limit over');
    if (isPlace(node)) refuse(reading, 'target of repeat operator is invalid');
    reading.at += repeat.length;
    const how = take(reading, '?') ? 'lazy' : take(reading, '+') ? 'possessive' : 'greedy';
    node = { is: 'repeat', body: node, min: repeat.min, max: repeat.max, how };
  }
}

/** What only asks where it stands must not be repeated, not even as one way among others. */
function isPlace(node: RegexNode): boolean {
  if (node.is === 'choice') return node.ways.some(isPlace);
  return node.is === 'place' || node.is === 'look' || node.is === 'keep';
}

/** What follows a `(`, up to its `)`; undefined if it only switches options. */
function readGroup(reading: Reading): RegexNode | undefined {
  if (reading.pattern.startsWith('*', reading.at)) refuse(reading, 'callouts are not supported');
  if (!take(reading, '?')) return readCapture(reading, null);
  if (take(reading, ':')) return readBody(reading);
  if (take(reading, '=')) return look(reading, false, false);
  if (take(reading, '!')) return look(reading, false, true);
  if (take(reading, '>')) return { is: 'atomic', body: readBody(reading) };
  if (take(reading, '<=')) return look(reading, true, false);
  if (take(reading, '<!')) return look(reading, true, true);
  if (take(reading, '<')) return readCapture(reading, readName(reading, '>'));
  if (take(reading, "'")) return readCapture(reading, readName(reading, "'"));
  if (take(reading, '(')) refuse(reading, 'conditions are not supported');
  if (take(reading, '~')) refuse(reading, 'absent expressions are not supported');
  if (take(reading, '{')) refuse(reading, 'callouts are not supported');
  if (/^[+-]?\d|^[&R]/.test(reading.pattern.slice(reading.at, reading.at + 2))) {
    refuse(reading, 'calls of groups are not supported');
  }
  return readSwitches(reading);
}

function readBody(reading: Reading): RegexNode {
  const { options } = reading;
  reading.depth += 1;
  if (reading.depth > NESTING_MAX) refuse(reading, 'parse depth limit over');
  const body = readChoice(reading);
  if (!take(reading, ')')) refuse(reading, 'end pattern with unmatched parenthesis');
  if (shapeOf(body).height > NESTING_MAX) refuse(reading, 'parse depth limit over');
  reading.depth -= 1;
  reading.options = options;
  return body;
}

function look(reading: Reading, behind: boolean, negative: boolean): RegexNode {
  return { is: 'look', behind, negative, body: readBody(reading) };
}

function readCapture(reading: Reading, name: string | null): RegexNode {
  const index = reading.groups.push(name) - 1;
  return { is: 'group', index, body: readBody(reading) };
}

/** The name of a group. All that counts is its first character. */
function readName(reading: Reading, close: string): string {
  const { pattern, at } = reading;
  if (at === pattern.length) refuse(reading, 'end pattern with unmatched parenthesis');
  const end = nameEnd(reading, close);
  const name = pattern.slice(at, end);
  if (name === '') refuse(reading, 'group name is empty');
  reading.at = end + 1;
  if (pattern[end] !== close || /^[-\d]/.test(name)) {
    refuse(reading, `invalid group name <${name}>`);
  }
  if (!/^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}²³¹¼½¾]/u.test(name)) {
    refuse(reading, `invalid char in group name <${name}>`);
  }
  return name;
}

/** `(?i)`, `(?m-s)`, `(?x:…)`. */
function readSwitches(reading: Reading): RegexNode | undefined {
  const before = reading.options;
  const after = { ...before };
  let on = true;
  for (let read = 0; ; read += 1) {
    const char = next(reading);
    if (char === '') return refuse(reading, 'end pattern in group');
    if (char === '-') on = false;
    else if (char === 'i') after.fold = on;
    else if (char === 'x') after.extended = on;
    else if (char === 's') after.dotAll = on;
    else if (char === 'm') after.lines = on;
    else if (read === 0 || (char !== ')' && char !== ':')) {
      return refuse(reading, 'undefined group option');
    } else {
      reading.options = after;
      if (char === ')') return undefined;
      const body = readBody(reading);
      reading.options = before;
      return { is: 'options', body };
    }
  }
}
