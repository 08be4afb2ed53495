/**
 * Dates as jq has them: seconds since 1970 on one side, "broken down time" on the other, an array
 * `[year, month 0-11, day, hours, minutes, seconds, day of the week, day of the year]`.
 *
 * The calendar is the Gregorian one, carried on to all years before and after, and is computed here
 * with whole numbers. There is one time zone, UTC, also where jq says "local": a run gives the same
 * on every machine. Leap seconds do not exist.
 *
 * Two oddities of jq are kept because programs can see them: a fraction before 1970 is split off by
 * cutting towards zero, and the two seconds before 1970 cannot be made by mktime.
 */
import type { Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { toInt } from './doubles.ts';
import { raise } from '../faults.ts';

/** Broken down time. What a program made up may lie outside of its range: month 14, day 0. */
export interface Moment {
  year: number;
  month: number;
  day: number;
  hours: number;
  minutes: number;
  seconds: number;
  weekday: number;
  yearday: number;
}

const DAY_SECONDS = 86_400;
/** From the first of March of the year 0 to 1970, and in four centuries. */
const DAYS_TO_1970 = 719_468;
const DAYS_400_YEARS = 146_097;
/** C counts years from 1900, in 32 bits. */
const YEAR_ZERO = 1900;
/** Further away the year no longer fits. */
const SECONDS_MAX = 68e15;
const MEMBERS = 8;

/** Days since 1970-01-01. Months and days may lie outside of the year and the month. */
export function daysSince1970(year: number, month: number, day: number): number {
  // Counting from March, the leap day is the last of its year and months have a simple rhythm.
  const shifted = month - 2;
  const marchYear = year + Math.floor(shifted / 12);
  const marchMonth = shifted - Math.floor(shifted / 12) * 12;
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const before = Math.floor((153 * marchMonth + 2) / 5);
  return 365 * marchYear + leapDays + before + day - 1 - DAYS_TO_1970;
}

/** The moment that is so many whole seconds after (or before) 1970. */
export function momentAt(seconds: number): Moment {
  let days = Math.floor(seconds / DAY_SECONDS);
  // The quotient of a huge number may have been rounded up, to the day after.
  if (days * DAY_SECONDS > seconds) days -= 1;
  const ofDay = seconds - days * DAY_SECONDS;

  const sinceMarch = days + DAYS_TO_1970;
  const era = Math.floor(sinceMarch / DAYS_400_YEARS);
  const eraDay = sinceMarch - era * DAYS_400_YEARS;
  const leapDays =
    Math.floor(eraDay / 1460) - Math.floor(eraDay / 36_524) + Math.floor(eraDay / 146_096);
  const eraYear = Math.floor((eraDay - leapDays) / 365);
  const yearDay = eraDay - (365 * eraYear + Math.floor(eraYear / 4) - Math.floor(eraYear / 100));
  const marchMonth = Math.floor((5 * yearDay + 2) / 153);
  const month = (marchMonth + 2) % 12;
  const year = era * 400 + eraYear + (month < 2 ? 1 : 0);

  return {
    year,
    month,
    day: yearDay - Math.floor((153 * marchMonth + 2) / 5) + 1,
    hours: Math.floor(ofDay / 3600),
    minutes: Math.floor(ofDay / 60) % 60,
    seconds: ofDay % 60,
    weekday: weekdayOf(days),
    yearday: days - daysSince1970(year, 0, 1),
  };
}

/** 0 is Sunday; 1970 began with a Thursday. */
function weekdayOf(days: number): number {
  const weekday = (days + 4) % 7;
  return weekday < 0 ? weekday + 7 : weekday;
}

/** Seconds since 1970; members out of their range count on into the next larger one. */
export function secondsOf(moment: Moment): number {
  const days = daysSince1970(moment.year, moment.month, moment.day);
  return days * DAY_SECONDS + moment.hours * 3600 + moment.minutes * 60 + moment.seconds;
}

/** Members that are missing are zero; null if there is one that is no number. */
export function readMoment(parts: readonly Json[]): Moment | null {
  for (let i = 0; i < MEMBERS && i < parts.length; i += 1) {
    const part = parts[i];
    if (typeof part !== 'number' || Number.isNaN(part)) return null;
  }
  return {
    // C cuts off fractions after taking away 1900, and has 1900 where nothing is said.
    year: toInt(member(parts, 0, YEAR_ZERO) - YEAR_ZERO) + YEAR_ZERO,
    month: toInt(member(parts, 1)),
    day: toInt(member(parts, 2)),
    hours: toInt(member(parts, 3)),
    minutes: toInt(member(parts, 4)),
    seconds: toInt(member(parts, 5)),
    weekday: toInt(member(parts, 6)),
    yearday: toInt(member(parts, 7)),
  };
}

function member(parts: readonly Json[], at: number, otherwise = 0): number {
  const part = parts[at];
  return typeof part === 'number' ? part : otherwise;
}

/** The array of a moment whose seconds may have a fraction. */
export function momentParts(moment: Moment, seconds: number, meter: Meter): Json[] {
  meter.make(MEMBERS);
  const { year, month, day, hours, minutes, weekday, yearday } = moment;
  return [year, month, day, hours, minutes, seconds, weekday, yearday];
}

/** The moment of a number of seconds, and its seconds with their fraction. */
export function breakDown(input: number, meter: Meter): { moment: Moment; seconds: number } {
  const whole = Math.trunc(input) || 0;
  const moment = Math.abs(whole) <= SECONDS_MAX ? momentAt(whole) : null;
  if (moment === null || toInt(moment.year - YEAR_ZERO) !== moment.year - YEAR_ZERO) {
    return raise(meter, 'error converting number of seconds since epoch to datetime');
  }
  return { moment, seconds: moment.seconds + (input - Math.floor(input)) };
}

/** Texts that jq hands to C end at the first zero. */
export function untilZero(text: string): string {
  const zero = text.indexOf('\0');
  return zero < 0 ? text : text.slice(0, zero);
}

export function gmtime(input: Json, meter: Meter): Json {
  if (typeof input !== 'number') return raise(meter, 'gmtime() requires numeric inputs');
  return taken(input, meter);
}

/** Local time is UTC. */
export function localtime(input: Json, meter: Meter): Json {
  if (typeof input !== 'number') return raise(meter, 'localtime() requires numeric inputs');
  return taken(input, meter);
}

function taken(input: number, meter: Meter): Json {
  meter.pay(6);
  const { moment, seconds } = breakDown(input, meter);
  if (Number.isNaN(seconds)) meter.odd = true;
  return momentParts(moment, seconds, meter);
}

export function mktime(input: Json, meter: Meter): Json {
  if (!Array.isArray(input)) return raise(meter, 'mktime requires array inputs');
  meter.pay(6);
  const moment = readMoment(input as readonly Json[]);
  if (moment === null) return raise(meter, 'mktime requires parsed datetime inputs');
  const seconds = secondsOf(moment);
  // In jq these two numbers are how its library says that it failed.
  if (seconds === -1) return raise(meter, 'invalid gmtime representation');
  if (seconds === -2) return raise(meter, 'mktime not supported on this platform');
  return seconds;
}
