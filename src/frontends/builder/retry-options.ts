/** How often, and with which pauses, something that failed is tried again. */
import type { Duration } from '../../base/duration.ts';
import { complain, type Findings, isRecord, readOptions, readPure, show } from './checks.ts';
import { readDuration, readWord } from './readers.ts';

/** What a handler threw. */
export type Thrown = Error & { readonly code?: string };

export interface RetryOptions<Failed = Thrown> {
  /** Executions in all, the first one among them. */
  readonly maxAttempts: number;
  /** The pause after the first failure; `'1s'` if not given. */
  readonly delay?: Duration;
  /** Pauses stay as they are (`'fixed'`, unless given), grow by one delay each time, or double. */
  readonly backoff?: Backoff;
  /** No pause is longer: `'5m'` if not given, or the delay where that is longer. */
  readonly maxDelay?: Duration;
  /** The share of each pause that is left to chance, from 0 (if not given) to 1. */
  readonly jitter?: number;
  /** Whether to try again after this error; after every one if not given. */
  readonly when?: (error: Failed) => boolean;
}

export type Backoff = 'fixed' | 'linear' | 'exponential';

/** The same as it stands in a draft. */
export type Retry = {
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly backoff: Backoff;
  readonly maxDelayMs: number;
  readonly jitter: number;
  /** Its `when` is asked before each further execution. */
  readonly asks?: true;
};

export interface ReadRetry {
  readonly retry?: Retry;
  readonly when?: (error: never) => unknown;
}

const DELAY_DEFAULT = '1s';
const MAX_DELAY_MS_DEFAULT = 300_000;
const BACKOFFS: readonly Backoff[] = ['fixed', 'linear', 'exponential'];
const OPTIONS = ['maxAttempts', 'delay', 'backoff', 'maxDelay', 'jitter', 'when'];

/** `slot` is where it stands in the options of its node: `retry`, or `undo.retry`. */
export function readRetry(found: Findings, slot: string, value: unknown): ReadRetry {
  if (value === undefined) return {};
  const before = found.list.length;
  const options = readOptions(found, `${slot} of "${found.node}"`, OPTIONS, value);
  if (!isRecord(value)) return {};
  const { when } = options;
  const retry = {
    maxAttempts: readMaxAttempts(found, slot, options['maxAttempts']),
    ...readPauses(found, slot, options),
  };
  const asked = when === undefined ? undefined : readPure(found, `${slot}.when`, 'the error', when);
  // Whatever is said to be wrong is never run.
  if (found.list.length > before) return {};
  return asked === undefined ? { retry } : { retry: { ...retry, asks: true }, when: asked };
}

function readMaxAttempts(found: Findings, slot: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  const rule = `the ${slot}.maxAttempts of "${found.node}" is a whole number, 1 or more`;
  complain(found, 'retry.bad-max-attempts', `${rule}; came ${show(value)}`);
  return 1;
}

function readPauses(
  found: Findings,
  slot: string,
  { delay = DELAY_DEFAULT, backoff, maxDelay, jitter = 0 }: Readonly<Record<string, unknown>>,
): Pick<Retry, 'delayMs' | 'backoff' | 'maxDelayMs' | 'jitter'> {
  const what = (option: string): string => `the ${slot}.${option} of "${found.node}"`;
  const first = { code: 'retry.bad-delay', what: what('delay') };
  const delayMs = readDuration(found, first, delay) ?? 0;
  const words = { code: 'retry.bad-backoff', what: what('backoff'), words: BACKOFFS };
  const growth = readWord(found, words, backoff) ?? 'fixed';
  const longest = { code: 'retry.bad-max-delay', what: what('maxDelay') };
  const usual = Math.max(delayMs, MAX_DELAY_MS_DEFAULT);
  const maxDelayMs = maxDelay === undefined ? usual : readDuration(found, longest, maxDelay);
  if (maxDelayMs !== undefined && maxDelayMs < delayMs) {
    const rule = `${longest.what} is not shorter than its delay`;
    complain(found, longest.code, `${rule}; came ${show(maxDelay)} and ${show(delay)}`);
  }
  const isShare = typeof jitter === 'number' && jitter >= 0 && jitter <= 1;
  if (!isShare) {
    const rule = `${what('jitter')} is a number from 0 to 1`;
    complain(found, 'retry.bad-jitter', `${rule}; came ${show(jitter)}`);
  }
  return {
    delayMs,
    backoff: growth,
    maxDelayMs: maxDelayMs ?? usual,
    jitter: isShare ? jitter : 0,
  };
}
