/**
 * Turns the tree of a pattern into a program: a row of instructions that machine.ts follows
 * through a text. Each instruction is six numbers: what to do, three operands, and where it may be
 * noted that it was tried at a place of the text.
 *
 * Such notes are what keeps a search short that would try the same thing over and over (`(a+)+$`).
 * They are only right where it does not matter how one got there, so there are none inside of look
 * arounds and atomic groups, and none at all in a pattern that refers back to what a group matched.
 * In a loop whose body may be empty it matters whether the round has taken anything yet; there the
 * place for the note depends on that too (`rounds`).
 */
import { unreachable } from '../../../base/assert.ts';
import type { Meter } from '../budget.ts';
import { raise } from '../faults.ts';
import { firstOf, isAnchored, shapeOf } from './shape.ts';
import { type CharSet, makeSet } from './sets.ts';
import type { RegexTree } from './syntax.ts';
import type { RegexNode, Where } from './tree.ts';

/** What an instruction does, with its operands a, b and c. */
export const OPS = {
  MATCH: 0,
  /** a: the UTF-16 unit that must stand here. */
  CHAR: 1,
  /** a: the set one character of which must stand here. */
  SET: 2,
  /** a: where to go on first; b: where to go on if that fails. */
  SPLIT: 3,
  /** a: where to go on. */
  JUMP: 4,
  /** a: the slot to write the place into. */
  SAVE: 5,
  /** One set many times. a: the set; b: how often at least; c: and at most. */
  RUN_GREEDY: 6,
  RUN_LAZY: 7,
  RUN_POSSESSIVE: 8,
  /** a: which place this must be. */
  PLACE: 9,
  /** The end of a round. a: the slot of its beginning; b: where to go if it took nothing. */
  ROUND: 10,
  /** a: which reference back. */
  BACK: 11,
  /** a: the slot to write the height of the stack into. */
  ATOMIC: 12,
  ATOMIC_END: 13,
  /** a: as above; b: the slot for the place to come back to. */
  LOOK: 14,
  LOOK_END: 15,
  /** a and b: as above; c: where to go on if it does not match. */
  NOT: 16,
  NOT_END: 17,
  /** a: the slot of the place to be behind of; b: how many characters at least; c: and at most. */
  BEHIND: 18,
  BEHIND_END: 19,
} as const;

export const INSTRUCTION_SIZE = 6;
export const UNLIMITED = 0x7f_ff_ff_ff;
/** In place of a number of a note: this instruction has none. */
export const NO_NOTE = -1;

/** What a pattern may come to. One instruction takes 24 bytes, its set 300. */
const INSTRUCTIONS_MAX = 5_000;

/** What making one costs in steps, and with it the machine's part in it. */
const STEPS_PER_INSTRUCTION = 10;

/** The places by number, as the operand of PLACE. */
export const PLACES: readonly Where[] = [
  'text-start',
  'text-end',
  'text-end-or-last-line',
  'line-start',
  'line-end',
  'word-edge',
  'no-word-edge',
  'search-start',
];

/** A reference to what one of these groups has matched; the first that fits counts. */
export interface Back {
  readonly groups: readonly number[];
  readonly fold: boolean;
}

export interface RegexProgram {
  readonly code: Int32Array;
  readonly sets: readonly CharSet[];
  readonly backs: readonly Back[];
  /** The names of the groups; the first stands for the match itself. */
  readonly groups: readonly (string | null)[];
  /** Two for each group, and what loops and look arounds need. */
  readonly slots: number;
  /** How many notes there are for each place of the text. None: the pattern must do without. */
  readonly notes: number;
  /** For the last number of an instruction: the slots where the rounds around it began. */
  readonly rounds: readonly (readonly number[])[];
  /** Whether it can only match where the text begins. */
  readonly anchored: boolean;
  /** What every match begins with; mostly empty. */
  readonly prefix: string;
  /** 1 for each ASCII character a match can begin with, and one more for all the others. */
  readonly first: Uint8Array | null;
}

interface Writing {
  readonly meter: Meter;
  readonly code: number[];
  readonly sets: CharSet[];
  readonly setNumbers: Map<CharSet | number, number>;
  readonly backs: Back[];
  /** The groups around what is being written. */
  readonly open: Set<number>;
  readonly rounds: (readonly number[])[];
  slots: number;
  notes: number;
  /** How many look arounds and atomic groups are around what is being written. */
  closed: number;
  /** The number of the rounds around it. */
  round: number;
  depends: boolean;
}

export function writeProgram({ root, groups }: RegexTree, meter: Meter): RegexProgram {
  const writing: Writing = {
    meter,
    code: [],
    sets: [],
    setNumbers: new Map(),
    backs: [],
    open: new Set(),
    rounds: [[]],
    slots: groups.length * 2,
    notes: 0,
    closed: 0,
    round: 0,
    depends: false,
  };
  write(writing, root);
  add(writing, OPS.MATCH);
  const code = Int32Array.from(writing.code);
  return {
    code,
    sets: writing.sets,
    backs: writing.backs,
    groups,
    slots: writing.slots,
    notes: writing.depends ? 0 : writing.notes,
    rounds: writing.rounds,
    anchored: isAnchored(root),
    prefix: prefixOf(code),
    first: firstOf(root),
  };
}

function add(writing: Writing, op: number, a = 0, b = 0, c = 0): number {
  const { code, meter } = writing;
  const at = code.length;
  if (at >= INSTRUCTIONS_MAX * INSTRUCTION_SIZE) {
    raise(meter, `Regex failure: too big: more than ${INSTRUCTIONS_MAX} instructions`);
  }
  meter.pay(STEPS_PER_INSTRUCTION);
  const noted = op === OPS.SPLIT || op === OPS.RUN_GREEDY || op === OPS.RUN_LAZY;
  const note = noted && writing.closed === 0 ? writing.notes : NO_NOTE;
  if (note !== NO_NOTE) writing.notes += 1 + (writing.rounds[writing.round]?.length ?? 0);
  code.push(op, a, b, c, note, writing.round);
  return at;
}

/** Where the next instruction will be. */
function here({ code }: Writing): number {
  return code.length;
}

function write(writing: Writing, node: RegexNode): void {
  writing.meter.pay(1);
  switch (node.is) {
    case 'char':
      return writeChar(writing, node.code);
    case 'set':
      add(writing, OPS.SET, setNumber(writing, node.set));
      return;
    case 'sequence':
      for (const part of node.parts) write(writing, part);
      return;
    case 'choice':
      return writeChoice(writing, node.ways);
    case 'repeat':
      return writeRepeat(writing, node);
    case 'group':
      writing.open.add(node.index);
      add(writing, OPS.SAVE, node.index * 2);
      write(writing, node.body);
      add(writing, OPS.SAVE, node.index * 2 + 1);
      writing.open.delete(node.index);
      return;
    case 'options':
      return write(writing, node.body);
    case 'atomic':
      return writeAtomic(writing, () => write(writing, node.body));
    case 'look':
      return writeLook(writing, node);
    case 'back':
      writing.depends = true;
      add(writing, OPS.BACK, writing.backs.push(closedBack(writing, node)) - 1);
      return;
    case 'place':
      if (node.where === 'search-start') writing.depends = true;
      add(writing, OPS.PLACE, PLACES.indexOf(node.where));
      return;
    case 'keep':
      add(writing, OPS.SAVE, 0);
      return;
    default:
      return unreachable(node);
  }
}

/** A group has matched nothing yet that one could refer to while it is still open. */
function closedBack({ open }: Writing, { groups, fold }: Back): Back {
  return { groups: groups.filter((group) => !open.has(group)), fold };
}

function writeChar(writing: Writing, code: number): void {
  // Half of a pair must not be found within one, and what is beyond Unicode not at all.
  if ((code >= 0xd8_00 && code <= 0xdf_ff) || code > 0x10_ff_ff) {
    add(writing, OPS.SET, setNumber(writing, code));
    return;
  }
  const text = String.fromCodePoint(code);
  for (let at = 0; at < text.length; at += 1) add(writing, OPS.CHAR, text.charCodeAt(at));
}

function setNumber(writing: Writing, of: CharSet | number): number {
  let number = writing.setNumbers.get(of);
  if (number === undefined) {
    const set = typeof of === 'number' ? makeSet([{ part: 'range', from: of, to: of }]) : of;
    number = writing.sets.push(set) - 1;
    writing.setNumbers.set(of, number);
  }
  return number;
}

function writeChoice(writing: Writing, ways: readonly RegexNode[]): void {
  const ends: number[] = [];
  for (const way of ways.slice(0, -1)) {
    const split = add(writing, OPS.SPLIT);
    writing.code[split + 1] = here(writing);
    write(writing, way);
    ends.push(add(writing, OPS.JUMP));
    writing.code[split + 2] = here(writing);
  }
  for (const way of ways.slice(-1)) write(writing, way);
  for (const end of ends) writing.code[end + 1] = here(writing);
}

type RepeatNode = Extract<RegexNode, { is: 'repeat' }>;

const RUNS = { greedy: OPS.RUN_GREEDY, lazy: OPS.RUN_LAZY, possessive: OPS.RUN_POSSESSIVE };

function writeRepeat(writing: Writing, node: RepeatNode): void {
  const { body, min, max, how } = node;
  if (body.is === 'char' || body.is === 'set') {
    const set = setNumber(writing, body.is === 'char' ? body.code : body.set);
    add(writing, RUNS[how], set, min, Math.min(max, UNLIMITED));
    return;
  }
  if (how === 'possessive') {
    writeAtomic(writing, () => writeRepeat(writing, { ...node, how: 'greedy' }));
    return;
  }
  const lazy = how === 'lazy';
  const rounds: number[] = [];
  // Where there is a limit none of this would be needed, but jq does it too, and one can tell.
  const isWatched = max > 1 && shapeOf(body).min === 0;
  const writeBody = isWatched
    ? () => void rounds.push(writeRound(writing, body))
    : () => write(writing, body);
  const copies = max === Infinity ? min - 1 : min;
  for (let times = 0; times < copies; times += 1) writeBody();
  if (max === Infinity) {
    writeLoop(writing, body, { lazy, once: min > 0 });
  } else {
    const splits: number[] = [];
    for (let times = min; times < max; times += 1) {
      const split = add(writing, OPS.SPLIT);
      aim(writing, split, { lazy, body: here(writing) });
      splits.push(split);
      writeBody();
    }
    for (const split of splits) aim(writing, split, { lazy, exit: here(writing) });
  }
  for (const round of rounds) writing.code[round + 2] = here(writing);
}

/** A body that ends its loop if it takes nothing; the instruction that has to be told where to. */
function writeRound(writing: Writing, body: RegexNode): number {
  const slot = writing.slots;
  const outer = writing.round;
  writing.slots += 1;
  add(writing, OPS.SAVE, slot);
  writing.round = writing.rounds.push([...(writing.rounds[outer] ?? []), slot]) - 1;
  write(writing, body);
  writing.round = outer;
  return add(writing, OPS.ROUND, slot);
}

/** Says where the two ways of a split go; which of them is tried first is what lazy means. */
function aim(
  { code }: Writing,
  split: number,
  to: { readonly lazy: boolean; readonly body?: number; readonly exit?: number },
): void {
  if (to.body !== undefined) code[split + (to.lazy ? 2 : 1)] = to.body;
  if (to.exit !== undefined) code[split + (to.lazy ? 1 : 2)] = to.exit;
}

/** A body again and again; the first time without being asked, if `once`. */
function writeLoop(
  writing: Writing,
  body: RegexNode,
  { lazy, once }: { readonly lazy: boolean; readonly once: boolean },
): void {
  const start = once ? NO_NOTE : add(writing, OPS.SPLIT);
  const top = here(writing);
  const check = shapeOf(body).min === 0 ? writeRound(writing, body) : NO_NOTE;
  if (check === NO_NOTE) write(writing, body);
  const again = once ? add(writing, OPS.SPLIT) : start;
  if (!once) add(writing, OPS.JUMP, start);
  aim(writing, again, { lazy, body: top, exit: here(writing) });
  if (check !== NO_NOTE) writing.code[check + 2] = here(writing);
}

function writeAtomic(writing: Writing, writeBody: () => void): void {
  const height = writing.slots;
  writing.slots += 1;
  writing.closed += 1;
  add(writing, OPS.ATOMIC, height);
  writeBody();
  add(writing, OPS.ATOMIC_END, height);
  writing.closed -= 1;
}

function writeLook(writing: Writing, node: Extract<RegexNode, { is: 'look' }>): void {
  const height = writing.slots;
  const place = writing.slots + 1;
  writing.slots += 2;
  writing.closed += 1;
  const begin = add(writing, node.negative ? OPS.NOT : OPS.LOOK, height, place);
  if (node.behind) {
    const { min, max } = shapeOf(node.body);
    add(writing, OPS.BEHIND, place, min, Math.min(max, UNLIMITED));
  }
  write(writing, node.body);
  if (node.behind) add(writing, OPS.BEHIND_END, place);
  add(writing, node.negative ? OPS.NOT_END : OPS.LOOK_END, height, place);
  writing.code[begin + 3] = here(writing);
  writing.closed -= 1;
}

/** The characters every way through the program begins with. */
function prefixOf(code: Int32Array): string {
  let prefix = '';
  for (let pc = 0; code[pc] === OPS.CHAR || code[pc] === OPS.SAVE; pc += INSTRUCTION_SIZE) {
    // Where a match begins is then not where it is found.
    if (code[pc] === OPS.SAVE && code[pc + 1] === 0) return prefix;
    if (code[pc] === OPS.CHAR) prefix += String.fromCharCode(code[pc + 1] ?? 0);
  }
  return prefix;
}
