/**
 * Retry policies: how often something is executed in all, and how long the pauses are.
 *
 * The pause after the n-th failure is the delay itself, n times it, or twice as long each time; a
 * cap holds whatever the formula says. Jitter takes off up to its share, so that what failed
 * together does not come back together, and never adds: the cap stays one. It is drawn from the
 * instance, the token and the number of the failure, so the same run makes the same pauses.
 */
import { parseDuration } from '../base/duration.ts';
import { chanceOf } from '../base/chance.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Place, View } from '../kernel/kind.ts';
import type { Instant } from '../model/ids.ts';

export type Retry = {
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly backoff: 'fixed' | 'linear' | 'exponential';
  readonly maxDelayMs: number;
  readonly jitter: number;
  /** A function of the flow's has a say in whether it is worth another try. */
  readonly asks?: true;
};

const BACKOFFS: readonly unknown[] = ['fixed', 'linear', 'exponential'];

export function readRetry(value: Json): Result<Retry, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return no('a retry policy is an object');
  }
  const { maxAttempts, delayMs, backoff, maxDelayMs, jitter, asks } = value as JsonObject;
  if (!Number.isSafeInteger(maxAttempts) || (maxAttempts as number) < 1) {
    return no('"maxAttempts" counts executions in all: a whole number, 1 or more');
  }
  for (const [name, ms] of Object.entries({ delayMs, maxDelayMs })) {
    if (typeof ms !== 'number' || !parseDuration(ms).ok) return no(`"${name}" is milliseconds`);
  }
  if (!BACKOFFS.includes(backoff)) return no(`"backoff" is one of ${BACKOFFS.join(', ')}`);
  if (typeof jitter !== 'number' || !(jitter >= 0 && jitter <= 1)) {
    return no('"jitter" is a share from 0 to 1');
  }
  const policy = { maxAttempts, delayMs, backoff, maxDelayMs, jitter } as Retry;
  return ok(asks === true ? { ...policy, asks } : policy);
}

/** When to try again after one more failure than the token has had. */
export function nextTry(retry: Retry, { token }: Place, view: View): Instant {
  const failures = token.attempts + 1;
  const chance = chanceOf(`${view.instance}/${token.id}/${failures}`);
  const pause = pauseAfter(retry, failures, chance, view.limits.RETRY_DELAY_MS_MAX);
  return (view.now + pause) as Instant;
}

export function pauseAfter(
  { delayMs, backoff, maxDelayMs, jitter }: Retry,
  failures: number,
  chance: number,
  limitMs: number,
): number {
  const factors = { fixed: 1, linear: failures, exponential: 2 ** (failures - 1) };
  // Twice as long each time is infinite soon, and infinity times no delay at all is no number.
  const wanted = delayMs === 0 ? 0 : delayMs * factors[backoff];
  return Math.round(Math.min(wanted, maxDelayMs, limitMs) * (1 - jitter * chance));
}
