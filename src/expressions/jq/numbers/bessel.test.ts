import { describe, expect, test } from 'vitest';
import { j0, j1, jn, y0, y1, yn } from './bessel.ts';

const INF = Number.POSITIVE_INFINITY;

/** Order, argument, J and Y, computed with 30 digits. */
const VALUES: readonly (readonly [number, number, number, number])[] = [
  [0, 0.5, 0.938_469_807_240_812_9, -0.444_518_733_506_706_56],
  [0, 7.25, 0.291_996_924_191_779, 0.048_422_529_865_202_83],
  [0, 80, -0.069_742_165_512_210_02, -0.055_620_339_089_77],
  [1, 1.75, 0.580_156_197_638_992_5, -0.253_972_985_946_245_7],
  [1, 12.5, -0.165_483_804_614_759_73, -0.153_838_256_537_501_2],
  [3, 0.01, 2.083_320_312_532_552_3e-8, -5_093_021.841_713_737],
  [7, 20, -0.184_221_397_720_594_43, -0.004_431_204_713_119_816],
  [30, 31.5, 0.198_627_475_198_444_6, -0.132_185_914_732_754_68],
  [100, 60, 4.783_274_407_878_101e-15, -831_892_881_402.117_1],
  [450, 455, 0.086_215_363_207_883_81, -0.034_269_187_633_030_25],
  // From here on by integrals.
  [1000, 900, 5.084_110_085_041_299e-16, -1_436_445_878_009.495_8],
  [1000, 985, 0.005_141_743_508_143_499, -0.368_227_238_405_149_3],
  [1000, 1000, 0.044_730_672_947_964_04, -0.077_476_001_520_720_75],
  [1000, 1012, 0.058_098_542_121_228_91, 0.024_560_725_734_028_295],
  [1000, 1500, 0.022_929_733_509_152_398, -0.006_605_818_910_226_26],
  [1000, 250_000.5, 0.001_593_412_160_057_639_7, 8.678_742_220_295_419e-5],
  [20_000, 30_000, -0.005_305_319_444_533_382_5, 0.000_569_286_627_354_323_2],
];

describe('both kinds agree with their true values', () => {
  for (const [order, x, first, second] of VALUES) {
    test(`of order ${order} at ${x}`, () => {
      // Near a zero only the size that the function has around it can be asked for.
      const size = x > order ? Math.hypot(first, second) : 0;
      const digits = order < 500 ? 1e-14 : 2e-15 * order;
      const close = (value: number, truth: number): number =>
        Math.abs(value - truth) / (size || Math.abs(truth)) / digits;
      expect(close(jn(order, x), first)).toBeLessThan(1);
      expect(close(yn(order, x), second)).toBeLessThan(1);
    });
  }
});

test('where one way of computing ends and another begins there is no step', () => {
  for (const order of [0, 1, 2, 5, 20, 300, 499, 500, 501, 502, 700]) {
    for (const x of [1.999, 2.001, 24.999, 25.001, 480, 495, 500, 501, 505, 520, 600]) {
      // Where one is zero and the other infinite there is nothing to compare.
      if (jn(order + 1, x) === 0 || !Number.isFinite(yn(order + 1, x))) continue;
      const value = jn(order, x) * yn(order + 1, x) - jn(order + 1, x) * yn(order, x);
      expect(value * ((-Math.PI * x) / 2), `order ${order} at ${x}`).toBeCloseTo(1, 11);
    }
  }
});

test('signs follow the parity of the order', () => {
  expect(jn(-3, 2)).toBe(-jn(3, 2));
  expect(jn(3, -2)).toBe(-jn(3, 2));
  expect(jn(-3, -2)).toBe(jn(3, 2));
  expect(jn(-2, -2)).toBe(jn(2, 2));
  expect(yn(-3, 2)).toBe(-yn(3, 2));
  expect(yn(-2, 2)).toBe(yn(2, 2));
  expect(j1(-1)).toBe(-j1(1));
  expect(j0(-1)).toBe(j0(1));
});

test('zero, infinity and what is beyond', () => {
  expect([j0(0), j1(0), j1(-0), j0(INF), j1(-INF), j0(NaN)]).toEqual([1, 0, -0, 0, 0, NaN]);
  expect([y0(0), y1(0), yn(5, 0), yn(-5, 0)]).toEqual([-INF, -INF, -INF, INF]);
  expect([y0(-1), y1(-1), yn(2, -1), y0(NaN)]).toEqual([NaN, NaN, NaN, NaN]);
  expect([y0(INF), y1(INF), yn(7, INF)]).toEqual([0, 0, 0]);
  expect(y0(5e-324)).toBeCloseTo(-473.999_073_423_004_3, 12);
  expect(y1(5e-324)).toBe(-INF);
});

test('the largest orders take no longer than others', () => {
  for (const order of [2_147_483_647, -2_147_483_648, 1_000_000_000]) {
    for (const x of [1e-300, 1, 1e5, 1e9, 2_147_483_647, 2_147_483_648, 1e10, 1e18, 1e300]) {
      expect(jn(order, x)).not.toBeNaN();
      expect(yn(order, x)).not.toBeNaN();
    }
  }
});
