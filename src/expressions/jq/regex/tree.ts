/**
 * The tree a pattern is read into, and the reading of it: a cursor over the pattern with what has
 * been learned so far.
 */
import type { Meter } from '../budget.ts';
import { raise } from '../faults.ts';
import { type CharSet, makeSet } from './sets.ts';

/** The places `^`, `$`, `\b` and their like ask for. */
export type Where =
  | 'text-start'
  | 'text-end'
  | 'text-end-or-last-line'
  | 'line-start'
  | 'line-end'
  | 'word-edge'
  | 'no-word-edge'
  | 'search-start';

export type RegexNode =
  | { readonly is: 'char'; readonly code: number }
  | { readonly is: 'set'; readonly set: CharSet }
  | { readonly is: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly is: 'choice'; readonly ways: readonly RegexNode[] }
  | {
      readonly is: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly how: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly is: 'group'; readonly index: number; readonly body: RegexNode }
  /** Once matched, there is no second way through it. */
  | { readonly is: 'atomic'; readonly body: RegexNode }
  /** `(?i:…)`, which is its body, but may be repeated where that alone may not. */
  | { readonly is: 'options'; readonly body: RegexNode }
  | {
      readonly is: 'look';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly body: RegexNode;
    }
  | { readonly is: 'back'; readonly groups: readonly number[]; readonly fold: boolean }
  | { readonly is: 'place'; readonly where: Where }
  /** `\K`: the match begins here. */
  | { readonly is: 'keep' };

/** What the letters of `(?imsx)` switch. */
export interface RegexOptions {
  fold: boolean;
  extended: boolean;
  dotAll: boolean;
  lines: boolean;
}

/** A pattern while it is read. */
export interface Reading {
  readonly pattern: string;
  readonly meter: Meter;
  at: number;
  options: Readonly<RegexOptions>;
  depth: number;
  /** The names of the groups that have begun so far, by number; the first stands for the match. */
  readonly groups: (string | null)[];
  /** The highest number that was referred to. */
  highestBack: number;
}

export const EMPTY_NODE: RegexNode = { is: 'sequence', parts: [] };

export const EVERYTHING: CharSet = makeSet([], { negated: true });
export const NO_NEWLINE: CharSet = makeSet([{ part: 'range', from: 10, to: 10 }], {
  negated: true,
});

export function refuse({ meter }: Reading, reason: string): never {
  return raise(meter, `Regex failure: ${reason}`);
}

export function take(reading: Reading, text: string): boolean {
  if (!reading.pattern.startsWith(text, reading.at)) return false;
  reading.at += text.length;
  return true;
}

/** The next character of the pattern, whole; the empty text at its end. */
export function next(reading: Reading): string {
  const code = reading.pattern.codePointAt(reading.at);
  if (code === undefined) return '';
  const char = String.fromCodePoint(code);
  reading.at += char.length;
  return char;
}

/** What widening a letter to its other cases costs in steps. Measured: less than 2 µs. */
const LITERAL_STEPS = 40;

export function literal({ options, meter }: Reading, code: number): RegexNode {
  if (!options.fold) return { is: 'char', code };
  meter.pay(LITERAL_STEPS);
  return { is: 'set', set: makeSet([{ part: 'range', from: code, to: code }], { fold: true }) };
}

/** Where a name ends: at what closes it, at a `)`, or with the pattern. */
export function nameEnd({ pattern, at }: Reading, close: string): number {
  let end = at;
  while (end < pattern.length && pattern[end] !== close && pattern[end] !== ')') end += 1;
  return end;
}
