/**
 * Pauses before something is tried again. They are drawn from the whole span ("full jitter"), so
 * that many processes that lost the same store do not come back to it in the same moment; and drawn
 * without randomness, so that whoever names the same text pauses for just as long.
 */
import { chanceOf } from '../base/chance.ts';

export interface Pauses {
  /** The span of the first pause; it doubles with every try. */
  readonly baseMs: number;
  readonly maxMs: number;
}

/** The pause before another try, after so many that failed: at least a millisecond. */
export function pauseMs({ baseMs, maxMs }: Pauses, failed: number, text: string): number {
  const span = Math.min(baseMs * 2 ** (failed - 1), maxMs);
  return 1 + Math.floor(chanceOf(text) * span);
}
