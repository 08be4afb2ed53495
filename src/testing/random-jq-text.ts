/**
 * The text of a random jq program as a tree of pieces, so that a program that shows a difference
 * can be made smaller: any piece can take the place of the one around it.
 *
 * A piece knows how tightly it holds together and a slot how tightly what it holds must, and
 * parentheses go where they are needed and nowhere else: precedence is part of what is tried.
 */

export interface Piece {
  readonly level: Level;
  readonly parts: readonly (string | Slot)[];
}

export interface Slot {
  readonly piece: Piece;
  /** A piece that holds together less tightly is written in parentheses. */
  readonly least: Level;
}

/** From the loosest to the tightest, as in jq's grammar. */
export const LEVEL = {
  pipe: 0,
  comma: 1,
  otherwise: 2,
  assign: 3,
  or: 4,
  and: 5,
  compare: 6,
  add: 7,
  multiply: 8,
  term: 9,
} as const;

export type Level = (typeof LEVEL)[keyof typeof LEVEL];

export function word(text: string): Piece {
  return { level: LEVEL.term, parts: [text] };
}

export function slot(piece: Piece, least: Level = LEVEL.pipe): Slot {
  return { piece, least };
}

export function piece(level: Level, ...parts: readonly (string | Slot)[]): Piece {
  return { level, parts };
}

/** Pieces one after the other, with the same text between each two. */
export function joined(slots: readonly (string | Slot)[], between: string): (string | Slot)[] {
  return slots.flatMap((one, at) => (at === 0 ? [one] : [between, one]));
}

export function print({ parts }: Piece): string {
  return parts.map((part) => (typeof part === 'string' ? part : printSlot(part))).join('');
}

function printSlot({ piece: inner, least }: Slot): string {
  return inner.level < least ? `(${print(inner)})` : print(inner);
}

/** What a program may shrink to where a piece is of no consequence, from the plainest on. */
const PLAIN = ['.', 'null', '0', '1', '"a"', '[]', '{}', 'empty'].map(word);

/** Every program with one piece less than this one, the biggest cuts first. */
export function* smallerPieces(whole: Piece): Generator<Piece> {
  for (const part of whole.parts) if (typeof part !== 'string') yield part.piece;
  if (whole.parts.length > 1 || !PLAIN.some((plain) => print(plain) === print(whole))) {
    const size = print(whole).length;
    for (const plain of PLAIN) if (print(plain).length < size || size === 1) yield plain;
  }
  for (const [at, part] of whole.parts.entries()) {
    if (typeof part === 'string') continue;
    for (const smaller of smallerPieces(part.piece)) {
      yield { ...whole, parts: whole.parts.with(at, { ...part, piece: smaller }) };
    }
  }
}
