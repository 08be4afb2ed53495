/** Durations that must be known when a definition is read: of a schedule. */
import { durationOfParts, parseDuration } from '../../base/duration.ts';
import type { Json } from '../../base/json.ts';

/** Undefined for what is none, and for years and months: steps of a schedule are equal. */
export function durationMs(value: Json): number | undefined {
  if (typeof value !== 'string') return durationOfParts(value);
  const ms = parseDuration(value);
  return ms.ok ? ms.value : undefined;
}
