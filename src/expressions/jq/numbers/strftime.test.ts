import { describe, expect, test } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { meterOf, outcomeOf } from '../../../testing/jq-purse.ts';
import { JQ_BUDGET_DEFAULT, type Meter } from '../budget.ts';
import { strflocaltime, strftime } from './strftime.ts';

type Writer = (input: Json, format: Json, meter: Meter) => Json;

function outcome(input: Json, format: Json, write: Writer = strftime): Json {
  return outcomeOf((meter) => write(input, format, meter));
}

const MARCH: Json = [2024, 2, 15, 13, 2, 3];

/** What jq 1.8.2 writes; only %Z, which its build cannot write, is ours. */
const CONVERSIONS: readonly (readonly [Json, string, string])[] = [
  [MARCH, '%a %A %b %B %h', 'Fri Friday Mar March Mar'],
  [MARCH, '%c', 'Fri Mar 15 13:02:03 2024'],
  [MARCH, '%C %d %e %D %F', '20 15 15 03/15/24 2024-03-15'],
  [MARCH, '%g %G %V %u %w %U %W %j', '24 2024 11 5 5 10 11 075'],
  [MARCH, '%H %I %M %S %p %r %R %T', '13 01 02 03 PM 01:02:03 PM 13:02 13:02:03'],
  [MARCH, '%x %X %y %Y %z %Z %s', '03/15/24 13:02:03 24 2024 +0000 UTC 1710507723'],
  [MARCH, 'a%nb%tc%%d', 'a\nb\tc%d'],
  [0, '%c', 'Thu Jan  1 00:00:00 1970'],
  [0, '%-d %_d %0e %e %-H %_m %I', '1  1 01  1 0  1 12'],
  [0, '%5d %3a %5j %9s', '01 Thu 001 0'],
  [0, '%010Y %5Y %+5Y %+3Y %0Y', '0000001970 01970 +1970 1970 1970'],
  [0, '%6C %+4C %_6C %6G %+6G', '000019 +019 000019 001970 +01970'],
  [0, '%12F %+12F', '001970-01-01 +01970-01-01'],
  [0, '%Ey %EY %Od %5Ey', '70 1970 01 70'],
  [0, 'abc%', 'abc%'],
  [0, '%', '%'],
  [0, '', ''],
  [0, 'é%Y日本', 'é1970日本'],
  [0, '%Y\0%Y', '1970'],
  [[12_345, 2, 15], '%Y %C %y %G %g %F', '+12345 123 45 12345 45 +12345-03-15'],
  [[12_345, 2, 15], '%5Y %06Y %+Y %_Y', '12345 012345 +12345 +12345'],
  [[-123, 2, 15], '%Y %C %y %G %g %6Y %_C', '-123 -1 23 -123 -23 -00123 -1'],
  [[-5, 2, 15], '%Y %_Y %-Y %_6Y %g %F', '-005   -5 -5 -0  -5 -5 -005-03-15'],
  [[2021, 0, 1], '%G-W%V-%u %g %U %W', '2020-W53-5 20 00 00'],
  [[2024, 11, 30], '%G-W%V-%u', '2025-W01-1'],
  [[2023, 0, 1], '%G-W%V-%u %U %W', '2022-W52-7 01 00'],
  [[2024, 2, 15, 0], '%I %p', '12 AM'],
  [[2024, 2, 15, 12], '%I %p', '12 PM'],
  [1_435_677_542.822_351, '%A, %B %d, %Y', 'Tuesday, June 30, 2015'],
  [[2024, 2, 15], '%Y-%m-%dT%H:%M:%SZ', '2024-03-15T00:00:00Z'],
  [[2015, 2, 5, 23, 51, 47, 4, 63], '%Y-%m-%dT%H:%M:%SZ', '2015-03-05T23:51:47Z'],
  [[], '%Y-%m-%d', '1900-01-00'],
];

describe('a moment is written after a pattern', () => {
  for (const [input, format, text] of CONVERSIONS) {
    test(`${JSON.stringify(input)} ${JSON.stringify(format)}`, () => {
      expect(outcome(input, format)).toBe(text);
    });
  }
});

describe('what is out of range', () => {
  const format = '%c|%j|%w|%U|%V|%m %B';

  test('stays as it is, with the days of the date that it means', () => {
    expect(outcome([2024, 14, 15, 1, 2, 3], format)).toBe(
      'Sat - 15 01:02:03 2024|074|6|10|11|15 -',
    );
    expect(outcome([2024, 0, 0, 25, 61, 61], format)).toBe(
      'Mon Jan  0 25:61:61 2024|001|1|00|01|01 January',
    );
    expect(outcome([2024, 2, 15, 1, 2, -3.75], '%S')).toBe('-3');
  });

  test('is carried on by strflocaltime', () => {
    expect(outcome([2024, 14, 15, 1, 2, 3], format, strflocaltime)).toBe(
      'Sat Mar 15 01:02:03 2025|074|6|10|11|03 March',
    );
  });

  test('is not the day of the week nor the day of the year, which are computed', () => {
    expect(outcome([2024, 2, 15, 1, 2, 3, 30, 3000], '%a %j')).toBe('Fri 075');
  });
});

describe('what cannot be written is refused', () => {
  for (const [name, write] of [
    ['strftime/1', strftime],
    ['strflocaltime/1', strflocaltime],
  ] as const) {
    const parsed = { error: `${name} requires parsed datetime inputs` };
    const format = { error: `${name} requires a string format` };
    const failure = { error: `${name}: unknown system failure` };

    test(`${name}: inputs that are no moments`, () => {
      for (const input of [null, 'x', {}, true, ['a'], [2000, null], [Number.NaN], Number.NaN]) {
        expect(outcome(input, '%Y', write)).toEqual(parsed);
      }
      expect(outcome(['a'], '', write)).toEqual(parsed);
    });

    test(`${name}: formats that are no texts`, () => {
      for (const input of [0, [], ['a']]) expect(outcome(input, [], write)).toEqual(format);
      expect(outcome('x', 1, write)).toEqual(parsed);
    });

    test(`${name}: conversions that do not exist`, () => {
      for (const pattern of ['%k', '%l', '%P', '%Q', '%E', '%^a', '%-_d', '%5', '% d', 'x%-']) {
        expect(outcome(0, pattern, write)).toEqual(failure);
      }
    });

    test(`${name}: texts more than 99 characters longer than their pattern`, () => {
      expect(outcome(0, '%c'.repeat(4), write)).toHaveLength(96);
      expect(outcome(0, '%c'.repeat(5), write)).toEqual(failure);
      expect(outcome(0, '%0105Y', write)).toBe('1970'.padStart(105, '0'));
      expect(outcome(0, '%0106Y', write)).toEqual(failure);
      expect(outcome(0, '%0106Y%%', write)).toHaveLength(107);
      expect(outcome(0, '%99999999999999999999Y', write)).toEqual(failure);
    });
  }
});

test('a long pattern is paid for', () => {
  const meter = meterOf();
  strftime(0, '%d'.repeat(10_000), meter);
  expect(JQ_BUDGET_DEFAULT.steps - meter.steps).toBeGreaterThan(10_000);
  expect(JQ_BUDGET_DEFAULT.stringBytes - meter.bytes).toBeGreaterThanOrEqual(20_000);
});
