/** The four things that can become of a step of a chain, for its handler to return. */
import type { Duration } from '../../base/duration.ts';
import type { Outbound, StepResult } from '../../model/chain.ts';

const COMPLETED: StepResult = Object.freeze({ became: 'completed' });
const NOTHING: readonly Outbound[] = Object.freeze([]);

/** Done: the next step is ready, and after the last one the chain has completed. */
export function completed(): StepResult {
  return COMPLETED;
}

/**
 * Rests until a message of this type comes for the chain, and is then run again with `wake.reason`
 * `'event'`; or with `'timeout'` once the time is over. What is outbound is sent from the outbox,
 * in the same commit.
 */
export function waiting(
  event: string,
  timeout: Duration | null = null,
  outbound: readonly Outbound[] = NOTHING,
): StepResult {
  return Object.freeze({ became: 'waiting', event, timeout, outbound });
}

/** Failed this time; to be run again after the pause, or with null after the one of its policy. */
export function retry(backoff: Duration | null, error: string): StepResult {
  return Object.freeze({ became: 'retry', backoff, error });
}

/** Failed for good, whatever the policy says: the chain fails. */
export function dead(error: string): StepResult {
  return Object.freeze({ became: 'dead', error });
}
