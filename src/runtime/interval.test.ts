import { expect, test } from 'vitest';
import { everyMoments } from './interval.ts';

const SINCE = 1_000;

test('intervals are a grid that begins one step after it was made', () => {
  const { after, upTo } = everyMoments(10, SINCE);
  const asked = [999, 1_000, 1_009, 1_010, 1_011, 1_020].map((at) => [after(at), upTo(at)]);
  expect(asked).toEqual([
    [1_010, null],
    [1_010, null],
    [1_010, null],
    [1_020, 1_010],
    [1_020, 1_010],
    [1_030, 1_020],
  ]);
});

test('however late one is, the next is where it would have been', () => {
  const { after } = everyMoments(7, SINCE);
  for (let late = 0; late < 7; late += 1) expect(after(SINCE + 7_000 + late)).toBe(SINCE + 7_007);
});

test('long after it was made it is as exact as at first', () => {
  const hundredYears = 100 * 365 * 86_400_000;
  const { after, upTo } = everyMoments(333, SINCE);
  const next = Number(after(SINCE + hundredYears));
  expect((next - SINCE) % 333).toBe(0);
  expect(next - Number(upTo(SINCE + hundredYears))).toBe(333);
});
