/**
 * A commit that passes every check of ours and is refused by the database itself, in the middle of
 * a batch. The memory store knows no such thing, so this is no part of the suite of all stores.
 */
import { describe, expect, test } from 'vitest';
import type { Commit, CommitOutcome } from '../stores/store.ts';
import type { OpenBench } from './store-bench.ts';
import { fenceOf, finish, idOf, next, type Parts, start, token, value } from './store-commits.ts';

/** No database keeps a token that goes sideways. */
const SIDEWAYS: Parts = { rows: { tokens: [token(2, { mode: 'sideways' as 'forward' })] } };

export function poisonCases(open: OpenBench): void {
  describe('a commit that the database refuses', () => {
    test('hurts none of the hundred it came with', async () => {
      const bench = await open();
      await bench.given(start('old'), start('keyed', { head: { key: 'taken' } }), start('held'));
      const fence = fenceOf(await bench.claimFirst(), { worker: 'nobody' });
      const good = goodCommits(96);
      const bad: [number, Commit, Partial<CommitOutcome>][] = [
        [11, next('old', 7), { outcome: 'stale' }],
        [37, next('held', 1, { fence }), { outcome: 'fenced' }],
        [
          61,
          start('b', { head: { key: 'taken' } }),
          { outcome: 'exists', instance: idOf('keyed') },
        ],
        [83, start('poison', SIDEWAYS), { outcome: 'failed' }],
      ];
      const batch = [...good];
      for (const [place, commit] of bad) batch.splice(place, 0, commit);
      const outcomes = await bench.store.commit(batch);
      const expected = batch.map((commit) => {
        const found = bad.find(([, odd]) => odd === commit);
        return found === undefined ? { outcome: 'committed', taken: [] } : found[2];
      });
      expect(outcomes).toMatchObject(expected);
      expect(outcomes).toHaveLength(100);
      const names = good.map(({ touched }) => touched.head.id);
      const loaded = await bench.store.load([...new Set(names)]);
      expect(loaded.map((rows) => rows?.head.version)).toEqual(
        [...new Set(names)].map((name) => names.filter((other) => other === name).length),
      );
      expect(await bench.store.load([idOf('poison'), idOf('b')])).toEqual([undefined, undefined]);
    });

    test('is named in the error, which says why', async () => {
      const bench = await open();
      const [outcome] = await bench.store.commit([start('poison', SIDEWAYS)]);
      expect(outcome).toMatchObject({
        outcome: 'failed',
        error: {
          code: 'store.refused',
          retryable: false,
          message: expect.stringMatching(/"poison\/1" cannot be stored: .*constraint/i),
          details: { instance: 'poison', commitId: 'poison/1' },
        },
      });
    });

    test('takes with it what was built on it, and nothing of it stays', async () => {
      const bench = await open();
      await bench.given(start('a', { rows: { values: [value('vars', 'x', 1)] } }));
      const rows = { ...SIDEWAYS.rows, values: [value('vars', 'x', 2)] };
      const batch = [next('a', 1, { rows }), next('a', 2), start('z'), next('a', 1)];
      const outcomes = await bench.store.commit(batch);
      const words = outcomes.map(({ outcome }) => outcome);
      expect(words).toEqual(['failed', 'stale', 'committed', 'committed']);
      const { head, scopes } = await bench.load('a');
      expect(head.version).toBe(2);
      expect(scopes[0]?.vars).toEqual({ x: 1 });
    });

    test('gives back the key and the id it had asked for', async () => {
      const bench = await open();
      const keyed = { head: { key: 'k' } };
      const batch = [start('a', { ...keyed, ...SIDEWAYS }), start('b', keyed), start('a')];
      const words = (await bench.store.commit(batch)).map(({ outcome }) => outcome);
      expect(words).toEqual(['failed', 'committed', 'committed']);
      expect(await bench.store.findByKey('order', 'k', null)).toBe('b');
    });
  });
}

/** Starts, of which some go on, and some end, in the same batch. */
function goodCommits(count: number): Commit[] {
  return Array.from({ length: count }, (_, i) => {
    const name = `i${i - (i % 3)}`;
    if (i % 3 === 0) return start(name, { head: { key: `key of ${name}` } });
    const parts = { head: { key: `key of ${name}` } };
    return i % 3 === 1 ? next(name, 1, parts) : finish(name, 2, parts);
  });
}
