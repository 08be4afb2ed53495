import { describe, expect, test } from 'vitest';
import {
  copysign,
  exponentOf,
  fma,
  frexp,
  logb,
  modf,
  nextafter,
  scaleBy,
  significand,
  toInt,
} from './doubles.ts';

const MIN = Number.MIN_VALUE;
const MAX = Number.MAX_VALUE;
const INF = Number.POSITIVE_INFINITY;

describe('the exponent of a number', () => {
  const cases: readonly (readonly [number, number, number, readonly [number, number]])[] = [
    // The number, logb, significand and frexp of it.
    [1, 0, 1, [0.5, 1]],
    [-2.5, 1, -1.25, [-0.625, 2]],
    [0.499_999_999_999_999_94, -2, 1.999_999_999_999_999_8, [0.999_999_999_999_999_9, -1]],
    [MAX, 1023, 1.999_999_999_999_999_8, [0.999_999_999_999_999_9, 1024]],
    [2 ** -1022, -1022, 1, [0.5, -1021]],
    [1e-310, -1030, 1.150_523_606_311_878_7, [0.575_261_803_155_939_3, -1029]],
    [MIN, -1074, 1, [0.5, -1073]],
    [0, -INF, 0, [0, 0]],
    [-0, -INF, -0, [-0, 0]],
    [INF, INF, INF, [INF, 0]],
    [-INF, INF, -INF, [-INF, 0]],
    [NaN, NaN, NaN, [NaN, 0]],
  ];
  for (const [x, exponent, mantissa, parts] of cases) {
    test(`${Object.is(x, -0) ? '-0' : x}`, () => {
      expect(logb(x)).toBe(exponent);
      expect(significand(x)).toBe(mantissa);
      expect(frexp(x)).toEqual(parts);
    });
  }

  test('every power of two has its own', () => {
    for (let e = -1074; e < 1024; e += 1) expect(exponentOf(2 ** e)).toBe(e);
  });
});

test('scaling rounds once, at the smallest numbers too', () => {
  expect(scaleBy(1.5, 4)).toBe(24);
  expect(scaleBy(MIN, 2097)).toBe(2 ** 1023);
  expect(scaleBy(1, -1074)).toBe(MIN);
  expect(scaleBy(MAX, -2097)).toBe(1e-323);
  expect(scaleBy(1.5, -1075)).toBe(MIN);
  expect(scaleBy(1, -1075)).toBe(0);
  expect(scaleBy(-1, 1e300)).toBe(-INF);
  expect(scaleBy(-1, -1e300)).toBe(-0);
  expect(scaleBy(INF, -2000)).toBe(INF);
});

test('a number is split at its point, with its sign on both parts', () => {
  expect(modf(3.25)).toEqual([0.25, 3]);
  expect(modf(-3.25)).toEqual([-0.25, -3]);
  expect(modf(-3)).toEqual([-0, -3]);
  expect(modf(-0)).toEqual([-0, -0]);
  expect(modf(INF)).toEqual([0, INF]);
  expect(modf(-INF)).toEqual([-0, -INF]);
  expect(modf(NaN)).toEqual([NaN, NaN]);
});

test('the sign of a zero counts', () => {
  expect(copysign(3, -0)).toBe(-3);
  expect(copysign(-3, 0)).toBe(3);
  expect(copysign(0, -1)).toBe(-0);
});

test('neighbours are one last bit away', () => {
  expect(nextafter(1, 2)).toBe(1 + 2 ** -52);
  expect(nextafter(1, 0)).toBe(1 - 2 ** -53);
  expect(nextafter(-1, -2)).toBe(-1 - 2 ** -52);
  expect(nextafter(0, -1)).toBe(-MIN);
  expect(nextafter(MIN, 0)).toBe(0);
  expect(nextafter(-MIN, 0)).toBe(-0);
  expect(nextafter(0, -0)).toBe(-0);
  expect(nextafter(MAX, INF)).toBe(INF);
  expect(nextafter(INF, 0)).toBe(MAX);
  expect(nextafter(2 ** -1022, 0)).toBe(2 ** -1022 - MIN);
  // Here the lower half of the bits carries into the upper one.
  expect(nextafter(1 + 2 ** -20, 0)).toBe(1 + 2 ** -20 - 2 ** -52);
  expect(nextafter(1 + 2 ** -20 - 2 ** -52, 2)).toBe(1 + 2 ** -20);
  expect(nextafter(NaN, 1)).toBeNaN();
});

describe('a product and a sum are rounded once', () => {
  const near = 1 + 2 ** -52;
  const cases: readonly (readonly [number, number, number, number])[] = [
    [2, 3, 4, 10],
    [near, near, -1, 2 ** -51 + 2 ** -104],
    [near, 1 - 2 ** -53, -1, 2 ** -53 - 2 ** -105],
    // Without the last bit of the product this would be a tie.
    [near, near, 2 ** 52, 2 ** 52 + 1],
    [1 + 2 ** -30, 1 + 2 ** -23, -(1 + 2 ** -23 + 2 ** -30), 2 ** -53],
    [MAX, 2, -MAX, MAX],
    [MAX, 2, MAX, INF],
    [2 ** -600, 2 ** -600, MIN, MIN],
    [2 ** -537, 2 ** -538, MIN, 1e-323],
    [-(2 ** -600), 2 ** -600, MIN, MIN],
    [MIN, 0.5, MIN, 1e-323],
    [MIN, 0.5, -MIN, -0],
    [-1, 0, -0, -0],
    [-1, 0, 0, 0],
    [1, 1, -1, 0],
    [-MIN, 0.25, 0, -0],
    [INF, 0, 1, NaN],
    [MAX, MAX, -INF, -INF],
    [1e300, 1e300, -INF, -INF],
    [NaN, 1, 1, NaN],
  ];
  for (const [x, y, z, result] of cases) {
    test(`${x} · ${y} + ${z}`, () => {
      expect(fma(x, y, z)).toBe(result);
    });
  }

  test('products of whole numbers have all their digits', () => {
    for (let i = 1; i < 2000; i += 1) {
      const x = 94_906_267 * i;
      const y = 67_108_859 * i;
      const product = x * y;
      expect(BigInt(fma(x, y, -product))).toBe(BigInt(x) * BigInt(y) - BigInt(product));
    }
  });
});

test('numbers become whole numbers of 32 bits as in jq', () => {
  const cases = [
    [2.7, 2],
    [-2.7, -2],
    [-0.5, 0],
    [3e9, 2_147_483_647],
    [-3e9, -2_147_483_648],
    [INF, 2_147_483_647],
    [NaN, 0],
  ] as const;
  for (const [x, whole] of cases) expect(toInt(x)).toBe(whole);
});
