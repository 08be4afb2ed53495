/**
 * Regular expressions of jq: `test`, `match` and all that is made of them. A pattern is written and
 * means what it does in jq 1.8 (Oniguruma); positions and lengths are in characters.
 *
 * Nothing here can run away: reading a pattern, looking for it and what is found are paid for step
 * by step (machine.ts), and a pattern may only be so long and come to so many instructions.
 * Patterns are kept in a cache, since programs mostly ask for the same one again and again.
 */
import type { Meter } from '../budget.ts';
import { raise } from '../faults.ts';
import { RegexMachine } from './machine.ts';
import { charEnd, charStart } from './places.ts';
import { INSTRUCTION_SIZE, writeProgram } from './program.ts';
import { readRegex } from './syntax.ts';
import { emptyObject, type Members, OBJECT_ELEMENTS } from '../values/values.ts';

export interface RegexCapture {
  readonly offset: number;
  readonly length: number;
  readonly string: string | null;
  readonly name: string | null;
}

export interface RegexMatch {
  readonly offset: number;
  readonly length: number;
  readonly string: string;
  readonly captures: readonly RegexCapture[];
}

export const PATTERN_CHARS_MAX = 10_000;
export const CACHED_REGEXES_MAX = 64;
/** All together. What belongs to one instruction takes less than 400 bytes. */
const CACHED_INSTRUCTIONS_MAX = 20_000;

/** What reading a character of a pattern costs in steps. */
const STEPS_PER_CHAR = 12;

/** What a match takes in elements, and each capture of it. */
const MATCH_ELEMENTS = 4;
const CAPTURE_ELEMENTS = 6;

interface Regex {
  readonly pattern: string;
  readonly flags: string | null;
  readonly machine: RegexMachine;
  readonly global: boolean;
}

/** The patterns of one program. */
export class RegexCache {
  private last: Regex | undefined;
  private readonly regexes = new Map<string, Regex[]>();
  private instructions = 0;
  private size = 0;

  find(pattern: string, flags: string | null, meter: Meter): Regex {
    const { last } = this;
    if (last !== undefined && last.pattern === pattern && last.flags === flags) return last;
    const known = this.regexes.get(pattern)?.find((regex) => regex.flags === flags);
    this.last = known ?? this.add(makeRegex(pattern, flags, meter));
    return this.last;
  }

  private add(regex: Regex): Regex {
    const length = regex.machine.program.code.length / INSTRUCTION_SIZE;
    this.size += 1;
    this.instructions += length;
    if (this.size > CACHED_REGEXES_MAX || this.instructions > CACHED_INSTRUCTIONS_MAX) {
      // A program with so many of them makes its patterns, and has no use for the old ones.
      this.regexes.clear();
      this.size = 1;
      this.instructions = length;
    }
    const same = this.regexes.get(regex.pattern);
    if (same === undefined) this.regexes.set(regex.pattern, [regex]);
    else same.push(regex);
    return regex;
  }
}

function makeRegex(pattern: string, flags: string | null, meter: Meter): Regex {
  const set = new Set(flags ?? '');
  for (const flag of set) {
    if (!'gixsnlp'.includes(flag)) raise(meter, `${flags} is not a valid modifier string`);
  }
  if (pattern.length > PATTERN_CHARS_MAX) {
    raise(meter, `Regex failure: too big: more than ${PATTERN_CHARS_MAX} characters`);
  }
  meter.pay(pattern.length * STEPS_PER_CHAR);
  const options = {
    fold: set.has('i'),
    extended: set.has('x'),
    dotAll: set.has('p'),
    lines: false,
  };
  const program = writeProgram(readRegex(pattern, options, meter), meter);
  const machine = new RegexMachine(program, { longest: set.has('l'), notEmpty: set.has('n') });
  return { pattern, flags, machine, global: set.has('g') };
}

/** Whether there is one, without making matches. */
export function testRegex(
  text: string,
  pattern: string,
  flags: string | null,
  cache: RegexCache,
  meter: Meter,
): boolean {
  const { machine } = cache.find(pattern, flags, meter);
  machine.begin(text, meter);
  const found = machine.find(0);
  machine.end();
  return found;
}

/** All matches (flag g) or the first; offsets and lengths in code points. */
export function matchAll(
  text: string,
  pattern: string,
  flags: string | null,
  cache: RegexCache,
  meter: Meter,
): readonly RegexMatch[] {
  const { machine, global } = cache.find(pattern, flags, meter);
  const matches: RegexMatch[] = [];
  const counter = makeCounter(text, meter);
  machine.begin(text, meter);
  let from = 0;
  while (from <= text.length && machine.find(from)) {
    matches.push(makeMatch(text, machine, counter, meter));
    if (!global) break;
    const [start = 0, end = 0] = machine.slots;
    // An empty match would be found again, and so would one that `\K` has made begin before.
    from = start < end && end > from ? end : charEnd(text, end);
  }
  machine.end();
  return matches;
}

/** The named captures of the first match alone, without saying where they are. */
export function captureFirst(
  text: string,
  pattern: string,
  cache: RegexCache,
  meter: Meter,
): Members | undefined {
  const { machine } = cache.find(pattern, null, meter);
  machine.begin(text, meter);
  const isFound = machine.find(0);
  machine.end();
  if (!isFound) return undefined;
  const { slots, program } = machine;
  const { groups } = program;
  meter.make(groups.length * OBJECT_ELEMENTS);
  meter.write(text.length);
  const isEmpty = (slots[0] as number) >= (slots[1] as number);
  const captures = emptyObject();
  for (let group = 1; group < groups.length; group += 1) {
    const name = groups[group];
    if (name !== null && name !== undefined) {
      captures[name] = captureAt(
        text,
        slots[group * 2] as number,
        slots[group * 2 + 1] as number,
        isEmpty,
      );
    }
  }
  return captures;
}

function captureAt(text: string, start: number, end: number, isEmpty: boolean): string | null {
  if (start < 0 || end < start) return null;
  return isEmpty ? '' : text.slice(start, end);
}

/** Turns a place in UTF-16 units into one in characters. */
type Counter = (at: number) => number;

const sameCount: Counter = (at) => at;
/** How many characters are counted in a step. */
const COUNTED_PER_STEP = 8;

function makeCounter(text: string, meter: Meter): Counter {
  meter.scan(text.length);
  if (!/[\ud800-\udbff]/.test(text)) return sameCount;
  let unit = 0;
  let chars = 0;
  return (at) => {
    // From the place that was asked for last, which is mostly near.
    meter.pay(Math.abs(at - unit) / COUNTED_PER_STEP);
    for (; unit < at; chars += 1) unit = charEnd(text, unit);
    for (; unit > at; chars -= 1) unit = charStart(text, unit);
    return chars;
  };
}

/** Most patterns have no groups. */
const NO_CAPTURES: readonly RegexCapture[] = Object.freeze([]);

function makeMatch(
  text: string,
  machine: RegexMachine,
  counter: Counter,
  meter: Meter,
): RegexMatch {
  const { slots } = machine;
  const { groups } = machine.program;
  const end = slots[1] as number;
  // With a `\K` that looks ahead, it would begin after its end.
  const start = Math.min(slots[0] as number, end);
  meter.make(MATCH_ELEMENTS + CAPTURE_ELEMENTS * (groups.length - 1));
  const offset = counter(start);
  const length = counter(end) - offset;
  meter.write(end - start);
  const captures =
    groups.length === 1 ? NO_CAPTURES : makeCaptures(text, machine, { counter, offset, length });
  return { offset, length, string: text.slice(start, end), captures };
}

function makeCaptures(
  text: string,
  { slots, program: { groups } }: RegexMachine,
  of: { readonly counter: Counter; readonly offset: number; readonly length: number },
): RegexCapture[] {
  const captures: RegexCapture[] = [];
  for (let group = 1; group < groups.length; group += 1) {
    const start = slots[group * 2] as number;
    const end = slots[group * 2 + 1] as number;
    const name = groups[group] as string | null;
    if (start < 0 || end < start) {
      captures.push({ offset: -1, length: 0, string: null, name });
    } else if (of.length === 0) {
      // In an empty match all of its groups are, even those of a look around.
      captures.push({ offset: of.offset, length: 0, string: '', name });
    } else {
      const offset = of.counter(start);
      const length = of.counter(end) - offset;
      captures.push({ offset, length, string: text.slice(start, end), name });
    }
  }
  return captures;
}
