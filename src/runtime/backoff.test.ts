import { expect, test } from 'vitest';
import { pauseMs } from './backoff.ts';

const PAUSES = { baseMs: 100, maxMs: 1_000 };

/** The pauses of many who failed this often. */
function drawn(failed: number): readonly number[] {
  return Array.from({ length: 1_000 }, (_, n) => pauseMs(PAUSES, failed, `someone ${n}`));
}

test.each([
  [1, 100],
  [2, 200],
  [4, 800],
  [5, 1_000],
  [2_000, 1_000],
])('after %i failures a pause is anything from nothing to %i ms', (failed, span) => {
  const pauses = drawn(failed).toSorted((a, b) => a - b);
  expect(pauses[0]).toBeGreaterThanOrEqual(1);
  expect(pauses[0]).toBeLessThan(span / 20);
  expect(pauses.at(-1)).toBeLessThanOrEqual(span);
  expect(pauses.at(-1)).toBeGreaterThan(span * 0.95);
  // Spread evenly: half of them are in the lower half.
  expect(pauses[500]).toBeGreaterThan(span * 0.4);
  expect(pauses[500]).toBeLessThan(span * 0.6);
});

test('the same text pauses for just as long', () => {
  expect(pauseMs(PAUSES, 3, 'worker 7')).toBe(pauseMs(PAUSES, 3, 'worker 7'));
});
