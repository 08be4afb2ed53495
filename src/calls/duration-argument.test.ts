import { expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { durationArgument, TIMER_MS_MAX } from './duration-argument.ts';

test.each([
  [{ seconds: 30 }, 30_000],
  [{ days: 1, hours: 1, minutes: 1, seconds: 1, milliseconds: 1 }, 90_061_001],
  ['PT30S', 30_000],
  ['P1DT0.5S', 86_400_500],
  ['P2W', 1_209_600_000],
  ['P0Y0MT1S', 1_000],
  ['P0M', 0],
  [{ milliseconds: TIMER_MS_MAX }, TIMER_MS_MAX],
  [{ milliseconds: TIMER_MS_MAX + 1 }, TIMER_MS_MAX],
  ['P1M', TIMER_MS_MAX],
  ['P1Y2M3DT4H', TIMER_MS_MAX],
] satisfies [Json, number][])('%j is %i milliseconds', (value, ms) => {
  expect(durationArgument('timeout', value)).toBe(ms);
});

test.each([['P'], ['PT'], ['30s'], [30], [{}], [{ fortnights: 1 }], [{ seconds: -1 }], [null]])(
  '%j is no duration',
  (value) => {
    expect(() => durationArgument('timeout', value)).toThrow(
      '"timeout" is a duration such as { seconds: 30 } or PT30S',
    );
  },
);
