import { describe, expect, test } from 'vitest';
import { formatNumber, parseNumber } from './number-text.ts';

describe('a number is written as jq writes one that it has calculated', () => {
  const table: readonly (readonly [number, string])[] = [
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-1, '-1'],
    [1.5, '1.5'],
    [0.1 + 0.2, '0.30000000000000004'],
    [-107.375, '-107.375'],
    [2 ** 31, '2147483648'],
    [9007199254740992, '9007199254740992'],
    [0.0001, '0.0001'],
    [0.00012345678901234567, '0.00012345678901234567'],
    [0.00001, '1e-05'],
    [-0.000015, '-1.5e-05'],
    [0.000001, '1e-06'],
    [1e-7, '1e-07'],
    [-1.5e-7, '-1.5e-07'],
    [1e-10, '1e-10'],
    [1e-300, '1e-300'],
    [5e-324, '5e-324'],
    [1e15, '1000000000000000'],
    [1e16, '1e+16'],
    [-1e16, '-1e+16'],
    [123456789012345680, '123456789012345680'],
    [1.2345e19, '12345000000000000000'],
    [1.2345e20, '1.2345e+20'],
    [1e21, '1e+21'],
    [12345678901234567000, '12345678901234567000'],
    [-1.2345678901234568e29, '-123456789012345680000000000000'],
    [1.2345678901234567e31, '12345678901234567000000000000000'],
    [1.2345678901234567e32, '1.2345678901234567e+32'],
    [1.5e300, '1.5e+300'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [Infinity, '1.7976931348623157e+308'],
    [-Infinity, '-1.7976931348623157e+308'],
    [Number.NaN, 'null'],
  ];
  test.each(table)('%d is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe('a text is taken for a number where jq does', () => {
  const table: readonly (readonly [string, number])[] = [
    ['1', 1],
    ['-1', -1],
    ['+1', 1],
    ['01', 1],
    ['000', 0],
    ['-0', -0],
    ['123456789012345', 123456789012345],
    ['123456789012345678901234567890', 1.2345678901234568e29],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1.e5', 100000],
    ['1e5', 100000],
    ['1E+5', 100000],
    ['1e-5', 0.00001],
    ['1e0000000005', 100000],
    ['1e1000', Infinity],
    ['-1e99999999999999999999', -Infinity],
    ['1e-99999999999999999999', 0],
    ['nan', Number.NaN],
    ['NaN', Number.NaN],
    ['-nan', Number.NaN],
    ['snan', Number.NaN],
    ['nan00', Number.NaN],
    ['inf', Infinity],
    ['+Infinity', Infinity],
    ['-iNfInItY', -Infinity],
  ];
  test.each(table)('%s', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });
});

describe('and for none where jq does not', () => {
  const table = [
    ...['', ' ', ' 1', '1 ', '1\n', '\t1', '1\0', '\0', '-', '+', '.', '-.', '--1', '+-1'],
    ...['1e', '1e+', 'e5', '.e1', '1e5.5', '1.5.5', '0x10', '1_000', '1d', '٣', '1,5'],
    ...['nan1', 'nan01', 'nan(1)', 'infin', 'infinit', 'null', 'true', '"1"', '[1]', '\u017fnan'],
  ];
  test.each(table)('%j', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });

  test('a long text takes no longer than its length', () => {
    expect(parseNumber(`${'1'.repeat(200_000)}x`)).toBeUndefined();
    expect(parseNumber(`${'1'.repeat(200_000)}.${'1'.repeat(200_000)}e`)).toBeUndefined();
    expect(parseNumber('1'.repeat(200_000))).toBe(Infinity);
  });
});
