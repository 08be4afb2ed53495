/** Schedules: kept by name, altered by whoever saw the newest version, found when they are due. */
import { describe, expect, test } from 'vitest';
import type { Instant } from '../model/ids.ts';
import type { Among, NewSchedule } from '../stores/schedules.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { T0 } from './store-commits.ts';

export function scheduleCases(open: OpenBench): void {
  describe('schedules', () => {
    keepingCases(open);
    raceCases(open);
    dueCases(open);
  });
}

const ms = (after: number): Instant => (T0 + after) as Instant;

function schedule(name: string, fields: Partial<NewSchedule> = {}): NewSchedule {
  const spec = '{"every":1000}';
  const times = { nextAt: ms(1_000), lastAt: null, since: ms(0) };
  return { name, flow: 'bill', spec, status: 'active', ...times, ...fields };
}

async function given(bench: Bench, ...schedules: readonly NewSchedule[]): Promise<void> {
  for (const one of schedules) expect(await bench.store.schedules.put(one, null)).toBe(true);
}

async function dueNow(bench: Bench, flows = ['bill'], limit = 9): Promise<string[]> {
  return (await bench.store.schedules.due({ flows }, limit)).map(({ name }) => name);
}

async function nextOf(bench: Bench, schedules: Among): Promise<Instant | undefined> {
  return (await bench.outlook({ schedules })).schedules;
}

async function versionOf(bench: Bench, name: string): Promise<number> {
  return (await bench.store.schedules.get(name))?.version ?? Number.NaN;
}

function keepingCases(open: OpenBench): void {
  test('one comes back as it was, with when it was made and altered', async () => {
    const bench = await open();
    const nightly = schedule('nightly', { lastAt: ms(-5), spec: '{"cron":"@daily"}' });
    await given(bench, nightly);
    const made = { version: ms(0), createdAt: ms(0), updatedAt: ms(0) };
    const row = await bench.store.schedules.get('nightly');
    expect(row).toEqual({ ...nightly, ...made });
    expect(Object.isFrozen(row)).toBe(true);
    bench.setTime(7);
    const other = schedule('nightly', { flow: 'other', status: 'paused', nextAt: null });
    expect(await bench.store.schedules.put(other, ms(0))).toBe(true);
    const altered = { version: ms(1), createdAt: ms(0), updatedAt: ms(7) };
    expect(await bench.store.schedules.get('nightly')).toEqual({ ...other, ...altered });
  });

  test('moving one on leaves what was given', async () => {
    const bench = await open();
    await given(bench, schedule('nightly'));
    bench.setTime(3);
    const to = { nextAt: ms(2_000), lastAt: ms(1_000) };
    expect(await bench.store.schedules.advance('nightly', ms(0), to)).toBe(true);
    const written = { version: ms(1), createdAt: ms(0), updatedAt: ms(3) };
    const row = await bench.store.schedules.get('nightly');
    expect(row).toEqual({ ...schedule('nightly'), ...to, ...written });
  });

  test('any name is a name, and half a character is none', async () => {
    const bench = await open();
    const names = ['with "quotes"', "it's", 'zero\u0000', 'zero', '10', 'é😀', 'ﬀ', '%'];
    await given(bench, ...names.map((name) => schedule(name)));
    for (const name of names) {
      expect(await bench.store.schedules.get(name)).toMatchObject({ name });
    }
    const list = await bench.store.schedules.list(null, 99);
    expect(new Set(list.map(({ name }) => name))).toEqual(new Set(names));
    const half = bench.store.schedules.put(schedule('\ud800'), null);
    await expect(half).rejects.toMatchObject({ code: 'store.refused' });
  });

  test('a spec is a text, whatever it says', async () => {
    const bench = await open();
    const specs = ['', 'no JSON', '{"a":"\\u0000"}', '"é😀"'];
    await given(bench, ...specs.map((spec, n) => schedule(`s${n}`, { spec })));
    const list = await bench.store.schedules.list(null, 99);
    expect(list.map(({ spec }) => spec)).toEqual(specs);
  });

  test('they are listed by name, page by page', async () => {
    const bench = await open();
    await given(bench, ...['b', 'd', 'a', 'c'].map((name) => schedule(name)));
    const page = async (after: string | null): Promise<string[]> =>
      (await bench.store.schedules.list(after, 2)).map(({ name }) => name);
    expect(await page(null)).toEqual(['a', 'b']);
    expect(await page('b')).toEqual(['c', 'd']);
    expect(await page('d')).toEqual([]);
  });

  test('what is removed is gone, and can be made anew', async () => {
    const bench = await open();
    await given(bench, schedule('nightly'));
    expect(await bench.store.schedules.remove('nightly')).toBe(true);
    expect(await bench.store.schedules.remove('nightly')).toBe(false);
    expect(await bench.store.schedules.get('nightly')).toBeUndefined();
    await given(bench, schedule('nightly'));
  });
}

function raceCases(open: OpenBench): void {
  test('where one is, none is made; where none is, none is altered', async () => {
    const bench = await open();
    const { schedules } = bench.store;
    const to = { nextAt: null, lastAt: null };
    expect(await schedules.put(schedule('nightly'), ms(0))).toBe(false);
    expect(await schedules.advance('nightly', ms(0), to)).toBe(false);
    expect(await schedules.get('nightly')).toBeUndefined();
    await given(bench, schedule('nightly'));
    expect(await schedules.put(schedule('nightly', { flow: 'other' }), null)).toBe(false);
    expect(await schedules.get('nightly')).toMatchObject({ flow: 'bill', version: ms(0) });
  });

  test('of those who saw the same version one comes through', async () => {
    const bench = await open();
    const { schedules } = bench.store;
    await given(bench, schedule('nightly'));
    const seen = await versionOf(bench, 'nightly');
    const to = { nextAt: ms(2_000), lastAt: ms(1_000) };
    const moved = await Promise.all([1, 2, 3, 4].map(() => schedules.advance('nightly', seen, to)));
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(await schedules.put(schedule('nightly', { status: 'paused' }), seen)).toBe(false);
    expect(await schedules.get('nightly')).toMatchObject({ ...to, status: 'active' });
    const made = await Promise.all([1, 2, 3].map(() => schedules.put(schedule('new'), null)));
    expect(made.filter(Boolean)).toHaveLength(1);
  });

  test('a version of one that was removed is none of the one that took its name', async () => {
    const bench = await open();
    const { schedules } = bench.store;
    await given(bench, schedule('nightly'));
    await schedules.advance('nightly', ms(0), { nextAt: ms(2_000), lastAt: ms(1_000) });
    const seen = await versionOf(bench, 'nightly');
    await schedules.remove('nightly');
    bench.setTime(1_500);
    await given(bench, schedule('nightly', { nextAt: ms(9_000) }));
    const to = { nextAt: ms(3_000), lastAt: ms(2_000) };
    expect(await schedules.advance('nightly', seen, to)).toBe(false);
    expect(await schedules.get('nightly')).toMatchObject({ nextAt: ms(9_000) });
  });
}

function dueCases(open: OpenBench): void {
  test('one is due from its moment on, and never before', async () => {
    const bench = await open();
    await given(bench, schedule('nightly'));
    for (const [now, names] of [
      [999, []],
      [1_000, ['nightly']],
      [9_999_999, ['nightly']],
    ] as const) {
      bench.setTime(now);
      expect(await dueNow(bench)).toEqual(names);
    }
  });

  test('longest due first, and no more than the limit', async () => {
    const bench = await open();
    const moments = { c: 30, a: 20, b: 20, d: 10 };
    const all = Object.entries(moments).map(([name, at]) => schedule(name, { nextAt: ms(at) }));
    await given(bench, ...all);
    bench.setTime(100);
    expect(await dueNow(bench)).toEqual(['d', 'a', 'b', 'c']);
    expect(await dueNow(bench, ['bill'], 2)).toEqual(['d', 'a']);
    const others = await bench.store.schedules.due({ flows: ['bill'], without: ['d', 'a'] }, 2);
    expect(others.map(({ name }) => name)).toEqual(['b', 'c']);
  });

  test('what is paused, has no moment left, or is for other flows is not due', async () => {
    const bench = await open();
    await given(
      bench,
      schedule('paused', { status: 'paused' }),
      schedule('over', { nextAt: null }),
      schedule('other', { flow: 'other' }),
    );
    bench.setTime(5_000);
    expect(await dueNow(bench)).toEqual([]);
    expect(await dueNow(bench, [])).toEqual([]);
    expect(await nextOf(bench, { flows: ['bill'] })).toBeUndefined();
    expect(await nextOf(bench, { flows: [] })).toBeUndefined();
    expect(await dueNow(bench, ['bill', 'other'])).toEqual(['other']);
  });

  test('the next moment is the earliest of these flows, and never in the past', async () => {
    const bench = await open();
    await given(
      bench,
      schedule('late', { nextAt: ms(5_000) }),
      schedule('soon', { nextAt: ms(1_000) }),
      schedule('other', { flow: 'other', nextAt: ms(10) }),
      schedule('paused', { status: 'paused', nextAt: ms(1) }),
    );
    expect(await nextOf(bench, { flows: ['bill'] })).toBe(ms(1_000));
    expect(await nextOf(bench, { flows: ['bill'], without: ['soon'] })).toBe(ms(5_000));
    expect(await nextOf(bench, { flows: ['bill'], without: ['soon', 'late'] })).toBeUndefined();
    expect(await nextOf(bench, { flows: ['bill', 'other'] })).toBe(ms(10));
    expect(await nextOf(bench, { flows: ['unknown'] })).toBeUndefined();
    bench.setTime(3_000);
    expect(await nextOf(bench, { flows: ['bill'] })).toBe(ms(3_000));
  });
}
