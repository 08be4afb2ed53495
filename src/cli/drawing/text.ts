/**
 * A picture as text, drawn with the characters that old terminals have for boxes. Each cell knows
 * to which of its four sides a line leads; the character follows from that, so that a way which
 * meets a border or another way joins it as it would on paper.
 */
import { type Box, type Layout, type Line, layoutOf } from '../../drawing/layout.ts';
import type { Picture } from '../../drawing/picture.ts';

const [UP, RIGHT, DOWN, LEFT] = [1, 2, 4, 8] as const;

/** By the sides to which lines lead. */
const STROKES = ' ╵╶└╷│┌├╴┘─┴┐┤┬┼';
const ROUND: Readonly<Record<string, string>> = { '┌': '╭', '┐': '╮', '└': '╰', '┘': '╯' };
const ARROW = '▼';

class Paper {
  readonly #sides: Uint8Array;
  /** 1 where every line so far is one that leads back. */
  readonly #dashed: Uint8Array;
  readonly #letters = new Map<number, string>();
  readonly #width: number;

  constructor({ width, height }: Layout) {
    this.#width = width;
    this.#sides = new Uint8Array(width * height);
    this.#dashed = new Uint8Array(width * height).fill(1);
  }

  /** A straight line between two cells, both included. */
  stroke(x1: number, y1: number, x2: number, y2: number, dashed = false): void {
    const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
    const ahead = dx > 0 ? RIGHT : dx < 0 ? LEFT : dy > 0 ? DOWN : UP;
    const behind = dx > 0 ? LEFT : dx < 0 ? RIGHT : dy > 0 ? UP : DOWN;
    for (let [x, y] = [x1, y1]; x !== x2 || y !== y2; x += dx, y += dy) {
      this.#join(x, y, ahead, dashed);
      this.#join(x + dx, y + dy, behind, dashed);
    }
  }

  write(x: number, y: number, text: string): void {
    for (const [index, letter] of Array.from(text).entries()) {
      this.#letters.set(y * this.#width + x + index, letter);
    }
  }

  /** The corner of a border, as a curve. */
  curve(x: number, y: number): void {
    const at = y * this.#width + x;
    const curved = ROUND[STROKES[this.#sides[at] ?? 0] ?? ''];
    if (curved !== undefined) this.#letters.set(at, curved);
  }

  toString(): string {
    const cells = Array.from(
      this.#sides,
      (sides, at) => this.#letters.get(at) ?? this.#at(sides, at),
    );
    const rows = Array.from({ length: cells.length / Math.max(this.#width, 1) }, (_, row) =>
      cells
        .slice(row * this.#width, (row + 1) * this.#width)
        .join('')
        .trimEnd(),
    );
    return rows.join('\n');
  }

  #join(x: number, y: number, side: number, dashed: boolean): void {
    const at = y * this.#width + x;
    this.#sides[at] = (this.#sides[at] ?? 0) | side;
    if (!dashed) this.#dashed[at] = 0;
  }

  #at(sides: number, at: number): string {
    const stroke = STROKES[sides] ?? ' ';
    if (this.#dashed[at] === 0) return stroke;
    return stroke === '│' ? '╎' : stroke === '─' ? '╌' : stroke;
  }
}

export function drawText(picture: Picture): string {
  const layout = layoutOf(picture);
  const paper = new Paper(layout);
  for (const box of layout.boxes) drawBorder(paper, box);
  for (const line of layout.lines) drawLine(paper, line);
  for (const box of layout.boxes) writeBox(paper, box);
  for (const { x, y, text } of layout.words) paper.write(x, y, text);
  return `${picture.title}\n\n${paper.toString()}\n`;
}

function drawBorder(paper: Paper, { x, y, width, height }: Box): void {
  const [right, bottom] = [x + width - 1, y + height - 1];
  paper.stroke(x, y, right, y);
  paper.stroke(right, y, right, bottom);
  paper.stroke(right, bottom, x, bottom);
  paper.stroke(x, bottom, x, y);
}

function drawLine(paper: Paper, { points, isBack, arrow }: Line): void {
  for (const [index, { x, y }] of points.entries()) {
    const next = points[index + 1];
    if (next !== undefined) paper.stroke(x, y, next.x, next.y, isBack);
  }
  const end = points.at(-1);
  if (arrow && end !== undefined) paper.write(end.x, end.y, ARROW);
}

/** The name of a region stands in its border; everything else in the middle. */
function writeBox(paper: Paper, { node, x, y, width, height }: Box): void {
  const { shape, lines, mark } = node;
  if (shape !== 'box') {
    const [right, bottom] = [x + width - 1, y + height - 1];
    for (const [column, row] of [
      [x, y],
      [right, y],
      [x, bottom],
      [right, bottom],
    ] as const) {
      paper.curve(column, row);
    }
  }
  const texts = mark === undefined ? lines : [...lines, mark];
  if (shape === 'region') {
    if (texts.length > 0) paper.write(x + 2, y, ` ${texts.join(' ')} `);
    return;
  }
  for (const [index, text] of texts.entries()) {
    paper.write(x + Math.floor((width - Array.from(text).length) / 2), y + 1 + index, text);
  }
}
