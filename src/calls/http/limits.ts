/**
 * How much and how long a request may take. Every limit is an option; these are what holds without.
 *
 * A stream that is opened has no limit in time or size once it has begun: events may come for days.
 * Whoever reads it holds its signal and counts what it keeps.
 */
import { EngineError } from '../../base/engine-error.ts';

export interface HttpLimits {
  /** Until the connection stands, names and certificates included. */
  readonly connectTimeoutMs: number;
  /** From there until the first line of the answer. */
  readonly firstByteTimeoutMs: number;
  /** From the first request to the last byte, redirects and tokens included. */
  readonly timeoutMs: number;
  /** Of a whole answer, counted after decompression. */
  readonly maxResponseBytes: number;
  /** Of the names and values of an answer's headers. */
  readonly maxHeaderBytes: number;
}

/** As fetch has it. */
export const REDIRECTS_MAX = 20;

export const LIMITS_DEFAULT: HttpLimits = Object.freeze({
  connectTimeoutMs: 30_000,
  firstByteTimeoutMs: 300_000,
  timeoutMs: 300_000,
  maxResponseBytes: 10 * 1_048_576,
  // Twice what Node allows by itself: cookies and policies of content grow.
  maxHeaderBytes: 32_768,
});

/** No timer of Node's goes further; no buffer of ours has to. */
const LIMIT_MAX = 2_147_483_647;

/** Throws `engine.option-invalid` for a limit that is none. */
export function readLimits(given: Partial<HttpLimits>): HttpLimits {
  const limits: Record<keyof HttpLimits, number> = { ...LIMITS_DEFAULT };
  for (const name of Object.keys(LIMITS_DEFAULT) as (keyof HttpLimits)[]) {
    limits[name] = readLimit(`http.${name}`, given[name], LIMITS_DEFAULT[name]);
  }
  return limits;
}

export function readLimit(name: string, given: number | undefined, byDefault: number): number {
  const value = given ?? byDefault;
  if (Number.isSafeInteger(value) && value >= 1 && value <= LIMIT_MAX) return value;
  const message = `${name} is a whole number from 1 to ${LIMIT_MAX}; came ${String(given)}`;
  throw new EngineError('engine.option-invalid', message);
}
