/**
 * Rows on their way into a statement that takes columns: each column is one array, written as
 * Postgres reads it. A batch has thousands of cells and is written at every commit, and most
 * columns hold one value over and over: those are written once and repeated.
 */
import type { Cell } from '../writes.ts';

export class ColumnList {
  readonly #columns: Column[];
  #rows = 0;

  constructor(width: number) {
    this.#columns = Array.from({ length: width }, () => new Column());
  }

  get rows(): number {
    return this.#rows;
  }

  /** One cell, those of a list from `from` on, and more; what is left of the row is null. */
  add(first: Cell, cells: readonly Cell[], from = 0, more: readonly Cell[] = NONE): void {
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

  /** As parameters; those of another list follow, if there is one. */
  arrays(after?: ColumnList): readonly string[] {
    const others = after === undefined || after.#rows === 0 ? NO_COLUMNS : after.#columns;
    return this.#columns.map((column, at) => {
      const text = column.text();
      const rest = others[at]?.text() ?? '';
      return text === '' || rest === '' ? `{${text}${rest}}` : `{${text},${rest}}`;
    });
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
      this.#cells = new Array<Cell>(this.#count - 1).fill(this.#same);
      this.#cells.push(cell);
    }
  }

  text(): string {
    if (this.#cells !== null) return this.#cells.map(written).join(',');
    if (this.#count === 0) return '';
    const text = written(this.#same);
    return this.#count === 1 ? text : `${text},`.repeat(this.#count - 1) + text;
  }
}

const NONE: readonly Cell[] = [];
const NO_COLUMNS: readonly Column[] = [];

function written(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'number') return `${cell}`;
  const text = cell.includes('\\') ? cell.replaceAll('\\', '\\\\') : cell;
  return text.includes('"') ? `"${text.replaceAll('"', '\\"')}"` : `"${text}"`;
}
