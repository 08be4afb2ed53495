import { describe, expect, test } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { meterOf, outcomeOf } from '../../../testing/jq-purse.ts';
import { JQ_BUDGET_DEFAULT, Meter } from '../budget.ts';
import { mktime } from './dates.ts';
import { strftime } from './strftime.ts';
import { strptime } from './strptime.ts';

function outcome(input: Json, format: Json): Json {
  return outcomeOf((meter) => strptime(input, format, meter));
}

const ISO = '%Y-%m-%dT%H:%M:%SZ';

function day(year: number, month: number, date: number, weekday: number, yearday: number): Json {
  return [year, month, date, 0, 0, 0, weekday, yearday];
}

/** What jq 1.8.2 reads. */
const READ: readonly (readonly [string, string, Json])[] = [
  ['2015-03-05T23:51:47Z', ISO, [2015, 2, 5, 23, 51, 47, 4, 63]],
  ['2024-3-5T1:2:3Z', ISO, [2024, 2, 5, 1, 2, 3, 2, 64]],
  ['2024-03-05t01:02:03z', ISO, [2024, 2, 5, 1, 2, 3, 2, 64]],
  ['', '', day(1970, 0, 1, 4, 0)],
  ['2024', '%Y', day(2024, 0, 1, 1, 0)],
  ['10:20', '%H:%M', [1970, 0, 1, 10, 20, 0, 4, 0]],
  ['20240315', '%Y%m%d', day(2024, 2, 15, 5, 74)],
  ['24', '%y', day(2024, 0, 1, 1, 0)],
  ['68', '%y', day(2068, 0, 1, 0, 0)],
  ['69', '%y', day(1969, 0, 1, 3, 0)],
  ['1850', '%C%y', day(1850, 0, 1, 2, 0)],
  ['20', '%C', day(1970, 0, 1, 4, 0)],
  ['2024 2025', '%Y %Y', day(2024, 0, 1, 1, 0)],
  ['mar MARCH', '%b %B', day(1970, 2, 1, 0, 59)],
  ['Fri Mar 15 00:00:00 2024', '%c', day(2024, 2, 15, 5, 74)],
  ['2024-03-15 Mon', '%Y-%m-%d %a', day(2024, 2, 15, 5, 74)],
  ['03/15/24', '%D', day(2024, 2, 15, 5, 74)],
  ['03/15/24', '%x', day(2024, 2, 15, 5, 74)],
  ['2024-03-15', '%F', day(2024, 2, 15, 5, 74)],
  ['11:20:30', '%T', [1970, 0, 1, 11, 20, 30, 4, 0]],
  ['11:20:30', '%X', [1970, 0, 1, 11, 20, 30, 4, 0]],
  ['11:20', '%R', [1970, 0, 1, 11, 20, 0, 4, 0]],
  ['11:20:30 PM', '%r', [1970, 0, 1, 23, 20, 30, 4, 0]],
  ['PM 11:30', '%p %I:%M', [1970, 0, 1, 23, 30, 0, 4, 0]],
  ['11:30 p.m.', '%I:%M %p', [1970, 0, 1, 23, 30, 0, 4, 0]],
  ['2024 10 Wed', '%Y %U %a', day(2024, 2, 13, 3, 72)],
  ['2024 10 Wed', '%Y %W %a', day(2024, 2, 6, 3, 65)],
  ['10:20 +0130', '%H:%M %z', [1970, 0, 1, 10, 20, 0, 4, 0]],
  ['10:20-01:30', '%H:%M%z', [1970, 0, 1, 10, 20, 0, 4, 0]],
  ['10:20Z', '%H:%M%z', [1970, 0, 1, 10, 20, 0, 4, 0]],
  ['10:20 Z', '%H:%M %Z', [1970, 0, 1, 10, 20, 0, 4, 0]],
  ['  2024', '%n%Y%t', day(2024, 0, 1, 1, 0)],
  ['2024\u00a0\t3', '%Y %m', day(2024, 2, 1, 5, 60)],
  ['%5', '%%%e', day(1970, 0, 5, 1, 4)],
  ['x%', 'x%', day(1970, 0, 1, 4, 0)],
  ['É', 'é', day(1970, 0, 1, 4, 0)],
  ['2024\0bar', '%Y', day(2024, 0, 1, 1, 0)],
  ['2024', '%Y\0bar', day(2024, 0, 1, 1, 0)],
  ['9999-12-31', '%F', day(9999, 11, 31, 5, 364)],
];

/** Where jq's build takes a conversion for a letter or computes a wrong date, and we do not. */
const READ_BETTER: readonly (readonly [string, string, Json])[] = [
  ['12:30 PM', '%I:%M %p', [1970, 0, 1, 12, 30, 0, 4, 0]],
  ['12:30 AM', '%I:%M %p', [1970, 0, 1, 0, 30, 0, 4, 0]],
  ['2024-045', '%Y-%j', day(2024, 1, 14, 3, 44)],
  ['2024-366', '%Y-%j', day(2024, 11, 31, 2, 365)],
  ['0050-01-01', '%F', day(50, 0, 1, 6, 0)],
  ['2023 00 Sun', '%Y %W %a', day(2023, 0, 1, 0, 0)],
  ['2024 10 3', '%Y %U %w', day(2024, 2, 13, 3, 72)],
  ['2024 11 7', '%Y %U %u', day(2024, 2, 17, 0, 76)],
  ['1700000000', '%s', [2023, 10, 14, 22, 13, 20, 2, 317]],
  ['-1', '%s', [1969, 11, 31, 23, 59, 59, 3, 364]],
  ['10:20 CET', '%H:%M %Z', [1970, 0, 1, 10, 20, 0, 4, 0]],
  ['9 5', '%k %l', [1970, 0, 1, 9, 0, 0, 4, 0]],
  ['5.3.2024', '%-d.%-m.%Y', day(2024, 2, 5, 2, 64)],
  ['2024', '%EY', day(2024, 0, 1, 1, 0)],
];

describe('a moment is read after a pattern', () => {
  for (const [text, format, parts] of [...READ, ...READ_BETTER]) {
    test(`${JSON.stringify(text)} ${JSON.stringify(format)}`, () => {
      expect(outcome(text, format)).toEqual(parts);
    });
  }
});

test('a date that does not exist is carried on', () => {
  expect(outcome('2023-02-31', '%Y-%m-%d')).toEqual(day(2023, 2, 3, 5, 61));
  expect(outcome('2023-02-28T23:59:60Z', ISO)).toEqual([2023, 2, 1, 0, 0, 0, 3, 59]);
});

test('what is left over after white space becomes the ninth member', () => {
  expect(outcome('2024 ', '%Y')).toEqual([2024, 0, 1, 0, 0, 0, 1, 0, ' ']);
  expect(outcome('2024\u000bfoo', '%Y')).toEqual([2024, 0, 1, 0, 0, 0, 1, 0, '\u000bfoo']);
});

describe('what does not match is refused', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', '%Y'],
    ['x', ''],
    ['123', '%Y'],
    ['20241', '%Y'],
    ['2024bar', '%Y'],
    ['2024\u00a0foo', '%Y'],
    ['2024-13-05T04:02:03Z', ISO],
    ['2024-00-05T04:02:03Z', ISO],
    ['2024-03-00T04:02:03Z', ISO],
    ['2024-03-32T04:02:03Z', ISO],
    ['2024-03-05T24:02:03Z', ISO],
    ['2024-03-05T23:60:03Z', ISO],
    ['2024-03-05T23:02:61Z', ISO],
    ['2024-03-05T23:02:03.5Z', ISO],
    ['2024-03-05T23:02:03', ISO],
    ['Marc', '%b'],
    [' 5', '%e'],
    ['+01:3', '%z'],
    ['367', '%j'],
    ['20"x\n', '%Y"'],
  ];
  for (const [text, format] of cases) {
    test(`${JSON.stringify(text)} ${JSON.stringify(format)}`, () => {
      expect(outcome(text, format)).toEqual({
        error: `date "${text}" does not match format "${format}"`,
      });
    });
  }

  test('a zero ends both texts, in the message too', () => {
    expect(outcome('20x\0bar', '%Y\0bar')).toEqual({
      error: 'date "20x" does not match format "%Y"',
    });
  });

  test('inputs and formats that are no texts', () => {
    const error = 'strptime/1 requires string inputs and arguments';
    expect(outcome(1, '%Y')).toEqual({ error });
    expect(outcome('1', 1)).toEqual({ error });
    expect(outcome(null, null)).toEqual({ error });
  });
});

test('whatever is written is read back, day by day for centuries', () => {
  const meter = new Meter();
  for (let date = -200_000; date < 1_000_000; date += 97) {
    meter.begin(JQ_BUDGET_DEFAULT);
    const seconds = date * 86_400 + 3723;
    const text = strftime(seconds, ISO, meter);
    expect(mktime(strptime(text, ISO, meter), meter)).toBe(seconds);
    const weeks = strftime(seconds, '%Y %U %a %H:%M:%S', meter);
    expect(mktime(strptime(weeks, '%Y %U %a %T', meter), meter)).toBe(seconds);
    const ordinal = strftime(seconds, '%Y-%j %r', meter);
    expect(mktime(strptime(ordinal, '%Y-%j %r', meter), meter)).toBe(seconds);
  }
});

test('long texts are paid for', () => {
  const meter = meterOf();
  strptime('日'.repeat(50_000), '日'.repeat(50_000), meter);
  expect(JQ_BUDGET_DEFAULT.steps - meter.steps).toBeGreaterThan(5000);
});
