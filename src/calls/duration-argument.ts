/** How long something may take, where a call is told so: `{ seconds: 30 }` or ISO 8601. */
import { durationOfParts, parseDuration } from '../base/duration.ts';
import type { Json } from '../base/json.ts';
import { WorkflowError } from '../model/workflow-error.ts';

/** As far as a timer of Node's goes: 24 days and some hours. A call that is longer is none. */
export const TIMER_MS_MAX = 2_147_483_647;

/** The shortest month is longer than any timer, so what a month is does not matter. */
const CALENDAR = /^P(?:\d+(?:\.\d+)?Y)?(?:\d+(?:\.\d+)?M)?/;

/** In milliseconds, and never more than a timer can be set to. */
export function durationArgument(name: string, value: Json): number {
  const ms = typeof value === 'string' ? readIso(value) : durationOfParts(value);
  if (ms !== undefined) return Math.min(ms, TIMER_MS_MAX);
  const detail = `"${name}" is a duration such as { seconds: 30 } or PT30S`;
  throw new WorkflowError('configuration', { detail });
}

function readIso(text: string): number | undefined {
  const [calendar = ''] = CALENDAR.exec(text) ?? [];
  if (calendar === '') return undefined;
  const rest = text.slice(calendar.length);
  const exact = rest === '' && calendar !== 'P' ? 0 : readExact(`P${rest}`);
  if (exact === undefined) return undefined;
  return /[1-9]/.test(calendar) ? TIMER_MS_MAX : exact;
}

function readExact(text: string): number | undefined {
  const read = parseDuration(text);
  return read.ok ? read.value : undefined;
}
