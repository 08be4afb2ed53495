/** Questions about places of a text, which are in UTF-16 units and never within a character. */
import { isWord } from './sets.ts';
import type { Where } from './tree.ts';

const NEWLINE = 10;

/** Where the character ends that begins here. */
export function charEnd(text: string, at: number): number {
  const isPair =
    (text.charCodeAt(at) & 0xfc_00) === 0xd8_00 && (text.charCodeAt(at + 1) & 0xfc_00) === 0xdc_00;
  return isPair ? at + 2 : at + 1;
}

/** Where the character begins that ends here. */
export function charStart(text: string, at: number): number {
  const isPair =
    at > 1 &&
    (text.charCodeAt(at - 1) & 0xfc_00) === 0xdc_00 &&
    (text.charCodeAt(at - 2) & 0xfc_00) === 0xd8_00;
  return isPair ? at - 2 : at - 1;
}

export function isAt(where: Where | undefined, text: string, at: number): boolean {
  const size = text.length;
  switch (where) {
    case 'text-start':
      return at === 0;
    case 'text-end':
      return at === size;
    case 'text-end-or-last-line':
      return at === size || (at === size - 1 && text.charCodeAt(at) === NEWLINE);
    case 'line-start':
      // After the last newline there is no line any more.
      return at === 0 || (at < size && text.charCodeAt(at - 1) === NEWLINE);
    case 'line-end':
      return at === size || text.charCodeAt(at) === NEWLINE;
    case 'word-edge':
      return isWordEdge(text, at);
    case 'no-word-edge':
      return !isWordEdge(text, at);
    default:
      return false;
  }
}

function isWordEdge(text: string, at: number): boolean {
  const before = at > 0 && isWord(text.codePointAt(charStart(text, at)) ?? 0);
  return before !== (at < text.length && isWord(text.codePointAt(at) ?? 0));
}

/** How many bytes a part of the text has in UTF-8. */
export function utf8Size(text: string, start: number, end: number): number {
  let size = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    // Either half of a pair stands for two of its four.
    const isHalf = (unit & 0xf8_00) === 0xd8_00;
    size += unit < 0x80 ? 1 : unit < 0x8_00 || isHalf ? 2 : 3;
  }
  return size;
}
