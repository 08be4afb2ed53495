import { describe, expect, test } from 'vitest';
import { erf, erfc, lgamma, lgammaR, tgamma } from './special-functions.ts';

const INF = Number.POSITIVE_INFINITY;

/** True values, computed with 30 digits. */
const VALUES: readonly (readonly [
  string,
  (x: number) => number,
  readonly (readonly [number, number])[],
])[] = [
  [
    'erf',
    erf,
    [
      [1e-300, 1.128_379_167_095_512_6e-300],
      [0.1, 0.112_462_916_018_284_9],
      [0.5, 0.520_499_877_813_046_5],
      [0.9, 0.796_908_212_422_832_2],
      [1.5, 0.966_105_146_475_310_8],
      [-2.25, -0.998_537_283_413_318_8],
    ],
  ],
  [
    'erfc',
    erfc,
    [
      [-3, 1.999_977_909_503_001_5],
      [0.25, 0.723_673_609_831_763_1],
      [0.75, 0.288_844_366_346_484_86],
      [2.5, 0.000_406_952_017_444_958_9],
      [6.5, 3.842_148_327_120_647_5e-20],
      [13, 1.739_557_315_466_724_6e-75],
      [26, 5.663_192_408_856_143e-296],
    ],
  ],
  [
    'tgamma',
    tgamma,
    [
      [1e-5, 99_999.422_794_225_55],
      [0.5, 1.772_453_850_905_516],
      [1.25, 0.906_402_477_055_477],
      [9.5, 119_292.461_994_609_01],
      [33.3, 7.487_577_596_522_633e35],
      [171.5, 9.483_367_566_824_8e307],
      [-0.5, -3.544_907_701_811_032],
      [-3.7, 0.251_643_995_902_422_7],
      [-150.5, -4.478_447_658_150_641e-264],
      [-170.25, -1.693_838_749_651_419_2e-307],
    ],
  ],
  [
    'lgamma',
    lgamma,
    [
      [1e-20, 46.051_701_859_880_914],
      [0.25, 1.288_022_524_698_077_4],
      [0.999, 0.000_578_038_532_891_380_2],
      [1.001, -0.000_576_393_598_283_306_2],
      [1.5, -0.120_782_237_635_245_22],
      [2.0001, 4.228_165_811_291_994_5e-5],
      [7.5, 7.534_364_236_758_733],
      [55.5, 166.321_506_159_840_37],
      [1e5, 1_051_287.708_973_656_9],
      [-0.5, 1.265_512_123_484_645_4],
      [-10.3, -14.457_515_440_024_208],
    ],
  ],
];

for (const [name, f, values] of VALUES) {
  test(`${name} is exact to fourteen digits`, () => {
    for (const [x, value] of values) {
      expect(Math.abs(f(x) / value - 1), `${name}(${x})`).toBeLessThan(1e-14);
    }
  });
}

test('the gamma function of whole numbers is the factorial, rounded once', () => {
  let factorial = 1n;
  for (let n = 1; n <= 171; n += 1) {
    expect(tgamma(n)).toBe(Number(factorial));
    factorial *= BigInt(n);
  }
  expect(tgamma(172)).toBe(INF);
});

describe('poles, ends and what is beyond', () => {
  test('the error functions', () => {
    expect([erf(INF), erf(-INF), erf(-0), erf(NaN)]).toEqual([1, -1, -0, NaN]);
    expect([erfc(INF), erfc(-INF), erfc(0), erfc(28), erfc(NaN)]).toEqual([0, 2, 1, 0, NaN]);
  });

  test('the gamma function', () => {
    expect([tgamma(0), tgamma(-0), tgamma(-1), tgamma(-1e300)]).toEqual([INF, -INF, NaN, NaN]);
    expect([tgamma(INF), tgamma(-INF), tgamma(NaN)]).toEqual([INF, NaN, NaN]);
    expect([tgamma(171.9), tgamma(-185.5), tgamma(-184.5)]).toEqual([INF, 0, -0]);
    expect([tgamma(2 ** -1000), tgamma(-5e-324)]).toEqual([2 ** 1000, -INF]);
  });

  test('its logarithm, with the sign', () => {
    expect(lgammaR(0)).toEqual([INF, 1]);
    expect(lgammaR(-0)).toEqual([INF, -1]);
    expect(lgammaR(-3)).toEqual([INF, 1]);
    expect(lgammaR(INF)).toEqual([INF, 1]);
    expect(lgammaR(-INF)).toEqual([INF, 1]);
    expect(lgammaR(NaN)).toEqual([NaN, 1]);
    expect(lgammaR(1)).toEqual([0, 1]);
    expect(lgammaR(2)).toEqual([0, 1]);
    expect(lgammaR(-0.5)[1]).toBe(-1);
    expect(lgammaR(-1.5)[1]).toBe(1);
    expect(lgamma(1.7e308)).toBe(INF);
    expect(lgamma(-5e-324)).toBe(744.440_071_921_381_2);
  });
});
