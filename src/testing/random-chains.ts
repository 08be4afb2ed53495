/** Random chains: so many steps, and steps that wait for a message before they are done. */
import { chain } from '../frontends/chain/chain.ts';
import { completed, retry, waiting } from '../frontends/chain/results.ts';
import type { StepResult } from '../model/chain.ts';
import type { Flow } from '../model/definition.ts';
import type { Outcome } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import type { ChainContext, ChainHandlers, ChainStep } from '../runtime/links.ts';
import { luck } from './random-luck.ts';
import type { Drawing } from './story.ts';

const STEPS_MOST = 6;
/** Nobody waits more often than this before it is done. */
const WAITS_MOST = 2;

export function chainDrawing(seed: number, name: string): Drawing {
  const { draft } = chainOf(seed, name).definition;
  return { draft };
}

export function chainOf(seed: number, name: string): Flow<ChainContext> {
  const length = 1 + luck(STEPS_MOST, seed, 'steps');
  const steps = Array.from({ length }, (_, n) => `S${n}`);
  const patient = luck(2, seed, 'patient') === 0;
  const maxAttempts = 1 + luck(3, seed, 'attempts');
  return chain(name, 1, steps, { maxAttempts, waitingTimeouts: !patient });
}

/** For all of them: what comes of an execution follows from what the handler is told. */
export const CHAIN_HANDLERS: ChainHandlers = Object.fromEntries(
  Array.from({ length: STEPS_MOST }, (_, n) => [`S${n}`, answer]),
);

function answer({ key, stepType, attempt, wake, taskType }: ChainStep): StepResult {
  const drawn = luck(6, 0, String(key), stepType, attempt);
  if (drawn === 0) return retry('100ms', 'not yet');
  const isWoken = taskType === 'WAITING_TIMEOUT' || wake.reason === 'event';
  return drawn < 3 && !isWoken ? waiting('event-0', '900ms') : completed();
}

/** A step that waits, and for how long; null if it does not. */
export function waitingOf({ node, visit, wake }: Token, seed: number): Outcome | null {
  const waits = visit <= WAITS_MOST && luck(3, seed, 'waits', node, visit) === 0;
  if (!waits || wake?.reason === 'timeout') return null;
  const timeoutMs = luck(2, seed, 'timeout', node) === 0 ? 900 : null;
  return { outcome: 'waiting', type: 'event-0', timeoutMs, letters: [] };
}
