/** Sets of numbers below some size, as rows of bits. All that meet are of the same size. */
export type Bits = Uint32Array;

export function noBits(size: number): Bits {
  return new Uint32Array(Math.max(1, (size + 31) >> 5));
}

export function hasBit(bits: Bits, at: number): boolean {
  return ((bits[at >> 5] as number) & (1 << (at & 31))) !== 0;
}

export function addBit(bits: Bits, at: number): void {
  bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
}

export function dropBit(bits: Bits, at: number): void {
  bits[at >> 5] = (bits[at >> 5] as number) & ~(1 << (at & 31));
}

export function addBits(bits: Bits, more: Bits): void {
  for (let word = 0; word < bits.length; word += 1) {
    bits[word] = (bits[word] as number) | (more[word] as number);
  }
}

export function dropBits(bits: Bits, those: Bits): void {
  for (let word = 0; word < bits.length; word += 1) {
    bits[word] = (bits[word] as number) & ~(those[word] as number);
  }
}

export function meetBits(one: Bits, other: Bits): boolean {
  for (let word = 0; word < one.length; word += 1) {
    if (((one[word] as number) & (other[word] as number)) !== 0) return true;
  }
  return false;
}

/** How many are in it, but no more than asked for. */
export function countBits(bits: Bits, max: number): number {
  let count = 0;
  for (let word = 0; word < bits.length && count < max; word += 1) {
    for (let left = bits[word] as number; left !== 0; left &= left - 1) count += 1;
  }
  return count;
}

/** Those that are in both, ascending. */
export function commonBits(one: Bits, other: Bits): number[] {
  const found: number[] = [];
  for (let word = 0; word < one.length; word += 1) {
    let left = (one[word] as number) & (other[word] as number);
    for (; left !== 0; left &= left - 1) found.push(word * 32 + 31 - Math.clz32(left & -left));
  }
  return found;
}

/** Whether this is so for one that is in both. */
export function someCommon(one: Bits, other: Bits, test: (at: number) => boolean): boolean {
  for (let word = 0; word < one.length; word += 1) {
    let left = (one[word] as number) & (other[word] as number);
    for (; left !== 0; left &= left - 1) {
      if (test(word * 32 + 31 - Math.clz32(left & -left))) return true;
    }
  }
  return false;
}
