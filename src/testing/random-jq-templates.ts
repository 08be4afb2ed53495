/** The rows of `random-jq-rows.ts`, taken apart. */
import { ROWS } from './random-jq-rows.ts';
import { arrayOf, fits, type Shape, shapeOf } from './random-jq-shapes.ts';
import { LEVEL, type Level } from './random-jq-text.ts';

export interface Row {
  /** The letters of its input; undefined if it takes what is at hand. */
  readonly input: string | undefined;
  readonly output: string;
  /** Whether it has any number of outputs. */
  readonly many: boolean;
  readonly level: Level;
  readonly parts: readonly (string | Hole)[];
}

export interface Hole {
  /** The letters of what is wanted, or the letter of something special. */
  readonly code: string;
  readonly many: boolean;
  /** The letters of what `.` is inside; undefined if it is the input of the row. */
  readonly dot: string | undefined;
  readonly least: Level;
}

const ROW = /^(\S+) -> (\*?)(\S+?)(?: @(\d))?: (.*)$/;
const HOLE = /<([A-Za-z=]+)(\*?)(?::([A-Za-z]+))?(?:,(\d))?>/g;

export const TEMPLATES: readonly Row[] = ROWS.map(readRow);

function readRow(text: string): Row {
  const [, input = '', many, output = '', level, template = ''] = ROW.exec(text) ?? [];
  if (output === '') throw new Error(`"${text}" is no row`);
  const parts = readHoles(template.replaceAll('⏎', '\n'));
  return {
    input: input === '.' ? undefined : input,
    output,
    many: many === '*',
    level: level === undefined ? levelOf(template) : (Number(level) as Level),
    parts,
  };
}

/** A template with a pipe or a definition of its own is loose; every other one is a term. */
function levelOf(template: string): Level {
  const bare = template.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(HOLE, '');
  let open = 0;
  for (const character of bare) {
    if ('([{'.includes(character)) open += 1;
    else if (')]}'.includes(character)) open -= 1;
    else if (character === '|' && open === 0) return LEVEL.pipe;
  }
  return /^(def|try|if|reduce) /.test(bare) && !bare.startsWith('if') ? LEVEL.pipe : LEVEL.term;
}

function readHoles(template: string): (string | Hole)[] {
  const parts: (string | Hole)[] = [];
  let from = 0;
  for (const found of template.matchAll(HOLE)) {
    const [text, code = '', many, dot, least] = found;
    const after = found.index + text.length;
    const isEnclosed =
      /[([;]\s*$/.test(template.slice(0, found.index)) && isClosed(template, after);
    const isLoose = isEnclosed || isBetweenWords(template.slice(0, found.index));
    const level = least === undefined ? (isLoose ? LEVEL.pipe : LEVEL.term) : Number(least);
    parts.push(template.slice(from, found.index));
    parts.push({ code, many: many === '*', dot, least: level as Level });
    from = after;
  }
  parts.push(template.slice(from));
  return parts;
}

function isClosed(template: string, after: number): boolean {
  return /^\s*[)\];|#]/.test(template.slice(after));
}

function isBetweenWords(before: string): boolean {
  return /(^|\W)(if|then|elif|else)\s+$/.test(before) || before === '';
}

/** What is wanted of a row's input and of its holes marked `r`, so that it gives what is wanted. */
export function aimOf(row: Row, wanted: Shape): { input: Shape; result: Shape } | undefined {
  const input = row.input === undefined ? undefined : codeShape(row.input, wanted);
  switch (row.output) {
    case 'r':
      return { input: input ?? wanted, result: wanted };
    case '=':
      if (input === undefined || !(wanted.is === 'any' || fits(wanted, input))) return undefined;
      return { input: wanted.is === 'any' ? input : wanted, result: wanted };
    case 'ar': {
      if (wanted.is !== 'array' && wanted.is !== 'any') return undefined;
      const result = wanted.is === 'array' ? wanted.of : wanted;
      return { input: row.input === undefined ? wanted : codeShape(row.input, result), result };
    }
    default:
      if (!fits(shapeOf(row.output), wanted)) return undefined;
      return { input: input ?? wanted, result: wanted };
  }
}

/** The shape that letters stand for, with `r` for what is wanted. */
export function codeShape(code: string, result: Shape): Shape {
  if (code === 'r') return result;
  if (code === 'ar') return arrayOf(result);
  return shapeOf(code);
}
