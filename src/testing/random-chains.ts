/** Random chains: so many steps, and steps that wait for a message before they are done. */
import { chain } from '../frontends/chain/chain.ts';
import type { Outcome } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { luck } from './random-luck.ts';
import type { Drawing } from './story.ts';

const STEPS_MOST = 6;
/** Nobody waits more often than this before it is done. */
const WAITS_MOST = 2;

export function chainDrawing(seed: number, name: string): Drawing {
  const length = 1 + luck(STEPS_MOST, seed, 'steps');
  const steps = Array.from({ length }, (_, n) => `S${n}`);
  const patient = luck(2, seed, 'patient') === 0;
  const maxAttempts = 1 + luck(3, seed, 'attempts');
  const { draft } = chain(name, 1, steps, { maxAttempts, waitingTimeouts: !patient }).definition;
  return { draft };
}

/** A step that waits, and for how long; null if it does not. */
export function waitingOf({ node, visit, wake }: Token, seed: number): Outcome | null {
  const waits = visit <= WAITS_MOST && luck(3, seed, 'waits', node, visit) === 0;
  if (!waits || wake?.reason === 'timeout') return null;
  const timeoutMs = luck(2, seed, 'timeout', node) === 0 ? 900 : null;
  return { outcome: 'waiting', type: 'event-0', timeoutMs, letters: [] };
}
