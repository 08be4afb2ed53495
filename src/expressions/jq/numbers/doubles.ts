/**
 * What C does with the parts of a double: its exponent, its neighbours, its sign, and a product and
 * a sum with one rounding (fma). All of it is exact, subnormal numbers included.
 */

/** One double and its bits, to look at one through the other. */
const bits: DataView = new DataView(new ArrayBuffer(8));

const EXPONENT_BITS = 0x7ff;
const EXPONENT_BIAS = 1023;
/** The last bit of the smallest numbers there are. */
const EXPONENT_MIN = -1074;
const FRACTION_BITS = 52;
/** Scaling by more than this takes every number to infinity or to zero. */
const SCALE_MAX = 2200;

const INT_MIN = -2_147_483_648;
const INT_MAX = 2_147_483_647;

/** What a conversion from double to int gives in jq: cut off, and the nearest that there is. */
export function toInt(value: number): number {
  if (value >= INT_MAX) return INT_MAX;
  if (value <= INT_MIN) return INT_MIN;
  // Neither NaN nor a negative zero gets through.
  return Math.trunc(value) || 0;
}

/** The exponent e of a finite x that is not zero: 2^e <= |x| < 2^(e+1). */
export function exponentOf(x: number): number {
  bits.setFloat64(0, x);
  const exponent = (bits.getUint32(0) >>> 20) & EXPONENT_BITS;
  if (exponent !== 0) return exponent - EXPONENT_BIAS;
  // A subnormal number has leading zeros instead.
  bits.setFloat64(0, x * 2 ** 54);
  return ((bits.getUint32(0) >>> 20) & EXPONENT_BITS) - EXPONENT_BIAS - 54;
}

function hasExponent(x: number): boolean {
  return Number.isFinite(x) && x !== 0;
}

/** x · 2^n, rounded once. */
export function scaleBy(x: number, n: number): number {
  let left = Math.max(-SCALE_MAX, Math.min(SCALE_MAX, n));
  let scaled = x;
  for (; left > EXPONENT_BIAS; left -= EXPONENT_BIAS) scaled *= 2 ** EXPONENT_BIAS;
  // So far from the smallest numbers that only the last step can round.
  for (; left < -1022; left += 969) scaled *= 2 ** -969;
  return scaled * 2 ** left;
}

/** A fraction of at least a half and less than one, and the power of two it is taken with. */
export function frexp(x: number): readonly [number, number] {
  if (!hasExponent(x)) return [x, 0];
  const exponent = exponentOf(x) + 1;
  return [scaleBy(x, -exponent), exponent];
}

/** What is behind the point and what is before it, both with the sign of x. */
export function modf(x: number): readonly [number, number] {
  const whole = Math.trunc(x);
  if (Number.isNaN(x)) return [x, x];
  return [copysign(whole === x ? 0 : x - whole, x), whole];
}

export function logb(x: number): number {
  if (hasExponent(x)) return exponentOf(x);
  return x === 0 ? Number.NEGATIVE_INFINITY : x * x;
}

export function significand(x: number): number {
  return hasExponent(x) ? scaleBy(x, -exponentOf(x)) : x;
}

export function copysign(x: number, y: number): number {
  const size = Math.abs(x);
  return y < 0 || Object.is(y, -0) ? -size : size;
}

/** The next double from x on the way to y. */
export function nextafter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  return neighbour(x, y > x === x > 0);
}

/** The next double further away from zero, or nearer to it. */
function neighbour(x: number, isAway: boolean): number {
  bits.setFloat64(0, x);
  const low = bits.getUint32(4);
  const isCarried = low === (isAway ? 0xffff_ffff : 0);
  bits.setUint32(4, isAway ? low + 1 : low - 1);
  if (isCarried) bits.setUint32(0, bits.getUint32(0) + (isAway ? 1 : -1));
  return bits.getFloat64(0);
}

// -------------------------------------------------------------------------------- exact arithmetic

/** Cuts a double into two halves whose products are exact. */
const SPLITTER = 2 ** 27 + 1;

/** What the product of two doubles of middling size has lost by rounding. */
export function productLoss(x: number, y: number, product: number): number {
  const xHead = x * SPLITTER - (x * SPLITTER - x);
  const yHead = y * SPLITTER - (y * SPLITTER - y);
  const xTail = x - xHead;
  const yTail = y - yHead;
  return xTail * yTail - (product - xHead * yHead - xTail * yHead - xHead * yTail);
}

/** What a sum has lost by rounding. */
function sumLoss(x: number, y: number, sum: number): number {
  const second = sum - x;
  return x - (sum - second) + (y - second);
}

/** Within these nothing on the way can overflow or become subnormal. */
const MIDDLING = 400;

/** x · y + z, rounded once. */
export function fma(x: number, y: number, z: number): number {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return x * y + z;
  if (!Number.isFinite(z)) return z;
  if (x === 0 || y === 0) return x * y + z;
  if (z === 0) return x * y;
  const isMiddling =
    Math.abs(exponentOf(x)) < MIDDLING &&
    Math.abs(exponentOf(y)) < MIDDLING &&
    Math.abs(exponentOf(z)) < 2 * MIDDLING;
  return isMiddling ? fmaMiddling(x, y, z) : fmaExact(x, y, z);
}

/** The sum of four doubles. The last two are added so that a tie cannot be mistaken for one. */
function fmaMiddling(x: number, y: number, z: number): number {
  const product = x * y;
  const loss = productLoss(x, y, product);
  const small = z + loss;
  const sum = product + small;
  return sum + sumToOdd(sumLoss(z, loss, small), sumLoss(product, small, sum));
}

/** A sum that is rounded to the neighbour whose last bit is set. */
function sumToOdd(x: number, y: number): number {
  const sum = x + y;
  const loss = sumLoss(x, y, sum);
  if (loss === 0) return sum;
  bits.setFloat64(0, sum);
  if ((bits.getUint32(4) & 1) === 1) return sum;
  return neighbour(sum, loss > 0 === sum > 0);
}

/** For the largest and smallest numbers, with whole numbers of any length. */
function fmaExact(x: number, y: number, z: number): number {
  const [xWhole, xExponent] = wholeOf(x);
  const [yWhole, yExponent] = wholeOf(y);
  const [zWhole, zExponent] = wholeOf(z);
  const exponent = Math.min(xExponent + yExponent, zExponent);
  const product = (xWhole * yWhole) << BigInt(xExponent + yExponent - exponent);
  const sum = product + (zWhole << BigInt(zExponent - exponent));
  return sum < 0n ? -rounded(-sum, exponent) : rounded(sum, exponent);
}

/** A whole number and the power of two that it is taken with. */
function wholeOf(x: number): readonly [bigint, number] {
  const exponent = Math.max(EXPONENT_MIN, exponentOf(x) - FRACTION_BITS);
  return [BigInt(scaleBy(x, -exponent)), exponent];
}

/** The double next to whole · 2^exponent, the even one if there are two. */
function rounded(whole: bigint, exponent: number): number {
  if (whole === 0n) return 0;
  const length = whole.toString(2).length;
  const cut = Math.max(length - 1 - FRACTION_BITS, EXPONENT_MIN - exponent);
  if (cut <= 0) return scaleBy(Number(whole), exponent);
  const places = BigInt(cut);
  const kept = whole >> places;
  const twice = (whole - (kept << places)) << 1n;
  const unit = 1n << places;
  const isUp = twice > unit || (twice === unit && (kept & 1n) === 1n);
  return scaleBy(Number(isUp ? kept + 1n : kept), exponent + cut);
}
