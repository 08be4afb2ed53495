/**
 * Times and durations of a Serverless Workflow.
 *
 * A duration is an object of whole numbers, or ISO 8601 with years, months, weeks, days and
 * fractions. Years and months have no length of their own: they are counted in the calendar, in
 * UTC, from the moment at which the duration begins.
 */
import { DURATION_MS_MAX, durationOfParts } from '../../base/duration.ts';
import type { Json } from '../../base/json.ts';
import { no, ok, type Result } from '../../base/result.ts';
import { momentAt, secondsOf } from '../../expressions/jq/numbers/dates.ts';

const part = (unit: string): string => String.raw`(?:(\d+(?:[.,]\d+)?)${unit})?`;
const ISO = new RegExp(
  String.raw`^P(?!$)${['Y', 'M', 'W', 'D'].map(part).join('')}` +
    String.raw`(?:T(?=\d)${['H', 'M', 'S'].map(part).join('')})?$`,
);
const TEXT_CHARS_MAX = 100;

/** How long it is in milliseconds, if it begins now; rounded up, so that no timer is early. */
export function durationMs(value: Json, now: number): Result<number, string> {
  const ms = typeof value === 'string' ? readIso(value, now) : durationOfParts(value);
  if (ms === undefined || !Number.isFinite(ms)) {
    const came = JSON.stringify(value).slice(0, TEXT_CHARS_MAX);
    return no(`a duration is { hours: 1, minutes: 30 } or ISO 8601 such as PT1H30M; came ${came}`);
  }
  if (ms > DURATION_MS_MAX) return no('a duration is at most 100 years');
  return ok(Math.ceil(ms));
}

function readIso(text: string, now: number): number | undefined {
  const found = text.length > TEXT_CHARS_MAX ? null : ISO.exec(text);
  if (found === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((digits) => (digits === undefined ? 0 : Number(digits.replace(',', '.'))));
  const exact =
    weeks * 604_800_000 +
    days * 86_400_000 +
    hours * 3_600_000 +
    minutes * 60_000 +
    seconds * 1_000;
  const byCalendar = years * 12 + months;
  if (byCalendar === 0) return exact;
  // Half a month is no day of any calendar.
  return Number.isInteger(byCalendar) ? exact + monthsMs(byCalendar, now) : undefined;
}

/** The same day and time so many months on; the last of its month where there is no such day. */
function monthsMs(months: number, now: number): number {
  const seconds = Math.floor(now / 1_000);
  const from = momentAt(seconds);
  const month = from.month + months;
  const last = lastDay(from.year, month);
  const to = secondsOf({ ...from, month, day: Math.min(from.day, last) });
  return (to - seconds) * 1_000;
}

function lastDay(year: number, month: number): number {
  const first = { day: 1, hours: 0, minutes: 0, seconds: 0, weekday: 0, yearday: 0 };
  const begins = secondsOf({ ...first, year, month });
  const ends = secondsOf({ ...first, year, month: month + 1 });
  return (ends - begins) / 86_400;
}

/** As RFC 3339 has it, in UTC, with milliseconds. */
export function isoOf(ms: number): string {
  const { year, month, day, hours, minutes, seconds } = momentAt(Math.floor(ms / 1_000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}`;
  const rest = String(ms - Math.floor(ms / 1_000) * 1_000).padStart(3, '0');
  return `${date}T${two(hours)}:${two(minutes)}:${two(seconds)}.${rest}Z`;
}
