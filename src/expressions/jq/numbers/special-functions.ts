/**
 * The error function and the gamma function, to about 1e-15 of their value (the logarithm of the
 * gamma function near its zeros below -2: of 1). At poles and beyond the range of a double they
 * give what C gives. Every one takes the same short time whatever its argument.
 *
 * The Bessel functions are in bessel.ts.
 */

const SQRT_PI = 1.772_453_850_905_516;
const SQRT_2_PI = 2.506_628_274_631_000_7;
const LOG_SQRT_2_PI = 0.918_938_533_204_672_8;
/** One less Euler's constant. */
const ONE_LESS_EULER = 0.422_784_335_098_467_13;

// ---------------------------------------------------------------------------------- error function

/** From here on there is nothing left of erfc, not even a subnormal. */
const ERFC_ZERO = 27.3;
/**
 * The integral of exp(-t²) / (t² + x²) over all t is π exp(x²) erfc(x) / x, and the rule of
 * trapezoids with this step is exact for it to the last digit, but for the poles at ±ix.
 */
const STEP = 0.5;
/** From here on the poles are too far away to be seen. */
const POLE_MAX = Math.PI / STEP;
const WEIGHTS: readonly number[] = Array.from({ length: 13 }, (_, i) =>
  Math.exp(-(((i + 1) * STEP) ** 2)),
);

export function erf(x: number): number {
  // A zero keeps its sign.
  if (x === 0) return x;
  if (Math.abs(x) < 1) return erfSeries(x);
  if (x < 0) return erfcTail(-x) - 1;
  return 1 - erfcTail(x);
}

export function erfc(x: number): number {
  if (Math.abs(x) < 0.5) return 1 - erfSeries(x);
  return x < 0 ? 2 - erfcTail(-x) : erfcTail(x);
}

/** For |x| < 1, where the alternating series does not cancel. */
function erfSeries(x: number): number {
  const square = x * x;
  let power = x;
  let sum = x;
  for (let k = 1; k < 20; k += 1) {
    power *= -square / k;
    sum += power / (2 * k + 1);
  }
  return (2 / SQRT_PI) * sum;
}

/** erfc for x of a half and more. */
function erfcTail(x: number): number {
  if (x > ERFC_ZERO) return 0;
  const square = x * x;
  let sum = 0;
  for (let n = WEIGHTS.length; n >= 1; n -= 1) {
    sum += (WEIGHTS[n - 1] ?? 0) / ((n * STEP) ** 2 + square);
  }
  const poles = x < POLE_MAX ? 2 / Math.expm1((2 * Math.PI * x) / STEP) : 0;
  return ((STEP * x) / Math.PI) * expMinusSquare(x) * (1 / square + 2 * sum) - poles;
}

/** The square is taken in two parts: what rounding it would lose, exp would blow up. */
function expMinusSquare(x: number): number {
  const head = Math.fround(x);
  return Math.exp(-head * head) * Math.exp((head - x) * (head + x));
}

// ---------------------------------------------------------------------------------- gamma function

/** Stirling's series needs an argument of this size to be exact to the last digit. */
const STIRLING_MIN = 10;
/** Beyond these a double overflows, and vanishes. */
const GAMMA_MAX = 171.7;
const GAMMA_MIN = -184;
/** Below this the gamma function is 1/x, to the last digit. */
const TINY = 1e-17;

/** The series of Stirling for the logarithm, by powers of 1/x²: B(2k) / (2k (2k - 1)). */
const STIRLING: readonly number[] = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360_360,
  1 / 156,
  -3617 / 122_400,
  43_867 / 244_188,
];

/** ζ(k) - 1 from k = 2. */
const ZETA_LESS_ONE: readonly number[] = [
  0.644_934_066_848_226_4, 0.202_056_903_159_594_3, 0.082_323_233_711_138_19,
  0.036_927_755_143_369_93, 0.017_343_061_984_449_14, 0.008_349_277_381_922_827,
  0.004_077_356_197_944_34, 0.002_008_392_826_082_214_3, 0.000_994_575_127_818_085_3,
  0.000_494_188_604_119_464_5, 0.000_246_086_553_308_048_3, 0.000_122_713_347_578_489_15,
  6.124_813_505_870_483e-5, 3.058_823_630_702_049e-5, 1.528_225_940_865_187e-5,
  7.637_197_637_899_763e-6, 3.817_293_264_999_84e-6, 1.908_212_716_553_939e-6,
  9.539_620_338_727_962e-7, 4.769_329_867_878_064e-7, 2.384_505_027_277_33e-7,
  1.192_199_259_653_110_6e-7, 5.960_818_905_125_948e-8, 2.980_350_351_465_228e-8,
  1.490_155_482_836_504_3e-8, 7.450_711_789_835_43e-9,
];

/** The gamma function of whole numbers, each rounded once. */
const FACTORIALS: readonly number[] = factorials();

function factorials(): number[] {
  const list: number[] = [];
  let product = 1n;
  for (let n = 1; n < GAMMA_MAX; n += 1) {
    list.push(Number(product));
    product *= BigInt(n);
  }
  return list;
}

export function tgamma(x: number): number {
  if (Math.abs(x) < TINY) return 1 / x;
  if (Number.isInteger(x)) {
    return x < 0 ? Number.NaN : (FACTORIALS[x - 1] ?? Number.POSITIVE_INFINITY);
  }
  if (x > 0) {
    if (x > GAMMA_MAX) return Number.POSITIVE_INFINITY;
    const [head, tail] = gammaFactors(x);
    return head * tail;
  }
  if (x < GAMMA_MIN) {
    if (x === Number.NEGATIVE_INFINITY) return Number.NaN;
    return isEven(Math.floor(x)) ? 0 : -0;
  }
  const [head, tail] = gammaFactors(-x);
  return Math.PI / (-x * sinPi(x)) / head / tail;
}

/** Two numbers whose product is the gamma function of a positive x; it alone might overflow. */
function gammaFactors(x: number): readonly [number, number] {
  const shift = Math.max(0, Math.ceil(STIRLING_MIN - x));
  let passed = 1;
  for (let i = 0; i < shift; i += 1) passed *= x + i;
  const shifted = x + shift;
  // The derivative, nearly, times what the sum has lost.
  const lost = 1 + (x - (shifted - shift)) * Math.log(shifted);
  const half = shifted ** ((shifted - 0.5) / 2);
  const head = SQRT_2_PI * half * Math.exp(-shifted) * Math.exp(stirling(shifted));
  return [(head * lost) / passed, half];
}

function stirling(x: number): number {
  const inverse = 1 / x;
  return inverse * polynomial(STIRLING, inverse * inverse);
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i -= 1) sum = sum * x + (coefficients[i] ?? 0);
  return sum;
}

/** The logarithm of the absolute value of the gamma function, and the sign of that. */
export function lgammaR(x: number): readonly [number, number] {
  if (Number.isNaN(x)) return [x, 1];
  if (Math.abs(x) < TINY) return [-Math.log(Math.abs(x)), 1 / x > 0 ? 1 : -1];
  if (x > 0) return [logGamma(x), 1];
  if (Number.isInteger(x) || x === Number.NEGATIVE_INFINITY) return [Number.POSITIVE_INFINITY, 1];
  const sign = isEven(Math.floor(x)) ? 1 : -1;
  return [Math.log(Math.PI / Math.abs(x * sinPi(x))) - logGamma(-x), sign];
}

export function lgamma(x: number): number {
  return lgammaR(x)[0];
}

function logGamma(x: number): number {
  if (x < 0.5) return logGammaNear2(x) - Math.log1p(x) - Math.log(x);
  if (x < 1.5) return logGammaNear2(x - 1) - Math.log1p(x - 1);
  let reduced = x;
  if (x < STIRLING_MIN) {
    let passed = 1;
    while (reduced > 2.5) {
      reduced -= 1;
      passed *= reduced;
    }
    return logGammaNear2(reduced - 2) + Math.log(passed);
  }
  if (x === Number.POSITIVE_INFINITY) return x;
  const tail = LOG_SQRT_2_PI + stirling(x);
  return x < 1e15 ? (x - 0.5) * Math.log(x) - x + tail : x * (Math.log(x) - 1);
}

const LOG_GAMMA_NEAR_2: readonly number[] = [
  ONE_LESS_EULER,
  ...ZETA_LESS_ONE.map((value, i) => (i % 2 === 0 ? value : -value) / (i + 2)),
];

/** The logarithm of the gamma function of 2 + z for |z| of a half at most. */
function logGammaNear2(z: number): number {
  return z * polynomial(LOG_GAMMA_NEAR_2, z);
}

function isEven(whole: number): boolean {
  return whole % 2 === 0;
}

/** sin(πx), without the error that rounding πx would make. */
function sinPi(x: number): number {
  const rest = x % 2;
  const quarter = Math.round(rest * 2);
  const angle = Math.PI * (rest - quarter / 2);
  switch (quarter & 3) {
    case 0:
      return Math.sin(angle);
    case 1:
      return Math.cos(angle);
    case 2:
      return -Math.sin(angle);
    default:
      return -Math.cos(angle);
  }
}
