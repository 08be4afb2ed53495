/** A seeded source of chance. A failing run prints its seed; the seed is the bug report. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to, not including, `sides` (mulberry32). */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mix = this.#state;
    mix = Math.imul(mix ^ (mix >>> 15), mix | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) % sides;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.roll(items.length)];
    if (item === undefined) throw new Error('dice pick from a list that is not empty');
    return item;
  }
}
