/**
 * strftime: writes a moment after a pattern, in English and in UTC.
 *
 * The conversions are those of POSIX, with the flags `-` (no padding), `_` (spaces), `0` (zeros),
 * `+` (a sign where a year is longer than usual) and with widths, which only count for %C, %F, %G
 * and %Y. `E` and `O` before a conversion are read over. The extensions of other libraries (%k, %l,
 * %P, `^`, `#`) are refused, as jq's own build refuses them. A text may be about a hundred
 * characters longer than its pattern and not more: that is jq's limit too.
 */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import {
  breakDown,
  daysSince1970,
  type Moment,
  momentAt,
  readMoment,
  secondsOf,
  untilZero,
} from './dates.ts';
import { toInt } from './doubles.ts';
import { raise } from '../faults.ts';

export const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const WEEKDAYS: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

/** How long the short forms of those names are. */
export const SHORT_NAME = 3;

/** jq's buffer is so much larger than the pattern, and C needs a byte of it for itself. */
const GAIN_MAX = 99;

export function strftime(input: Json, format: Json, meter: Meter): Json {
  const { moment, pattern } = given('strftime/1', input, format, meter);
  // The members stay as they are, only the days are computed from the date they mean.
  const settled = momentAt(secondsOf(moment));
  moment.weekday = settled.weekday;
  moment.yearday = settled.yearday;
  return written('strftime/1', moment, pattern, meter);
}

/** Local time is UTC; unlike strftime this one carries what is out of range, as jq does. */
export function strflocaltime(input: Json, format: Json, meter: Meter): Json {
  const { moment, pattern } = given('strflocaltime/1', input, format, meter);
  return written('strflocaltime/1', momentAt(secondsOf(moment)), pattern, meter);
}

interface Given {
  readonly moment: Moment;
  readonly pattern: string;
}

function given(name: string, input: Json, format: Json, meter: Meter): Given {
  if (typeof input !== 'number' && !Array.isArray(input)) {
    return raise(meter, `${name} requires parsed datetime inputs`);
  }
  if (typeof format !== 'string') return raise(meter, `${name} requires a string format`);
  const broken = typeof input === 'number' ? breakDown(input, meter) : null;
  const moment = broken === null ? readMoment(input as readonly Json[]) : cut(broken);
  if (moment === null) return raise(meter, `${name} requires parsed datetime inputs`);
  return { moment, pattern: untilZero(format) };
}

function cut({ moment, seconds }: { moment: Moment; seconds: number }): Moment | null {
  if (Number.isNaN(seconds)) return null;
  moment.seconds = toInt(seconds);
  return moment;
}

function written(name: string, moment: Moment, pattern: string, meter: Meter): string {
  meter.scan(pattern.length);
  const text = fill(moment, pattern, meter);
  if (text === null) return raise(meter, `${name}: unknown system failure`);
  meter.write(text.length);
  return text;
}

/** One conversion as it stands in a pattern: `%`, a pad, a plus, a width, E or O, a letter. */
interface Directive {
  letter: string;
  pad: string;
  plus: boolean;
  width: number;
  /** Where the pattern goes on. */
  end: number;
}

/** Null if the pattern cannot be written. */
function fill(moment: Moment, pattern: string, meter: Meter): string | null {
  let text = '';
  let gain = 0;
  let at = 0;
  for (;;) {
    const sign = pattern.indexOf('%', at);
    // A percent sign at the very end stands for itself.
    if (sign < 0 || sign === pattern.length - 1) break;
    meter.pay(4);
    const directive = readDirective(pattern, sign + 1);
    const piece = convert(moment, directive, pattern, meter);
    if (piece === null) return null;
    text += pattern.slice(at, sign) + piece;
    gain += piece.length - (directive.end - sign);
    at = directive.end;
  }
  return gain > GAIN_MAX ? null : text + pattern.slice(at);
}

function readDirective(pattern: string, start: number): Directive {
  let at = start;
  let letter = pattern.charAt(at);
  // Nearly all of them are a letter and nothing else.
  if (letter >= 'F' && letter !== 'O' && letter !== '_') {
    return { letter, pad: '', plus: false, width: 0, end: at + 1 };
  }
  const pad = letter === '-' || letter === '_' || letter === '0' ? letter : '';
  if (pad !== '') at += 1;
  const plus = pattern.charAt(at) === '+';
  if (plus) at += 1;
  let width = 0;
  const digits = at;
  while (isDigit(pattern.charCodeAt(at))) {
    width = width * 10 + pattern.charCodeAt(at) - 48;
    at += 1;
  }
  if (at > digits && width === 0) width = 1;
  letter = pattern.charAt(at);
  if (!'CFGY'.includes(letter)) width = 0;
  if (letter === 'E' || letter === 'O') {
    at += 1;
    letter = pattern.charAt(at);
  }
  return { letter, pad, plus, width, end: at + 1 };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function convert(
  moment: Moment,
  directive: Directive,
  pattern: string,
  meter: Meter,
): string | null {
  const { letter, pad, width } = directive;
  const whole = COMPOSED.get(letter);
  if (whole !== undefined) {
    const text = fill(moment, whole, meter);
    return text === null || width === 0 ? text : widen(moment, text, directive, pattern, meter);
  }
  const number = NUMBERS.get(letter);
  if (number !== undefined) {
    const value = number.of(moment);
    // A year of five digits says so.
    const text =
      letter === 'Y' && value > 9999 ? `+${value}` : padded(value, number.width, pad || number.pad);
    return width === 0 ? text : widen(moment, text, directive, pattern, meter);
  }
  return TEXTS.get(letter)?.(moment) ?? null;
}

/** The sign counts as a part of the width, as in C. */
function padded(value: number, width: number, pad: string): string {
  const text = String(value);
  if (pad === '-' || text.length >= width) return text;
  if (pad === '_') return text.padStart(width, ' ');
  return value < 0 ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
}

/** Sign and leading zeros go, then as many zeros come as the width asks for. */
function widen(
  moment: Moment,
  text: string,
  directive: Directive,
  pattern: string,
  meter: Meter,
): string | null {
  // More could not be written anyway, whatever else is in the pattern.
  if (directive.width > pattern.length * 3 + GAIN_MAX) return null;
  meter.write(directive.width);
  let start = /^[+-]/.test(text) ? 1 : 0;
  while (text[start] === '0' && isDigit(text.charCodeAt(start + 1))) start += 1;
  const bare = text.slice(start);
  let digits = 0;
  while (isDigit(bare.charCodeAt(digits))) digits += 1;

  const width = Math.max(directive.width, bare.length);
  const usual = directive.letter === 'C' ? 3 : 5;
  const long = directive.plus && digits + width - bare.length >= usual;
  const sign = moment.year < 0 ? '-' : long ? '+' : '';
  return sign + '0'.repeat(Math.max(0, width - sign.length - bare.length)) + bare;
}

/** Conversions that are made of others; what `%c` is made of differs by direction. */
export const COMPOSED_CONVERSIONS: Readonly<Record<string, string>> = {
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};

const COMPOSED: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...COMPOSED_CONVERSIONS, c: '%a %b %e %T %Y' }),
);

const TEXTS: ReadonlyMap<string, (moment: Moment) => string> = new Map(
  Object.entries({
    a: (moment: Moment) => nameOf(WEEKDAYS, moment.weekday).slice(0, SHORT_NAME),
    A: (moment: Moment) => nameOf(WEEKDAYS, moment.weekday),
    b: (moment: Moment) => nameOf(MONTHS, moment.month).slice(0, SHORT_NAME),
    B: (moment: Moment) => nameOf(MONTHS, moment.month),
    h: (moment: Moment) => nameOf(MONTHS, moment.month).slice(0, SHORT_NAME),
    n: () => '\n',
    p: (moment: Moment) => (moment.hours >= 12 ? 'PM' : 'AM'),
    t: () => '\t',
    z: () => '+0000',
    Z: () => 'UTC',
    '%': () => '%',
  }),
);

function nameOf(names: readonly string[], at: number): string {
  return names[at] ?? '-';
}

interface NumberForm {
  readonly width: number;
  readonly pad: string;
  readonly of: (moment: Moment) => number;
}

function form(width: number, of: (moment: Moment) => number, pad = '0'): NumberForm {
  return { width, pad, of };
}

const NUMBERS: ReadonlyMap<string, NumberForm> = new Map(
  Object.entries({
    C: form(2, (moment) => Math.trunc(moment.year / 100) || 0),
    d: form(2, (moment) => moment.day),
    e: form(2, (moment) => moment.day, '_'),
    g: form(2, (moment) => isoYear(moment) % 100 || 0),
    G: form(4, isoYear),
    H: form(2, (moment) => moment.hours),
    I: form(2, (moment) => hourOf12(moment.hours)),
    j: form(3, (moment) => moment.yearday + 1),
    m: form(2, (moment) => moment.month + 1),
    M: form(2, (moment) => moment.minutes),
    s: form(1, secondsOf),
    S: form(2, (moment) => moment.seconds),
    u: form(1, (moment) => moment.weekday || 7),
    U: form(2, (moment) => weekFrom(moment, moment.weekday)),
    V: form(2, isoWeek),
    w: form(1, (moment) => moment.weekday),
    W: form(2, (moment) => weekFrom(moment, (moment.weekday + 6) % 7)),
    y: form(2, (moment) => Math.abs(moment.year % 100)),
    Y: form(4, (moment) => moment.year),
  }),
);

function hourOf12(hours: number): number {
  if (hours === 0) return 12;
  return hours > 12 ? hours - 12 : hours;
}

/** How many weeks have begun since New Year, if so many days of this one have passed. */
function weekFrom(moment: Moment, passed: number): number {
  return Math.floor((moment.yearday + 7 - passed) / 7);
}

/** The Thursday of the week decides to which year it belongs (ISO 8601). */
function isoThursday(moment: Moment): number {
  return moment.yearday + 3 - ((moment.weekday + 6) % 7);
}

function isoYear(moment: Moment): number {
  const thursday = isoThursday(moment);
  if (thursday < 0) return moment.year - 1;
  return thursday < yearLength(moment.year) ? moment.year : moment.year + 1;
}

function isoWeek(moment: Moment): number {
  const thursday = isoThursday(moment);
  const length = yearLength(moment.year);
  if (thursday >= length) return 1 + Math.floor((thursday - length) / 7);
  const ofYear = thursday < 0 ? thursday + yearLength(moment.year - 1) : thursday;
  return 1 + Math.floor(ofYear / 7);
}

function yearLength(year: number): number {
  return daysSince1970(year + 1, 0, 1) - daysSince1970(year, 0, 1);
}
