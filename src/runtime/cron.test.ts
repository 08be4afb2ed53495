/** Cron against an oracle that watches a clock minute by minute, and what the rules come to. */
import { describe, expect, test } from 'vitest';
import { changesIn, type Expression, type Wall, Watched } from '../testing/cron-oracle.ts';
import { Dice } from '../testing/dice.ts';
import { cronMoments, type Moments } from './cron.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Ten years; the first half of 2026 tells nothing that 2025 does not. */
const FROM = Date.UTC(2016, 0);
const TO = Date.UTC(2026, 0);

/** An hour in two hemispheres, half an hour, at midnight, and rules that come and go. */
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Africa/Cairo',
];

const daysIn = ({ year, month }: Wall): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
const at = (wall: Wall, hour: number, minute: number): boolean =>
  wall.hour === hour && wall.minute === minute;
const weekdayOf = ({ year, month }: Wall, day: number): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay();

/** The working day nearest to a day, in its month. */
function nearest(wall: Wall, day: number): number {
  const weekday = weekdayOf(wall, day);
  if (weekday === 6) return day === 1 ? 3 : day - 1;
  if (weekday === 0) return day === daysIn(wall) ? day - 2 : day + 1;
  return day;
}

const EXPRESSIONS: readonly Expression[] = [
  { cron: '*/20 * * * *', minutes: ({ minute }) => minute % 20 === 0 },
  { cron: '30 * * * *', minutes: ({ minute }) => minute === 30 },
  { cron: '0 */2 * * *', minutes: ({ hour, minute }) => hour % 2 === 0 && minute === 0 },
  {
    cron: '15,45 1-3 * * *',
    minutes: ({ hour, minute }) => hour >= 1 && hour <= 3 && (minute === 15 || minute === 45),
  },
  { cron: '30 2 * * *', minutes: (wall) => at(wall, 2, 30) },
  { cron: '15 0 * * *', minutes: (wall) => at(wall, 0, 15) },
  { cron: '@daily', minutes: (wall) => at(wall, 0, 0) },
  { cron: '0 0 L * *', minutes: (wall) => at(wall, 0, 0) && wall.day === daysIn(wall) },
  {
    cron: '0 1 * * SUN#2',
    minutes: (wall) => at(wall, 1, 0) && wall.weekday === 0 && Math.ceil(wall.day / 7) === 2,
  },
  {
    cron: '30 1 * * 0L',
    minutes: (wall) => at(wall, 1, 30) && wall.weekday === 0 && wall.day + 7 > daysIn(wall),
  },
  { cron: '0 12 15W * *', minutes: (wall) => at(wall, 12, 0) && wall.day === nearest(wall, 15) },
  { cron: '0 12 1W * *', minutes: (wall) => at(wall, 12, 0) && wall.day === nearest(wall, 1) },
  {
    cron: '0 2 1 * MON',
    minutes: (wall) => at(wall, 2, 0) && (wall.day === 1 || wall.weekday === 1),
  },
  {
    cron: '59 23 * MAR-APR,9-11 SAT-SUN',
    minutes: (wall) => {
      const isMonth = [3, 4, 9, 10, 11].includes(wall.month);
      return at(wall, 23, 59) && isMonth && (wall.weekday === 6 || wall.weekday === 0);
    },
  },
  {
    cron: '10-59/20 29-31 0-2 * * *',
    minutes: ({ hour, minute }) => hour <= 2 && minute >= 29 && minute <= 31,
    seconds: [10, 30, 50],
  },
];

function momentsOf(cron: string, zone: string): Moments {
  const moments = cronMoments(cron, zone);
  if (!moments.ok) throw new Error(moments.problem);
  return moments.value;
}

/** One after the other, from a moment on. */
function walk(moments: Moments, from: number, to: number): number[] {
  const found: number[] = [];
  for (let next = moments.after(from - 1); next !== null && next < to; next = moments.after(next)) {
    found.push(next);
  }
  return found;
}

/** The same, backwards. */
function walkBack(moments: Moments, from: number, to: number): number[] {
  const found: number[] = [];
  for (
    let last = moments.upTo(to - 1);
    last !== null && last >= from;
    last = moments.upTo(last - 1)
  )
    found.unshift(last);
  return found;
}

/** Asked at any moment in between, whole seconds or not. */
function askAnywhere(moments: Moments, right: readonly number[], dice: Dice, span: Span): void {
  for (let n = 0; n < 10; n += 1) {
    const when = span.from + dice.roll(span.to - span.from);
    const next = right.find((moment) => moment > when);
    const last = right.findLast((moment) => moment <= when);
    // What lies outside the span the oracle has not seen.
    expect(next && moments.after(when)).toBe(next);
    expect(last && moments.upTo(when)).toBe(last);
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

describe.each(ZONES)('cron in %s', (zone) => {
  test('every change of the clocks in ten years, and the day before and after it', () => {
    const dice = new Dice(1);
    const changes = changesIn(zone, FROM, TO);
    expect(changes.length).toBeGreaterThan(5);
    for (const change of changes) {
      const span = { from: change - DAY, to: change + DAY };
      const watched = new Watched(zone, span.from, span.to);
      for (const expression of EXPRESSIONS) {
        const right = watched.momentsOf(expression);
        const moments = momentsOf(expression.cron, zone);
        const name = `${expression.cron} around ${new Date(change).toISOString()}`;
        expect(walk(moments, span.from, span.to), name).toEqual(right);
        const [from, to] = [change - 3 * HOUR, change + 3 * HOUR];
        const near = right.filter((moment) => moment >= from && moment < to);
        expect(walkBack(moments, from, to), name).toEqual(near);
        askAnywhere(moments, right, dice, span);
      }
    }
  });

  test('every minute, in the hours around every change', () => {
    const every: Expression = { cron: '* * * * *', minutes: () => true };
    for (const change of changesIn(zone, FROM, TO)) {
      const span = { from: change - 2 * HOUR, to: change + 2 * HOUR };
      const right = new Watched(zone, span.from, span.to).momentsOf(every);
      expect(walk(momentsOf(every.cron, zone), span.from, span.to)).toEqual(right);
    }
  });

  test('months anywhere in ten years', () => {
    const dice = new Dice(2);
    for (let n = 0; n < 2; n += 1) {
      const from = FROM + dice.roll((TO - FROM) / DAY - 40) * DAY + 12 * HOUR;
      const span = { from, to: from + 35 * DAY };
      const watched = new Watched(zone, span.from, span.to);
      for (const expression of EXPRESSIONS.slice(3)) {
        const right = watched.momentsOf(expression);
        const moments = momentsOf(expression.cron, zone);
        expect(walk(moments, span.from, span.to), expression.cron).toEqual(right);
        askAnywhere(moments, right, dice, span);
      }
    }
  });
});

describe('what the rules come to', () => {
  const next = (cron: string, zone: string, from: string, count: number): string[] => {
    const moments = momentsOf(cron, zone);
    const found: string[] = [];
    for (let last = Date.parse(from); found.length < count; ) {
      const moment = moments.after(last);
      if (moment === null) break;
      found.push(new Date(moment).toISOString().slice(0, 16));
      last = moment;
    }
    return found;
  };

  test('a skipped hour runs once, right after it', () => {
    // In Berlin 02:00 to 03:00 was skipped on 30 March 2025, at 01:00 UTC.
    expect(next('30 2 * * *', 'Europe/Berlin', '2025-03-29T12:00Z', 2)).toEqual([
      ...['2025-03-30T01:00', '2025-03-31T00:30'],
    ]);
    expect(next('*/15 2 * * *', 'Europe/Berlin', '2025-03-29T12:00Z', 2)).toEqual([
      ...['2025-03-30T01:00', '2025-03-31T00:00'],
    ]);
  });

  test('a doubled hour runs once, with wildcards, too', () => {
    // In Berlin 02:00 to 03:00 came twice on 26 October 2025, from 00:00 and from 01:00 UTC.
    expect(next('30 2 * * *', 'Europe/Berlin', '2025-10-25T12:00Z', 2)).toEqual([
      ...['2025-10-26T00:30', '2025-10-27T01:30'],
    ]);
    expect(next('*/30 * * * *', 'Europe/Berlin', '2025-10-26T00:00Z', 3)).toEqual([
      ...['2025-10-26T00:30', '2025-10-26T02:00', '2025-10-26T02:30'],
    ]);
  });

  test('a skipped day runs once, right after it', () => {
    // Samoa had no 30 December 2011: from 29 December 24:00 it went on with the 31st, 00:00.
    const zone = 'Pacific/Apia';
    expect(next('0 12 * * *', zone, '2011-12-29T12:00Z', 3)).toEqual([
      ...['2011-12-29T22:00', '2011-12-30T10:00', '2011-12-30T22:00'],
    ]);
    expect(next('0 12 30 12 *', zone, '2011-12-01T00:00Z', 1)).toEqual(['2011-12-30T10:00']);
    const span = { from: Date.UTC(2011, 11, 28), to: Date.UTC(2012, 0, 2) };
    const watched = new Watched(zone, span.from, span.to);
    for (const expression of EXPRESSIONS) {
      const found = walk(momentsOf(expression.cron, zone), span.from, span.to);
      expect(found, expression.cron).toEqual(watched.momentsOf(expression));
    }
  });

  test('a zone a quarter of an hour off has its own hours', () => {
    expect(next('0 9 * * *', 'Asia/Kathmandu', '2026-01-01T00:00Z', 1)).toEqual([
      ...['2026-01-01T03:15'],
    ]);
    expect(next('0 9 * * *', '+05:45', '2026-01-01T00:00Z', 1)).toEqual(['2026-01-01T03:15']);
  });

  test('29 February comes when it comes, and 30 February never', () => {
    expect(next('0 0 29 2 *', 'UTC', '2096-03-01T00:00Z', 1)).toEqual(['2104-02-29T00:00']);
    expect(next('0 0 30 2 *', 'UTC', '2026-01-01T00:00Z', 1)).toEqual([]);
    expect(momentsOf('0 0 30 2 *', 'UTC').upTo(0)).toBeNull();
    expect(momentsOf('* * * 31 4,6,9,11 *', 'Europe/Berlin').after(0)).toBeNull();
  });

  test('names and spaces are read as people write them', () => {
    const plain = next('0 9 * * 1-5', 'UTC', '2026-01-01T00:00Z', 6);
    expect(next('  0   9 * * mon-fri ', 'UTC', '2026-01-01T00:00Z', 6)).toEqual(plain);
    expect(next('0 9 ? * MON,TUE,WED,THU,FRI', 'UTC', '2026-01-01T00:00Z', 6)).toEqual(plain);
  });
});

describe('what is no expression or no zone is said', () => {
  const wrong: readonly (readonly [unknown, unknown, RegExp])[] = [
    ['', 'UTC', /five fields/],
    ['* * * *', 'UTC', /five fields/],
    ['* * * * * * *', 'UTC', /five fields/],
    ['2026-01-01T00:00:00', 'UTC', /five fields/],
    ['@reboot', 'UTC', /nickname/],
    ['@never', 'UTC', /nickname/],
    ['61 * * * *', 'UTC', /minute: 61/],
    ['0 24 * * *', 'UTC', /hour: 24/],
    ['*/0 * * * *', 'UTC', /stepping/],
    ['5-1 * * * *', 'UTC', /larger/],
    [`${'1,'.repeat(300)}1 * * * *`, 'UTC', /five fields/],
    [null, 'UTC', /five fields/],
    [5, 'UTC', /five fields/],
    ['@daily', 'Mars/Base', /Mars\/Base/],
    ['@daily', '', /time zone/],
    ['@daily', 7, /time zone/],
    ['@daily', null, /time zone/],
  ];
  for (const [cron, zone, why] of wrong) {
    test(`${JSON.stringify(cron)?.slice(0, 30)} in ${JSON.stringify(zone)}`, () => {
      const read = cronMoments(cron as string, zone as string);
      expect(read).toMatchObject({ ok: false, problem: expect.stringMatching(why) });
    });
  }
});
