/** What a schedule is given, checked and made plain, and what of it is kept. */
import { type Duration, parseDuration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import { canonicalJson, type Json, parseJson } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import type { Flow } from '../model/definition.ts';
import { cronMoments, type Moments } from './cron.ts';
import { everyMoments } from './interval.ts';
import { NAME_CHARS_MAX } from './options.ts';

/**
 * What becomes of moments that came while no worker was there: the latest of them fires, or all of
 * them do, or none that is more than a minute late.
 */
export type CatchUp = 'once' | 'all' | 'skip';

export interface ScheduleOptions<In = never> {
  /** The flow it starts: the newest version that whoever fires it has. */
  readonly flow: Flow<In> | string;
  /** JSON. Without it the flow is given `{ schedule, at }`: the name, and the moment (ISO text). */
  readonly input?: In;
  /** The business key of what it starts: while one with it is open, moments pass unused. */
  readonly key?: string;
  readonly catchUp?: CatchUp;
}

/** Five fields, or six with seconds first; `L`, `#`, `W`, names of months and days, nicknames. */
export interface CronTimes {
  readonly cron: string;
  /** Whose wall clock it is; UTC if none is named. */
  readonly timezone?: string;
  readonly every?: never;
}

/** From when it was made on, in equal steps. */
export interface EveryTimes {
  readonly every: Duration;
  readonly cron?: never;
  readonly timezone?: never;
}

export type ScheduleSpec<In = never> = ScheduleOptions<In> & (CronTimes | EveryTimes);

/** A spec as it is kept, without its flow: every default is filled in. */
export type KeptSpec = {
  readonly catchUp: CatchUp;
  readonly input?: Json;
  readonly key?: string;
} & (
  | { readonly cron: string; readonly timezone: string }
  | { /** In milliseconds. */ readonly every: number }
);

/** Shorter ones are over before their instance is stored. */
export const SCHEDULE_EVERY_MS_MIN = 10;

const TIMEZONE_DEFAULT = 'UTC';
const FIELDS: ReadonlySet<string> = new Set([
  ...['flow', 'input', 'key', 'catchUp', 'cron', 'timezone', 'every'],
]);

/** Its input is looked at by whoever knows the flow. */
export function checkSpec(name: string, spec: ScheduleSpec): Omit<KeptSpec, 'input'> {
  checkText('the name of a schedule', name);
  if (typeof spec !== 'object' || spec === null) throw bad('a schedule is given an object');
  for (const field of Object.keys(spec)) {
    if (FIELDS.has(field)) continue;
    throw bad(`a schedule has no "${field}"; it has ${[...FIELDS].join(', ')}`);
  }
  const { flow, key, catchUp = 'once' } = spec;
  if (typeof (typeof flow === 'object' ? flow?.name : flow) !== 'string') {
    throw bad('the flow of a schedule is a flow, or its name');
  }
  if (key !== undefined) checkText('the key of a schedule', key);
  if (!['once', 'all', 'skip'].includes(catchUp)) {
    throw bad(`catchUp is 'once', 'all' or 'skip'; came ${JSON.stringify(catchUp)}`);
  }
  return { ...timesOf(spec), catchUp, ...(key === undefined ? {} : { key }) };
}

function timesOf(spec: ScheduleSpec): { cron: string; timezone: string } | { every: number } {
  const { cron, every, timezone } = spec;
  if ((cron === undefined) === (every === undefined)) {
    throw bad(`a schedule has either "cron" or "every"`);
  }
  if (cron !== undefined) {
    const zone = timezone ?? TIMEZONE_DEFAULT;
    const moments = cronMoments(cron, zone);
    if (!moments.ok) throw bad(moments.problem);
    return { cron: cron.trim().replaceAll(/\s+/g, ' '), timezone: zone };
  }
  if (timezone !== undefined) throw bad('"every" counts from when it was made and has no timezone');
  const ms = parseDuration(every);
  if (!ms.ok) throw bad(ms.problem);
  if (ms.value >= SCHEDULE_EVERY_MS_MIN) return { every: ms.value };
  throw bad(`"every" is at least SCHEDULE_EVERY_MS_MIN ${SCHEDULE_EVERY_MS_MIN} ms`);
}

function checkText(what: string, text: unknown): void {
  if (typeof text === 'string' && text !== '' && text.length <= NAME_CHARS_MAX) return;
  throw bad(`${what} is a text of 1 to ${NAME_CHARS_MAX} characters`);
}

/** Equal specs have equal texts. */
export function specText(spec: KeptSpec): string {
  return canonicalJson(spec);
}

/** What was kept, by this program or another. */
export function readSpec(text: string): Result<KeptSpec, string> {
  try {
    const spec = parseJson(text) as unknown as KeptSpec;
    const { input: _, ...rest } = spec;
    return ok({ ...spec, ...checkSpec('kept', { flow: 'kept', ...rest }) });
  } catch (thrown) {
    return no(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** `since` is when it was made what it is. */
export function momentsOf(spec: KeptSpec, since: number): Moments {
  if ('every' in spec) return everyMoments(spec.every, since);
  const moments = cronMoments(spec.cron, spec.timezone);
  if (!moments.ok) throw bad(moments.problem);
  return moments.value;
}

function bad(message: string): EngineError {
  return new EngineError('schedule.invalid', message);
}
