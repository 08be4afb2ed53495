/** Group commit (D4): one transaction for many, an outcome for each; and hand-over (D5). */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { type OpenBench, namesOf } from './store-bench.ts';
import {
  at,
  fenceOf,
  finish,
  HANDLER,
  idOf,
  next,
  start,
  token,
  tokenId,
  value,
} from './store-commits.ts';

export function batchCases(open: OpenBench): void {
  describe('batches', () => {
    mixedCases(open);
  });
  describe('commits that cannot be kept', () => {
    failedCases(open);
  });
  describe('hand-over', () => {
    takeCases(open);
  });
}

function mixedCases(open: OpenBench): void {
  test('no commits have no outcomes', async () => {
    expect(await (await open()).store.commit([])).toEqual([]);
  });

  test('several commits of one instance in one batch follow each other', async () => {
    const { store } = await open();
    const outcomes = await store.commit([start('a'), next('a', 1), next('a', 2), next('a', 3)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(4).fill('committed'));
    const rows = await store.history({ instance: idOf('a'), after: 0, limit: 9 });
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  });

  test('each outcome is that of the commit in its place, and lost ones hurt nobody', async () => {
    const bench = await open();
    await bench.given(start('a'), start('k', { head: { key: 'k' } }), start('d', { message: 'm' }));
    const claim = await bench.claimFirst();
    const outcomes = await bench.store.commit([
      start('b'),
      next('a', 7),
      next('a', 1, { fence: fenceOf(claim, { worker: 'bob' }) }),
      start('c', { head: { key: 'k' } }),
      next('d', 1, { message: 'm' }),
      next('a', 1, { fence: fenceOf(claim) }),
      start('e'),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'committed',
      'stale',
      'fenced',
      'exists',
      'delivered',
      'committed',
      'committed',
    ]);
    expect(await bench.store.scan(null, 9)).toEqual(['a', 'b', 'd', 'e', 'k']);
  });

  test('what builds on a commit that was lost is lost too, whoever made that version', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { head: { output: 'of another process' } }));
    const batch = [next('a', 1), next('a', 2), start('a'), next('a', 2)];
    const outcomes = await bench.store.commit([...batch, next('b', 1), start('b')]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'stale',
      'stale',
      'exists',
      'stale',
      'stale',
      'committed',
    ]);
    expect((await bench.load('a')).head).toMatchObject({
      version: 2,
      output: 'of another process',
    });
  });

  test('a commit handed in twice is late, and does what follows no harm', async () => {
    const { store } = await open();
    const line = [start('a'), next('a', 1), next('a', 2)];
    const outcomes = await store.commit(line.flatMap((commit) => [commit, commit]));
    const words = ['committed', 'exists', 'committed', 'stale', 'committed', 'stale'];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(words);
  });

  test('of two starts with one key in a batch the first one wins', async () => {
    const { store } = await open();
    const both = ['a', 'b'].map((name) => start(name, { head: { key: 'k' } }));
    const [first, second] = await store.commit(both);
    expect(first).toMatchObject({ outcome: 'committed' });
    expect(second).toEqual({ outcome: 'exists', instance: 'a' });
  });

  test('a key that a batch sets free can be had later in the same batch', async () => {
    const bench = await open();
    await bench.given(start('a', { head: { key: 'k' } }));
    const outcomes = await bench.store.commit([
      finish('a', 1, { head: { key: 'k' } }),
      start('b', { head: { key: 'k' } }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['committed', 'committed']);
  });

  test('a thousand commits go in one batch', async () => {
    const { store } = await open();
    const commits = Array.from({ length: 1_000 }, (_, i) =>
      start(`i${String(i).padStart(4, '0')}`),
    );
    const outcomes = await store.commit(commits);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['committed']));
    expect(await store.scan(null, 2_000)).toHaveLength(1_000);
  });
}

function failedCases(open: OpenBench): void {
  const notJson = 1n as unknown as Json;

  test('a value that is no JSON fails its own commit and leaves no trace', async () => {
    const bench = await open();
    const bad = start('a', { rows: { values: [value('vars', 'x', notJson)] } });
    const outcome = await bench.commit(bad);
    expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'store.refused' } });
    expect(await bench.find('a')).toBeUndefined();
    expect(await bench.claim()).toEqual([]);
  });

  test('a commit that cannot be kept fails, though it would have been late as well', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1));
    const late = next('a', 1, { head: { output: notJson } });
    expect(await bench.commit(late)).toMatchObject({ outcome: 'failed' });
  });

  test.each([
    ['is no JSON', { head: { output: notJson } }],
    ['has no value', { head: { output: undefined as unknown as Json } }],
    ['takes what is not ready', { take: { worker: 'ann', leaseMs: 1, tokens: [tokenId(9)] } }],
  ])('a commit that %s hurts none of its neighbours', async (_why, parts) => {
    const bench = await open();
    await bench.given(start('m'));
    const batch = [start('a'), next('m', 1, parts), next('m', 2), start('z'), next('m', 1)];
    const outcomes = await bench.store.commit(batch);
    const words = outcomes.map(({ outcome }) => outcome);
    expect(words).toEqual(['committed', 'failed', 'stale', 'committed', 'committed']);
    expect(await bench.historyNumbers('m')).toEqual([1, 2]);
  });
}

function takeCases(open: OpenBench): void {
  const take = { worker: 'ann', leaseMs: 500, tokens: [tokenId(3)] };

  test('a token that is taken at birth comes back as a claim with version 1', async () => {
    const bench = await open();
    const [outcome] = await bench.store.commit([
      start('a', { take, rows: { tokens: [token(3)] } }),
    ]);
    const claim = { instance: 'a', token: 3, version: 1, worker: 'ann', handler: HANDLER };
    const taken = [{ ...claim, at: at(0), until: at(500), instanceVersion: 1 }];
    expect(outcome).toEqual({ outcome: 'committed', taken });
  });

  test('a token that is taken again has been written and claimed: two versions more', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [token(3)] } }));
    const again = next('a', 1, { take, rows: { tokens: [token(3, { visit: 2 })] } });
    expect(await bench.commit(again)).toMatchObject({
      taken: [{ version: 2, instanceVersion: 2 }],
    });
  });

  test('what is taken nobody else claims, and its lease runs', async () => {
    const bench = await open();
    await bench.given(start('a', { take, rows: { tokens: [token(3), token(4)] } }));
    expect(namesOf(await bench.claim({ worker: 'bob' }))).toEqual(['a.4']);
    bench.setTime(501);
    expect(namesOf(await bench.store.expired(9))).toEqual(['a.3']);
  });

  test('what was taken is settled like any claim, and handed over again', async () => {
    const bench = await open();
    const first = await bench.commit(start('a', { take, rows: { tokens: [token(3)] } }));
    const [claim] = first.outcome === 'committed' ? first.taken : [];
    expect(claim).toBeDefined();
    if (claim === undefined) return;
    const onward = next('a', 1, {
      fence: fenceOf(claim),
      take: { ...take, tokens: [tokenId(4), tokenId(5)] },
      rows: { endedTokens: [tokenId(3)], tokens: [token(4), token(5), token(6)] },
    });
    const second = await bench.commit(onward);
    expect(second.outcome === 'committed' ? namesOf(second.taken) : []).toEqual(['a.4', 'a.5']);
    expect(namesOf(await bench.claim())).toEqual(['a.6']);
  });

  test('a commit that loses its race takes nothing', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [token(3)] } }));
    const late = next('a', 4, { take, rows: { tokens: [token(3)] } });
    expect(await bench.commit(late)).toEqual({ outcome: 'stale' });
    expect(namesOf(await bench.claim())).toEqual(['a.3']);
  });

  test('only what is ready for a handler can be taken', async () => {
    const bench = await open();
    for (const born of [token(3, { status: 'created' }), token(3, { handler: null })]) {
      const outcome = await bench.commit(start('a', { take, rows: { tokens: [born] } }));
      expect(outcome).toMatchObject({ outcome: 'failed' });
    }
  });
}
