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
    // Someone holds this one instance, and not for ever: it comes again with the next sweep.
    if (isBusy(thrown)) return 'still';
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

/** Another transaction holds what this needs; the store itself is well. */
export function isBusy(thrown: unknown): boolean {
  return thrown instanceof EngineError && thrown.details['busy'] === true;
}

/** The same error, for who has to be told that it may have come about all the same. */
export function unsureOf(thrown: unknown): unknown {
  if (!(thrown instanceof EngineError) || isUnsure(thrown)) return thrown;
  const { code, message, retryable, details, cause } = thrown;
  return new EngineError(code, message, {
    retryable,
    details: { ...details, unsure: true },
    cause,
  });
}

/** Nobody knows whether it came about: the answer was lost (D3). */
export function isUnsure(thrown: unknown): boolean {
  return thrown instanceof EngineError && thrown.retryable && thrown.details['unsure'] === true;
}
