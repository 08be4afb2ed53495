/**
 * What the plan alone tells of its flowcharts: in which loops an activity lies, what a token's pass
 * is after each edge, and from where an activity can still be come to, edge by edge.
 *
 * A loop is a knot of activities, and inside it, without the edges back to its first header, there
 * may be others: so loops lie in each other, and an activity in some of them, outermost first. A
 * token's pass is one number for each of those. Whoever takes an edge back has a new number for
 * that loop, and none for those inside it; whoever leaves a loop forgets its number. So tokens that
 * came the same way have the same pass, those of two passes never do, and whoever comes out of a
 * loop is what it was before, however often it went round.
 *
 * Worked out once for each plan and kept with the machine; from where an activity can be come to
 * is found when it is first asked.
 */
import { assert } from '../base/assert.ts';
import { knotsIn } from '../base/knots.ts';
import type { EdgeId, GroupId, NodeId } from '../model/ids.ts';
import type { MergeMode } from '../model/merge.ts';
import type { Edge, Plan, PlanNode } from '../model/plan.ts';
import { Approach } from './approach.ts';

export type Pass = readonly GroupId[];

export class Chart {
  /** By activity: the loops it lies in, outermost first. */
  readonly #loops: ReadonlyMap<NodeId, readonly number[]>;
  /** By edge that leads back: which of the loops around its ends it begins anew. */
  readonly #levels: ReadonlyMap<EdgeId, number>;
  readonly #gates = new Map<NodeId, Gate>();
  readonly #map: ChartMap;

  constructor(plan: Plan) {
    const activities = Array.from(plan.nodes.values()).filter(({ merge }) => merge !== undefined);
    const { loops, levels } = nestOf(plan, inOrder(plan, activities));
    this.#loops = loops;
    this.#levels = levels;
    this.#map = mapOf(plan, activities, (edge, from) => loops.get(from)?.[levels.get(edge) ?? -1]);
  }

  /** Null where a token that comes has nothing to wait for. */
  gateAt({ id, merge, in: edges }: PlanNode): Gate | null {
    if (merge === undefined || merge === 'cascade' || edges.length < 2) return null;
    const known = this.#gates.get(id);
    if (known !== undefined) return known;
    const isBack = (edge: EdgeId): boolean => this.#levels.has(edge);
    const forward = edges.filter((edge) => !isBack(edge));
    const approach = new Approach(this.#map, id, forward, new Set(this.#loopsAt(id)));
    const gate = { node: id, mode: merge, edges, forward, isBack, approach };
    this.#gates.set(id, gate);
    return gate;
  }

  /** The pass of whoever takes this edge. */
  passBy({ id, from, to }: Edge, pass: Pass, nextId: () => number): Pass {
    const level = this.#levels.get(id);
    if (level === undefined) return this.passAt(from, to, pass);
    const begun = pass.slice(0, level);
    while (begun.length < level) begun.push(0 as GroupId);
    begun.push(nextId() as GroupId);
    return begun;
  }

  /** What is left of a pass for whoever was at one activity and is at another now. */
  passAt(from: NodeId, to: NodeId, pass: Pass): Pass {
    // What is no activity has forks there, and no pass.
    if (pass.length === 0 || !this.#map.numbers.has(from)) return pass;
    const kept = this.#shared(from, to);
    return pass.length <= kept ? pass : trimmed(pass.slice(0, kept));
  }

  /** In how many loops an activity lies: no pass there has more numbers. */
  depthAt(node: NodeId): number {
    return this.#loopsAt(node).length;
  }

  /** Whether a token that is there in one pass may come to an activity in another pass. */
  mayMeet(from: NodeId, pass: Pass, to: NodeId, other: Pass): boolean {
    if (other.length === 0 && pass.length === 0) return true;
    const shared = this.#shared(from, to);
    for (let level = 0; level < shared; level += 1) {
      if ((pass[level] ?? 0) !== (other[level] ?? 0)) return false;
    }
    // Into a loop one comes in its first pass.
    return other.length <= shared;
  }

  #loopsAt(node: NodeId): readonly number[] {
    return this.#loops.get(node) ?? NO_LOOPS;
  }

  /** How many of the loops around both are the same. */
  #shared(one: NodeId, other: NodeId): number {
    const [a, b] = [this.#loopsAt(one), this.#loopsAt(other)];
    let level = 0;
    while (level < a.length && a[level] === b[level]) level += 1;
    return level;
  }
}

/** An activity at which tokens may have to wait. */
export interface Gate {
  readonly node: NodeId;
  readonly mode: Exclude<MergeMode, 'cascade'>;
  readonly edges: readonly EdgeId[];
  readonly forward: readonly EdgeId[];
  readonly isBack: (edge: EdgeId) => boolean;
  readonly approach: Approach;
}

const NO_LOOPS: readonly number[] = [];

export function samePass(one: Pass, other: Pass): boolean {
  return one.length === other.length && one.every((number, level) => number === other[level]);
}

function trimmed(pass: readonly GroupId[]): Pass {
  let length = pass.length;
  while (length > 0 && pass[length - 1] === 0) length -= 1;
  return length === pass.length ? pass : pass.slice(0, length);
}

/** The activities of a plan by number, and how they lead to each other. */
export interface ChartMap {
  readonly numbers: ReadonlyMap<NodeId, number>;
  /** Each after all that lead to it, but for edges back. */
  readonly order: readonly number[];
  readonly into: readonly (readonly Entry[])[];
  readonly outOf: readonly (readonly number[])[];
  sourceOf(edge: EdgeId): number;
}

/** A way into an activity; an edge back names the loop that it begins anew. */
export interface Entry {
  readonly from: number;
  readonly loop: number | null;
}

function mapOf(
  plan: Plan,
  activities: readonly PlanNode[],
  loopOf: (edge: EdgeId, from: NodeId) => number | undefined,
): ChartMap {
  const numbers = new Map(activities.map(({ id }, number) => [id, number]));
  const numberOf = (id: NodeId): number => {
    const number = numbers.get(id);
    assert(number !== undefined, 'edges of a flowchart lead from activity to activity');
    return number;
  };
  const into = activities.map(({ in: edges }) =>
    edges.map((edge): Entry => {
      const { from } = edgeOf(plan, edge);
      return { from: numberOf(from), loop: loopOf(edge, from) ?? null };
    }),
  );
  const outOf = activities.map(({ out }) => out.map((edge) => numberOf(edgeOf(plan, edge).to)));
  const order = inOrder(plan, activities).map(({ id }) => numberOf(id));
  return { numbers, order, into, outOf, sourceOf: (edge) => numberOf(edgeOf(plan, edge).from) };
}

function edgeOf(plan: Plan, id: EdgeId): Edge {
  const edge = plan.edges.get(id);
  assert(edge !== undefined, () => `edge "${id}" is in the plan`);
  return edge;
}

/** What leads forward has no circle, so there is such an order: none before what leads to it. */
function inOrder(plan: Plan, activities: readonly PlanNode[]): readonly PlanNode[] {
  const isForward = (edge: EdgeId): boolean => edgeOf(plan, edge).back !== true;
  const awaited = new Map(
    activities.map(({ id, in: edges }) => [id, edges.filter(isForward).length]),
  );
  const order = activities.filter(({ id }) => awaited.get(id) === 0);
  // What is added while it is walked is walked, too.
  for (const { out } of order) {
    for (const edge of out.filter(isForward)) {
      const { to } = edgeOf(plan, edge);
      const left = (awaited.get(to) ?? 0) - 1;
      awaited.set(to, left);
      if (left === 0) order.push(plan.nodes.get(to) as PlanNode);
    }
  }
  assert(order.length === activities.length, 'every circle has an edge that leads back');
  return order;
}

interface Nest {
  readonly loops: Map<NodeId, number[]>;
  readonly levels: Map<EdgeId, number>;
}

/**
 * Knots, and knots inside them. The header of a knot is the first of its activities that an edge
 * leads back to; without those edges what is left of the knot comes apart, or is a smaller one. The
 * activities come in order, so that the header of a loop is met before those of loops inside it.
 */
function nestOf(plan: Plan, activities: readonly PlanNode[]): Nest {
  const nest: Nest = { loops: new Map(), levels: new Map() };
  if (!Array.from(plan.edges.values()).some(({ back }) => back === true)) return nest;
  const open: (readonly PlanNode[])[] = [activities];
  for (let nodes = open.pop(), loop = 0; nodes !== undefined; nodes = open.pop()) {
    const ways = edgesAmong(plan, nodes, nest.levels);
    const next = (at: NodeId): readonly NodeId[] => (ways.get(at) ?? []).map(({ to }) => to);
    const ids = nodes.map(({ id }) => id);
    for (const knot of knotsIn(ids, next)) {
      const inside = new Set(knot);
      const isBack = ({ to, back }: Edge): boolean => back === true && inside.has(to);
      const back = knot.flatMap((at) => (ways.get(at) ?? []).filter(isBack));
      if (back.length === 0) continue;
      const headers = new Set(back.map(({ to }) => to));
      const header = ids.find((id) => headers.has(id));
      const level = nest.loops.get(knot[0] as NodeId)?.length ?? 0;
      for (const { id, to } of back) if (to === header) nest.levels.set(id, level);
      for (const id of knot) nest.loops.set(id, [...(nest.loops.get(id) ?? []), loop]);
      loop += 1;
      open.push(nodes.filter(({ id }) => inside.has(id)));
    }
  }
  return nest;
}

function edgesAmong(
  plan: Plan,
  nodes: readonly PlanNode[],
  taken: ReadonlyMap<EdgeId, number>,
): ReadonlyMap<NodeId, readonly Edge[]> {
  const ids = new Set(nodes.map(({ id }) => id));
  return new Map(
    nodes.map(({ id, out }) => {
      const edges = out.filter((edge) => !taken.has(edge)).map((edge) => edgeOf(plan, edge));
      return [id, edges.filter(({ to }) => ids.has(to))];
    }),
  );
}
