/**
 * When the last executions of a lane began: what a sliding window needs to know. Moments with how
 * many there were, oldest first; those that no window reaches any more are left out.
 *
 * Where there would be more than a row should hold, moments that lie close together become the
 * latest of them: the lane then opens a little later than it could, and never earlier.
 */
import type { Rate } from '../model/lane.ts';

export type LaneLog = readonly (readonly [at: number, count: number])[];

const NO_LOG: LaneLog = [];

/** More moments than this are put together. */
export const MOMENTS_MAX = 64;
/** Into so many per window. */
const PARTS = 32;

export function logged(log: LaneLog, at: number, count: number, { perMs }: Rate): LaneLog {
  if (count === 0) return log;
  const all = merged([...log, [at, count] as const].sort(([a], [b]) => a - b));
  if (all.length <= MOMENTS_MAX) return all;
  const part = Math.ceil(perMs / PARTS);
  return merged(all.map(([moment, times]) => [Math.ceil(moment / part) * part, times]));
}

function merged(log: LaneLog): LaneLog {
  const sums = new Map<number, number>();
  for (const [at, count] of log) sums.set(at, (sums.get(at) ?? 0) + count);
  return [...sums];
}

/** What still counts: a moment that lies a whole window back does not. */
export function inWindow(log: LaneLog, { perMs }: Rate, now: number): LaneLog {
  return log.filter(([at]) => at + perMs > now);
}

export function sumOf(log: LaneLog): number {
  return log.reduce((sum, [, count]) => sum + count, 0);
}

/** When fewer than so many will count; null if nothing is to wait for. */
export function roomAt(log: LaneLog, { perMs }: Rate, most: number): number | null {
  let left = sumOf(log);
  for (const [at, count] of log) {
    if (left < most) return null;
    left -= count;
    if (left < most) return at + perMs;
  }
  return null;
}

/** What someone edited by hand is forgotten: a lane opens too early once, and works. */
export function readLog(text: string | null): LaneLog {
  if (text === null) return NO_LOG;
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read.filter(isMoment) : NO_LOG;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return NO_LOG;
    throw thrown;
  }
}

function isMoment(value: unknown): value is LaneLog[number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}
