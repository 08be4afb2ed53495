/**
 * What a search has tried in vain: for each instruction that takes notes, and each place of the
 * text, one bit.
 */

/** Notes are taken only if they fit into a megabyte. */
const BITS_MAX = 8_388_608;
/** What is kept from one text to the next, in bits. */
const BITS_KEPT = 65_536;

export class RegexNotes {
  private bits = new Uint32Array(0);
  private rows = 0;
  private places = 0;

  /** Begins with an empty sheet; how many words it has, or 0 if it would be too big. */
  start(rows: number, places: number): number {
    const bits = rows * places;
    if (bits === 0 || bits > BITS_MAX) return 0;
    const words = (bits + 31) >> 5;
    if (words > this.bits.length) this.bits = new Uint32Array(words);
    else this.bits.fill(0, 0, words);
    this.rows = rows;
    this.places = places;
    return words;
  }

  has(row: number, at: number): boolean {
    const bit = row * this.places + at;
    return (((this.bits[bit >> 5] as number) >>> (bit & 31)) & 1) === 1;
  }

  /** Whether it was there before. */
  add(row: number, at: number): boolean {
    const bit = row * this.places + at;
    const word = this.bits[bit >> 5] as number;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return true;
    this.bits[bit >> 5] = word | mask;
    return false;
  }

  forget(at: number): void {
    for (let row = 0; row < this.rows; row += 1) {
      const bit = row * this.places + at;
      this.bits[bit >> 5] = (this.bits[bit >> 5] as number) & ~(1 << (bit & 31));
    }
  }

  /** Gives back what is more than most texts need. */
  shrink(): void {
    if (this.bits.length * 32 > BITS_KEPT) this.bits = new Uint32Array(0);
  }
}
