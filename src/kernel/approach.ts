/**
 * From where an activity of a flowchart can still be come to, and by which of its forward edges,
 * without beginning a new pass of a loop that it lies in. Loops that it does not lie in may be gone
 * round as often as one likes.
 *
 * A set of edges is a row of bits, one row for each activity of the plan. The rows are found by
 * going through the activities from the last to the first, until nothing changes: once, but for
 * edges back.
 */
import { assert } from '../base/assert.ts';
import type { EdgeId, NodeId } from '../model/ids.ts';
import type { ChartMap } from './chart.ts';

export class Approach {
  readonly #map: ChartMap;
  readonly #node: NodeId;
  readonly #forward: readonly EdgeId[];
  readonly #loops: ReadonlySet<number>;
  readonly #places: ReadonlyMap<EdgeId, number>;
  readonly #words: number;
  #every: EdgeSet | null = null;
  #rows: Uint32Array | null = null;
  #strays: Uint8Array | null = null;

  constructor(map: ChartMap, node: NodeId, forward: readonly EdgeId[], loops: ReadonlySet<number>) {
    this.#map = map;
    this.#node = node;
    this.#forward = forward;
    this.#loops = loops;
    this.#places = new Map(forward.map((edge, place) => [edge, place]));
    this.#words = Math.max(1, Math.ceil(forward.length / 32));
  }

  /** Whether one can come from there at all. */
  leadsFrom(at: NodeId): boolean {
    const rows = this.#found();
    const start = this.#number(at) * this.#words;
    for (let word = 0; word < this.#words; word += 1) if (rows[start + word] !== 0) return true;
    return false;
  }

  /** Whether one can come from there by one of these edges. */
  leadsBy(at: NodeId, edges: EdgeSet): boolean {
    const rows = this.#found();
    const start = this.#number(at) * this.#words;
    for (let word = 0; word < this.#words; word += 1) {
      if (((rows[start + word] as number) & (edges[word] as number)) !== 0) return true;
    }
    return false;
  }

  /** All forward edges but these. */
  edgesBut(edges: Iterable<EdgeId | null>): EdgeSet {
    // Bits beyond the last edge are never set in a row.
    const set = new Uint32Array(this.#words).fill(0xffffffff);
    for (const edge of edges) {
      const place = edge === null ? undefined : this.#places.get(edge);
      if (place !== undefined) set[place >> 5] = (set[place >> 5] as number) & ~(1 << (place & 31));
    }
    return set;
  }

  get everyEdge(): EdgeSet {
    this.#every ??= this.edgesBut([]);
    return this.#every;
  }

  /** Those of these edges by which one can come from there; the first alone, if that will do. */
  edgesFrom(at: NodeId, edges: EdgeSet, max: number = this.#forward.length): readonly EdgeId[] {
    const rows = this.#found();
    const start = this.#number(at) * this.#words;
    const found: EdgeId[] = [];
    for (let word = 0; word < this.#words; word += 1) {
      let bits = ((rows[start + word] as number) & (edges[word] as number)) >>> 0;
      for (; bits !== 0 && found.length < max; bits = (bits & (bits - 1)) >>> 0) {
        const lowest = 31 - Math.clz32(bits & -bits);
        found.push(this.#forward[word * 32 + lowest] as EdgeId);
      }
    }
    return found;
  }

  /** Takes edges out of a set. */
  drop(edges: EdgeSet, those: readonly EdgeId[]): void {
    for (const edge of those) {
      const place = this.#places.get(edge) ?? 0;
      edges[place >> 5] = (edges[place >> 5] as number) & ~(1 << (place & 31));
    }
  }

  /** This edge alone; null if it does not lead forward. */
  only(edge: EdgeId): EdgeSet | null {
    const place = this.#places.get(edge);
    if (place === undefined) return null;
    const set = new Uint32Array(this.#words);
    set[place >> 5] = 1 << (place & 31);
    return set;
  }

  /** Whether whoever is there can go nowhere but to this activity, whatever comes of it. */
  isOnlyWayFrom(at: NodeId): boolean {
    this.#strays ??= this.#findStrays();
    return at !== this.#node && this.leadsFrom(at) && this.#strays[this.#number(at)] === 0;
  }

  #number(at: NodeId): number {
    const number = this.#map.numbers.get(at);
    assert(number !== undefined, () => `"${at}" is an activity`);
    return number;
  }

  #found(): Uint32Array {
    this.#rows ??= this.#findRows();
    return this.#rows;
  }

  #findRows(): Uint32Array {
    const { order, into } = this.#map;
    const words = this.#words;
    const rows = new Uint32Array(order.length * words);
    for (const [place, edge] of this.#forward.entries()) {
      const at = this.#map.sourceOf(edge) * words + (place >> 5);
      rows[at] = (rows[at] as number) | (1 << (place & 31));
    }
    const last = this.#number(this.#node);
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (let turn = order.length - 1; turn >= 0; turn -= 1) {
        const to = order[turn] as number;
        if (to === last || isEmpty(rows, to, words)) continue;
        for (const { from, loop } of into[to] ?? []) {
          if (loop !== null && this.#loops.has(loop)) continue;
          // Along an edge that leads forward, whoever is before it has yet to be looked at.
          if (join(rows, from, to, words) && loop !== null) isNew = true;
        }
      }
    }
    return rows;
  }

  /** From where one can come to an end without coming here. */
  #findStrays(): Uint8Array {
    const { outOf, into } = this.#map;
    const strays = new Uint8Array(outOf.length);
    const last = this.#number(this.#node);
    const open = [...outOf.keys()].filter((at) => at !== last && outOf[at]?.length === 0);
    for (const at of open) strays[at] = 1;
    // What is added while it is walked is walked, too.
    for (const at of open) {
      for (const { from } of into[at] ?? []) {
        if (from === last || strays[from] === 1) continue;
        strays[from] = 1;
        open.push(from);
      }
    }
    return strays;
  }
}

/** One bit for each forward edge. */
export type EdgeSet = Uint32Array;

function isEmpty(rows: Uint32Array, at: number, words: number): boolean {
  for (let word = 0; word < words; word += 1) if (rows[at * words + word] !== 0) return false;
  return true;
}

/** Puts what one row has into another; whether that had not had it. */
function join(rows: Uint32Array, into: number, from: number, words: number): boolean {
  let isNew = false;
  for (let word = 0; word < words; word += 1) {
    const [at, add] = [into * words + word, rows[from * words + word] as number];
    const was = rows[at] as number;
    if ((was | add) >>> 0 === was) continue;
    rows[at] = was | add;
    isNew = true;
  }
  return isNew;
}
