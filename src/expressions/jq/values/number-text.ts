/**
 * Numbers as jq writes and reads them. Written is the shortest text that reads back as the same
 * double, so the digits are those of JavaScript; what differs is when an exponent is used and how
 * it looks. A number that JSON has no text for is written as the nearest thing that it has: nan as
 * null, the infinities as the largest doubles.
 *
 * jq proper remembers the digits of a literal until something is calculated with it; here a number
 * is a double from the start, so `100000000000000000000` is written `100000000000000000000` by jq
 * and `1e+20` by us.
 */

/** Whole numbers from here up may have more zeros behind their digits than are written out. */
const LARGE = 1e16;
/** From here up they have, whatever their digits. */
const HUGE = 1e32;
/** Below this the exponent is written instead of the zeros. */
const SMALL = 1e-4;
/** And here JavaScript does likewise. */
const TINY = 1e-6;
/** So many more places than digits are filled with zeros; then comes an exponent. */
const ZEROS_MAX = 15;
const EXPONENT_DIGITS_MIN = 2;

export function formatNumber(value: number): string {
  if ((value | 0) === value && value !== 0) return `${value}`;
  const size = Math.abs(value);
  if (size >= SMALL && size < LARGE) return `${value}`;
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (size < TINY) return padExponent(`${value}`);
  if (size >= HUGE) return `${Math.sign(value) * Math.min(size, Number.MAX_VALUE)}`;
  return Number.isNaN(value) ? 'null' : formatFar(value);
}

/** `1e-7` is `1e-07` in jq. */
function padExponent(text: string): string {
  const sign = text.lastIndexOf('-') + 1;
  return text.slice(0, sign) + text.slice(sign).padStart(EXPONENT_DIGITS_MIN, '0');
}

/** Where JavaScript's choice between zeros and an exponent is another than jq's. */
function formatFar(value: number): string {
  const text = value.toExponential();
  const [mantissa = '', power = ''] = text.split('e');
  const places = Number(power) + 1;
  const digits = mantissa.replace(/[-.]/gu, '');
  if (places <= 0) return padExponent(text);
  if (places > digits.length + ZEROS_MAX) return text;
  return (value < 0 ? '-' : '') + digits.padEnd(places, '0');
}

/** No `\d*` behind a `\d+` that it could share digits with, or long texts take squared time. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^[+-]?inf(?:inity)?$/i;
/** Digits behind nan are its payload, and jq takes none but zero. */
const NAN = /^[+-]?s?nan0*$/i;

/** So many digits always fit into a double. */
const SAFE_DIGITS_MAX = 15;

/** What `tonumber` and JSON take for a number; nothing may stand around it. */
export function parseNumber(text: string): number | undefined {
  if (text.length <= SAFE_DIGITS_MAX && text !== '') {
    const whole = parseDigits(text);
    if (whole !== undefined) return whole;
  }
  if (DECIMAL.test(text)) return Number(text);
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return NAN.test(text) ? Number.NaN : undefined;
}

/** Most numbers are a few digits, which are quicker to add up than to look at twice. */
function parseDigits(text: string): number | undefined {
  let whole = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    whole = whole * 10 + digit;
  }
  return whole;
}
