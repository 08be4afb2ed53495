import { describe, expect, test } from 'vitest';
import { DURATION_MS_MAX, parseDuration } from './duration.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a duration is read as people write it', () => {
  const lengths: readonly (readonly [number | string, number])[] = [
    [0, 0],
    [250, 250],
    ['0s', 0],
    ['250ms', 250],
    ['30s', 30 * SECOND],
    ['15m', 15 * MINUTE],
    ['1h30m', HOUR + 30 * MINUTE],
    ['7d', 7 * DAY],
    ['2w', 14 * DAY],
    ['1d12h5m3s7ms', DAY + 12 * HOUR + 5 * MINUTE + 3 * SECOND + 7],
    ['1.5s', 1_500],
    ['PT15M', 15 * MINUTE],
    ['PT0.5S', 500],
    ['PT0,5S', 500],
    ['P1DT12H', DAY + 12 * HOUR],
    ['P2W', 14 * DAY],
    ['PT1H1M1S', HOUR + MINUTE + SECOND],
  ];
  for (const [text, ms] of lengths) {
    test(`${JSON.stringify(text)} is ${ms} ms`, () => {
      expect(parseDuration(text)).toEqual({ ok: true, value: ms });
    });
  }
});

test('a part of a millisecond is rounded up, so that a timer never fires early', () => {
  expect(parseDuration(0.1)).toEqual({ ok: true, value: 1 });
  expect(parseDuration('1.2ms')).toEqual({ ok: true, value: 2 });
  expect(parseDuration('PT0.0001S')).toEqual({ ok: true, value: 1 });
});

describe('what is no duration is refused', () => {
  const texts = [
    '',
    ' ',
    '5',
    's',
    '5 s',
    '5S',
    '-5s',
    '1e3s',
    '5x',
    '1.s',
    'P',
    'PT',
    'P1DT',
    'PT5',
  ];
  for (const text of texts) {
    test(JSON.stringify(text), () => {
      expect(parseDuration(text)).toEqual({
        ok: false,
        problem: expect.stringContaining(`came ${JSON.stringify(text)}`),
      });
    });
  }
});

test('years and months are refused, because a calendar decides how long they are', () => {
  expect(parseDuration('P1Y').ok).toBe(false);
  expect(parseDuration('P1M').ok).toBe(false);
  expect(parseDuration('PT1M')).toEqual({ ok: true, value: MINUTE });
});

test('a number that is not finite or is negative is refused', () => {
  expect(parseDuration(Number.NaN).ok).toBe(false);
  expect(parseDuration(Number.POSITIVE_INFINITY).ok).toBe(false);
  expect(parseDuration(-1)).toEqual({
    ok: false,
    problem: 'a duration cannot be negative; came -1',
  });
});

test('a hundred years are a duration, and a millisecond more is a mistake in the unit', () => {
  expect(parseDuration(DURATION_MS_MAX)).toEqual({ ok: true, value: DURATION_MS_MAX });
  expect(parseDuration('36500d')).toEqual({ ok: true, value: DURATION_MS_MAX });
  expect(parseDuration(DURATION_MS_MAX + 1)).toEqual({
    ok: false,
    problem: `a duration is at most 100 years; came ${DURATION_MS_MAX + 1}`,
  });
});

test('what is neither a number nor a text is refused with what came', () => {
  const came = (value: unknown): string => {
    const read = parseDuration(value as string);
    return read.ok ? 'nothing wrong' : (read.problem.split('came ').at(-1) ?? '');
  };
  expect(came(null)).toBe('null');
  expect(came(undefined)).toBe('undefined');
  expect(came({ hours: 1 })).toBe('{"hours":1}');
});

test('a text of 100 characters is read, and a longer one is refused in a short sentence', () => {
  expect(parseDuration('1s'.repeat(50))).toEqual({ ok: true, value: 50 * SECOND });
  const long = parseDuration('1s'.repeat(5_000_000));
  expect(long.ok).toBe(false);
  expect(JSON.stringify(long).length).toBeLessThan(400);
});
