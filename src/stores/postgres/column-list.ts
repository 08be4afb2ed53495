/**
 * Rows on their way into a statement that takes columns: each column is one array, written as
 * Postgres reads it. A batch has thousands of cells and is written at every commit, and most
 * columns hold one value over and over: those are written once and repeated.
 *
 * Arrays are text, save for columns of JSON: nearly every word is quoted in them, and each quote
 * would be escaped here and read letter by letter there. They go as they are, in the binary form.
 */
import type { Cell } from '../writes.ts';
import { withoutNulls } from './driver.ts';

const NONE: readonly Cell[] = [];
const NO_COLUMNS: readonly Column[] = [];

export class ColumnList {
  readonly #width: number;
  /** Made with the first row: most lists of most batches have none. */
  #columns: readonly Column[] = NO_COLUMNS;
  #rows = 0;

  constructor(width: number) {
    this.#width = width;
  }

  get rows(): number {
    return this.#rows;
  }

  /** One cell, those of a list from `from` on, and more; what is left of the row is null. */
  add(first: Cell, cells: readonly Cell[], from = 0, more: readonly Cell[] = NONE): void {
    if (this.#rows === 0) {
      this.#columns = Array.from({ length: this.#width }, () => new Column());
    }
    const columns = this.#columns;
    const end = columns.length;
    columns[0]?.add(first);
    let at = 1;
    for (let i = from; i < cells.length && at < end; i += 1, at += 1) {
      columns[at]?.add(cells[i] as Cell);
    }
    for (let i = 0; i < more.length && at < end; i += 1, at += 1) columns[at]?.add(more[i] as Cell);
    for (; at < end; at += 1) columns[at]?.add(null);
    this.#rows += 1;
  }

  /** As parameters, those of another list behind them; null if there is nothing at all. */
  arrays(after: ColumnList = this): readonly (string | Buffer | null)[] {
    const [first, others] =
      this.#rows === 0 || after === this
        ? [after.#columns, NO_COLUMNS]
        : [this.#columns, after.#columns];
    if (first.length === 0) return Array.from({ length: this.#width }, () => null);
    return first.map((column, at) => column.array(others[at]));
  }
}

class Column {
  /** What every cell is so far, and how many there are. */
  #same: Cell = null;
  #count = 0;
  /** All of them, once they differ. */
  #cells: Cell[] | null = null;

  add(cell: Cell): void {
    this.#count += 1;
    if (this.#cells !== null) this.#cells.push(cell);
    else if (this.#count === 1) this.#same = cell;
    else if (cell !== this.#same) {
      this.#cells = Array.from({ length: this.#count - 1 }, () => this.#same);
      this.#cells.push(cell);
    }
  }

  array(after: Column | undefined): string | Buffer {
    if (after === undefined) return this.#isJson ? binaryOf(this.#all()) : `{${this.#text()}}`;
    if (this.#isJson || after.#isJson) return binaryOf([...this.#all(), ...after.#all()]);
    return `{${this.#text()},${after.#text()}}`;
  }

  /** By its first cell: if it is wrong, the other form is just as good. */
  get #isJson(): boolean {
    return this.#cells !== null && String(this.#same).includes('"');
  }

  #all(): readonly Cell[] {
    return this.#cells ?? Array.from({ length: this.#count }, () => this.#same);
  }

  #text(): string {
    if (this.#cells !== null) return this.#cells.map(written).join(',');
    const text = written(this.#same);
    return this.#count === 1 ? text : `${text},`.repeat(this.#count - 1) + text;
  }
}

/** The number that Postgres knows its type text by. */
const TEXT = 25;
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;

/** One dimension, whether any is null, the type, how many, from one on; each after its length. */
function binaryOf(cells: readonly Cell[]): Buffer {
  const texts = cells.map((cell) => (cell === null ? null : withoutNulls(String(cell))));
  let length = HEAD_BYTES;
  for (const text of texts) {
    length += LENGTH_BYTES + (text === null ? 0 : Buffer.byteLength(text));
  }
  const bytes = Buffer.allocUnsafe(length);
  const head = [1, Number(texts.includes(null)), TEXT, texts.length, 1];
  let at = 0;
  for (const number of head) at = bytes.writeInt32BE(number, at);
  for (const text of texts) {
    const written = text === null ? 0 : bytes.write(text, at + LENGTH_BYTES);
    at = bytes.writeInt32BE(text === null ? -1 : written, at) + written;
  }
  return bytes;
}

function written(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'number') return `${cell}`;
  const text = cell.includes('\\') ? cell.replaceAll('\\', '\\\\') : cell;
  return text.includes('"') ? `"${text.replaceAll('"', '\\"')}"` : `"${text}"`;
}
