import { expect, test } from 'vitest';
import { inWindow, type LaneLog, logged, MOMENTS_MAX, readLog, roomAt, sumOf } from './lane-log.ts';

const RATE = { max: 3, perMs: 1_000 };

test('what has begun counts for a whole window, and not a moment longer', () => {
  const log = logged(logged([], 100, 2, RATE), 100, 1, RATE);
  expect(log).toEqual([[100, 3]]);
  expect(sumOf(inWindow(log, RATE, 1_099))).toBe(3);
  expect(sumOf(inWindow(log, RATE, 1_100))).toBe(0);
});

test('moments are kept in order, however late they are heard of', () => {
  expect(logged(logged([], 200, 1, RATE), 100, 1, RATE)).toEqual([
    [100, 1],
    [200, 1],
  ]);
});

test('there is room again when enough of them lie a window back', () => {
  const log: LaneLog = [
    [100, 1],
    [200, 2],
    [300, 1],
  ];
  expect(roomAt(log, RATE, 5)).toBe(null);
  expect(roomAt(log, RATE, 4)).toBe(1_100);
  expect(roomAt(log, RATE, 3)).toBe(1_200);
  expect(roomAt(log, RATE, 1)).toBe(1_300);
  expect(roomAt([], RATE, 0)).toBe(null);
});

test('a long log is shortened, and nothing of it counts for less long', () => {
  const rate = { max: 1_000, perMs: 10_000 };
  let log: LaneLog = [];
  for (let at = 0; at < 5_000; at += 7) log = logged(inWindow(log, rate, at), at, 1, rate);
  expect(log.length).toBeLessThanOrEqual(MOMENTS_MAX);
  const begun = Array.from({ length: Math.ceil(5_000 / 7) }, (_, index) => index * 7);
  for (let now = 5_000; now < 16_000; now += 100) {
    const exact = begun.filter((at) => at + rate.perMs > now).length;
    expect(sumOf(inWindow(log, rate, now))).toBeGreaterThanOrEqual(exact);
  }
  expect(inWindow(log, rate, 5_000 + 10_000 + 400)).toEqual([]);
});

test.each(['{', '7', '[[1]]', '[["a",1]]', '[[1,2,3]]'])(
  '%s is no log, and nobody dies of it',
  (text) => {
    expect(readLog(text)).toEqual([]);
  },
);

test('a log is what it was', () => {
  expect(readLog(JSON.stringify([[5, 1]]))).toEqual([[5, 1]]);
  expect(readLog(null)).toEqual([]);
});
