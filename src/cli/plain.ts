/** Text that somebody else wrote, as a terminal may be given it. */
import { stripVTControlCharacters } from 'node:util';

/** One line of it: what would move the cursor, colour the rest or ring is a space at most. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}+/gu, ' ');
}

/** Several lines of it. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainLine).join('\n');
}
