/**
 * Looks for a pattern in a text: tries one way after the other, in the order the pattern prefers,
 * and comes back to where there was another one when a way ends. Every instruction is paid for, so
 * a search that would take forever ends when the budget does.
 *
 * Most never come to that. A search that takes suspiciously long begins to note what it has tried
 * in vain at which place of the text, and tries nothing twice: from there on the time it takes
 * grows with the length of the text and no faster. Before, notes would cost more than they save.
 *
 * A machine belongs to one pattern and is used for one text at a time; places are in UTF-16 units
 * and never between the two halves of a character.
 */
import type { Meter } from '../budget.ts';
import { RegexNotes } from './notes.ts';
import { charEnd, charStart, isAt, utf8Size } from './places.ts';
import { INSTRUCTION_SIZE, NO_NOTE, OPS, PLACES, type RegexProgram, UNLIMITED } from './program.ts';
import type { CharSet } from './sets.ts';
import { ENTRY_SIZE, ONCE, RegexStack } from './stack.ts';
import { FAILED, RegexText } from './text.ts';

// As names of this file: there is a bundler that looks up what is imported every time it is used.
const { MATCH, CHAR, SET, SPLIT, JUMP, SAVE, ROUND, PLACE, BACK, ATOMIC, ATOMIC_END } = OPS;
const { RUN_GREEDY, RUN_LAZY, RUN_POSSESSIVE, LOOK, LOOK_END, NOT, NOT_END } = OPS;
const { BEHIND, BEHIND_END } = OPS;
const NEXT = INSTRUCTION_SIZE;

/** What asking for the edge of a word costs in instructions. */
const PLACE_COST = 6;
/** Notes are taken after so many instructions for each character of the text. */
const PATIENCE = 8;

interface SearchOptions {
  /** Looks for the longest match anywhere and not for the first one. */
  readonly longest: boolean;
  readonly notEmpty: boolean;
}

export class RegexMachine {
  readonly program: RegexProgram;
  /** After a search: where the match and its groups begin and end, or -1. */
  readonly slots: Int32Array;
  private readonly options: SearchOptions;
  private readonly input = new RegexText();
  private readonly stack = new RegexStack();
  private readonly notes = new RegexNotes();
  private noting = false;
  /** Where the search began, and the attempt. */
  private from = 0;
  private start = 0;
  /** Where in the text to go on after coming back. */
  private resumed = 0;
  /** The slots of the longest match so far, and how many bytes of UTF-8 it has. */
  private longest: Int32Array | null = null;
  private longestSize = 0;

  constructor(program: RegexProgram, options: SearchOptions) {
    this.program = program;
    this.options = options;
    this.slots = new Int32Array(program.slots);
  }

  begin(text: string, meter: Meter): void {
    this.input.begin(text, meter);
    this.stack.begin(meter);
    this.notes.shrink();
    this.noting = false;
  }

  /** Pays for what was used and lets go of the text. */
  end(): void {
    this.input.end();
  }

  /** The first match that begins here or later, or the longest one. */
  find(from: number): boolean {
    this.from = from;
    this.longest = null;
    if (this.noting) this.freshen(from);
    let start = this.input.candidate(this.program, from);
    while (start >= 0) {
      if (this.attempt(start)) return true;
      start = this.input.candidate(this.program, charEnd(this.input.text, start));
    }
    if (this.longest === null) return false;
    this.slots.set(this.longest);
    return true;
  }

  private attempt(start: number): boolean {
    const { slots } = this;
    // A call of `fill` would take longer.
    for (let slot = this.program.groups.length * 2 - 1; slot > 0; slot -= 1) slots[slot] = FAILED;
    slots[0] = start;
    this.start = start;
    this.stack.height = 0;
    this.input.fuel -= 1 + (this.program.groups.length >> 2);
    return this.run(start);
  }

  private run(start: number): boolean {
    const { input, slots, stack } = this;
    const { text } = input;
    const { code, sets } = this.program;
    const size = text.length;
    let pc = 0;
    let at = start;
    for (;;) {
      input.fuel -= 1;
      if (input.fuel < 0) this.refuel();
      const a = code[pc + 1] as number;
      switch (code[pc]) {
        case CHAR:
          if (at === size || text.charCodeAt(at) !== a) break;
          at += 1;
          pc += NEXT;
          continue;
        case SET:
          at = input.taken(sets[a] as CharSet, at);
          if (at < 0) break;
          pc += NEXT;
          continue;
        case SPLIT:
          if (this.noting && this.note(pc, at)) break;
          stack.push(code[pc + 2] as number, at, ONCE);
          pc = a;
          continue;
        case JUMP:
          pc = a;
          continue;
        case SAVE:
          // With nothing to come back to, nobody would take it out again.
          if (stack.height > 0) stack.pushSlot(a, slots[a] as number);
          slots[a] = at;
          pc += NEXT;
          continue;
        case ROUND:
          pc = slots[a] === at ? (code[pc + 2] as number) : pc + NEXT;
          continue;
        case RUN_GREEDY:
        case RUN_LAZY:
        case RUN_POSSESSIVE:
          at = this.runSet(pc, at);
          if (at < 0) break;
          pc += NEXT;
          continue;
        case MATCH:
          if (this.accept(at)) return true;
          break;
        default:
          at = this.step(pc, at);
          if (at < 0) break;
          pc += NEXT;
          continue;
      }
      pc = this.comeBack();
      if (pc < 0) return false;
      at = this.resumed;
    }
  }

  /** Whether the search ends with a match that ends here. */
  private accept(at: number): boolean {
    const { slots, start } = this;
    if (this.options.notEmpty && at === start) return false;
    slots[1] = at;
    if (!this.options.longest) return true;
    const size = utf8Size(this.input.text, start, at);
    this.input.fuel -= at - start;
    if (this.longest === null || size > this.longestSize) {
      this.longestSize = size;
      this.longest = slots.slice(0, this.program.groups.length * 2);
    }
    return false;
  }

  /** The rarer instructions: where to go on in the text, or FAILED. */
  private step(pc: number, at: number): number {
    const { code, backs } = this.program;
    const { slots, stack } = this;
    const a = code[pc + 1] as number;
    const b = code[pc + 2] as number;
    switch (code[pc]) {
      case PLACE:
        this.input.fuel -= PLACE_COST;
        if (PLACES[a] === 'search-start') return at === this.from ? at : FAILED;
        return isAt(PLACES[a], this.input.text, at) ? at : FAILED;
      case BACK:
        return this.input.backEnd(backs[a], slots, at);
      case ATOMIC:
        slots[a] = stack.height;
        return at;
      case ATOMIC_END:
        this.cut(slots[a] as number);
        return at;
      case LOOK:
        slots[a] = stack.height;
        slots[b] = at;
        return at;
      case LOOK_END:
        this.cut(slots[a] as number);
        return slots[b] as number;
      case NOT:
        slots[a] = stack.height;
        slots[b] = at;
        stack.push(code[pc + 3] as number, at, ONCE);
        return at;
      case NOT_END:
        this.input.fuel -= stack.height - (slots[a] as number);
        stack.unwind(slots[a] as number, slots);
        return FAILED;
      case BEHIND:
        return this.lookBehind(pc, at);
      case BEHIND_END:
        return slots[a] === at ? at : FAILED;
      default:
        return FAILED;
    }
  }

  private lookBehind(pc: number, at: number): number {
    const { code } = this.program;
    const min = code[pc + 2] as number;
    const more = (code[pc + 3] as number) - min;
    let start = at;
    for (let back = 0; back < min; back += 1) {
      if (start === 0) return FAILED;
      start = charStart(this.input.text, start);
    }
    this.input.fuel -= min;
    if (more > 0) this.stack.push(pc, start, more);
    return start;
  }

  private cut(to: number): void {
    this.input.fuel -= this.stack.height - to;
    this.stack.cut(to);
  }

  /** As scan, but no further than to where the same has been tried before. */
  private scanNoted(pc: number, set: CharSet, from: number): number {
    let at = from;
    for (;;) {
      this.input.fuel -= 1;
      const end = this.input.taken(set, at);
      if (end < 0) return at;
      const row = this.rowOf(pc, end);
      if (row !== NO_NOTE && this.notes.has(row, end)) return at;
      at = end;
    }
  }

  /** Takes a set many times, and leaves behind that there may be more or fewer of them. */
  private runSet(pc: number, from: number): number {
    const { code, sets } = this.program;
    const set = sets[code[pc + 1] as number] as CharSet;
    const min = code[pc + 2] as number;
    const max = code[pc + 3] as number;
    let low = from;
    if (min > 0) {
      low = this.input.takenTimes(set, from, min);
      if (low < 0) return FAILED;
    }
    if (min === max) return low;
    if (code[pc] === RUN_LAZY) return this.tryLazily(pc, low, max - min);
    const high =
      this.noting && max === UNLIMITED
        ? this.scanNoted(pc, set, low)
        : this.input.scan(set, low, max - min);
    if (code[pc] === RUN_POSSESSIVE) return high;
    if (high > low) this.stack.push(pc, high, low);
    return this.noting && this.note(pc, high) ? FAILED : high;
  }

  private tryLazily(pc: number, at: number, more: number): number {
    const tried = this.noting && this.note(pc, at);
    // Without a limit, whatever could follow here has been tried as well.
    if (tried && this.program.code[pc + 3] === UNLIMITED) return FAILED;
    if (more > 0) this.stack.push(pc, at, more);
    return tried ? FAILED : at;
  }

  /** Goes on with what is left to try: where in the program, or FAILED if nothing is. */
  private comeBack(): number {
    const { stack, slots } = this;
    const { items } = stack;
    while (stack.height > 0) {
      this.input.fuel -= 1;
      stack.height -= ENTRY_SIZE;
      const where = items[stack.height] as number;
      const at = items[stack.height + 1] as number;
      const more = items[stack.height + 2] as number;
      if (where < 0) {
        slots[~where] = at;
      } else if (more === ONCE) {
        this.resumed = at;
        return where;
      } else {
        this.resumed = this.tryMore(where, at, more);
        if (this.resumed >= 0) return where + NEXT;
      }
    }
    return FAILED;
  }

  /** One character fewer of a greedy run, one more of a lazy one, one further behind. */
  private tryMore(pc: number, at: number, more: number): number {
    const { code, sets } = this.program;
    switch (code[pc]) {
      case RUN_GREEDY: {
        // Notes say what was tried, and rely on everything having been.
        const isKnown = !this.noting && code[pc + NEXT] === CHAR;
        const follows = isKnown ? (code[pc + NEXT + 1] as number) : FAILED;
        const start = this.input.stepBack(at, more, follows);
        if (start > more) this.stack.push(pc, start, more);
        return this.noting && this.note(pc, start) ? FAILED : start;
      }
      case RUN_LAZY: {
        const end = this.input.taken(sets[code[pc + 1] as number] as CharSet, at);
        return end < 0 ? FAILED : this.tryLazily(pc, end, more - 1);
      }
      default: {
        if (at === 0 || more === 0) return FAILED;
        const start = charStart(this.input.text, at);
        this.stack.push(pc, start, more - 1);
        return start;
      }
    }
  }

  private refuel(): void {
    this.input.refuel();
    const isLong = this.input.burnt > PATIENCE * this.input.text.length;
    if (isLong && !this.noting) this.startNotes();
  }

  private startNotes(): void {
    const words = this.notes.start(this.program.notes, this.input.text.length + 1);
    this.input.fuel -= words >> 2;
    this.noting = words > 0;
  }

  /** Before the next match is looked for. */
  private freshen(from: number): void {
    // To find the longest one, everything was tried everywhere.
    if (this.options.longest) return this.startNotes();
    // What was tried where the last match ended led to that match, and may lead to the next.
    this.notes.forget(from);
    this.input.fuel -= this.program.notes;
  }

  /** Where an instruction has its note for a place. */
  private rowOf(pc: number, at: number): number {
    const { code, rounds } = this.program;
    const row = code[pc + 4] as number;
    const round = code[pc + 5] as number;
    if (row === NO_NOTE || round === 0) return row;
    const begun = rounds[round] as readonly number[];
    this.input.fuel -= begun.length >> 1;
    let taking = 0;
    for (const slot of begun) if ((this.slots[slot] as number) < at) taking += 1;
    return row + taking;
  }

  /** Notes that an instruction is tried at a place; whether it has been before. */
  private note(pc: number, at: number): boolean {
    this.input.fuel -= 1;
    const row = this.rowOf(pc, at);
    return row !== NO_NOTE && this.notes.add(row, at);
  }
}
