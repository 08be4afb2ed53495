/**
 * The text that is searched, and the account of what looking at it costs. What is used is counted
 * in instructions and paid for some thousand at a time; what costs more than an instruction says so
 * by taking from the fuel, and it is only here that it runs out.
 */
import type { Meter } from '../budget.ts';
import { charEnd, charStart } from './places.ts';
import type { Back, RegexProgram } from './program.ts';
import { ASCII_SIZE, type CharSet, equalsFolded, OTHERS_ALL, OTHERS_NONE } from './sets.ts';

/** An instruction takes up to 12 ns, measured over the worst of patterns; a step may buy 50. */
const INSTRUCTIONS_PER_STEP = 2;
/** How many instructions are paid for at a time. */
const FUEL = 2_048;
/** What comparing a letter without its case costs in instructions. */
const FOLD_COST = 24;

export const FAILED = -1;

export class RegexText {
  text = '';
  fuel = 0;
  /** How much fuel has been used up before. */
  burnt = 0;
  /** How many characters the last scan took. */
  scanned = 0;
  private meter: Meter | null = null;

  begin(text: string, meter: Meter): void {
    this.text = text;
    this.meter = meter;
    this.fuel = FUEL - INSTRUCTIONS_PER_STEP;
    this.burnt = 0;
  }

  /** Pays for what was used and lets go of the text. */
  end(): void {
    this.meter?.pay((FUEL - this.fuel) / INSTRUCTIONS_PER_STEP);
    this.text = '';
    this.meter = null;
  }

  refuel(): void {
    while (this.fuel < 0) {
      this.meter?.pay(FUEL / INSTRUCTIONS_PER_STEP);
      this.fuel += FUEL;
      this.burnt += FUEL;
    }
  }

  /** Takes what costs much, and pays at once if it comes to a debt; the fuel is then used up. */
  private spend(cost: number): void {
    this.fuel -= cost;
    if (this.fuel >= -FUEL) return;
    const debt = -1 - this.fuel;
    this.meter?.pay(debt / INSTRUCTIONS_PER_STEP);
    this.burnt += debt;
    this.fuel = -1;
  }

  /** The next place where a match can begin, or FAILED. */
  candidate({ prefix, first, anchored }: RegexProgram, from: number): number {
    const { text } = this;
    const size = text.length;
    if (from > size || (anchored && from > 0)) return FAILED;
    if (prefix !== '') {
      const at = text.indexOf(prefix, from);
      this.fuel -= ((at < 0 ? size : at) - from) >> 4;
      return at;
    }
    if (first === null) return from;
    let at = from;
    while (at < size && first[Math.min(text.charCodeAt(at), ASCII_SIZE)] === 0) at += 1;
    this.fuel -= (at - from) >> 2;
    return at < size ? at : FAILED;
  }

  /** Where the text goes on after one character of a set, or FAILED. */
  taken(set: CharSet, at: number): number {
    const { text } = this;
    if (at === text.length) return FAILED;
    const code = text.charCodeAt(at);
    if (code < ASCII_SIZE) return set.ascii[code] === 1 ? at + 1 : FAILED;
    if (set.others === OTHERS_NONE) return FAILED;
    const end = charEnd(text, at);
    if (set.others === OTHERS_ALL) return end;
    this.spend(set.cost);
    return set.has(end === at + 1 ? code : (text.codePointAt(at) ?? 0)) ? end : FAILED;
  }

  /** Where as many characters of a set end as there are, at most so many. */
  scan(set: CharSet, from: number, most: number): number {
    const { text } = this;
    const { ascii } = set;
    const size = text.length;
    let at = from;
    let count = 0;
    while (count < most && at < size) {
      const code = text.charCodeAt(at);
      const end = code < ASCII_SIZE ? at + (ascii[code] as number) : this.taken(set, at);
      if (end <= at) break;
      at = end;
      count += 1;
    }
    this.fuel -= count >> 2;
    this.scanned = count;
    return at;
  }

  /** Where exactly so many of them end, or FAILED. */
  takenTimes(set: CharSet, from: number, times: number): number {
    if (times === 1) return this.taken(set, from);
    const end = this.scan(set, from, times);
    return this.scanned === times ? end : FAILED;
  }

  /**
   * One character back, but not further than `low`; or so many that this UTF-16 unit stands there,
   * if there is one that must follow.
   */
  stepBack(from: number, low: number, follows: number): number {
    const { text } = this;
    let at = charStart(text, from);
    if (follows === FAILED) return at;
    while (at > low && text.charCodeAt(at) !== follows) {
      const isHalf = (text.charCodeAt(at - 1) & 0xfc_00) === 0xdc_00;
      at = isHalf ? charStart(text, at) : at - 1;
    }
    this.fuel -= (from - at) >> 1;
    return at;
  }

  /** Where what a group matched ends when it comes again here, or FAILED. */
  backEnd(back: Back | undefined, slots: Int32Array, at: number): number {
    const fold = back?.fold === true;
    for (const group of back?.groups ?? []) {
      const start = slots[group * 2] as number;
      const size = (slots[group * 2 + 1] as number) - start;
      if (start < 0 || size < 0 || at + size > this.text.length) continue;
      this.spend(2 + (fold ? size * FOLD_COST : size >> 2));
      const matched = this.text.slice(start, start + size);
      if (this.text.startsWith(matched, at)) return at + size;
      if (fold && equalsFolded(matched, this.text.slice(at, at + size))) return at + size;
    }
    return FAILED;
  }
}
