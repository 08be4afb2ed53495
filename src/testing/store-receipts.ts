/** Receipts: kept under a key for a while, one for all who take it, replaced once it is over. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { at } from './store-commits.ts';

export function receiptCases(open: OpenBench): void {
  describe('receipts', () => {
    takingCases(open);
    puttingCases(open);
    removalCases(open);
  });
}

/** A key that is nobody's friend. */
const ODD = `é'"\\/\u0000\u2400 ${'x'.repeat(400)}`;

function takingCases(open: OpenBench): void {
  test('whoever takes a key first has it, and the others are given the same', async () => {
    const { receipts } = (await open()).store;
    const body = { a: [1, null, 'é\u0000'] };
    const first = await receipts.take('k', body, 100);
    expect(first).toEqual({ body, at: at(0), isNew: true });
    expect(Object.isFrozen(first.body)).toBe(true);
    const again = { body, at: at(0), isNew: false };
    expect(await receipts.take('k', 'other', 100)).toEqual(again);
    expect(await receipts.take('k', body, 1_000)).toEqual(again);
    expect(await receipts.take(ODD, null, 100)).toEqual({ body: null, at: at(0), isNew: true });
    expect(await receipts.find(ODD)).toEqual({ body: null, at: at(0) });
    expect(await receipts.find('K')).toBeUndefined();
  });

  test('of many who take at once one is the first', async () => {
    const { receipts } = (await open()).store;
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) => receipts.take('k', n, 100)),
    );
    const [winner, ...more] = taken.filter(({ isNew }) => isNew);
    expect(more).toEqual([]);
    expect(taken.every(({ body }) => body === winner?.body)).toBe(true);
  });

  test('what is over is not there, and whoever comes next is the first', async () => {
    const bench = await open();
    const { receipts } = bench.store;
    await receipts.take('k', 'old', 100);
    await receipts.take('k', 'never', 900);
    bench.setTime(99);
    expect(await receipts.take('k', 'late', 100)).toMatchObject({ body: 'old', isNew: false });
    bench.setTime(100);
    expect(await receipts.find('k')).toBeUndefined();
    expect(await receipts.put('k', 'too late')).toBe(false);
    expect(await receipts.take('k', 'new', 50)).toEqual({
      ...{ body: 'new', at: at(100), isNew: true },
    });
    expect(await receipts.take('k', 'x', 50)).toEqual({
      ...{ body: 'new', at: at(100), isNew: false },
    });
    bench.setTime(150);
    expect(await receipts.find('k')).toBeUndefined();
  });
}

function puttingCases(open: OpenBench): void {
  test('another body takes its place, and it is kept no longer for that', async () => {
    const bench = await open();
    const { receipts } = bench.store;
    await receipts.take('k', 'asked', 100);
    bench.setTime(60);
    expect(await receipts.put('k', { said: 'done' })).toBe(true);
    expect(await receipts.put('nobody', 1)).toBe(false);
    const kept = { body: { said: 'done' }, at: at(0) };
    expect(await receipts.find('k')).toEqual(kept);
    expect(await receipts.take('k', 'x', 100)).toEqual({ ...kept, isNew: false });
    bench.setTime(100);
    expect(await receipts.find('k')).toBeUndefined();
  });

  test('whoever says what stood there alters nothing else', async () => {
    const { receipts } = (await open()).store;
    const first: Json = { b: 1, 10: -0, 2: { x: ['\u2400', 1e-7] } };
    await receipts.take('k', first, 100);
    const was = (await receipts.find('k'))?.body ?? null;
    expect(await receipts.put('k', 'wrong', null)).toBe(false);
    expect(await receipts.put('k', 'second', was)).toBe(true);
    expect(await receipts.put('k', 'third', was)).toBe(false);
    expect(await receipts.find('k')).toMatchObject({ body: 'second' });
    await receipts.take('none', null, 100);
    expect(await receipts.put('none', 'some', null)).toBe(true);
  });
}

/** In short steps, until there is nothing left to walk. */
async function prune({ store }: Bench, walk: number, dryRun = false): Promise<readonly number[]> {
  const counts: number[] = [];
  let after: string | null = null;
  do {
    const { pruned, next }: Awaited<ReturnType<typeof store.receipts.prune>> =
      await store.receipts.prune({ after, walk, dryRun });
    counts.push(pruned);
    after = next;
  } while (after !== null);
  return counts;
}

const total = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);

function removalCases(open: OpenBench): void {
  test('what is over is removed, a few at a time, and the rest is not', async () => {
    const bench = await open();
    const { receipts } = bench.store;
    for (const key of ['e', 'b', 'd', 'a', 'c']) await receipts.take(key, key, 100);
    for (const key of ['z', 'y']) await receipts.take(key, key, 101);
    expect(await prune(bench, 100)).toEqual([0]);
    bench.setTime(100);
    expect(await prune(bench, 2, true)).toEqual([2, 2, 1, 0]);
    expect(await prune(bench, 2)).toEqual([2, 2, 1, 0]);
    expect(await prune(bench, 3)).toEqual([0]);
    expect(await receipts.find('y')).toEqual({ body: 'y', at: at(0) });
    expect(await receipts.take('a', 'again', 100)).toMatchObject({ isNew: true });
  });

  test('those who take some make room: what was over long ago does not pile up', async () => {
    const bench = await open();
    const { receipts } = bench.store;
    for (let n = 0; n < 30; n += 1) await receipts.take(`old ${n}`, n, 100);
    bench.setTime(100);
    expect(total(await prune(bench, 100, true))).toBe(30);
    for (let n = 0; n < 100; n += 1) await receipts.take(`new ${n}`, n, 100);
    expect(total(await prune(bench, 100))).toBe(0);
    expect(await receipts.find('new 0')).toMatchObject({ body: 0 });
  });
}
