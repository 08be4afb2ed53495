import { describe, expect, test } from 'vitest';
import { MATH_1, MATH_2, MATH_3, MATH_STEPS } from './math.ts';

const INF = Number.POSITIVE_INFINITY;
const MAX = Number.MAX_VALUE;
const MIN = Number.MIN_VALUE;

function show(x: number): string {
  return Object.is(x, -0) ? '-0' : String(x);
}

/** Name, argument, result: what jq 1.8.2 says. */
const ONE: readonly (readonly [string, number, number])[] = [
  ['round', 0.5, 1],
  ['round', -0.5, -1],
  ['round', 2.5, 3],
  ['round', -2.5, -3],
  ['round', 0.499_999_999_999_999_94, 0],
  ['round', -0.499_999_999_999_999_94, -0],
  ['round', 4_503_599_627_370_495.5, 4_503_599_627_370_496],
  ['round', -0, -0],
  ['round', INF, INF],
  ['round', NaN, NaN],
  ['rint', 0.5, 0],
  ['rint', 1.5, 2],
  ['rint', 2.5, 2],
  ['rint', -0.5, -0],
  ['rint', -1.5, -2],
  ['rint', -2.5, -2],
  ['rint', 4_503_599_627_370_495.5, 4_503_599_627_370_496],
  ['rint', -INF, -INF],
  ['nearbyint', 3.5, 4],
  ['nearbyint', 4.5, 4],
  ['trunc', -1.5, -1],
  ['trunc', -0.5, -0],
  ['ceil', -0.5, -0],
  ['floor', -0.5, -1],
  ['fabs', -0, 0],
  ['sqrt', -1, NaN],
  ['log2', 8, 3],
  ['log2', MIN, -1074],
  ['log2', 2 ** 1023, 1023],
  ['log2', 0, -INF],
  ['log2', -1, NaN],
  ['log10', 1000, 3],
  ['log10', 1e15, 15],
  ['exp2', 10, 1024],
  ['exp2', -1074, MIN],
  ['exp10', 2, 100],
  ['exp10', -3, 0.001],
  ['exp10', 22, 1e22],
  ['exp10', 309, INF],
  ['exp10', -400, 0],
  ['exp10', -INF, 0],
  ['pow10', 5, 100_000],
  ['cbrt', 1e15, 100_000],
  ['cbrt', -8, -2],
  ['logb', 10, 3],
  ['logb', 0, -INF],
  ['significand', 10, 1.25],
  ['acosh', 0.5, NaN],
  ['atanh', 1, INF],
  ['tgamma', 6, 120],
  ['lgamma', 1, 0],
  ['gamma', 3, Math.LN2],
  ['j0', 0, 1],
  ['y0', 0, -INF],
  ['erf', 0, 0],
  ['erfc', 0, 1],
];

const TWO: readonly (readonly [string, number, number, number])[] = [
  ['pow', 2, 10, 1024],
  ['pow', 1, NaN, 1],
  ['pow', 1, INF, 1],
  ['pow', -1, INF, 1],
  ['pow', -1, -INF, 1],
  ['pow', -1, NaN, NaN],
  ['pow', NaN, 0, 1],
  ['pow', -8, 1 / 3, NaN],
  ['pow', -0, -1, -INF],
  ['pow', -0, 3, -0],
  ['fmod', 5, -3, 2],
  ['fmod', -5, 3, -2],
  ['fmod', -3, 3, -0],
  ['fmod', 5, 0, NaN],
  ['fmod', 5, INF, 5],
  ['drem', 2, 3, -1],
  ['drem', -2, 3, 1],
  ['drem', 5, 2, 1],
  ['drem', 3, 2, -1],
  ['drem', 1, 2, 1],
  ['drem', -1, 1, -0],
  ['drem', 1e308, 3, -1],
  ['drem', MAX, 1.5e308, MAX - 1.5e308],
  ['drem', MIN, MIN * 3, MIN],
  ['drem', MIN * 2, MIN * 3, -MIN],
  ['drem', 1, 0, NaN],
  ['drem', INF, 1, NaN],
  ['drem', 1, INF, 1],
  ['drem', -0, 1, -0],
  ['remainder', 7.5, 5, -2.5],
  ['remainder', 12.5, 5, 2.5],
  ['remainder', 2.5, 5, 2.5],
  ['fmin', NaN, 1, 1],
  ['fmin', 0, -0, -0],
  ['fmax', 1, NaN, 1],
  ['fmax', -0, 0, 0],
  ['fmax', NaN, NaN, NaN],
  ['fdim', 3, 5, 0],
  ['fdim', 5, 3, 2],
  ['fdim', NaN, 1, NaN],
  ['fdim', INF, INF, 0],
  ['hypot', 3, 4, 5],
  ['hypot', 3 * 2 ** 700, 4 * 2 ** 700, 5 * 2 ** 700],
  ['hypot', 3 * 2 ** -1070, 4 * 2 ** -1070, 5 * 2 ** -1070],
  ['hypot', NaN, INF, INF],
  ['hypot', NaN, 1, NaN],
  ['hypot', 0, -2, 2],
  ['hypot', MAX, 1, MAX],
  ['copysign', 1, -0, -1],
  ['nextafter', 1, 2, 1.000_000_000_000_000_2],
  ['nexttoward', 0, -1, -MIN],
  ['ldexp', 1, 2.7, 4],
  ['ldexp', 1, -2.7, 0.25],
  ['ldexp', 1, NaN, 1],
  ['ldexp', 1, 1e300, INF],
  ['ldexp', 1, -INF, 0],
  ['ldexp', 0, INF, 0],
  ['ldexp', MIN, 1100, 67_108_864],
  ['scalbln', 3, -1, 1.5],
  ['scalbln', 1, -1074, MIN],
  ['scalb', 1, 2, 4],
  ['scalb', 1, 2.5, NaN],
  ['scalb', 0, INF, NaN],
  ['scalb', INF, -INF, NaN],
  ['scalb', -1, -INF, -0],
  ['scalb', 1, 3e9, INF],
  ['scalb', NaN, 1, NaN],
  ['atan2', 0, -0, Math.PI],
  ['atan2', -0, 0, -0],
  ['jn', 0.9, 0, 1],
  ['jn', NaN, 0, 1],
  ['jn', 1, 0, 0],
  ['yn', 2.5, 0, -INF],
];

describe('functions of one number', () => {
  for (const [name, x, result] of ONE) {
    test(`${name} of ${show(x)} is ${show(result)}`, () => {
      expect(MATH_1[name]?.(x)).toBe(result);
    });
  }
});

describe('functions of two numbers', () => {
  for (const [name, x, y, result] of TWO) {
    test(`${name} of ${show(x)} and ${show(y)} is ${show(result)}`, () => {
      expect(MATH_2[name]?.(x, y)).toBe(result);
    });
  }
});

test('whole powers of two and ten are exact', () => {
  for (let n = -1074; n < 1024; n += 1) {
    expect(MATH_1['exp2']?.(n)).toBe(2 ** n);
    expect(MATH_1['log2']?.(2 ** n)).toBe(n);
  }
  for (let n = -323; n < 309; n += 1) expect(MATH_1['exp10']?.(n)).toBe(Number(`1e${n}`));
});

test('there is one function of three numbers', () => {
  expect(Object.keys(MATH_3)).toEqual(['fma']);
  expect(MATH_3['fma']?.(2, 3, 4)).toBe(10);
});

test('the tables hold nothing that was not put there', () => {
  for (const table of [MATH_1, MATH_2, MATH_3, MATH_STEPS]) {
    expect(table['constructor']).toBeUndefined();
    expect(table['toString']).toBeUndefined();
    expect(Object.isFrozen(table)).toBe(true);
  }
});

test('whatever costs more than a step is a builtin', () => {
  const names = [MATH_1, MATH_2, MATH_3].flatMap((table) => Object.keys(table));
  for (const name of Object.keys(MATH_STEPS)) expect([...names, 'lgamma_r']).toContain(name);
});
