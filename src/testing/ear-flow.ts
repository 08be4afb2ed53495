/** What the processes of `ears.test.ts` have in common: two ears side by side that hear all. */
import type { Flow } from '../model/definition.ts';
import { type Heard, listener } from './ears.ts';

/** So many events does each of those who publish have. */
const SAID = 100;
export const SPEAKERS: readonly string[] = ['office', 'worker'];

export const ears: Flow<null, Heard> = listener('ears', {
  hopping: { type: 'news', count: SAID * SPEAKERS.length, hop: true },
  staying: { count: SAID * SPEAKERS.length },
});

export function saidBy(speaker: string): readonly string[] {
  return Array.from({ length: SAID }, (_, n) => `${speaker} ${n}`);
}
