/**
 * Cron, as the moments at which a clock on a wall shows what an expression says.
 *
 * An expression names wall-clock times. In a zone whose clocks are put forward and back such a time
 * exists once, never or twice, and it is made a moment like this, whatever the expression is, one
 * with wildcards too:
 *
 * - it exists once: that moment;
 * - it is skipped: the first moment after the gap, so a skipped hour runs once, right after it;
 * - it comes twice: the first of the two, so a doubled hour runs once.
 *
 * Times that become the same moment are one moment. Later times never become earlier moments, so
 * to go from a moment to the next one is to go from its time on the wall to the next that matches:
 * nothing is walked second by second. Only where the clock shows a time for the second time one
 * goes on from the end of what it shows twice: nothing in there is new.
 *
 * Which times match is croner's to say, asked in UTC, where it has no clock to be wrong about; what
 * moment a time is, Temporal's.
 */
import { Cron } from 'croner';
import { Temporal } from 'temporal-polyfill';
import { no, ok, type Result } from '../base/result.ts';
import type { Instant } from '../model/ids.ts';

/** Moments in a row, each known from whatever moment one asks at. */
export interface Moments {
  /** The first one later than this; null if there is none. */
  readonly after: (at: number) => Instant | null;
  /** The last one no later than this; null if there is none. */
  readonly upTo: (at: number) => Instant | null;
}

/** Expressions longer than this are no expressions. */
const CRON_CHARS_MAX = 500;
/** One word is a nickname; five fields, or six with seconds in front. */
const FIELDS: ReadonlySet<number> = new Set([1, 5, 6]);

/** The moments of an expression in a zone, or what is wrong with one of the two. */
export function cronMoments(text: string, zone: string): Result<Moments, string> {
  const cron = patternOf(text);
  if (!cron.ok) return cron;
  const found = zoneOf(zone);
  return found.ok ? ok(new WallClock(cron.value, found.value)) : found;
}

function patternOf(text: unknown): Result<Cron, string> {
  const come = (JSON.stringify(text) ?? typeof text).slice(0, 100);
  const rule =
    'a cron expression has five fields (minute, hour, day, month, weekday), or six with ' +
    `seconds first, or is a nickname such as '@daily'; came ${come}`;
  if (typeof text !== 'string' || text.length > CRON_CHARS_MAX) return no(rule);
  const fields = text.trim().split(/\s+/);
  const isNickname = fields.length === 1 && fields[0]?.startsWith('@') === true;
  if (!FIELDS.has(fields.length) || (fields.length === 1 && !isNickname)) return no(rule);
  try {
    return ok(new Cron(fields.join(' '), { timezone: 'UTC', mode: '5-or-6-parts', paused: true }));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return no(`${rule} (${why.replace(/^CronPattern: /, '')})`);
  }
}

function zoneOf(zone: unknown): Result<string, string> {
  try {
    if (typeof zone === 'string') return ok(zonedAt(0, zone).timeZoneId);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  const come = (JSON.stringify(zone) ?? typeof zone).slice(0, 100);
  return no(`a time zone is a name such as 'Europe/Berlin', 'UTC', or '+02:00'; came ${come}`);
}

class WallClock implements Moments {
  readonly #cron: Cron;
  readonly #zone: string;

  constructor(cron: Cron, zone: string) {
    this.#cron = cron;
    this.#zone = zone;
  }

  after(at: number): Instant | null {
    const time = this.#cron.nextRun(new Date(lastTimeShown(at, this.#zone)));
    return time === null ? null : momentOf(time.getTime(), this.#zone);
  }

  upTo(at: number): Instant | null {
    // It looks for one before the second it is given.
    const second = Math.floor(lastTimeShown(at, this.#zone) / 1_000) + 1;
    const [time] = this.#cron.previousRuns(1, new Date(second * 1_000));
    return time === undefined ? null : momentOf(time.getTime(), this.#zone);
  }
}

/**
 * The latest time on the wall that has become a moment by now. Times are milliseconds, as if they
 * were UTC.
 */
function lastTimeShown(at: number, zone: string): number {
  const now = zonedAt(at, zone);
  const time = at + offsetOf(now);
  const first = earliestAt(time, zone);
  if (first.epochMilliseconds === at) return time;
  // Shown for the second time: all that comes twice has come.
  const change = first.getTimeZoneTransition('next');
  return (change?.epochMilliseconds ?? at) + offsetOf(first) - 1;
}

function momentOf(time: number, zone: string): Instant {
  const first = earliestAt(time, zone);
  const at = first.epochMilliseconds;
  if (at + offsetOf(first) === time) return at as Instant;
  // There is no such time, and Temporal answers with one before the gap.
  return (first.getTimeZoneTransition('next')?.epochMilliseconds ?? at) as Instant;
}

function earliestAt(time: number, zone: string): Temporal.ZonedDateTime {
  const plain = zonedAt(time, 'UTC').toPlainDateTime();
  return plain.toZonedDateTime(zone, { disambiguation: 'earlier' });
}

function zonedAt(at: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}

function offsetOf({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return offsetNanoseconds / 1_000_000;
}
