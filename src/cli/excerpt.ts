/**
 * Where in a file something stands, and the lines around it with a mark. A definition in TypeScript
 * says of itself only the names of its nodes: those are looked for as they were written.
 */

export interface Spot {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** Lines that are shown before the one that is meant. */
const LINES_BEFORE = 2;
/** A longer line is cut around what is meant: minified code is one line. */
const LINE_COLUMNS_MAX = 120;

/** Of one file there may be thousands, and it may be one line of megabytes. */
let last: { readonly text: string; readonly lines: readonly string[] } | null = null;

function linesOf(text: string): readonly string[] {
  if (last?.text !== text) last = { text, lines: text.split(/\r?\n/) };
  return last.lines;
}

export function excerptOf(text: string, { line, column }: Spot): string {
  const lines = linesOf(text);
  const from = Math.max(line - LINES_BEFORE, 1);
  const gutter = String(line).length;
  const cut = Math.max(0, column - LINE_COLUMNS_MAX);
  const shown = lines.slice(from - 1, line).map((words, index) => {
    const number = String(from + index).padStart(gutter);
    return `  ${number} | ${words.slice(cut, cut + LINE_COLUMNS_MAX).replaceAll('\t', ' ')}`;
  });
  return [...shown, `  ${' '.repeat(gutter)} | ${' '.repeat(column - 1 - cut)}^`].join('\n');
}

/** The first place where a name is written in quotes: that is where a node or a flow is made. */
export function findName(text: string, name: string): Spot | undefined {
  const places = [`'${name}'`, `"${name}"`, `\`${name}\``, `${name}:`]
    .map((written) => text.indexOf(written))
    .filter((at) => at >= 0);
  return places.length === 0 ? undefined : spotAt(text, Math.min(...places));
}

export function spotAt(text: string, at: number): Spot {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
