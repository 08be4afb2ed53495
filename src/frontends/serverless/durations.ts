/** Durations that must be known when a definition is read: of a schedule. */
import { parseDuration } from '../../base/duration.ts';
import { isJsonObject, type Json } from '../../base/json.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
};

/** Undefined for what is none, and for years and months: steps of a schedule are equal. */
export function durationMs(value: Json): number | undefined {
  if (typeof value === 'string') {
    const ms = parseDuration(value);
    return ms.ok ? ms.value : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const parts = Object.entries(value).map(([unit, count]) =>
    typeof count === 'number' ? count * (UNITS_MS[unit] ?? Number.NaN) : Number.NaN,
  );
  const sum = parts.reduce((all, part) => all + part, 0);
  return Number.isFinite(sum) ? sum : undefined;
}
