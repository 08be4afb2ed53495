/** How long something is, as the options of the server say it: milliseconds, `'30s'`, `'1h30m'`. */
import type { Duration } from '../index.ts';
import { wrong } from './wrong.ts';

const SPAN = /^(?:\d{1,9}(?:ms|[smhd]))+$/;
const PART = /(\d+)(ms|[smhd])/g;
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const TEXT_CHARS_MAX = 60;

/** In milliseconds; `name` is the option, for whoever has to mend it. */
export function spanMs(name: string, span: Duration, max: number): number {
  const ms = typeof span === 'string' ? measure(span) : span;
  if (Number.isSafeInteger(ms) && ms >= 0 && ms <= max) return ms;
  const came = String(span).slice(0, TEXT_CHARS_MAX);
  throw wrong(`${name} is milliseconds, '30s' or '1h30m', at most ${max} ms; came "${came}"`);
}

function measure(text: string): number {
  if (text.length > TEXT_CHARS_MAX || !SPAN.test(text)) return Number.NaN;
  let sum = 0;
  for (const [, count, unit] of text.matchAll(PART)) {
    sum += Number(count) * (UNITS_MS[unit ?? ''] ?? Number.NaN);
  }
  return sum;
}
