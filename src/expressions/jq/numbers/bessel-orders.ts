/**
 * Bessel functions of large order (some hundreds and more) in a time that does not grow with it.
 *
 * Schläfli's integral for Hankel's function J + iY is that of exp(x sinh w - n w) / πi along any
 * path from -∞ to ∞ + iπ. Along a path of steepest descent nothing cancels and the rule of
 * trapezoids is exact after some dozens of points. There are four cases:
 *
 * - x above n: the path goes through the saddle point iβ, where cos β = n/x;
 * - x near n: two saddle points meet, and the path is a hyperbola that avoids both;
 * - x below n: J is small and comes from the saddle point α, where cosh α = n/x;
 * - and Y is large and comes from the saddle point -α, along the real line.
 */

/** Both kinds at once: J and Y. */
export interface Bessel {
  readonly j: number;
  readonly y: number;
}

/** Where the exponent has fallen by so much, the rest of a path adds nothing. */
const FALL_MAX = 42;
/** More points than any path needs. */
const POINTS_MAX = 400;
/** Points in which the path of `near` is taken on both sides, five to the length that counts. */
const NEAR_POINTS = 60;
/** n β³ and n α³ above which the two saddle points are apart. */
const APART_ABOVE = 30;
const APART_BELOW = 60;

export function firstKindOfLargeOrder(order: number, x: number): number {
  return x > order ? notBelow(order, x).j : firstKindBelow(order, x);
}

export function secondKindOfLargeOrder(order: number, x: number): number {
  if (x > order) return notBelow(order, x).y;
  const alpha = angleBelow(order, x);
  const isApart = order * alpha ** 3 > APART_BELOW;
  return isApart ? secondKindBelow(order, alpha) : near(order, x).y;
}

function notBelow(order: number, x: number): Bessel {
  const beta = Math.acos(order / x);
  return order * beta ** 3 > APART_ABOVE ? above(order, x) : near(order, x);
}

/** arcosh(n/x), exact also where n is nearly x. */
function angleBelow(order: number, x: number): number {
  return acosh1p((order - x) / x);
}

/** arcosh(1 + d). */
function acosh1p(d: number): number {
  return Math.log1p(d + Math.sqrt(d * (2 + d)));
}

// --------------------------------------------------------------------------------------- x above n

/** The path s = p + iq from the saddle point, by q: cosh p = (sin β + q cos β) / sin(β + q). */
function above(order: number, x: number): Bessel {
  const ratio = order / x;
  const beta = Math.acos(ratio);
  const root = Math.sqrt((x - order) * (x + order));
  const step = 0.3 / Math.sqrt(root);
  let real = 0;
  let imaginary = 0;
  for (const side of [1, -1]) {
    for (let i = 0; i < POINTS_MAX; i += 1) {
      const q = side * (i + 0.5) * step;
      const sine = Math.sin(beta + q);
      if (q <= -beta || sine <= 0) break;
      const cosine = Math.cos(beta + q);
      const rise = (2 * (root / x) * Math.sin(q / 2) ** 2 + ratio * lessSine(q)) / sine;
      const p = side * acosh1p(Math.max(0, rise));
      const sinh = Math.sinh(p);
      const fall = x * (sinh * cosine - ratio * p);
      if (!(fall > -FALL_MAX)) break;
      const slope = 2 * Math.sin(beta + q / 2) * Math.sin(q / 2) - rise * cosine;
      const size = Math.exp(fall) * step;
      real += (size * slope) / (sine * sinh);
      imaginary += size;
    }
  }
  return turned(order, x, real / Math.PI, imaginary / Math.PI);
}

/** q - sin q. */
function lessSine(q: number): number {
  if (Math.abs(q) > 0.5) return q - Math.sin(q);
  const square = q * q;
  let term = q;
  let sum = 0;
  for (let k = 3; k < 17; k += 2) {
    term *= -square / (k * (k - 1));
    sum -= term;
  }
  return sum;
}

/**
 * (real + i imaginary) / i, turned by the phase √(x² - n²) - nβ. That is x - nπ/2 and a rest that
 * is small for large x, so the cosine of x itself, which is exact, is turned by the rest.
 */
function turned(order: number, x: number, real: number, imaginary: number): Bessel {
  const ratio = order / x;
  const root = Math.sqrt((1 - ratio) * (1 + ratio));
  const rest = order * (Math.asin(ratio) - ratio / (1 + root)) - (order % 4) * (Math.PI / 2);
  const cosine = Math.cos(x) * Math.cos(rest) - Math.sin(x) * Math.sin(rest);
  const sine = Math.sin(x) * Math.cos(rest) + Math.cos(x) * Math.sin(rest);
  return { j: imaginary * cosine + real * sine, y: imaginary * sine - real * cosine };
}

// ---------------------------------------------------------------------------------------- x near n

/** Along w = p + i √3/2 (p + √(p² + δ²)), which comes from the left and leaves at 60 degrees. */
function near(order: number, x: number): Bessel {
  const scale = 1 / Math.cbrt(order);
  const beta = x > order ? Math.acos(order / x) : 0;
  const delta = Math.max(scale, (2 / Math.sqrt(3)) * beta);
  const step = scale / 5;
  let real = 0;
  let imaginary = 0;
  for (let i = -NEAR_POINTS; i <= NEAR_POINTS; i += 1) {
    const p = i * step;
    const bend = Math.sqrt(p * p + delta * delta);
    const q = (Math.sqrt(3) / 2) * (p + bend);
    const slope = (Math.sqrt(3) / 2) * (1 + p / bend);
    const [fall, angle] = exponent(order, x, p, q);
    if (!(fall > -FALL_MAX)) continue;
    const size = (Math.exp(fall) * step) / Math.PI;
    const cosine = size * Math.cos(angle);
    const sine = size * Math.sin(angle);
    real += cosine - sine * slope;
    imaginary += sine + cosine * slope;
  }
  return { j: imaginary, y: -real };
}

/** x sinh w - n w for w = p + iq, as (x - n) sinh w + n (sinh w - w): nothing big cancels. */
function exponent(order: number, x: number, p: number, q: number): readonly [number, number] {
  // The series of sinh w - w. Where it would be slow, the path has long fallen to nothing.
  const re = p * p - q * q;
  const im = 2 * p * q;
  let termRe = p;
  let termIm = q;
  let sumRe = 0;
  let sumIm = 0;
  for (let k = 3; k < 30; k += 2) {
    const divisor = k * (k - 1);
    const nextRe = (termRe * re - termIm * im) / divisor;
    termIm = (termRe * im + termIm * re) / divisor;
    termRe = nextRe;
    sumRe += termRe;
    sumIm += termIm;
  }
  const off = x - order;
  return [off * (p + sumRe) + order * sumRe, off * (q + sumIm) + order * sumIm];
}

// --------------------------------------------------------------------------------------- x below n

/** Along cosh u = cosh a · v / sin v, for v from 0; a is α, but not nearer to 0 than a path may. */
function firstKindBelow(order: number, x: number): number {
  const alpha = angleBelow(order, x);
  const a = Math.max(alpha, 1 / Math.cbrt(order));
  const coshA = Math.cosh(a);
  const turn = x * coshA - order;
  const start = x * Math.sinh(a) - order * a;
  const step = 0.3 / Math.sqrt(order * Math.tanh(a));
  let sum = 0.5;
  for (let i = 1; i < POINTS_MAX; i += 1) {
    const v = i * step;
    if (v >= Math.PI) break;
    const sine = Math.sin(v);
    const cosine = Math.cos(v);
    const coshU = (coshA * v) / sine;
    const sinhU = Math.sqrt((coshU - 1) * (coshU + 1));
    const fall = x * sinhU * cosine - order * Math.log(coshU + sinhU) - start;
    if (!(fall > -FALL_MAX)) break;
    const slope = (coshA * (sine - v * cosine)) / (sine * sine * sinhU);
    sum += Math.exp(fall) * (Math.cos(turn * v) + slope * Math.sin(turn * v));
  }
  const depth = a > alpha ? start : -order * lessTanh(alpha);
  return ((step * sum) / Math.PI) * Math.exp(depth);
}

/** α - tanh α. */
function lessTanh(alpha: number): number {
  if (alpha > 0.3) return alpha - Math.tanh(alpha);
  // (α cosh α - sinh α) / cosh α, by the series of the numerator.
  const square = alpha * alpha;
  let term = alpha;
  let sum = 0;
  for (let k = 2; k < 16; k += 2) {
    term *= square / (k * (k + 1));
    sum += k * term;
  }
  return sum / Math.cosh(alpha);
}

/** Along the real line on both sides of -α. */
function secondKindBelow(order: number, alpha: number): number {
  const root = order * Math.tanh(alpha);
  const step = 0.3 / Math.sqrt(root);
  let sum = 1;
  for (const side of [1, -1]) {
    for (let i = 1; i < POINTS_MAX; i += 1) {
      const s = side * i * step;
      if (s > 2 * alpha) break;
      const fall = order * (Math.sinh(s) - s) - 2 * root * Math.sinh(s / 2) ** 2;
      if (!(fall > -FALL_MAX)) break;
      sum += Math.exp(fall);
    }
  }
  return -((step * sum) / Math.PI) * Math.exp(order * lessTanh(alpha));
}
