/**
 * The generator's fillings for flowcharts, and what their activities answer.
 *
 * An edge that leads back in the list of nodes is for an outcome of its own, which no handler gives
 * once the instance is so many commits old: so every loop ends, whoever comes by.
 */
import type { Instance } from '../kernel/instance.ts';
import type { Outcome } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { MERGE_MODES, type MergeMode } from '../model/merge.ts';
import { retryOf } from './random-failures.ts';
import type { Handlers } from '../runtime/shared-handlers.ts';
import { waiting } from '../frontends/chain/results.ts';
import { outcomes } from '../frontends/flowchart/results.ts';
import { luck, lucky } from './random-luck.ts';
import type { Filled, Spot } from './random-spot.ts';

/** The handler of every activity, and by which it is known. */
const TYPE = 'work';
const AGAIN = 'Again';
const OUTCOMES = ['Done', 'Done', 'Done', 'Yes', 'No'];
/** Nobody goes back in an instance of more commits than that. */
const COMMITS_WITH_LOOPS = 16;

/** The name of an edge that leads back, from what it would be called. */
export function againOf(edge: string): string {
  return `${edge} ${AGAIN}`;
}

export function isAgain(edge: string): boolean {
  return edge.endsWith(againOf(''));
}

export function fillActivity({ seed, out }: Spot): Filled {
  // Who skips one that can only go back would go round for ever.
  const ways: Record<string, string[]> = out.some(isAgain) ? { Done: [] } : {};
  for (const edge of out) {
    const outcome = isAgain(edge) ? AGAIN : lucky(OUTCOMES, seed, 'outcome', edge);
    ways[outcome] = [...(ways[outcome] ?? []), edge];
  }
  const retry = luck(3, seed, 'retries') === 0 ? { retry: retryOf(seed, 'retry') } : {};
  const mends = luck(20, seed, 'mends') === 0 ? { onFailure: 'incident' } : {};
  return { settings: { type: TYPE, ways, ...retry, ...mends }, code: {} };
}

export function fillFlowchart({ body }: Spot): Filled {
  return { settings: { body }, code: {} };
}

/** As often as the others, but for those that stall as soon as a way is not taken. */
const MODES: readonly MergeMode[] = [...MERGE_MODES, 'converge', 'converge', 'race', 'stream'];

export function modeOf(seed: number): MergeMode {
  return lucky(MODES, seed, 'mode');
}

/** What the handler of an activity says beside its value; null if the token is at none. */
export function activityOutcome(
  { head }: Instance,
  { id, handler, visit }: Token,
  seed: number,
): Answer | 'waiting' | null {
  // That of a step has the version of its flow in it.
  if (handler?.endsWith(`/${TYPE}`) !== true || handler.includes('@')) return null;
  return answerOf(id, visit, head.version < COMMITS_WITH_LOOPS, seed);
}

type Answer = Pick<Extract<Outcome, { outcome: 'done' }>, 'outcomes'>;

function answerOf(id: number, visit: number, loops: boolean, seed: number): Answer | 'waiting' {
  if (visit === 1 && luck(5, seed, 'waits', id) === 0) return 'waiting';
  const known = ['Done', 'Yes', 'No', ...(loops ? [AGAIN] : [])];
  switch (luck(8, seed, 'outcomes', id)) {
    case 0:
      return { outcomes: [] };
    case 1:
      return {};
    case 2:
    case 3:
    case 4:
      return { outcomes: known };
    default:
      return { outcomes: known.filter((outcome) => luck(2, seed, outcome, id) === 0) };
  }
}

/** The highest number of a token that may still go back: so every loop has an end. */
const TOKENS_WITH_LOOPS = 60;

/** The same for engines, from what a handler is told. */
export const ACTIVITY_HANDLERS: Handlers = {
  [TYPE]: ({ idempotencyKey, activity }) => {
    const [token, visit] = idempotencyKey.split('/').slice(-2).map(Number) as [number, number];
    const answer = answerOf(token, visit, token < TOKENS_WITH_LOOPS, activity.length);
    if (answer === 'waiting') return waiting('event-0', '900ms');
    return answer.outcomes === undefined ? token : outcomes(answer.outcomes, token);
  },
};
