/** One input for one instance, from whoever found it: a sweep, or someone who publishes. */
import { EngineError } from '../base/engine-error.ts';
import type { Logger } from './logger.ts';
import type { Request, Strides } from './strides.ts';
import type { Worker } from './worker.ts';

export interface MoveHouse {
  readonly strides: Strides;
  readonly logger: Logger;
}

/**
 * Applies it and goes on with what it hands over. An instance that cannot take it (its plan is
 * gone, its rows are not what they were, it breaks an assertion of ours) is reported and must not
 * stop the others (P12): only what is the store's fault as a whole is thrown.
 */
export async function move(
  house: MoveHouse,
  worker: Worker | null,
  request: Request,
): Promise<'moved' | 'still' | 'broken'> {
  try {
    const applied = await house.strides.apply(request);
    if (applied.outcome !== 'committed') return 'still';
    for (const work of applied.works) worker?.dispatch(work);
    return 'moved';
  } catch (thrown) {
    if (isRetryable(thrown)) throw thrown;
    const details = { instance: request.instance, error: String(thrown) };
    house.logger.error(details, 'an instance could not take an input and is left as it is');
    return 'broken';
  }
}

/** The same may succeed later without anyone changing anything. */
export function isRetryable(thrown: unknown): boolean {
  return thrown instanceof EngineError && thrown.retryable;
}

/** Nobody knows whether it came about: the answer was lost (D3). */
export function isUnsure(thrown: unknown): boolean {
  return thrown instanceof EngineError && thrown.retryable && thrown.details['unsure'] === true;
}
