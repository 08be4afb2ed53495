/**
 * What cron means, worked out the slow way: a clock on a wall is watched minute by minute, and
 * whatever it shows, skips or shows again is looked at as it comes. It knows no expression, only
 * predicates written by hand, and asks nobody for the rules of a zone but what time it is there.
 */
export interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

export interface Expression {
  readonly cron: string;
  readonly minutes: (wall: Wall) => boolean;
  /** Of each minute that matches. */
  readonly seconds?: readonly number[];
}

const MINUTE = 60_000;

/** A minute as it was lived: what the clock showed, and what it skipped right before. */
interface Lived {
  readonly at: number;
  /** As if it were UTC. */
  readonly shown: number;
  readonly skipped: readonly number[];
  readonly isAgain: boolean;
}

export class Watched {
  readonly #minutes: Lived[] = [];

  /** The first minute must be one that the clock shows for the first time. */
  constructor(zone: string, from: number, to: number) {
    const clock = clockIn(zone);
    let expected = clock(from);
    for (let at = from; at < to; at += MINUTE) {
      const shown = clock(at);
      const skipped: number[] = [];
      for (let time = expected; time < shown; time += MINUTE) skipped.push(time);
      this.#minutes.push({ at, shown, skipped, isAgain: shown < expected });
      expected = Math.max(expected, shown + MINUTE);
    }
  }

  /** All moments of an expression while the clock was watched. */
  momentsOf({ minutes, seconds = [0] }: Expression): readonly number[] {
    const moments = new Set<number>();
    for (const { at, shown, skipped, isAgain } of this.#minutes) {
      if (skipped.some((time) => minutes(wallOf(time)))) moments.add(at);
      if (isAgain || !minutes(wallOf(shown))) continue;
      for (const second of seconds) moments.add(at + second * 1_000);
    }
    return [...moments];
  }
}

/** Moments at which a zone's clocks were changed, found by looking at them every minute or so. */
export function changesIn(zone: string, from: number, to: number): readonly number[] {
  const clock = clockIn(zone);
  const offset = (at: number): number => clock(at) - at;
  const changes: number[] = [];
  const day = 1_440 * MINUTE;
  for (let at = from; at < to; at += day) {
    if (offset(at) === offset(at + day)) continue;
    let [before, after] = [at, at + day];
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / (2 * MINUTE)) * MINUTE;
      if (offset(middle) === offset(at)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

/** What time the clocks of a zone show, as if it were UTC. */
function clockIn(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, calendar: 'gregory', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  });
  return (at) => {
    const text = format.format(at);
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (text.match(/\d+/g) ?? []).map(
      Number,
    );
    return Date.UTC(year, month - 1, day, hour, minute);
  };
}

function wallOf(time: number): Wall {
  const date = new Date(time);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}
