/**
 * Loops, and loops inside them. A loop is a knot of activities; its header is the first of them, in
 * order, that an edge leads back to. Without the edges back to the header what is left of the knot
 * comes apart, or has smaller ones in it. An irregular chart of thousands may have a thousand in
 * each other, so all of it is numbers.
 */
import { Knots } from '../base/knots.ts';

/** A way from one activity to another. Those between the same two all lead back, or none does. */
export interface Way {
  readonly from: number;
  readonly to: number;
  readonly back: boolean;
}

export class Nest {
  /** By activity: the innermost loop around it; -1 if there is none. */
  readonly #loops: Int32Array;
  /** By loop: the one around it, and how many there are around whoever is in it. */
  readonly #around: number[] = [];
  readonly #depths: number[] = [];
  /** By way that leads back: the loop that it begins anew. */
  readonly begins: ReadonlyMap<Way, number>;

  /** The activities come in order: each after all that lead to it, but for ways back. */
  constructor(order: readonly number[], outOf: readonly (readonly Way[])[]) {
    this.#loops = new Int32Array(outOf.length).fill(-1);
    const hasBack = outOf.some((ways) => ways.some(({ back }) => back));
    this.begins = hasBack ? this.#find(order, outOf) : new Map();
  }

  get loops(): number {
    return this.#around.length;
  }

  loopAt(activity: number): number {
    return this.#loops[activity] as number;
  }

  /** The loop around a loop; -1 if there is none. */
  around(loop: number): number {
    return this.#around[loop] as number;
  }

  /** How many loops there are around whoever is in this one: 1 if it is in no other. */
  depth(loop: number): number {
    return loop < 0 ? 0 : (this.#depths[loop] as number);
  }

  /** How many of the loops around both are the same. */
  shared(one: number, other: number): number {
    let [a, b] = [this.loopAt(one), this.loopAt(other)];
    while (a !== b) {
      if (this.depth(a) >= this.depth(b)) a = this.around(a);
      else b = this.around(b);
    }
    return this.depth(a);
  }

  #find(order: readonly number[], outOf: readonly (readonly Way[])[]): ReadonlyMap<Way, number> {
    const begins = new Map<Way, number>();
    const turns = new Int32Array(outOf.length);
    for (const [turn, at] of order.entries()) turns[at] = turn;
    const knots = new Knots(outOf.length);
    const knotOf = new Int32Array(outOf.length);
    let number = 0;
    // What is left of the chart, which comes apart as ways back are taken out of it.
    const left = outOf.map((ways) => ways.map(({ to }) => to));
    const backs = outOf.map((ways) => ways.filter(({ back }) => back));
    const open: { readonly among: readonly number[]; readonly around: number }[] = [
      { among: order, around: -1 },
    ];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { among, around } = next;
      for (const knot of knots.among(among, left)) {
        number += 1;
        for (const at of knot) knotOf[at] = number;
        const inside: Way[] = [];
        for (const at of knot) {
          const own = backs[at] as readonly Way[];
          for (const way of own)
            if (knotOf[way.to] === number && !begins.has(way)) inside.push(way);
        }
        if (inside.length === 0) continue;
        const first = (a: number, b: number): number =>
          (turns[a] as number) <= (turns[b] as number) ? a : b;
        const header = inside.map(({ to }) => to).reduce(first);
        const loop = this.#around.length;
        this.#around.push(around);
        this.#depths.push(this.depth(around) + 1);
        for (const way of inside) if (way.to === header) begins.set(way, loop);
        const toHeader = new Set(inside.flatMap(({ from, to }) => (to === header ? from : [])));
        for (const at of knot) {
          this.#loops[at] = loop;
          const isLeft = (to: number): boolean =>
            knotOf[to] === number && (to !== header || !toHeader.has(at));
          left[at] = (left[at] as number[]).filter(isLeft);
        }
        open.push({ among: knot, around: loop });
      }
    }
    return begins;
  }
}
