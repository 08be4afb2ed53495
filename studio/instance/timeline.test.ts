/** The scale that leaves idle time out, and which rows there are. */
import { describe, expect, test } from 'vitest';
import type { Plan } from '../api/shapes.ts';
import { rowsOf, ROWS_MAX, shownVisits } from './timeline-rows.ts';
import {
  busySpans,
  idleSpans,
  momentAt,
  placeOf,
  scaleOf,
  type Span,
  ticksOf,
} from './timeline-scale.ts';
import { rowText, sumsOf, tickText } from './timeline-words.ts';
import type { Segment, Visit } from './visit.ts';

const DAY_MS = 86_400_000;

function visit(fields: Partial<Visit>): Visit {
  return {
    ...{ key: String(fields.token ?? 1), token: 1, node: 'pay', scope: 1, scopes: [1] },
    ...{ index: null, item: null, via: null, mode: 'forward', bornN: 1, bornAt: 0, startedAt: 0 },
    ...{ endedN: 2, endedAt: 10, how: 'done', isCut: false, attempts: [], segments: [] },
    ...{ output: undefined, wake: null, lastError: null, outcomes: [], wait: null },
    ...fields,
  };
}

function segment(kind: Segment['kind'], from: number, to: number | null): Segment {
  return { kind, from, to, why: '' };
}

describe('idle time', () => {
  const whole: Span = { from: 0, to: 3 * DAY_MS + 2_000 };
  const busy = [
    { from: 0, to: 1_000 },
    { from: 3 * DAY_MS + 1_000, to: whole.to },
  ];

  test('in which nothing ran is cut, and the rest has the room', () => {
    const idle = idleSpans(whole, busy);
    expect(idle).toEqual([{ from: 1_000, to: 3 * DAY_MS + 1_000 }]);
    const scale = scaleOf(whole, idle);
    expect(placeOf(scale, 1_000)).toBeCloseTo(0.475);
    expect(placeOf(scale, 3 * DAY_MS + 1_000)).toBeCloseTo(0.525);
    expect(placeOf(scale, whole.to)).toBeCloseTo(1);
  });

  test('that is short beside the rest is left as it is', () => {
    expect(
      idleSpans({ from: 0, to: 20_000 }, [
        { from: 0, to: 9_000 },
        { from: 10_500, to: 20_000 },
      ]),
    ).toEqual([]);
  });

  test('of very different lengths is cut one after the other', () => {
    const spans = [0, 10_000, DAY_MS, 100 * DAY_MS].map((at) => ({ from: at, to: at + 100 }));
    expect(idleSpans({ from: 0, to: 100 * DAY_MS + 100 }, spans)).toHaveLength(3);
  });

  test('is the time in which everything waits, for a retry or anything else', () => {
    const waits = [segment('waiting', 0, 500), segment('retry', 500, 900)];
    const runs = [segment('queued', 900, 950), segment('running', 950, null)];
    const spans = busySpans([visit({ segments: [...waits, ...runs] })], [0, 900], 1_000);
    expect(spans).toEqual([
      { from: 0, to: 0 },
      { from: 900, to: 1_000 },
    ]);
  });

  test('at the end lasts until now', () => {
    const idle = idleSpans({ from: 0, to: DAY_MS }, [{ from: 0, to: 100 }]);
    expect(idle).toEqual([{ from: 100, to: DAY_MS }]);
  });

  test('is never so often cut that nothing else has room', () => {
    const spans = Array.from({ length: 40 }, (_, at) => ({ from: 4 ** at, to: 4 ** at + 1 }));
    const whole40 = { from: 1, to: 4 ** 39 + 1 };
    const scale = scaleOf(whole40, idleSpans(whole40, spans));
    const notches = scale.pieces.filter(({ isIdle }) => isIdle);
    const width = notches.reduce((sum, { left, right }) => sum + right - left, 0);
    expect(width).toBeLessThanOrEqual(0.5001);
  });
});

describe('places', () => {
  test('and moments are each other the other way round', () => {
    const whole = { from: 0, to: DAY_MS };
    const scale = scaleOf(whole, [{ from: 5_000, to: DAY_MS - 5_000 }]);
    for (const at of [0, 1_234, 5_000, 40_000_000, DAY_MS - 1, DAY_MS]) {
      expect(momentAt(scale, placeOf(scale, at))).toBeCloseTo(at, 3);
    }
  });

  test('never go back', () => {
    const scale = scaleOf({ from: 0, to: 100_000 }, [{ from: 10, to: 90_000 }]);
    const places = Array.from({ length: 101 }, (_, at) => placeOf(scale, at * 1_000));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(placeOf(scale, -5)).toBe(0);
    expect(placeOf(scale, 200_000)).toBeCloseTo(1);
  });

  test('there are where no time passed at all', () => {
    const scale = scaleOf({ from: 7, to: 7 }, []);
    expect(placeOf(scale, 7)).toBe(0);
    expect(momentAt(scale, 0.5)).toBe(7);
  });

  test('with a label lie apart, at round times', () => {
    const ticks = ticksOf(scaleOf({ from: 300, to: 10_300 }, []), 0.16);
    expect(ticks.map(({ at }) => at)).toEqual([300, 2_000, 4_000, 6_000, 8_000]);
  });
});

describe('rows', () => {
  const options = { now: 1_000, unfolded: new Set<string>() };

  test('of a few visits are all of them, in the order they began', () => {
    const visits = [3, 1, 2].map((token) => visit({ token, startedAt: token }));
    const rows = rowsOf(visits, options);
    expect(rows.map((row) => row.is === 'visit' && row.visit.token)).toEqual([1, 2, 3]);
  });

  test('of a node that thousands came by are what failed, is open or took longest', () => {
    const visits = Array.from({ length: 5_000 }, (_, token) =>
      visit({ token, node: 'wrap', endedAt: token === 70 ? 900 : 10 }),
    );
    visits[40] = visit({ token: 40, node: 'wrap', how: 'failed' });
    visits[50] = visit({ token: 50, node: 'wrap', how: null, endedN: null, endedAt: null });
    const rows = rowsOf(visits, options);
    const tokens = rows.map((row) => (row.is === 'visit' ? row.visit.token : `${row.count} more`));
    expect(tokens.slice(0, 3)).toEqual([40, 50, 70]);
    expect(tokens.at(-1)).toBe('4988 more');
    const unfolded = rowsOf(visits, { ...options, unfolded: new Set(['wrap']) });
    expect(unfolded.length).toBeLessThanOrEqual(ROWS_MAX);
    expect(unfolded.length).toBeGreaterThan(250);
  });

  test('are never more than there is room for, however many nodes there are', () => {
    const visits = Array.from({ length: 2_000 }, (_, token) => visit({ token, node: `n${token}` }));
    expect(rowsOf(visits, options).length).toBeLessThanOrEqual(ROWS_MAX);
  });

  test('leave out what the engine put in between', () => {
    const plan = { nodes: [{ id: 'fulfil/paper', hidden: true }] } as unknown as Plan;
    const nodes = ['pay', ':start', 'fulfil/:join', 'fulfil/paper', '/do/0#try', ''];
    const shown = shownVisits(
      nodes.map((node) => visit({ node })),
      plan,
    );
    expect(shown.map(({ node }) => node)).toEqual(['pay']);
  });
});

describe('words', () => {
  test('tell how long it was what', () => {
    const segments = [
      segment('queued', 0, 10),
      segment('running', 10, 40),
      segment('queued', 40, null),
    ];
    expect(sumsOf({ ...visit({}), segments }, 100)).toEqual([
      ['queued', 70],
      ['running', 30],
    ]);
  });

  test('of a row have its name, its status and its length', () => {
    const row = { is: 'visit', visit: visit({ index: 2, endedAt: 1_500 }) } as const;
    expect(rowText(row, 9_000)).toMatch(/^pay #3, 1\.5 s, done, /);
  });

  test('of a tick have the day where it is another one, and fractions where they matter', () => {
    const noon = new Date(2026, 4, 1, 12).getTime();
    expect(tickText(noon, noon - 1_000, 5_000)).toMatch(/^12:00:00\.000$/);
    expect(tickText(noon, noon - 60_000, 600_000)).toMatch(/^12:00:00$/);
    expect(tickText(noon, noon - 2 * DAY_MS, 600_000)).toMatch(/1.* 12:00:00$/);
  });
});
