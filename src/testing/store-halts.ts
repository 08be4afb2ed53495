/** What was said of whole flows, and which instances are suspended because of it. */
import { describe, expect, test } from 'vitest';
import type { Head, Pause } from '../model/instance.ts';
import type { Halt } from '../stores/halts.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { at, finish, idOf, next, pause, resume, start, suspend } from './store-commits.ts';

export function haltCases(open: OpenBench): void {
  describe('what is said of whole flows', () => {
    wordCases(open);
  });
  describe('an instance that is suspended with its flow', () => {
    heldCases(open);
  });
}

const WORD = { flow: 'order', version: 0, suspended: true, by: 'ann', why: null };

function wordCases(open: OpenBench): void {
  test('is what was said last of each flow and version', async () => {
    const { store } = await open();
    await store.halts.put(WORD);
    await store.halts.put({ ...WORD, version: 2, suspended: false });
    await store.halts.put({ ...WORD, by: null, why: 'a "test"' });
    expect(await store.halts.list()).toEqual([
      { ...WORD, by: null, why: 'a "test"', at: at(0) },
      { ...WORD, version: 2, suspended: false, at: at(0) },
    ]);
  });

  test('is taken back by whoever knows what is said, and by nobody else', async () => {
    const bench = await open();
    const { halts } = bench.store;
    const first = await halts.put(WORD);
    bench.setTime(5);
    const again = await halts.put(WORD);
    expect(await halts.remove(first)).toBe(false);
    const other: Halt = { ...again, suspended: false };
    expect([await halts.remove(other), await halts.list()]).toEqual([false, [again]]);
    expect([await halts.remove(again), await halts.list()]).toEqual([true, []]);
    expect(await halts.remove(again)).toBe(false);
  });

  test('is told to everyone who looks', async () => {
    const bench = await open();
    expect((await bench.outlook()).halts).toBe(false);
    const halt = await bench.store.halts.put(WORD);
    expect((await bench.outlook()).halts).toBe(true);
    await bench.store.halts.remove(halt);
    expect((await bench.outlook()).halts).toBe(false);
  });
}

/** Suspended with its flow since the commit of a version. */
function halted(version: number, fields: Partial<Pause> = {}): Pick<Head, 'status' | 'pauses'> {
  return { status: 'suspended', pauses: [{ ...pause(version), halt: true, ...fields }] };
}

function heldCases(open: OpenBench): void {
  const names = async ({ store }: Bench): Promise<string> =>
    (await store.halts.held(null, 9)).map(({ id }) => id).join('');
  const hasAny = async (bench: Bench): Promise<boolean> => (await bench.outlook()).halts;

  test('is found for as long as it is, whatever is said', async () => {
    const bench = await open();
    await bench.given(start('a'), suspend('a', 1, { head: halted(2) }));
    expect([await names(bench), await hasAny(bench)]).toEqual(['a', true]);
    await bench.given(next('a', 2, { head: halted(2) }));
    expect([await names(bench), await hasAny(bench)]).toEqual(['a', true]);
    const over = [{ ...pause(2, 4), halt: true as const }];
    await bench.given(resume('a', 3, 2, { head: { pauses: over } }));
    expect([await names(bench), await hasAny(bench)]).toEqual(['', false]);
  });

  test('is found if it began so, and no longer once it has ended', async () => {
    const bench = await open();
    await bench.given(start('a', { head: halted(1), rows: { pausing: true } }));
    expect([await names(bench), await hasAny(bench)]).toEqual(['a', true]);
    const over = [{ ...pause(1, 2), halt: true as const }];
    await bench.given(finish('a', 1, { head: { pauses: over }, rows: { pausing: true } }));
    expect([await names(bench), await hasAny(bench)]).toEqual(['', false]);
  });

  test('is told from one that is suspended by its own name, also if that comes later', async () => {
    const bench = await open();
    await bench.given(start('a'), suspend('a', 1), start('b'));
    expect([await names(bench), await hasAny(bench)]).toEqual(['', false]);
    await bench.given(suspend('b', 1, { head: halted(2) }));
    expect(await names(bench)).toBe('b');
    await bench.given(suspend('b', 2, { head: { status: 'suspended', pauses: [pause(2)] } }));
    expect([await names(bench), await hasAny(bench)]).toEqual(['', false]);
  });

  test('is found with its flow, in order and a page at a time', async () => {
    const { store } = await open();
    for (const name of ['d', 'a', 'c', 'b']) {
      const head = { ...halted(1), flow: `flow ${name}`, flowVersion: 3 };
      await store.commit([start(name, { head, rows: { pausing: true } })]);
    }
    const page = await store.halts.held(null, 3);
    expect(page.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(await store.halts.held(idOf('c'), 3)).toEqual([
      { id: 'd', flow: 'flow d', flowVersion: 3 },
    ]);
    expect(await store.halts.held(idOf('d'), 3)).toEqual([]);
  });
}
