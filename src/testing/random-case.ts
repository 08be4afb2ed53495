/**
 * A case: one random definition and the habits of whoever answers for it. A seed names it whole, so
 * the seed is the bug report; and it is data, so a case that breaks a law can be made smaller.
 */
import { hasKind, randomRow, type Row, smallerRows } from './random-blocks.ts';
import { randomGraph } from './random-draw.ts';
import { drawGraph, type Graph, smallerGraphs } from './random-graph.ts';
import { kindBlocks, TRAP_FAULTS } from './random-kinds.ts';
import { layOut } from './random-layout.ts';
import { luck, lucky } from './random-luck.ts';
import type { Drawing } from './story.ts';

export interface Case {
  readonly seed: number;
  readonly shape: Shape;
  /** Whether some closures go wrong. */
  readonly trapped: boolean;
  readonly habits: Habits;
}

export type Shape =
  | { readonly family: 'structured'; readonly row: Row }
  | { readonly family: 'unstructured'; readonly graph: Graph };

/** How answers come. With all of them at their simplest, each comes once and in time. */
export interface Habits {
  /** Who is answered first: who has waited longest, who has waited least, or anyone. */
  readonly order: Order;
  /** Which answer of a handler is a failure; null if none is. */
  readonly failAt: number | null;
  /** Moves in one stride, if it is to be short. */
  readonly movesPerCommit: number | null;
  /** Leases run out now and then. */
  readonly leases: boolean;
  /** Answers come twice, late, too early or to the wrong token. */
  readonly strays: boolean;
  /** Some wakes happen in a process that lacks the flow's closures. */
  readonly wakeOnly: boolean;
  /** A worker keeps what its commit made ready. */
  readonly handOver: boolean;
}

export type Order = 'fifo' | 'lifo' | 'random';

export const ORDERS: readonly Order[] = ['fifo', 'lifo', 'random'];

/** Three of five seeds are structured: those are also checked for order and output. */
export function caseOf(seed: number): Case {
  const shape: Shape =
    seed % 5 < 3
      ? { family: 'structured', row: randomRow(seed) }
      : { family: 'unstructured', graph: randomGraph(seed) };
  const often = (sides: number, word: string): boolean => luck(sides, seed, word) === 0;
  const habits: Habits = {
    order: lucky(ORDERS, seed, 'order'),
    failAt: often(6, 'fails') ? luck(6, seed, 'fail at') : null,
    movesPerCommit: often(3, 'short') ? 1 + luck(5, seed, 'moves') : null,
    leases: often(3, 'leases'),
    strays: often(2, 'strays'),
    wakeOnly: often(4, 'wake only'),
    handOver: often(3, 'hand over'),
  };
  return { seed, shape, trapped: often(12, 'trapped'), habits };
}

/** The definition of a case under a name of its own: no two runs may claim each other's tokens. */
export function drawingOf({ seed, shape, trapped }: Case, name: string): Drawing {
  const isTrapped = (node: string): boolean => trapped && luck(3, seed, 'trap', node) === 0;
  const common = { name, isTrapped };
  return shape.family === 'structured' ? layOut(shape.row, common) : drawGraph(shape.graph, common);
}

/** The fault codes with which a run of this case may end. */
export function plannedFaults({ trapped, habits }: Case): ReadonlySet<string> {
  const traps = Object.values(kindBlocks).flatMap(({ faults = [] }) => faults);
  return new Set([
    ...(habits.failAt === null ? [] : [PLANNED_FAILURE]),
    ...(trapped ? [...TRAP_FAULTS, ...traps] : []),
  ]);
}

export const PLANNED_FAILURE = 'planned';

/** True if neither output nor path may depend on the order of answers. */
export function isOrderly({ shape, trapped, habits }: Case): boolean {
  if (shape.family === 'unstructured' || trapped || habits.failAt !== null) return false;
  return !hasKind(shape.row, 'terminate');
}

/** The same case with less in it: fewer nodes first, then simpler habits. */
export function* smallerCases(whole: Case): Iterable<Case> {
  const { shape, habits } = whole;
  if (shape.family === 'structured') {
    for (const row of smallerRows(shape.row)) yield { ...whole, shape: { ...shape, row } };
  } else {
    for (const graph of smallerGraphs(shape.graph)) yield { ...whole, shape: { ...shape, graph } };
  }
  if (whole.trapped) yield { ...whole, trapped: false };
  for (const [name, value] of Object.entries(SIMPLEST)) {
    const simpler = { ...habits, [name]: value } as Habits;
    if (habits[name as keyof Habits] !== value) yield { ...whole, habits: simpler };
  }
}

const SIMPLEST: Habits = {
  order: 'fifo',
  failAt: null,
  movesPerCommit: null,
  leases: false,
  strays: false,
  wakeOnly: false,
  handOver: false,
};
