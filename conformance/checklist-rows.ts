/**
 * The checklist of Serverless Workflow, and which of its rows a test is for.
 *
 * A line is `ID<tab>what is so<tab>where that is said`; one that begins with `#` is a heading. A
 * test names the rows it proves in its title, in brackets: `… [HT-08]`, `… [HT-01, HT-02]`; a title
 * around it counts for all tests in it.
 */
import { no, ok, type Result } from '../src/base/result.ts';

export interface Row {
  readonly id: string;
  readonly text: string;
}

/** What came of one test. */
export interface Ran {
  readonly file: string;
  /** With the titles around it. */
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'skipped';
}

/** What came of one row. */
export interface Verdict {
  readonly row: Row;
  readonly as: 'passed' | 'failed' | 'skipped';
  /** Why, if it did not pass. */
  readonly why: string;
}

const ID = /^[A-Z][A-Z0-9]*-[A-Z]?\d+$/;

/** The problem is a sentence. */
export function readRows(text: string): Result<readonly Row[], string> {
  const rows: Row[] = [];
  const known = new Set<string>();
  for (const [n, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [id = '', said = ''] = line.split('\t');
    if (!ID.test(id)) return no(`line ${n + 1} does not begin with the id of a row: ${line}`);
    if (known.has(id)) return no(`line ${n + 1} has the id of another row: ${id}`);
    known.add(id);
    rows.push({ id, text: said });
  }
  return rows.length === 0 ? no('there is no row in it') : ok(rows);
}

/** The rows that a title names, of whatever checklist. */
export function rowsIn(title: string): readonly string[] {
  return Array.from(title.matchAll(/\[([^[\]]+)\]/g)).flatMap(([, inside = '']) => {
    const parts = inside.split(',').map((part) => part.trim());
    return parts.every((part) => ID.test(part)) ? parts : [];
  });
}

/**
 * A row passes if a test for it passes and none fails. One that nobody has tested is left out on
 * purpose if there is a reason, and has failed if there is none.
 */
export function judgeRows(
  rows: readonly Row[],
  tests: readonly Ran[],
  missing: Readonly<Record<string, string>>,
): readonly Verdict[] {
  const named = new Map<string, Ran[]>();
  for (const test of tests) {
    for (const id of new Set(rowsIn(test.title))) {
      named.set(id, [...(named.get(id) ?? []), test]);
    }
  }
  return rows.map((row) => judgeRow(row, named.get(row.id) ?? [], missing[row.id]));
}

function judgeRow(row: Row, tests: readonly Ran[], reason: string | undefined): Verdict {
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed !== undefined) {
    return { row, as: 'failed', why: `"${failed.title}" failed in ${failed.file}` };
  }
  if (tests.some(({ status }) => status === 'passed')) return { row, as: 'passed', why: '' };
  if (reason !== undefined) return { row, as: 'skipped', why: reason };
  const [skipped] = tests;
  const why = skipped === undefined ? 'no test names it' : `"${skipped.title}" was skipped`;
  return { row, as: 'failed', why };
}

/** Ids that tests name and that are no rows, of those that look like some. */
export function strayIds(rows: readonly Row[], tests: readonly Ran[]): readonly string[] {
  const known = new Set(rows.map(({ id }) => id));
  const families = new Set(rows.map(({ id }) => id.slice(0, id.indexOf('-'))));
  const named = tests.flatMap(({ title }) => rowsIn(title));
  return [...new Set(named)].filter((id) => {
    return !known.has(id) && families.has(id.slice(0, id.indexOf('-')));
  });
}
