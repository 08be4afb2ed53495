/**
 * Reads what stands between `[` and `]`: characters, ranges, classes by letter and by name. There
 * are no classes within classes and no intersections in this dialect: `[` and `&&` mean themselves.
 */
import { escapedCodes, findClass } from './escapes.ts';
import { next, type Reading, refuse, take } from './tree.ts';
import { type CharSet, makeSet, POSIX_CLASSES, type SetPart } from './sets.ts';

/** What a set costs to make, in steps, and each part of it. */
const SET_STEPS = 20;
const PART_STEPS = 10;
const FOLDED_PART_STEPS = 400;

export function readBracket(reading: Reading): CharSet {
  const negated = take(reading, '^');
  const parts: SetPart[] = [];
  // A bracket that closes at once is a character, if another one follows.
  if (reading.pattern.startsWith(']', reading.at)) {
    if (!reading.pattern.includes(']', reading.at + 1)) refuse(reading, 'empty char-class');
    readRange(reading, parts);
  }
  while (!take(reading, ']')) readRange(reading, parts);
  const { fold } = reading.options;
  reading.meter.pay(SET_STEPS + parts.length * (fold ? FOLDED_PART_STEPS : PART_STEPS));
  return makeSet(parts, { negated, fold });
}

/** A character, a range of them, or a class. */
function readRange(reading: Reading, parts: SetPart[]): void {
  const first = readMember(reading);
  if (typeof first !== 'number') {
    parts.push(...first);
    return;
  }
  const { pattern, at } = reading;
  const isRange = pattern[at] === '-' && at + 1 < pattern.length && pattern[at + 1] !== ']';
  if (!isRange) {
    parts.push({ part: 'range', from: first, to: first });
    return;
  }
  reading.at += 1;
  const last = readMember(reading);
  if (typeof last !== 'number') return refuse(reading, 'char-class value at end of range');
  if (last < first) refuse(reading, 'empty range in char class');
  parts.push({ part: 'range', from: first, to: last });
}

/** The code of a character, or a class. */
function readMember(reading: Reading): number | SetPart[] {
  const posix = findPosix(reading);
  if (posix !== undefined) return [posix];
  if (!take(reading, '\\')) {
    const char = next(reading);
    if (char === '') refuse(reading, 'premature end of char-class');
    return char.codePointAt(0) ?? 0;
  }
  // In brackets `\b` is the backspace.
  if (take(reading, 'b')) return 8;
  const part = findClass(reading);
  if (part !== undefined) return [part];
  const codes = escapedCodes(reading);
  const [code = 0] = codes;
  return codes.length === 1 ? code : codes.map((each) => ({ part: 'range', from: each, to: each }));
}

/** `[:alpha:]` or `[:^alpha:]`. */
function findPosix(reading: Reading): SetPart | undefined {
  const { pattern, at } = reading;
  if (!pattern.startsWith('[:', at)) return undefined;
  const found = /^\[:(\^?)([^\]:]{0,20}):\]/.exec(pattern.slice(at, at + 30));
  if (found === null) return undefined;
  const posix = POSIX_CLASSES.get(found[2] ?? '');
  if (posix === undefined) return refuse(reading, 'invalid POSIX bracket type');
  reading.at += found[0].length;
  return { part: 'named', named: posix, negated: found[1] === '^' };
}
