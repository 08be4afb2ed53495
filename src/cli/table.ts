/** Rows in columns, cut to the width of the terminal where there is one. */
import { plainLine } from './plain.ts';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** This one is cut first when there is too little room; of several, the widest. */
  readonly gives?: true;
}

/** A name and what is said of it; null if nothing is. */
export type Fact = readonly [string, string | null];

const NAME_COLUMNS = 10;

/** What is known of one thing, a line for each. */
export function factLines(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap(([name, text]) =>
    text === null ? [] : [`${name.padEnd(NAME_COLUMNS)} ${plainLine(text)}`],
  );
}

const GAP = '  ';
/** No column is cut to less than this. */
const COLUMNS_MIN = 8;

export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | null,
): string {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(cellOf(row)))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => lengthOf(line[at] ?? ''))));
  if (width !== null) shrink(columns, widths, width);
  return cells.map((line) => lineOf(line, widths)).join('\n');
}

/** What would break the row is shown as one space. */
function cellOf<Row>(row: Row): (column: Column<Row>) => string {
  return ({ text }) => plainLine(text(row)).replaceAll(/\s+/g, ' ');
}

function shrink<Row>(columns: readonly Column<Row>[], widths: number[], width: number): void {
  const gaps = GAP.length * (columns.length - 1);
  for (;;) {
    const over = widths.reduce((sum, one) => sum + one, gaps) - width;
    const able = columns.flatMap(({ gives }, at) => {
      return gives === true && (widths[at] ?? 0) > COLUMNS_MIN ? [at] : [];
    });
    const [widest] = able.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (over <= 0 || widest === undefined) return;
    widths[widest] = Math.max(COLUMNS_MIN, (widths[widest] ?? 0) - 1);
  }
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, at) => fitted(text, widths[at] ?? 0))
    .join(GAP)
    .trimEnd();
}

function fitted(text: string, width: number): string {
  const letters = Array.from(text);
  if (letters.length <= width) return text + ' '.repeat(width - letters.length);
  return `${letters.slice(0, width - 1).join('')}…`;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
