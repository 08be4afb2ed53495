/** The tables of pages that are written by hand, and what their rows say of codes. */
import type { SourceFile } from '../tidy/source.ts';

export interface Row {
  readonly codes: readonly string[];
  /** It is about every code that begins so. */
  readonly all: string | null;
  /** What is below each word of the head, by that word; the first is what the codes stand in. */
  readonly cells: ReadonlyMap<string, string>;
  /** The word above the codes: `fault`, `diagnostic`, `code`. */
  readonly head: string;
  readonly page: string;
  /** The heading that it stands below, without its signs. */
  readonly heading: string;
}

/** A code in a table: `instance.not-found`, alone or as the text of a link. */
const CODES = /`([a-z][\w-]*\.[\w-]+|LEASE_EXPIRED|bug|[a-z]+-short|interrupted|uncaught)`/g;

export function rowsIn({ path, text }: SourceFile): readonly Row[] {
  const rows: Row[] = [];
  let heading = '';
  let head: readonly string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    const cells = cellsOf(line);
    if (cells.length === 0) head = [];
    else if (head.length === 0) head = cells;
    else if (!/^-+$/.test(cells[0] ?? '')) {
      const codes = [...(cells[0] ?? '').matchAll(CODES)].map(([, code]) => code ?? '');
      const named = new Map(head.map((word, at) => [word, cells[at] ?? '']));
      const all = beginningOf(cells[0] ?? '', codes);
      const about = { codes, all, cells: named, head: head[0] ?? '' };
      if (codes.length > 0) rows.push({ ...about, page: path, heading });
    }
  }
  return rows;
}

export function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** "`task.bad-assignee`, and likewise for every part" is about all that begin with `task.bad-`. */
function beginningOf(cell: string, [first = '']: readonly string[]): string | null {
  if (!cell.includes('likewise for every part')) return null;
  return /^.*\.bad-/.exec(first)?.[0] ?? null;
}
