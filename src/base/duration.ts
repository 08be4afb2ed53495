/**
 * Durations as people write them: `250`, `'250ms'`, `'30s'`, `'1h30m'`, `'7d'` or ISO 8601
 * (`'PT15M'`, `'P1DT12H'`, `'P2W'`).
 *
 * Years and months are refused: their length depends on a calendar and a time zone, and a sleep
 * that is a day short in February is worse than a clear sentence today.
 */
import { no, ok, type Result } from './result.ts';

export type Duration = number | string;

/** A hundred years: past this a duration is a mistake in the unit. */
export const DURATION_MS_MAX: number = 100 * 365 * 86_400_000;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const SHORT = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+$/;
/** No duration is longer; a megabyte of digits is not worth a look. */
const TEXT_CHARS_MAX = 100;
const part = (unit: string): string => String.raw`(?:(\d+(?:[.,]\d+)?)${unit})?`;
const ISO = new RegExp(
  String.raw`^P(?!$)${part('W')}${part('D')}(?:T(?=\d)${part('H')}${part('M')}${part('S')})?$`,
);

const PARTS_MS: Readonly<Record<string, number>> = {
  weeks: 604_800_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
};

/** The sum of `{ hours: 1, minutes: 30 }`; undefined for anything that is no such object. */
export function durationOfParts(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parts = Object.entries(value as Record<string, unknown>);
  let sum = 0;
  for (const [unit, count] of parts) {
    const ms = Object.hasOwn(PARTS_MS, unit) ? PARTS_MS[unit] : undefined;
    if (ms === undefined || typeof count !== 'number' || !(count >= 0)) return undefined;
    sum += count * ms;
  }
  return parts.length === 0 ? undefined : sum;
}

/** The length in whole milliseconds, rounded up so that a timer never fires early. */
export function parseDuration(text: Duration): Result<number, string> {
  const ms =
    typeof text === 'number' ? text : typeof text === 'string' ? measure(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    return no(
      `a duration is milliseconds, '30s', '1h30m', '7d' or ISO 8601 such as 'PT15M'; ` +
        `came ${(JSON.stringify(text) ?? String(text)).slice(0, TEXT_CHARS_MAX)}`,
    );
  }
  if (ms < 0) return no(`a duration cannot be negative; came ${text}`);
  if (ms > DURATION_MS_MAX) return no(`a duration is at most 100 years; came ${text}`);
  return ok(Math.ceil(ms));
}

function measure(text: string): number {
  if (text.length > TEXT_CHARS_MAX) return Number.NaN;
  if (SHORT.test(text)) {
    let sum = 0;
    for (const [, n, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
      sum += Number(n) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
    }
    return sum;
  }
  const iso = ISO.exec(text);
  if (iso === null) return Number.NaN;
  const units = ['w', 'd', 'h', 'm', 's'];
  return units.reduce((sum, unit, index) => {
    const n = iso[index + 1];
    return n === undefined ? sum : sum + Number(n.replace(',', '.')) * (UNIT_MS[unit] ?? 0);
  }, 0);
}
