/**
 * Sets of numbers below some size, as rows of bits. All that meet are of the same size.
 *
 * One that is made and dropped all the time is a plain list of small whole numbers: a typed array
 * of more than a few words lies outside the heap, and costs more to make than to use.
 */
export type Bits = number[];

/** One that is only read may be a typed array: it takes half the room. */
export type ReadonlyBits = readonly number[] | Int32Array;

export function wordsFor(size: number): number {
  return Math.max(1, (size + 31) >> 5);
}

export function noBits(words: number): Bits {
  const bits: Bits = [];
  for (let word = 0; word < words; word += 1) bits.push(0);
  return bits;
}

export function copyBits(bits: ReadonlyBits): Bits {
  if (Array.isArray(bits)) return bits.slice();
  const copy: Bits = [];
  for (let word = 0; word < bits.length; word += 1) copy.push(bits[word] as number);
  return copy;
}

export function hasBit(bits: ReadonlyBits, at: number): boolean {
  return ((bits[at >> 5] as number) & (1 << (at & 31))) !== 0;
}

export function addBit(bits: Bits | Int32Array, at: number): void {
  bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
}

export function dropBit(bits: Bits, at: number): void {
  bits[at >> 5] = (bits[at >> 5] as number) & ~(1 << (at & 31));
}

export function addBits(bits: Bits | Int32Array, more: ReadonlyBits): void {
  for (let word = 0; word < bits.length; word += 1) {
    bits[word] = (bits[word] as number) | (more[word] as number);
  }
}

/** Those that are in the one and not in the other. */
export function bitsBut(one: ReadonlyBits, other: ReadonlyBits): Bits {
  const bits: Bits = [];
  for (let word = 0; word < one.length; word += 1) {
    bits.push((one[word] as number) & ~(other[word] as number));
  }
  return bits;
}

export function meetBits(one: ReadonlyBits, other: ReadonlyBits): boolean {
  for (let word = 0; word < one.length; word += 1) {
    if (((one[word] as number) & (other[word] as number)) !== 0) return true;
  }
  return false;
}

/** How many are in it; no more are counted than asked for. */
export function countBits(bits: ReadonlyBits, max: number): number {
  let count = 0;
  for (let word = 0; word < bits.length && count < max; word += 1) {
    for (let left = bits[word] as number; left !== 0; left &= left - 1) count += 1;
  }
  return count;
}

/** Those that are in both, ascending. */
export function commonBits(one: ReadonlyBits, other: ReadonlyBits): number[] {
  const found: number[] = [];
  for (let word = 0; word < one.length; word += 1) {
    let left = (one[word] as number) & (other[word] as number);
    for (; left !== 0; left &= left - 1) found.push(word * 32 + 31 - Math.clz32(left & -left));
  }
  return found;
}

/** Whether this is so for one that is in both. */
export function someCommon(
  one: ReadonlyBits,
  other: ReadonlyBits,
  test: (at: number) => boolean,
): boolean {
  for (let word = 0; word < one.length; word += 1) {
    if (someOf(word, (one[word] as number) & (other[word] as number), test)) return true;
  }
  return false;
}

/** Whether this is so for one that is in this set and in none of the others. */
export function someBut(
  bits: ReadonlyBits,
  others: readonly ReadonlyBits[],
  test: (at: number) => boolean,
): boolean {
  for (let word = 0; word < bits.length; word += 1) {
    let left = bits[word] as number;
    for (let at = 0; at < others.length && left !== 0; at += 1) {
      left &= ~((others[at] as ReadonlyBits)[word] as number);
    }
    if (someOf(word, left, test)) return true;
  }
  return false;
}

function someOf(word: number, bits: number, test: (at: number) => boolean): boolean {
  for (let left = bits; left !== 0; left &= left - 1) {
    if (test(word * 32 + 31 - Math.clz32(left & -left))) return true;
  }
  return false;
}
