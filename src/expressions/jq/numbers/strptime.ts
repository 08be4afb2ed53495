/**
 * strptime: reads a moment out of a text after a pattern.
 *
 * It reads from left to right and never goes back, so its time is that of the two texts. White
 * space in the pattern stands for any white space or none; everything else that is no conversion
 * stands for itself, whatever its case. Numbers have as many digits as they can and must be in
 * their range. Names are English, in full or short. When something is said twice the first one
 * counts.
 *
 * What is not said is that of 1970-01-01 00:00:00. A date that does not exist is carried on: the
 * 30th of February is the 2nd or 1st of March. Time zones are read and have no effect, as in jq.
 * Text that is left over is a mismatch, unless it begins with white space: then it becomes the
 * ninth member.
 */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import {
  daysSince1970,
  type Moment,
  momentAt,
  momentParts,
  secondsOf,
  untilZero,
} from './dates.ts';
import { raise } from '../faults.ts';
import { MONTHS, SHORT_NAME, WEEKDAYS, COMPOSED_CONVERSIONS } from './strftime.ts';

export function strptime(input: Json, format: Json, meter: Meter): Json {
  if (typeof input !== 'string' || typeof format !== 'string') {
    return raise(meter, 'strptime/1 requires string inputs and arguments');
  }
  meter.scan(input.length + format.length);
  const text = untilZero(input);
  const pattern = untilZero(format);
  const reader: Reader = { text, at: 0, found: { ...NOTHING } };
  if (!follow(reader, pattern, meter) || !isAtBreak(reader)) {
    meter.write(text.length + pattern.length);
    return raise(meter, `date "${text}" does not match format "${pattern}"`);
  }
  const moment = momentAt(secondsOf(assemble(reader.found)));
  const parts = momentParts(moment, moment.seconds, meter);
  if (reader.at < text.length) {
    meter.write(text.length - reader.at);
    parts.push(text.slice(reader.at));
  }
  return parts;
}

/** What a text can say. Whatever is missing was not said. */
type Part =
  | 'year'
  | 'century'
  | 'yearOfCentury'
  | 'month'
  | 'monthName'
  | 'day'
  | 'yearday'
  | 'weekday'
  | 'weekFromSunday'
  | 'weekFromMonday'
  | 'hours'
  | 'hoursOf12'
  | 'afternoon'
  | 'minutes'
  | 'seconds'
  | 'epoch'
  /** Read and not used. */
  | 'ignored';

type Found = Record<Part, number | undefined>;

/** All parts are there from the beginning: an object that keeps its shape is quick. */
const NOTHING: Readonly<Found> = {
  year: undefined,
  century: undefined,
  yearOfCentury: undefined,
  month: undefined,
  monthName: undefined,
  day: undefined,
  yearday: undefined,
  weekday: undefined,
  weekFromSunday: undefined,
  weekFromMonday: undefined,
  hours: undefined,
  hoursOf12: undefined,
  afternoon: undefined,
  minutes: undefined,
  seconds: undefined,
  epoch: undefined,
  ignored: undefined,
};

interface Reader {
  readonly text: string;
  at: number;
  readonly found: Found;
}

function follow(reader: Reader, pattern: string, meter: Meter): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    const code = pattern.charCodeAt(at);
    if (code === PERCENT && at < pattern.length - 1) {
      meter.pay(3);
      at = letterAt(pattern, at + 1);
      if (!convert(reader, pattern.charAt(at), meter)) return false;
    } else if (isSpace(code)) {
      skipSpace(reader);
    } else if (!matches(reader, code, meter)) {
      return false;
    }
  }
  return true;
}

const PERCENT = 37;

/** Flags, widths and modifiers matter for writing only; here they are read over. */
function letterAt(pattern: string, start: number): number {
  let at = start;
  const last = pattern.length - 1;
  while (at < last && isFlag(pattern.charCodeAt(at))) at += 1;
  const code = pattern.charCodeAt(at);
  return at < last && (code === LETTER_E || code === LETTER_O) ? at + 1 : at;
}

const LETTER_E = 0x45;
const LETTER_O = 0x4f;

/** `-`, `_`, `^`, `#` or a digit. */
function isFlag(code: number): boolean {
  if (code < 0x3a) return code >= 0x30 || code === 0x2d || code === 0x23;
  return code === 0x5f || code === 0x5e;
}

function convert(reader: Reader, letter: string, meter: Meter): boolean {
  const numeral = NUMERALS.get(letter);
  if (numeral !== undefined) return readNumber(reader, numeral);
  const composed = COMPOSED.get(letter);
  if (composed !== undefined) return follow(reader, composed, meter);
  // Names and patterns take longer than numbers.
  meter.pay(1);
  switch (letter) {
    case 'a':
    case 'A':
      return readName(reader, 'weekday', WEEKDAYS);
    case 'b':
    case 'B':
    case 'h':
      return readName(reader, 'monthName', MONTHS);
    case 'n':
    case 't':
      skipSpace(reader);
      return true;
    case 'p':
      return readHalf(reader);
    case 's':
      return readPattern(reader, 'epoch', EPOCH);
    case 'z':
      return readPattern(reader, 'ignored', OFFSET);
    case 'Z':
      return readPattern(reader, 'ignored', ZONE);
    default:
      // A letter that means nothing stands for itself, and so does a percent sign.
      return matches(reader, letter.charCodeAt(0), meter);
  }
}

interface Numeral {
  readonly part: Part;
  readonly least: number;
  readonly most: number;
  /** As few and as many digits as there may be. */
  readonly digitsMin: number;
  readonly digitsMax: number;
}

function numeral(part: Part, least: number, most: number, digits: number, few = 1): Numeral {
  return { part, least, most, digitsMin: few, digitsMax: digits };
}

const DAY = numeral('day', 1, 31, 2);
const HOURS = numeral('hours', 0, 23, 2);
const HOURS_OF_12 = numeral('hoursOf12', 0, 12, 2);

const NUMERALS: ReadonlyMap<string, Numeral> = new Map(
  Object.entries({
    C: numeral('century', 0, 99, 2, 2),
    d: DAY,
    e: DAY,
    g: numeral('ignored', 0, 99, 2, 2),
    G: numeral('ignored', 0, 9999, 4, 4),
    H: HOURS,
    I: HOURS_OF_12,
    j: numeral('yearday', 1, 366, 3),
    k: HOURS,
    l: HOURS_OF_12,
    m: numeral('month', 1, 12, 2),
    M: numeral('minutes', 0, 59, 2),
    S: numeral('seconds', 0, 60, 2),
    u: numeral('weekday', 1, 7, 1),
    U: numeral('weekFromSunday', 0, 53, 2),
    V: numeral('ignored', 0, 53, 2),
    w: numeral('weekday', 0, 6, 1),
    W: numeral('weekFromMonday', 0, 53, 2),
    y: numeral('yearOfCentury', 0, 99, 2, 2),
    Y: numeral('year', 0, 9999, 4, 4),
  }),
);

const COMPOSED: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...COMPOSED_CONVERSIONS, c: '%a %b %d %H:%M:%S %Y' }),
);

const HALVES = /[ap](?:m|\.m\.)/iy;
const EPOCH = /-?\d{1,15}/y;
const OFFSET = /z|[+-]\d\d(?::?\d\d|:)?/iy;
/** Z alone, or an abbreviation such as UTC or CET. */
const ZONE = /z|[a-z]+/iy;

/** The first that says something counts. */
function note(found: Found, part: Part, value: number): true {
  found[part] ??= value;
  return true;
}

function readNumber(reader: Reader, numeral: Numeral): boolean {
  const { text, at } = reader;
  let value = 0;
  let end = at;
  while (end - at < numeral.digitsMax) {
    const digit = text.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
    end += 1;
  }
  if (end - at < numeral.digitsMin) return false;
  if (value < numeral.least || value > numeral.most) return false;
  reader.at = end;
  return note(reader.found, numeral.part, value);
}

function readName(reader: Reader, part: Part, names: readonly string[]): boolean {
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    if (!continuesWith(reader, name, SHORT_NAME)) continue;
    reader.at += continuesWith(reader, name, name.length) ? name.length : SHORT_NAME;
    return note(reader.found, part, index);
  }
  return false;
}

/** So many letters of a name, whatever their case. */
function continuesWith({ text, at }: Reader, name: string, letters: number): boolean {
  for (let i = 0; i < letters; i += 1) {
    if ((text.charCodeAt(at + i) | CASE_BIT) !== (name.charCodeAt(i) | CASE_BIT)) return false;
  }
  return true;
}

/** What tells a small letter from a capital one in ASCII. */
const CASE_BIT = 0x20;

function readHalf(reader: Reader): boolean {
  const letter = reader.text.charAt(reader.at).toLowerCase();
  if (!readPattern(reader, 'ignored', HALVES)) return false;
  return note(reader.found, 'afternoon', letter === 'p' ? 1 : 0);
}

function readPattern(reader: Reader, part: Part, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text)?.[0];
  if (match === undefined) return false;
  reader.at += match.length;
  return note(reader.found, part, Number(match));
}

function matches(reader: Reader, code: number, meter: Meter): boolean {
  const other = reader.text.charCodeAt(reader.at);
  if (code !== other) {
    if (Number.isNaN(other)) return false;
    meter.pay(2);
    if (upper(code) !== upper(other)) return false;
  }
  reader.at += 1;
  return true;
}

function upper(code: number): string {
  return String.fromCharCode(code).toUpperCase();
}

function skipSpace(reader: Reader): void {
  while (isSpace(reader.text.charCodeAt(reader.at))) reader.at += 1;
}

/** White space of all scripts: what JavaScript takes for it. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13);
  if (code < 0x1680) return code === 0xa0;
  if (code > 0x3000) return code === 0xfeff;
  return (code >= 0x2000 && code <= 0x200a) || OTHER_SPACES.has(code);
}

const OTHER_SPACES: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);

/** Only the white space of C ends a date in the middle of a text. */
function isAtBreak({ text, at }: Reader): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === 0x20 || (code >= 9 && code <= 13);
}

/** A year of two digits is one of 1969 to 2068. */
const CENTURY_TURN = 69;

/** What holds where the text says nothing. */
const START: Readonly<Moment> = momentAt(0);

function assemble(found: Found): Moment {
  const base = found.epoch === undefined ? START : momentAt(found.epoch);
  const year = yearOf(found) ?? base.year;
  const yearday = yeardayOf(found, year);
  const byYearday = found.day === undefined && yearday !== undefined;
  const month = found.month === undefined ? found.monthName : found.month - 1;
  return {
    year,
    month: byYearday ? 0 : (month ?? base.month),
    day: byYearday ? yearday + 1 : (found.day ?? base.day),
    hours: hoursOf(found) ?? base.hours,
    minutes: found.minutes ?? base.minutes,
    seconds: found.seconds ?? base.seconds,
    weekday: 0,
    yearday: 0,
  };
}

function yearOf({ year, century, yearOfCentury }: Found): number | undefined {
  if (year !== undefined || yearOfCentury === undefined) return year;
  if (century !== undefined) return century * 100 + yearOfCentury;
  return yearOfCentury + (yearOfCentury < CENTURY_TURN ? 2000 : 1900);
}

/** The day of the year, from 0, if the text names it or a week and a day of the week. */
function yeardayOf(found: Found, year: number): number | undefined {
  if (found.yearday !== undefined) return found.yearday - 1;
  if (found.weekday === undefined) return undefined;
  const first = momentAt(daysSince1970(year, 0, 1) * 86_400).weekday;
  if (found.weekFromSunday !== undefined) {
    return dayOfWeek(found.weekFromSunday, found.weekday % 7, first);
  }
  if (found.weekFromMonday !== undefined) {
    return dayOfWeek(found.weekFromMonday, (found.weekday + 6) % 7, (first + 6) % 7);
  }
  return undefined;
}

/** Week 1 begins with the first day of the year that begins a week. */
function dayOfWeek(week: number, weekday: number, newYear: number): number {
  return ((7 - newYear) % 7) + 7 * (week - 1) + weekday;
}

function hoursOf({ hours, hoursOf12, afternoon }: Found): number | undefined {
  if (hours !== undefined || hoursOf12 === undefined) return hours;
  return afternoon === undefined ? hoursOf12 : (hoursOf12 % 12) + 12 * afternoon;
}
