/** Durations as callers give them: what cannot be read is said. */
import { type Duration, parseDuration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';

export function durationOf(duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms.ok) return ms.value;
  throw new EngineError('duration.invalid', ms.problem);
}
