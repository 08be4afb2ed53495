/**
 * The mathematical builtins of jq as tables of functions of numbers. Who calls them checks that the
 * arguments are numbers.
 *
 * They behave as those of C at the edges (halves, signed zeros, infinities, NaN, the smallest and
 * the largest numbers). Rounding, parts of numbers and remainders are exact. Where JavaScript has
 * the same function it is used, and may differ from jq's library in the last digit.
 *
 * Most take some dozens of nanoseconds; MATH_STEPS says which ones take longer.
 */
import { j0, j1, jn, y0, y1, yn } from './bessel.ts';
import {
  copysign,
  exponentOf,
  fma,
  logb,
  nextafter,
  productLoss,
  scaleBy,
  significand,
  toInt,
} from './doubles.ts';
import { erf, erfc, lgamma, tgamma } from './special-functions.ts';

export { frexp, modf } from './doubles.ts';
export { lgammaR } from './special-functions.ts';

/** A table that has nothing in it but what is put there. */
function table<F>(entries: Record<string, F>): Readonly<Record<string, F>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, F>, entries));
}

export const MATH_1: Readonly<Record<string, (x: number) => number>> = table({
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  erf,
  erfc,
  exp: Math.exp,
  exp10,
  exp2: (x: number) => 2 ** x,
  expm1: Math.expm1,
  fabs: Math.abs,
  floor: Math.floor,
  gamma: lgamma,
  j0,
  j1,
  lgamma,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  logb,
  nearbyint: roundToEven,
  pow10: exp10,
  rint: roundToEven,
  round: roundAway,
  significand,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  tgamma,
  trunc: Math.trunc,
  y0,
  y1,
});

export const MATH_2: Readonly<Record<string, (x: number, y: number) => number>> = table({
  atan2: Math.atan2,
  copysign,
  drem: remainder,
  fdim,
  fmax,
  fmin,
  fmod: (x: number, y: number) => x % y,
  hypot,
  jn: (order: number, x: number) => jn(toInt(order), x),
  ldexp: (x: number, exponent: number) => scaleBy(x, toInt(exponent)),
  nextafter,
  nexttoward: nextafter,
  pow,
  remainder,
  scalb,
  scalbln: (x: number, exponent: number) => scaleBy(x, toInt(exponent)),
  yn: (order: number, x: number) => yn(toInt(order), x),
});

export const MATH_3: Readonly<Record<string, (x: number, y: number, z: number) => number>> = table({
  fma,
});

/** What a call costs in steps where it is more than one (measured, at the worst argument). */
export const MATH_STEPS: Readonly<Record<string, number>> = table({
  cbrt: 3,
  drem: 15,
  erf: 5,
  erfc: 5,
  exp10: 3,
  expm1: 4,
  fma: 80,
  fmod: 8,
  gamma: 6,
  hypot: 4,
  j0: 12,
  j1: 12,
  jn: 300,
  lgamma: 6,
  lgamma_r: 6,
  nextafter: 3,
  nexttoward: 3,
  pow10: 3,
  remainder: 15,
  significand: 5,
  tgamma: 6,
  y0: 15,
  y1: 15,
  yn: 300,
});

/** Halves go away from zero. */
function roundAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

/** Halves go to the even neighbour. */
function roundToEven(x: number): number {
  const whole = Math.trunc(x);
  const rest = Math.abs(x - whole);
  const isUp = rest > 0.5 || (rest === 0.5 && whole % 2 !== 0);
  return isUp ? whole + Math.sign(x) : whole;
}

/** The powers of ten that are doubles, and others as good as they are written. */
function exp10(x: number): number {
  return Number.isInteger(x) && Math.abs(x) < 400 ? Number(`1e${x}`) : 10 ** x;
}

/** JavaScript knows no answer for 1 to the power of what is not known; C does. */
function pow(x: number, y: number): number {
  if (x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1;
  return x ** y;
}

function fdim(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  return x > y ? x - y : 0;
}

function fmax(x: number, y: number): number {
  if (Number.isNaN(x)) return y;
  return Number.isNaN(y) ? x : Math.max(x, y);
}

function fmin(x: number, y: number): number {
  if (Number.isNaN(x)) return y;
  return Number.isNaN(y) ? x : Math.min(x, y);
}

/** What is left of x after the nearest multiple of y; of two that are as near, after the even. */
function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || !Number.isFinite(x) || y === 0) return Number.NaN;
  const size = Math.abs(x);
  const divisor = Math.abs(y);
  const rest = size % divisor;
  // Where twice the divisor is infinite the quotient is 0 or 1.
  const isOdd = size % (2 * divisor) >= divisor;
  const other = divisor - rest;
  const isBeyond = rest > other || (rest === other && isOdd);
  const nearest = isBeyond ? rest - divisor : rest;
  return x < 0 || Object.is(x, -0) ? -nearest : nearest;
}

function scalb(x: number, exponent: number): number {
  if (Number.isNaN(x) || Number.isNaN(exponent)) return Number.NaN;
  if (exponent === Number.POSITIVE_INFINITY) return x * exponent;
  if (exponent === Number.NEGATIVE_INFINITY) return x / -exponent;
  return Number.isInteger(exponent) ? scaleBy(x, toInt(exponent)) : Number.NaN;
}

/** Squares of numbers of about this size neither overflow nor vanish. */
const SQUARE_MAX = 400;

function hypot(x: number, y: number): number {
  if (Math.abs(x) === Number.POSITIVE_INFINITY || Math.abs(y) === Number.POSITIVE_INFINITY) {
    return Number.POSITIVE_INFINITY;
  }
  const long = Math.max(Math.abs(x), Math.abs(y));
  const short = Math.min(Math.abs(x), Math.abs(y));
  if (Number.isNaN(long) || short === 0 || long + short === long) return long + short;
  const exponent = exponentOf(long);
  if (Math.abs(exponent) < SQUARE_MAX) return hypotMiddling(long, short);
  return scaleBy(hypotMiddling(scaleBy(long, -exponent), scaleBy(short, -exponent)), exponent);
}

/** The squares are taken exactly and added from the smallest part on. */
function hypotMiddling(long: number, short: number): number {
  const longSquare = long * long;
  const shortSquare = short * short;
  const losses = productLoss(short, short, shortSquare) + productLoss(long, long, longSquare);
  return Math.sqrt(losses + shortSquare + longSquare);
}
