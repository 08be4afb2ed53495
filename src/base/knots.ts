/**
 * The knots of a graph: sets of points each of which can be reached from each other, as large as
 * can be (its strongly connected components). A point in no circle is a knot by itself.
 *
 * Points are numbers below a size, and whoever asks often is answered in what it takes to look at
 * the points of that question alone. One walk without recursion (Tarjan's), so that a line of a
 * hundred thousand points is no trouble.
 */
export class Knots {
  /** When a point was met, from 1 on; 0 before. */
  readonly #met: Int32Array;
  /** The earliest that is known to be reached from a point and is in no knot yet. */
  readonly #low: Int32Array;
  /** How many ways from a point have been taken. */
  readonly #taken: Int32Array;
  /** Later than everything: whoever is in a knot is the earliest of nothing. */
  static readonly #PLACED = 0x7fff_ffff;

  constructor(size: number) {
    this.#met = new Int32Array(size);
    this.#low = new Int32Array(size);
    this.#taken = new Int32Array(size);
  }

  /** The knots among these points, which lead to nobody but each other. */
  among(points: readonly number[], next: readonly (readonly number[])[]): readonly number[][] {
    const knots: number[][] = [];
    const loose: number[] = [];
    let clock = 0;
    for (const start of points) {
      if (this.#met[start] !== 0) continue;
      const way = [start];
      clock += 1;
      this.#meet(start, clock);
      loose.push(start);
      while (way.length > 0) {
        const at = way[way.length - 1] as number;
        const to = next[at]?.[this.#taken[at] as number];
        if (to !== undefined) {
          this.#taken[at] = (this.#taken[at] as number) + 1;
          if (this.#met[to] === 0) {
            clock += 1;
            this.#meet(to, clock);
            loose.push(to);
            way.push(to);
          } else this.#lower(at, this.#met[to] as number);
          continue;
        }
        way.pop();
        const low = this.#low[at] as number;
        if (low === this.#met[at]) knots.push(this.#tie(loose, at));
        const before = way[way.length - 1];
        if (before !== undefined) this.#lower(before, low);
      }
    }
    for (const point of points) this.#met[point] = 0;
    return knots;
  }

  #meet(point: number, clock: number): void {
    this.#met[point] = clock;
    this.#low[point] = clock;
    this.#taken[point] = 0;
  }

  #lower(point: number, to: number): void {
    if (to < (this.#low[point] as number)) this.#low[point] = to;
  }

  /** Whoever was met since, and is in no knot yet. */
  #tie(loose: number[], first: number): number[] {
    const knot = loose.splice(loose.lastIndexOf(first));
    for (const at of knot) this.#met[at] = Knots.#PLACED;
    return knot;
  }
}
