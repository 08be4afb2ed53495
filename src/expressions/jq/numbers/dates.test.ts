import { describe, expect, test } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { JQ_BUDGET_DEFAULT, Meter } from '../budget.ts';
import { daysSince1970, gmtime, localtime, mktime, momentAt } from './dates.ts';
import { Raised } from '../faults.ts';

function purse(): Meter {
  const meter = new Meter();
  meter.begin(JQ_BUDGET_DEFAULT);
  return meter;
}

function outcome(work: (meter: Meter) => Json): Json {
  try {
    return work(purse());
  } catch (thrown) {
    if (thrown instanceof Raised) return { error: thrown.value };
    throw thrown;
  }
}

describe('seconds become broken down time', () => {
  const cases: readonly (readonly [number, Json])[] = [
    [0, [1970, 0, 1, 0, 0, 0, 4, 0]],
    [1_425_599_507, [2015, 2, 5, 23, 51, 47, 4, 63]],
    [1_425_599_507.25, [2015, 2, 5, 23, 51, 47.25, 4, 63]],
    [1_425_599_621.678, [2015, 2, 5, 23, 53, 41.677_999_973_297_12, 4, 63]],
    [951_782_400, [2000, 1, 29, 0, 0, 0, 2, 59]],
    [-1, [1969, 11, 31, 23, 59, 59, 3, 364]],
    [-2_203_891_200, [1900, 2, 1, 0, 0, 0, 4, 59]],
    [-62_135_596_800, [1, 0, 1, 0, 0, 0, 1, 0]],
    [-62_167_219_200, [0, 0, 1, 0, 0, 0, 6, 0]],
    [-62_167_219_201, [-1, 11, 31, 23, 59, 59, 5, 364]],
    [8_640_000_000_000, [275_760, 8, 13, 0, 0, 0, 6, 256]],
  ];
  for (const [seconds, parts] of cases) {
    test(`${seconds}`, () => {
      expect(gmtime(seconds, purse())).toEqual(parts);
      expect(localtime(seconds, purse())).toEqual(parts);
    });
  }

  test('a fraction before 1970 is cut towards zero, as in jq', () => {
    expect(gmtime(-0.25, purse())).toEqual([1970, 0, 1, 0, 0, 0.75, 4, 0]);
    expect(gmtime(-1.25, purse())).toEqual([1969, 11, 31, 23, 59, 59.75, 3, 364]);
  });

  test('what is not a number of seconds has a moment but no seconds, and is noticed', () => {
    const meter = purse();
    expect(gmtime(Number.NaN, meter)).toEqual([1970, 0, 1, 0, 0, Number.NaN, 4, 0]);
    expect(meter.odd).toBe(true);
  });

  test('years beyond 32 bits are refused', () => {
    const error = 'error converting number of seconds since epoch to datetime';
    for (const seconds of [Infinity, -Infinity, 1e17, -1e17, 1e300]) {
      expect(outcome((meter) => gmtime(seconds, meter))).toEqual({ error });
    }
    expect(momentAt(67_768_036_191_676_000).year).toBe(2_147_485_547);
  });

  test('only numbers can be broken down', () => {
    for (const input of [null, 'a', [], {}, true]) {
      expect(outcome((meter) => gmtime(input, meter))).toEqual({
        error: 'gmtime() requires numeric inputs',
      });
      expect(outcome((meter) => localtime(input, meter))).toEqual({
        error: 'localtime() requires numeric inputs',
      });
    }
  });
});

describe('broken down time becomes seconds', () => {
  const cases: readonly (readonly [Json, Json])[] = [
    [[2024, 8, 21], 1_726_876_800],
    [[2015, 2, 5, 23, 51, 47, 4, 63], 1_425_599_507],
    [[2015, 2, 5, 23, 51, 47.9, 4, 63], 1_425_599_507],
    [[2024, 2, 15, 1, 2, 3, 30, 3000], 1_710_464_523],
    [[2024, 2, 15, 1, 2, 3, 5, 74, 'more'], 1_710_464_523],
    [[2024.9, 2.9, 15.9, 1.9, 2.9, 3.75, 2.9, 3.9], 1_710_464_523],
    [[2024, 14, 15, 1, 2, 3], 1_742_000_523],
    [[2024, -1, 15, 1, 2, 3], 1_702_602_123],
    [[2024, 0, 0, 25, 61, 61], 1_704_074_521],
    [[2024, 0, -5, -25, -61, -61], 1_703_455_079],
    [[2000, 1, 1, 0, 0, 1e300], 3_096_846_847],
    [[2000, 1, 1, 0, 0, -Infinity], -1_198_120_448],
    [[2000], 946_598_400],
    [[], -2_209_075_200],
    [[100, 0, 1], -59_011_459_200],
    [[99, 0, 1], -59_042_995_200],
    [[1969, 11, 31, 23, 59, 59], { error: 'invalid gmtime representation' }],
    [[1969, 11, 31, 23, 59, 58], { error: 'mktime not supported on this platform' }],
    [[1969, 11, 31, 23, 59, 57], -3],
    [['a', 1, 2, 3, 4, 5, 6, 7], { error: 'mktime requires parsed datetime inputs' }],
    [[2000, 0, 1, 0, 0, 0, 0, null], { error: 'mktime requires parsed datetime inputs' }],
    [[2000, 0, 1, 0, 0, NaN], { error: 'mktime requires parsed datetime inputs' }],
    ['2015', { error: 'mktime requires array inputs' }],
    [0, { error: 'mktime requires array inputs' }],
    [null, { error: 'mktime requires array inputs' }],
  ];
  for (const [input, seconds] of cases) {
    test(JSON.stringify(input), () => {
      expect(outcome((meter) => mktime(input, meter))).toEqual(seconds);
    });
  }
});

test('every day of some centuries follows the day before it', () => {
  const wrong: string[] = [];
  let days = daysSince1970(1599, 11, 31);
  for (let year = 1600; year < 2100; year += 1) {
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    for (const [month, length] of [
      31,
      isLeap ? 29 : 28,
      31,
      30,
      31,
      30,
      31,
      31,
      30,
      31,
      30,
      31,
    ].entries()) {
      for (let day = 1; day <= length; day += 1) {
        days += 1;
        const moment = momentAt(days * 86_400 + 86_399);
        const isRight = moment.year === year && moment.month === month && moment.day === day;
        if (!isRight) wrong.push(`${year}-${month + 1}-${day}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(days).toBe(daysSince1970(2099, 11, 31));
});

test('a moment costs what it takes', () => {
  const meter = purse();
  gmtime(0, meter);
  expect(meter.steps).toBeLessThan(JQ_BUDGET_DEFAULT.steps);
  expect(meter.elements).toBeLessThan(JQ_BUDGET_DEFAULT.elements);
});
