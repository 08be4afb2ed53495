/** A sentence to put behind what is wrong: the word that was meant, or some of those there are. */
import { nearest } from '../base/nearest.ts';

const SHOWN_MAX = 12;

export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return 'there are none';
  const more = known.length - SHOWN_MAX;
  const shown = known.slice(0, SHOWN_MAX).join(', ');
  const rest = more > 0 ? `, and ${more} more` : '';
  return `there ${known.length === 1 ? 'is' : 'are'} ${shown}${rest}`;
}
