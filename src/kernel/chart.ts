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
import { addBit, addBits, bitsBut, dropBit, noBits, type ReadonlyBits } from '../base/bits.ts';
import type { EdgeId, GroupId, NodeId } from '../model/ids.ts';
import type { MergeMode } from '../model/merge.ts';
import type { Edge, Plan, PlanNode } from '../model/plan.ts';
import { Approach } from './approach.ts';
import type { Way } from './nest.ts';

export type Pass = readonly GroupId[];

export class Chart {
  readonly #spots: ReadonlyMap<NodeId, ChartSpot>;
  /** By edge that leads back: which of the loops around its ends it begins anew. */
  readonly #levels = new Map<EdgeId, number>();

  constructor(plan: Plan) {
    const regions = new Map<NodeId | null, PlanNode[]>();
    for (const node of plan.nodes.values()) {
      if (node.merge === undefined) continue;
      const others = regions.get(node.parent);
      if (others === undefined) regions.set(node.parent, [node]);
      else others.push(node);
    }
    const spots = new Map<NodeId, ChartSpot>();
    for (const activities of regions.values()) this.#map(plan, activities, spots);
    this.#spots = spots;
  }

  #map(plan: Plan, activities: readonly PlanNode[], spots: Map<NodeId, ChartSpot>): void {
    const numbers = new Map(activities.map(({ id }, number) => [id, number]));
    const numberOf = (id: NodeId): number => {
      const number = numbers.get(id);
      assert(number !== undefined, 'edges of a flowchart lead from activity to activity');
      return number;
    };
    const ways = new Map<EdgeId, Way>();
    const outOf = activities.map(({ out }, from) =>
      out.map((edge): Way => {
        const { to, back } = edgeOf(plan, edge);
        const way = { from, to: numberOf(to), back: back === true };
        ways.set(edge, way);
        return way;
      }),
    );
    const approach = new Approach(outOf);
    const { nest } = approach;
    for (const [edge, way] of ways) {
      if (way.back) this.#levels.set(edge, nest.depth(nest.begins.get(way) ?? -1) - 1);
    }
    const feeds: Gate[][] = activities.map(() => []);
    const gates: (Gate | null)[] = [];
    const region = { approach, feeds, gates };
    for (const [number, activity] of activities.entries()) {
      const gate = gateAt(approach, activity, ways, number);
      gates.push(gate);
      spots.set(activity.id, { region, number, gate });
      for (const from of new Set(gate?.sources ?? [])) feeds[from]?.push(gate as Gate);
    }
  }

  spotAt(node: NodeId): ChartSpot | undefined {
    return this.#spots.get(node);
  }

  /** Null where a token that comes has nothing to wait for. */
  gateAt(node: NodeId): Gate | null {
    return this.#spots.get(node)?.gate ?? null;
  }

  isBack(edge: EdgeId): boolean {
    return this.#levels.has(edge);
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
    if (pass.length === 0 || !this.#spots.has(from)) return pass;
    const kept = this.#shared(from, to);
    return pass.length <= kept ? pass : trimmed(pass.slice(0, kept));
  }

  /** In how many loops an activity lies: no pass there has more numbers. */
  depthAt(node: NodeId): number {
    return this.#shared(node, node);
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

  /** How many of the loops around both are the same. */
  #shared(one: NodeId, other: NodeId): number {
    const [a, b] = [this.#spots.get(one), this.#spots.get(other)];
    if (a === undefined || b === undefined || a.region !== b.region) return 0;
    return a.region.approach.nest.shared(a.number, b.number);
  }
}

/** The activities of one flowchart, by number. */
export interface Region {
  readonly approach: Approach;
  /** By activity: the gates that edges lead to from there, but for edges back. */
  readonly feeds: readonly (readonly Gate[])[];
  readonly gates: readonly (Gate | null)[];
}

/** Where an activity lies. */
export interface ChartSpot {
  readonly region: Region;
  readonly number: number;
  readonly gate: Gate | null;
}

/** An activity at which tokens may have to wait. */
export class Gate {
  readonly node: NodeId;
  readonly number: number;
  readonly mode: Exclude<MergeMode, 'cascade'>;
  readonly edges: readonly EdgeId[];
  readonly forward: readonly EdgeId[];
  /** By place: where each edge that leads forward comes from. */
  readonly sources: readonly number[];
  /** The innermost loop around it. */
  readonly loop: number;
  readonly #places: ReadonlyMap<EdgeId, number>;
  readonly #approach: Approach;
  #placesFrom: ReadonlyMap<number, readonly number[]> | null = null;
  #every: ReadonlyBits | null = null;
  #only: ReadonlyBits | null = null;

  constructor(
    approach: Approach,
    { id, merge, in: edges }: PlanNode,
    ways: ReadonlyMap<EdgeId, Way>,
    number: number,
  ) {
    const isForward = (edge: EdgeId): boolean => ways.get(edge)?.back === false;
    this.#approach = approach;
    this.node = id;
    this.number = number;
    this.mode = merge as Gate['mode'];
    this.edges = edges;
    this.forward = edges.filter(isForward);
    this.sources = this.forward.map((edge) => ways.get(edge)?.from ?? 0);
    this.loop = approach.nest.loopAt(number);
    // Those that lead forward first.
    const placed = [...this.forward, ...edges.filter((edge) => !isForward(edge))];
    this.#places = new Map(placed.map((edge, place) => [edge, place]));
  }

  isBack(edge: EdgeId | null): boolean {
    return this.placeOf(edge) >= this.forward.length;
  }

  /** Which of its edges this is; -1 if it came by none. */
  placeOf(edge: EdgeId | null): number {
    return edge === null ? -1 : (this.#places.get(edge) ?? -1);
  }

  /** The edges that come from there, those that lead forward. */
  placesFrom(source: number): readonly number[] {
    this.#placesFrom ??= placesBy(this.sources);
    return this.#placesFrom.get(source) ?? [];
  }

  /** Where its forward edges come from. */
  get every(): ReadonlyBits {
    if (this.#every !== null) return this.#every;
    const every = noBits(this.#approach.words);
    for (const source of this.sources) addBit(every, source);
    this.#every = every;
    return every;
  }

  /** From where one can go nowhere but to this activity, whatever comes of it. */
  get only(): ReadonlyBits {
    if (this.#only !== null) return this.#only;
    const leading = noBits(this.#approach.words);
    for (const source of this.sources) addBits(leading, this.#approach.to(source, this.loop));
    const only = bitsBut(leading, this.#approach.strayingFrom(this.number));
    dropBit(only, this.number);
    this.#only = only;
    return only;
  }
}

function placesBy(sources: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  for (const [place, source] of sources.entries()) {
    const others = places.get(source);
    if (others === undefined) places.set(source, [place]);
    else others.push(place);
  }
  return places;
}

function gateAt(
  approach: Approach,
  activity: PlanNode,
  ways: ReadonlyMap<EdgeId, Way>,
  number: number,
): Gate | null {
  const { merge, in: edges } = activity;
  if (merge === undefined || merge === 'cascade') return null;
  // A race cancels whoever can only come to it, though that be by one way.
  if (edges.length < (merge === 'race' ? 1 : 2)) return null;
  return new Gate(approach, activity, ways, number);
}

export function samePass(one: Pass, other: Pass): boolean {
  if (one.length !== other.length) return false;
  for (let level = 0; level < one.length; level += 1) {
    if (one[level] !== other[level]) return false;
  }
  return true;
}

function trimmed(pass: readonly GroupId[]): Pass {
  let length = pass.length;
  while (length > 0 && pass[length - 1] === 0) length -= 1;
  return length === pass.length ? pass : pass.slice(0, length);
}

function edgeOf(plan: Plan, id: EdgeId): Edge {
  const edge = plan.edges.get(id);
  assert(edge !== undefined, () => `edge "${id}" is in the plan`);
  return edge;
}
