/**
 * From where to where one can come among the activities of one flowchart, without beginning a new
 * pass of some loop or of those around it. All other loops may be gone round as often as one likes.
 *
 * Where the edges lead that lead forward is worked out once, for all activities at the same time:
 * each leads to what those lead to that follow it. What one can reach by an edge back is that again
 * from the other end of the edge, so nothing else needs to be walked. A set of activities is a row
 * of bits: two thousand of them take half a megabyte, whatever the edges between them.
 *
 * An activity cannot be come to through itself: a circle through it would begin a new pass of a
 * loop that it lies in. So from where one can come by an edge depends on where the edge begins, and
 * on which loops its end lies in.
 */
import { assert } from '../base/assert.ts';
import { addBit, addBits, hasBit, type ReadonlyBits, wordsFor } from '../base/bits.ts';
import { Nest, type Way } from './nest.ts';

/** So many answers are kept for each activity and direction, where there are loops. */
const KEPT_MAX = 8;

export class Approach {
  /** How many words a set of its activities has. */
  readonly words: number;
  readonly nest: Nest;
  readonly #order: readonly number[];
  readonly #outOf: readonly (readonly Way[])[];
  readonly #into: readonly (readonly Way[])[];
  readonly #ahead: Side;
  readonly #behind: Side;

  constructor(outOf: readonly (readonly Way[])[]) {
    this.words = wordsFor(outOf.length);
    this.#outOf = outOf;
    const into: Way[][] = outOf.map(() => []);
    for (const ways of outOf) for (const way of ways) into[way.to]?.push(way);
    this.#into = into;
    this.#order = inOrder(outOf, into);
    this.nest = new Nest(this.#order, outOf);
    const { nest } = this;
    const backs = Array.from(
      { length: nest.loops },
      (_, loop): { from: number[]; to: number[]; loop: number } => {
        return { from: [], to: [], loop };
      },
    );
    for (const [{ from, to }, loop] of nest.begins) {
      backs[loop]?.from.push(from);
      if (backs[loop]?.to.length === 0) backs[loop]?.to.push(to);
    }
    const turned = backs.map(({ from, to, loop }) => ({ from: to, to: from, loop }));
    const { length } = outOf;
    this.#ahead = new Side(length, nest, backs, () => this.#rows(this.#order.toReversed(), 'to'));
    this.#behind = new Side(length, nest, turned, () => this.#rows(this.#order, 'from'));
  }

  /** To where one can come from there along edges that lead forward, itself among them. */
  ahead(at: number): ReadonlyBits {
    return this.#ahead.row(at);
  }

  /** To where one can come from there, itself among them; -1 is no loop. */
  from(at: number, loop: number): ReadonlyBits {
    return this.#ahead.beyond(at, loop);
  }

  /** From where one can come there, itself among them; -1 is no loop. */
  to(at: number, loop: number): ReadonlyBits {
    return this.#behind.beyond(at, loop);
  }

  /** From where one can come to an end, whatever one does on the way, without coming here. */
  strayingFrom(last: number): ReadonlyBits {
    const strays = new Int32Array(this.words);
    const open = [...this.#outOf.keys()].filter(
      (at) => at !== last && this.#outOf[at]?.length === 0,
    );
    for (const at of open) addBit(strays, at);
    // What is added while it is walked is walked, too.
    for (const at of open) {
      for (const { from } of this.#into[at] ?? []) {
        if (from === last || hasBit(strays, from)) continue;
        addBit(strays, from);
        open.push(from);
      }
    }
    return strays;
  }

  /** In an order in which the other end of every way comes first. */
  #rows(order: readonly number[], end: 'from' | 'to'): readonly ReadonlyBits[] {
    const { words } = this;
    const rows: Int32Array[] = [];
    const all = new Int32Array(order.length * words);
    const ways = end === 'to' ? this.#outOf : this.#into;
    for (const at of order) {
      const row = all.subarray(at * words, (at + 1) * words);
      addBit(row, at);
      for (const way of ways[at] ?? []) if (!way.back) addBits(row, rows[way[end]] as Int32Array);
      rows[at] = row;
    }
    return rows;
  }
}

/** All ways back that begin a loop anew. They lead to its header: that is one end of them all. */
interface Back {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly loop: number;
}

/** One of two directions. */
class Side {
  readonly #size: number;
  readonly #nest: Nest;
  readonly #backs: readonly Back[];
  readonly #find: () => readonly ReadonlyBits[];
  #rows: readonly ReadonlyBits[] | null = null;
  readonly #kept = new Map<number, ReadonlyBits>();
  readonly #closed = new Map<number, ReadonlyBits>();
  /** By loop: what all of its ways back lead to together. */
  readonly #beyond = new Map<number, ReadonlyBits>();

  constructor(
    size: number,
    nest: Nest,
    backs: readonly Back[],
    find: () => readonly ReadonlyBits[],
  ) {
    this.#size = size;
    this.#nest = nest;
    this.#backs = backs;
    this.#find = find;
  }

  row(at: number): ReadonlyBits {
    this.#rows ??= this.#find();
    return this.#rows[at] as ReadonlyBits;
  }

  beyond(at: number, loop: number): ReadonlyBits {
    if (this.#backs.length === 0) return this.row(at);
    const name = at * (this.#nest.loops + 1) + loop + 1;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    if (this.#kept.size >= KEPT_MAX * this.#size) this.#kept.clear();
    const found = this.#goBeyond(at, this.#closedIn(loop));
    this.#kept.set(name, found);
    return found;
  }

  #goBeyond(at: number, closed: ReadonlyBits): ReadonlyBits {
    const row = this.row(at);
    let found: Int32Array | null = null;
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const back of this.#backs) {
        const known = found ?? row;
        if (hasBit(closed, back.loop) || hasAll(known, back.to)) continue;
        if (!hasSome(known, back.from)) continue;
        found ??= Int32Array.from(row);
        addBits(found, this.#beyondBack(back));
        isNew = true;
      }
    }
    return found ?? row;
  }

  #beyondBack({ to, loop }: Back): ReadonlyBits {
    if (to.length === 1) return this.row(to[0] as number);
    const known = this.#beyond.get(loop);
    if (known !== undefined) return known;
    const all = new Int32Array(wordsFor(this.#size));
    for (const at of to) addBits(all, this.row(at));
    this.#beyond.set(loop, all);
    return all;
  }

  /** The loop, and those around it. */
  #closedIn(loop: number): ReadonlyBits {
    const known = this.#closed.get(loop);
    if (known !== undefined) return known;
    const closed = new Int32Array(wordsFor(this.#nest.loops));
    for (let at = loop; at >= 0; at = this.#nest.around(at)) addBit(closed, at);
    if (this.#closed.size >= KEPT_MAX * this.#size) this.#closed.clear();
    this.#closed.set(loop, closed);
    return closed;
  }
}

function hasAll(bits: ReadonlyBits, all: readonly number[]): boolean {
  for (const at of all) if (!hasBit(bits, at)) return false;
  return true;
}

function hasSome(bits: ReadonlyBits, some: readonly number[]): boolean {
  for (const at of some) if (hasBit(bits, at)) return true;
  return false;
}

/** What leads forward has no circle, so there is such an order: none before what leads to it. */
function inOrder(
  outOf: readonly (readonly Way[])[],
  into: readonly (readonly Way[])[],
): readonly number[] {
  const awaited = into.map((ways) => ways.filter(({ back }) => !back).length);
  const order = [...awaited.keys()].filter((at) => awaited[at] === 0);
  // What is added while it is walked is walked, too.
  for (const at of order) {
    for (const { to, back } of outOf[at] ?? []) {
      if (back) continue;
      awaited[to] = (awaited[to] ?? 0) - 1;
      if (awaited[to] === 0) order.push(to);
    }
  }
  assert(order.length === into.length, 'every circle has an edge that leads back');
  return order;
}
