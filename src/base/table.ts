/**
 * Rows by number, for a state that many hold at different moments.
 *
 * `branch` makes a table of its own in constant time; writing to it never shows in the one it came
 * from, which stays valid for as long as anyone cares to hold it. Rows lie sorted in chunks, a
 * chunk is copied before its first write in a branch, and `eachDifference` skips the chunks two
 * tables share: so a stride costs what it touches, however much there is. Most tables of most
 * instances fit in one chunk, and then all of this is the copying of one short list.
 */
import { assert } from './assert.ts';

/** Longer chunks cost more to copy, shorter ones make a longer list of chunks. */
const CHUNK_MAX = 32;

/**
 * The stamp of the branch that made it and alone may write to it, then a key, its value, the next
 * key, and so on, keys ascending. One list and not an object with two: it is copied all the time.
 */
type Chunk = unknown[];

/** Where the first key of a chunk stands. */
const FIRST = 1;

/** What comes after the last chunk. Its key is greater than any. */
const NO_CHUNK: Chunk = [-1, Number.POSITIVE_INFINITY, undefined];

export class Table<Key extends number, Value> {
  /** All there is while it fits in one chunk; else null, and `#chunks` has it. */
  #only: Chunk | null;
  #chunks: Chunk[] | null;
  #size: number;
  /** Greater than that of every table this one came from, so no chunk of theirs has it. */
  readonly #stamp: number;
  /** Whether the list of chunks is this table's own. */
  #owned = false;
  #branched = false;

  private constructor(only: Chunk | null, chunks: Chunk[] | null, size: number, stamp: number) {
    this.#only = only;
    this.#chunks = chunks;
    this.#size = size;
    this.#stamp = stamp;
  }

  static empty<Key extends number, Value>(): Table<Key, Value> {
    return new Table<Key, Value>(null, null, 0, 0);
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const chunk = this.#chunkOf(key);
    if (chunk === null) return undefined;
    const at = placeOf(chunk, key);
    return at >= FIRST && chunk[at] === key ? (chunk[at + 1] as Value) : undefined;
  }

  set(key: Key, value: Value): void {
    assert(!this.#branched, 'a table that was branched is not written to any more');
    const chunk = this.#chunkOf(key);
    if (chunk === null) {
      this.#only = [this.#stamp, key, value];
      this.#size = 1;
      return;
    }
    const at = placeOf(chunk, key);
    if (at < FIRST || chunk[at] !== key) return this.#insert(chunk, at, key, value);
    this.#own(chunk, key)[at + 1] = value;
  }

  delete(key: Key): void {
    assert(!this.#branched, 'a table that was branched is not written to any more');
    const chunk = this.#chunkOf(key);
    if (chunk === null) return;
    const at = placeOf(chunk, key);
    if (at < FIRST || chunk[at] !== key) return;
    this.#size -= 1;
    if (chunk.length === FIRST + 2) return this.#replace(key, []);
    const own = this.#own(chunk, key);
    for (let i = at; i < own.length - 2; i += 1) own[i] = own[i + 2];
    own.pop();
    own.pop();
  }

  /** The first key, the least one; undefined if there is none. */
  first(): Key | undefined {
    return (this.#only ?? this.#chunks?.[0])?.[FIRST] as Key | undefined;
  }

  /** Ascending. */
  keys(): Key[] {
    return this.#column(FIRST);
  }

  /** In the order of their keys. */
  values(): Value[] {
    return this.#column(FIRST + 1);
  }

  branch(): Table<Key, Value> {
    this.#branched = true;
    return new Table<Key, Value>(this.#only, this.#chunks, this.#size, this.#stamp + 1);
  }

  /**
   * Every key whose value is not the same in both, ascending, with the value it has in each. What
   * is found goes to `to`, which saves the caller a closure.
   */
  static eachDifference<Key extends number, Value, To>(
    before: Table<Key, Value>,
    after: Table<Key, Value>,
    to: To,
    visit: (to: To, key: Key, was: Value | undefined, is: Value | undefined) => void,
  ): void {
    let left = 0;
    let right = 0;
    let i = FIRST;
    let j = FIRST;
    for (;;) {
      const was = before.#chunkAt(left);
      const is = after.#chunkAt(right);
      if (was === is) {
        if (was === NO_CHUNK) return;
        left += 1;
        right += 1;
        continue;
      }
      do {
        const key = was[i] as Key;
        const other = is[j] as Key;
        const old = key <= other ? was[i + 1] : undefined;
        const young = other <= key ? is[j + 1] : undefined;
        if (old !== young) visit(to, key <= other ? key : other, old as Value, young as Value);
        if (key <= other) i += 2;
        if (other <= key) j += 2;
      } while (i < was.length && j < is.length);
      if (i >= was.length) {
        left += 1;
        i = FIRST;
      }
      if (j >= is.length) {
        right += 1;
        j = FIRST;
      }
    }
  }

  /** The chunk that holds the key, or would; null if there is none at all. */
  #chunkOf(key: number): Chunk | null {
    if (this.#chunks === null) return this.#only;
    return this.#chunks[numberOf(this.#chunks, key)] as Chunk;
  }

  #chunkAt(number: number): Chunk {
    if (this.#chunks === null) return number === 0 ? (this.#only ?? NO_CHUNK) : NO_CHUNK;
    return number < this.#chunks.length ? (this.#chunks[number] as Chunk) : NO_CHUNK;
  }

  #column<Item>(from: number): Item[] {
    const all: Item[] = [];
    for (let number = 0; ; number += 1) {
      const chunk = this.#chunkAt(number);
      if (chunk === NO_CHUNK) return all;
      for (let i = from; i < chunk.length; i += 2) all.push(chunk[i] as Item);
    }
  }

  /** The chunk of a key, such that it may be written to. */
  #own(chunk: Chunk, key: number): Chunk {
    if (chunk[0] === this.#stamp) return chunk;
    const own = withRoom(chunk);
    own[0] = this.#stamp;
    this.#replace(key, [own]);
    return own;
  }

  /** At the end of a chunk of its own there may be room; anywhere else the chunk is made anew. */
  #insert(chunk: Chunk, after: number, key: number, value: Value): void {
    const at = after < FIRST ? FIRST : after + 2;
    this.#size += 1;
    const hasRoom = chunk.length < FIRST + 2 * CHUNK_MAX;
    if (hasRoom && at === chunk.length && chunk[0] === this.#stamp) {
      chunk.push(key, value);
      return;
    }
    const longer: Chunk = Array(chunk.length + 2);
    longer[0] = this.#stamp;
    for (let i = FIRST; i < at; i += 1) longer[i] = chunk[i];
    longer[at] = key;
    longer[at + 1] = value;
    for (let i = at; i < chunk.length; i += 1) longer[i + 2] = chunk[i];
    const isLast = at === chunk.length;
    this.#replace(key, longer.length > FIRST + 2 * CHUNK_MAX ? split(longer, isLast) : [longer]);
  }

  /** Puts others in the place of the chunk that holds the key, or would. */
  #replace(key: number, by: readonly Chunk[]): void {
    if (this.#chunks === null && by.length < 2) {
      this.#only = by[0] ?? null;
      return;
    }
    const chunks = this.#owned ? this.#chunks : this.#chunks?.slice();
    this.#chunks = chunks ?? [this.#only as Chunk];
    this.#owned = true;
    this.#only = null;
    const number = numberOf(this.#chunks, key);
    if (by.length === 1) this.#chunks[number] = by[0] as Chunk;
    else this.#chunks.splice(number, 1, ...by);
    if (this.#chunks.length === 0) this.#chunks = null;
  }
}

/**
 * A copy with room for one row more, since a step adds one. A list that is cut a little keeps its
 * room, where pushing to a full one takes room for sixteen more and copies it all again.
 */
function withRoom(chunk: Chunk): Chunk {
  const copy: Chunk = Array(chunk.length + 2);
  for (let i = 0; i < chunk.length; i += 1) copy[i] = chunk[i];
  copy.length = chunk.length;
  return copy;
}

/** Ids come in ascending order, so what was put last most often is the first of many. */
function split(chunk: Chunk, isLast: boolean): readonly Chunk[] {
  const from = isLast ? chunk.length - 2 : FIRST + CHUNK_MAX;
  return [chunk.slice(0, from), [chunk[0], ...chunk.slice(from)]];
}

/** The number of the chunk that holds the key, or would. */
function numberOf(chunks: readonly Chunk[], key: number): number {
  let low = 0;
  for (let high = chunks.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (((chunks[middle] as Chunk)[FIRST] as number) > key) high = middle - 1;
    else low = middle;
  }
  return low;
}

/** Where the last key stands that is not greater; 0 if all are. Those asked for come late. */
function placeOf(chunk: Chunk, key: number): number {
  let at = chunk.length - 2;
  while (at >= FIRST && (chunk[at] as number) > key) at -= 2;
  return at < FIRST ? 0 : at;
}
