/**
 * A case: one random definition and the habits of whoever answers for it. A seed names it whole, so
 * the seed is the bug report; and it is data, so a case that breaks a law can be made smaller.
 */
import type { JsonObject } from '../base/json.ts';
import {
  type Block,
  hasKind,
  type Mood,
  randomRow,
  type Row,
  smallerRows,
} from './random-blocks.ts';
import { setsFor } from './laws-answers.ts';
import { randomGraph } from './random-draw.ts';
import { drawGraph, type Graph, smallerGraphs } from './random-graph.ts';
import { kindBlocks, TRAP_FAULTS } from './random-kinds.ts';
import { type Failing, layOut } from './random-layout.ts';
import { luck, lucky } from './random-luck.ts';
import { itemOf } from './random-maps.ts';
import type { Drawing } from './story.ts';

export interface Case {
  readonly seed: number;
  readonly shape: Shape;
  /** Whether some closures go wrong. */
  readonly trapped: boolean;
  /** What the definition says of failures. */
  readonly failing: Failing;
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
  /** Handlers and instances that were called fail as luck has it, some again and again. */
  readonly failures: boolean;
  /** After how many strides someone cancels the instance, and whether what it did is undone. */
  readonly cancel: { readonly after: number; readonly saga: boolean } | null;
  /** Another instance waits for the end of this one. */
  readonly called: boolean;
  /** Moves in one stride, if it is to be short. */
  readonly movesPerCommit: number | null;
  /** Leases run out now and then. */
  readonly leases: boolean;
  /** How many leases of a token may run out, if fewer than usual. */
  readonly crashesMax: number | null;
  /** Answers come twice, late, too early or to the wrong token. */
  readonly strays: boolean;
  /** Some wakes happen in a process that lacks the flow's closures. */
  readonly wakeOnly: boolean;
  /** A worker keeps what its commit made ready. */
  readonly handOver: boolean;
}

export type Order = 'fifo' | 'lifo' | 'random';

export const ORDERS: readonly Order[] = ['fifo', 'lifo', 'random'];

const MOODS: readonly Mood[] = ['calm', 'calm', 'calm', 'mixed', 'stormy', 'stormy'];

/** Three of five seeds are structured: those are also checked for order and output. */
export function caseOf(seed: number): Case {
  const mood = lucky(MOODS, seed, 'mood');
  const shape: Shape =
    seed % 5 < 3
      ? { family: 'structured', row: randomRow(seed, mood) }
      : { family: 'unstructured', graph: randomGraph(seed) };
  const often = (sides: number, word: string): boolean => luck(sides, seed, word) === 0;
  const habits: Habits = {
    order: lucky(ORDERS, seed, 'order'),
    failAt: often(mood === 'stormy' ? 2 : 9, 'fails') ? luck(12, seed, 'fail at') : null,
    failures: often(mood === 'stormy' ? 2 : 4, 'failures'),
    cancel: often(mood === 'stormy' ? 9 : 18, 'cancels')
      ? { after: 1 + luck(12, seed, 'cancel'), saga: luck(3, seed, 'undoes') > 0 }
      : null,
    called: often(4, 'called'),
    movesPerCommit: often(3, 'short') ? 1 + luck(5, seed, 'moves') : null,
    leases: often(3, 'leases'),
    crashesMax: often(4, 'crashes') ? luck(2, seed, 'crashes max') : null,
    strays: often(2, 'strays'),
    wakeOnly: often(4, 'wake only'),
    handOver: often(3, 'hand over'),
  };
  const failing: Failing = {
    ...(often(2, 'reach') ? { saga: lucky(['none', 'scope', 'instance'], seed, 'saga') } : {}),
    ...(often(6, 'halts') ? { onUndoFailure: 'halt' } : {}),
    ...(often(12, 'mends') ? { onFailure: 'incident' } : {}),
  };
  return { seed, shape, trapped: often(12, 'trapped'), failing, habits };
}

/** The definition of a case under a name of its own: no two runs may claim each other's tokens. */
export function drawingOf({ seed, shape, trapped, failing }: Case, name: string): Drawing {
  const isTrapped = (node: string): boolean => trapped && luck(3, seed, 'trap', node) === 0;
  const common = { name, isTrapped, failing };
  return shape.family === 'structured' ? layOut(shape.row, common) : drawGraph(shape.graph, common);
}

/** The fault codes with which a run of this case may end. */
export function plannedFaults({ trapped, habits }: Case): ReadonlySet<string> {
  const blocks = Object.values(kindBlocks);
  const traps = blocks.flatMap(({ faults = [] }) => faults);
  const raised = blocks.flatMap(({ raises = [] }) => raises);
  return new Set([
    ...raised,
    ...(habits.failAt === null ? [] : [PLANNED_FAILURE]),
    ...(habits.failures ? ['call.canceled'] : []),
    ...(habits.leases && habits.crashesMax !== null ? ['LEASE_EXPIRED'] : []),
    ...(trapped ? [...TRAP_FAULTS, ...traps] : []),
  ]);
}

export const PLANNED_FAILURE = 'planned';

/**
 * True if neither output nor path may depend on the order of answers. Where something ends what
 * runs beside it (a terminate, a race, a fault that leaves a branch) they do, and then the oracle
 * has no say: only the laws of every stride and of the books hold.
 */
export function isOrderly(one: Case): boolean {
  const { shape, trapped, failing, habits } = one;
  if (shape.family === 'unstructured' || trapped) return false;
  if (habits.failAt !== null || habits.cancel !== null) return false;
  if (hasKind(shape.row, 'terminate', 'race')) return false;
  if (!habits.failures && !hasKind(shape.row, 'fail', 'approve', 'map')) return true;
  const nodes = nodesOf(one);
  if (collides(shape.row, nodes, one.seed, false)) return false;
  if (!habits.failures && !raises(shape.row, nodes)) return true;
  // Someone who mends a failure may do what they like.
  if (failing.onFailure !== undefined || failing.onUndoFailure !== undefined) return false;
  return !cutsBeside(shape.row, nodes, habits.failures, false);
}

/** Whether the whole run, leases and all, comes to what the oracle says. */
export function isOrderlyAsPlayed(one: Case): boolean {
  const { shape, habits } = one;
  const { leases, failures, crashesMax } = habits;
  // A lease that runs out is an attempt, so how often something fails no longer says it all.
  const counts = failures || crashesMax !== null;
  const tries = shape.family === 'structured' && hasKind(shape.row, 'try');
  return isOrderly(one) && !(leases && (counts || tries));
}

type Nodes = ReadonlyMap<string, JsonObject>;

function nodesOf(one: Case): Nodes {
  const { draft } = drawingOf(one, 'nodes');
  return new Map(draft.nodes.map(({ id, settings }) => [id, settings]));
}

function settingsOf(nodes: Nodes, id: string): JsonObject {
  return nodes.get(id) ?? {};
}

/**
 * Items of a map at the same time end each other when it has seen enough, and set the same
 * variables of the instance.
 */
function collides(row: Row, nodes: Nodes, seed: number, beside: boolean): boolean {
  return row.some(({ kind, id, rows }) => {
    const { asks, limit } = settingsOf(nodes, itemOf(id));
    const isWide = kind === 'map' && limit !== 1;
    if (isWide && asks === true) return true;
    if (beside && kind === 'set' && settingsOf(nodes, id)['in'] === 'instance') return true;
    const sets = kind === 'step' ? setsFor(id, '', seed) : [];
    if (beside && sets.some((set) => set.in === 'instance')) return true;
    return rows.some((inner) => collides(inner, nodes, seed, beside || isWide));
  });
}

/** True if a fault may come of it though every handler does well. */
function raises(row: Row, nodes: Nodes): boolean {
  return row.some((block) => {
    return isRaiser(block, nodes) || block.rows.some((inner) => raises(inner, nodes));
  });
}

function isRaiser({ kind, id }: Block, nodes: Nodes): boolean {
  const { onReject, onEmpty } = settingsOf(nodes, id);
  return kind === 'fail' || (kind === 'approve' && (onReject === 'fail' || onEmpty === 'fail'));
}

/** True if a fault may come out of a branch while others run, or wait for someone to mend it. */
function cutsBeside(row: Row, nodes: Nodes, failures: boolean, beside: boolean): boolean {
  return row.some((block) => {
    const { kind, id, rows } = block;
    const settings = settingsOf(nodes, id);
    const fails = isRaiser(block, nodes) || (failures && (kind === 'step' || kind === 'call'));
    if (fails && (beside || settings['onFailure'] !== undefined)) return true;
    if (kind === 'map') {
      // What fails is kept in its place, or takes along what is at work beside it.
      const { settles, limit } = settingsOf(nodes, itemOf(id));
      const inside = settles !== true && (beside || limit !== 1);
      return rows.some((inner) => cutsBeside(inner, nodes, failures, inside));
    }
    if (kind !== 'try') {
      const inside = beside || kind === 'fork' || kind === 'many';
      return rows.some((inner) => cutsBeside(inner, nodes, failures, inside));
    }
    const { caught, errors, asks } = settings;
    const sure = caught !== undefined && errors === undefined && asks === undefined;
    return rows.some((inner, n) =>
      cutsBeside(inner, nodes, failures, beside && !(sure && n === 0)),
    );
  });
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
  for (const word of Object.keys(whole.failing) as (keyof Failing)[]) {
    const { [word]: _, ...failing } = whole.failing;
    yield { ...whole, failing };
  }
  for (const [name, value] of Object.entries(SIMPLEST)) {
    const simpler = { ...habits, [name]: value } as Habits;
    if (habits[name as keyof Habits] !== value) yield { ...whole, habits: simpler };
  }
}

const SIMPLEST: Habits = {
  order: 'fifo',
  failAt: null,
  failures: false,
  cancel: null,
  called: false,
  movesPerCommit: null,
  leases: false,
  crashesMax: null,
  strays: false,
  wakeOnly: false,
  handOver: false,
};
