/**
 * The Bessel functions of whole order, of the first kind (J) and of the second (Y), to about 1e-15
 * of the size that they have around the argument (1e-13 where order and argument are large).
 *
 * Small arguments go by power series, middle ones by recurrence, large ones by Hankel's series. All
 * that takes a time that grows with the order, so orders above ORDER_MAX go another way that does
 * not: see bessel-orders.ts.
 */
import { type Bessel, firstKindOfLargeOrder, secondKindOfLargeOrder } from './bessel-orders.ts';

const EULER = 0.577_215_664_901_532_9;
const SQRT_2_BY_PI = 0.797_884_560_802_865_4;

/** Up to this order recurrences are quick. */
const ORDER_MAX = 500;
/** Above this argument the terms of Hankel's series become small enough before they grow. */
const HANKEL_MIN = 25;
/** Below this one the power series does not cancel. */
const SERIES_MAX = 2;

export function j0(x: number): number {
  return jn(0, x);
}

export function j1(x: number): number {
  return jn(1, x);
}

export function y0(x: number): number {
  return yn(0, x);
}

export function y1(x: number): number {
  return yn(1, x);
}

export function jn(order: number, x: number): number {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? x : 0;
  const value = besselJ(Math.abs(order), Math.abs(x));
  const isNegative = x < 0 || Object.is(x, -0);
  return order % 2 !== 0 && order < 0 !== isNegative ? -value : value;
}

export function yn(order: number, x: number): number {
  if (!(x >= 0)) return Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return 0;
  const value = besselY(Math.abs(order), x);
  return order < 0 && order % 2 !== 0 ? -value : value;
}

function besselJ(order: number, x: number): number {
  if (x === 0) return order === 0 ? 1 : 0;
  if (x < SERIES_MAX) return seriesJ(order, x);
  if (isHankel(order, x)) return hankel(order, x).j;
  if (order > ORDER_MAX) return firstKindOfLargeOrder(order, x);
  // The terms of the series fall from the first on.
  if (x * x < order) return seriesJ(order, x);
  if (order < x && x >= HANKEL_MIN) {
    return upwards(order, x, hankel(0, x).j, hankel(1, x).j);
  }
  return downwards(order, x);
}

function besselY(order: number, x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (isHankel(order, x)) return hankel(order, x).y;
  if (order > ORDER_MAX) return secondKindOfLargeOrder(order, x);
  return upwards(order, x, firstY(0, x), firstY(1, x));
}

function firstY(order: 0 | 1, x: number): number {
  if (x < SERIES_MAX) return order === 0 ? seriesY0(x) : seriesY1(x);
  return isHankel(order, x) ? hankel(order, x).y : neumann(order, x);
}

/** From orders 0 and 1; stable as long as the function does not fall. */
function upwards(order: number, x: number, zero: number, one: number): number {
  if (order === 0) return zero;
  let before = zero;
  let value = one;
  for (let n = 1; n < order; n += 1) {
    // From here on it stays infinite, and the recurrence would say that it is undefined.
    if (!Number.isFinite(value)) return value;
    const next = ((2 * n) / x) * value - before;
    before = value;
    value = next;
  }
  return value;
}

// ------------------------------------------------------------------------------------ power series

function seriesJ(order: number, x: number): number {
  const half = x / 2;
  let term = 1;
  for (let n = 1; n <= order && term !== 0; n += 1) term *= half / n;
  let sum = term;
  for (let k = 1; k < 30; k += 1) {
    term *= -(half * half) / (k * (k + order));
    sum += term;
  }
  return sum;
}

function seriesY0(x: number): number {
  const square = (x / 2) ** 2;
  let term = 1;
  let harmonic = 0;
  let sum = 0;
  for (let k = 1; k < 20; k += 1) {
    term *= -square / (k * k);
    harmonic += 1 / k;
    sum -= harmonic * term;
  }
  return (2 / Math.PI) * ((Math.log(x) - Math.LN2 + EULER) * seriesJ(0, x) + sum);
}

function seriesY1(x: number): number {
  const half = x / 2;
  let term = half;
  // Twice the mean of the harmonic numbers of k and k + 1.
  let harmonics = 1;
  let sum = half;
  for (let k = 1; k < 20; k += 1) {
    term *= -(half * half) / (k * (k + 1));
    harmonics += 1 / k + 1 / (k + 1);
    sum += harmonics * term;
  }
  const logarithm = Math.log(x) - Math.LN2 + EULER;
  return (2 * logarithm * seriesJ(1, x) - sum) / Math.PI - 2 / Math.PI / x;
}

// -------------------------------------------------------------------------------------- recurrence

/** How far above the orders asked for the recurrence must begin for all digits to be right. */
function beginning(order: number, x: number): number {
  const from = Math.max(order, x);
  return 2 * Math.ceil((from + 20 + 8 * Math.cbrt(from)) / 2);
}

/** Values above this are scaled down, before they overflow. */
const LARGE = 1e250;

/** Miller's way: downwards from anything, and scaled in the end by what is known. */
function downwards(order: number, x: number): number {
  let above = 0;
  let value = 1e-250;
  let wanted = 0;
  // J0 + 2 J2 + 2 J4 + … is 1.
  let sum = 0;
  for (let n = beginning(order, x); n > 0; n -= 1) {
    if (n === order) wanted = value;
    if (n % 2 === 0) sum += 2 * value;
    const below = ((2 * n) / x) * value - above;
    above = value;
    value = below;
    if (Math.abs(value) > LARGE) {
      above /= LARGE;
      value /= LARGE;
      wanted /= LARGE;
      sum /= LARGE;
    }
  }
  if (order === 0) wanted = value;
  if (x < HANKEL_MIN) return wanted / (sum + value);
  // For larger arguments the sum cancels, but one of these two is known and far from zero.
  const zero = hankel(0, x).j;
  const one = hankel(1, x).j;
  return Math.abs(zero) > Math.abs(one) ? wanted * (zero / value) : wanted * (one / above);
}

/** Y0 or Y1 as a sum over all J, which are made downwards. */
function neumann(order: 0 | 1, x: number): number {
  let above = 0;
  let value = 1e-250;
  let sum = 0;
  let series = 0;
  for (let n = beginning(order, x); n > 0; n -= 1) {
    if (n % 2 === 0) sum += 2 * value;
    const k = (n - order) / 2;
    if (Number.isInteger(k) && k > 0) {
      series += (k % 2 === 0 ? 1 : -1) * (n / (k * (k + order))) * value;
    }
    const below = ((2 * n) / x) * value - above;
    above = value;
    value = below;
  }
  const scale = 1 / (sum + value);
  const logarithm = Math.log(x / 2) + EULER;
  if (order === 0) return (2 / Math.PI) * scale * (logarithm * value - series);
  return (2 / Math.PI) * scale * ((logarithm - 1) * above - series - value / x);
}

// --------------------------------------------------------------------------------- Hankel's series

function isHankel(order: number, x: number): boolean {
  return x >= HANKEL_MIN && x >= (order * order) / 2;
}

function hankel(order: number, x: number): Bessel {
  const square = 4 * order * order;
  let even = 1;
  let odd = 0;
  let term = 1;
  for (let k = 1; k < 60 && Math.abs(term) > 1e-18; k += 1) {
    term *= (square - (2 * k - 1) ** 2) / (8 * k) / x;
    // Signs go + + - -.
    const signed = k % 4 < 2 ? term : -term;
    if (k % 2 === 0) even += signed;
    else odd += signed;
  }
  const { cosine, sine } = phase(order, x);
  const size = SQRT_2_BY_PI / Math.sqrt(x);
  return { j: size * (even * cosine - odd * sine), y: size * (even * sine + odd * cosine) };
}

/** Cosine and sine of x - (order + 1/2) π/2, as exact as those of x. */
function phase(order: number, x: number): { cosine: number; sine: number } {
  const sum = (Math.cos(x) + Math.sin(x)) * Math.SQRT1_2;
  const difference = (Math.sin(x) - Math.cos(x)) * Math.SQRT1_2;
  switch (order % 4) {
    case 0:
      return { cosine: sum, sine: difference };
    case 1:
      return { cosine: difference, sine: -sum };
    case 2:
      return { cosine: -sum, sine: -difference };
    default:
      return { cosine: -difference, sine: sum };
  }
}
