/**
 * Rows by number, for a state that many hold at different moments.
 *
 * `branch` makes a table of its own in constant time; writing to it never shows in the one it came
 * from, which stays valid for as long as anyone cares to hold it. Rows lie sorted in chunks, a
 * chunk is copied before its first write in a branch, and `eachDifference` skips the chunks two
 * tables share: so a stride costs what it touches, however much there is. Most tables of most
 * instances fit in one chunk, and then all of this is the copying of two short arrays.
 */
import { assert } from './assert.ts';

/** Longer chunks cost more to copy, shorter ones make a longer list of chunks. */
const CHUNK_MAX = 32;

interface Chunk<Value> {
  /** Which branch made it: that one alone may write to it. */
  readonly stamp: number;
  /** Ascending; the value of each key is at the same place among the values. */
  readonly keys: number[];
  readonly values: Value[];
}

export class Table<Key extends number, Value> {
  #chunks: Chunk<Value>[] | null;
  #size: number;
  /** Greater than that of every table this one came from, so no chunk of theirs has it. */
  readonly #stamp: number;
  /** Whether the list of chunks is this table's own. */
  #owned = false;
  #branched = false;

  private constructor(chunks: Chunk<Value>[] | null, size: number, stamp: number) {
    this.#chunks = chunks;
    this.#size = size;
    this.#stamp = stamp;
  }

  static empty<Key extends number, Value>(): Table<Key, Value> {
    return new Table<Key, Value>(null, 0, 0);
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    if (this.#chunks === null) return undefined;
    const chunk = this.#chunks[chunkFor(this.#chunks, key)] as Chunk<Value>;
    const at = placeOf(chunk.keys, key);
    return at >= 0 && chunk.keys[at] === key ? chunk.values[at] : undefined;
  }

  set(key: Key, value: Value): void {
    assert(!this.#branched, 'a table that was branched is not written to any more');
    if (this.#chunks === null) {
      this.#chunks = [{ stamp: this.#stamp, keys: [key], values: [value] }];
      this.#owned = true;
      this.#size = 1;
      return;
    }
    const number = chunkFor(this.#chunks, key);
    const { keys, values } = this.#own(this.#chunks, number);
    const at = placeOf(keys, key);
    if (at >= 0 && keys[at] === key) {
      values[at] = value;
      return;
    }
    insert(keys, at + 1, key);
    insert(values, at + 1, value);
    this.#size += 1;
    if (keys.length > CHUNK_MAX) this.#split(number, at + 1);
  }

  delete(key: Key): void {
    assert(!this.#branched, 'a table that was branched is not written to any more');
    if (this.#chunks === null) return;
    const number = chunkFor(this.#chunks, key);
    const { keys } = this.#chunks[number] as Chunk<Value>;
    const at = placeOf(keys, key);
    if (at < 0 || keys[at] !== key) return;
    this.#size -= 1;
    if (keys.length === 1) return this.#drop(number);
    const own = this.#own(this.#chunks, number);
    remove(own.keys, at);
    remove(own.values, at);
  }

  /** The first key, the least one; undefined if there is none. */
  first(): Key | undefined {
    return this.#chunks?.[0]?.keys[0] as Key | undefined;
  }

  /** Ascending. */
  keys(): Key[] {
    return (this.#chunks ?? []).flatMap(({ keys }) => keys as Key[]);
  }

  /** In the order of their keys. */
  values(): Value[] {
    const all: Value[] = [];
    for (const { values } of this.#chunks ?? []) for (const value of values) all.push(value);
    return all;
  }

  branch(): Table<Key, Value> {
    this.#branched = true;
    return new Table<Key, Value>(this.#chunks, this.#size, this.#stamp + 1);
  }

  /** Every key whose value is not the same in both, ascending, with the value it has in each. */
  static eachDifference<Key extends number, Value>(
    before: Table<Key, Value>,
    after: Table<Key, Value>,
    visit: Visit<Key, Value>,
  ): void {
    if (before.#chunks === after.#chunks) return;
    const left = before.#chunks ?? [];
    const right = after.#chunks ?? [];
    const at = { left: 0, right: 0, leftRow: 0, rightRow: 0 };
    while (at.left < left.length || at.right < right.length) {
      const was = left[at.left] ?? NO_CHUNK;
      const is = right[at.right] ?? NO_CHUNK;
      const isShared = was === is && at.leftRow === 0 && at.rightRow === 0;
      if (!isShared) compare(was as Chunk<Value>, is as Chunk<Value>, at, visit);
      if (isShared || at.leftRow === was.keys.length) {
        at.left += 1;
        at.leftRow = 0;
      }
      if (isShared || at.rightRow === is.keys.length) {
        at.right += 1;
        at.rightRow = 0;
      }
    }
  }

  /** A chunk that may be written to. */
  #own(chunks: Chunk<Value>[], number: number): Chunk<Value> {
    const chunk = chunks[number] as Chunk<Value>;
    if (chunk.stamp === this.#stamp) return chunk;
    const own = { stamp: this.#stamp, keys: chunk.keys.slice(), values: chunk.values.slice() };
    this.#ownList(chunks)[number] = own;
    return own;
  }

  #ownList(chunks: Chunk<Value>[]): Chunk<Value>[] {
    if (this.#owned) return chunks;
    this.#owned = true;
    this.#chunks = chunks.slice();
    return this.#chunks;
  }

  #drop(number: number): void {
    const chunks = this.#ownList(this.#chunks ?? []);
    chunks.splice(number, 1);
    if (chunks.length === 0) this.#chunks = null;
  }

  /** Ids come in ascending order, so what was put last most often is the first of many. */
  #split(number: number, at: number): void {
    const chunks = this.#ownList(this.#chunks ?? []);
    const { keys, values } = chunks[number] as Chunk<Value>;
    const from = at === CHUNK_MAX ? CHUNK_MAX : CHUNK_MAX / 2;
    const upper = { stamp: this.#stamp, keys: keys.splice(from), values: values.splice(from) };
    chunks.splice(number + 1, 0, upper);
  }
}

type Visit<Key, Value> = (key: Key, was: Value | undefined, is: Value | undefined) => void;

/** Stands for the chunks a table does not have. */
const NO_CHUNK: Chunk<unknown> = { stamp: -1, keys: [], values: [] };

/** Goes on row by row until one of the two chunks is through; all of one that stands alone. */
function compare<Key extends number, Value>(
  was: Chunk<Value>,
  is: Chunk<Value>,
  at: { leftRow: number; rightRow: number },
  visit: Visit<Key, Value>,
): void {
  let { leftRow: i, rightRow: j } = at;
  while (i < was.keys.length && j < is.keys.length) {
    const left = was.keys[i] as number;
    const right = is.keys[j] as number;
    if (left < right) {
      visit(left as Key, was.values[i], undefined);
      i += 1;
    } else if (left > right) {
      visit(right as Key, undefined, is.values[j]);
      j += 1;
    } else {
      if (was.values[i] !== is.values[j]) visit(left as Key, was.values[i], is.values[j]);
      i += 1;
      j += 1;
    }
  }
  if (is === NO_CHUNK)
    for (; i < was.keys.length; i += 1) visit(was.keys[i] as Key, was.values[i], undefined);
  if (was === NO_CHUNK)
    for (; j < is.keys.length; j += 1) visit(is.keys[j] as Key, undefined, is.values[j]);
  at.leftRow = i;
  at.rightRow = j;
}

/** The number of the chunk that holds the key, or would. */
function chunkFor(chunks: readonly Chunk<unknown>[], key: number): number {
  let low = 0;
  for (let high = chunks.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (((chunks[middle] as Chunk<unknown>).keys[0] as number) > key) high = middle - 1;
    else low = middle;
  }
  return low;
}

/** Where the last key stands that is not greater; -1 if all are. Those asked for come late. */
function placeOf(keys: readonly number[], key: number): number {
  let at = keys.length - 1;
  while (at >= 0 && (keys[at] as number) > key) at -= 1;
  return at;
}

function insert<Item>(list: Item[], at: number, item: Item): void {
  list.push(item);
  for (let i = list.length - 1; i > at; i -= 1) list[i] = list[i - 1] as Item;
  list[at] = item;
}

function remove(list: unknown[], at: number): void {
  for (let i = at; i < list.length - 1; i += 1) list[i] = list[i + 1];
  list.pop();
}
