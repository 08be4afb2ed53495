/** Commits whose answer was lost (D3): found again by their id, together with what they took. */
import { describe, expect, test } from 'vitest';
import type { Commit, Committed } from '../stores/store.ts';
import { type Bench, type OpenBench } from './store-bench.ts';
import { at, fenceOf, finish, HANDLER, next, start, token, tokenId } from './store-commits.ts';

const NOTHING_TAKEN: Committed = { outcome: 'committed', taken: [] };

export function recallCases(open: OpenBench): void {
  describe('recalling', () => {
    foundCases(open);
    takenCases(open);
  });
}

function foundCases(open: OpenBench): void {
  test('what came about is found, from the start of an instance to its end', async () => {
    const bench = await open();
    const line = [start('a'), next('a', 1), finish('a', 2)];
    await bench.given(...line);
    expect(await bench.store.recall(line)).toEqual(line.map(() => NOTHING_TAKEN));
    expect(await bench.store.recall([])).toEqual([]);
  });

  test('what did not come about is not, and each answer is in its place', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'));
    const asked = [next('a', 1), start('b'), start('c'), start('a'), next('b', 1), next('b', 7)];
    expect(await bench.store.recall(asked)).toEqual([
      undefined,
      NOTHING_TAKEN,
      undefined,
      NOTHING_TAKEN,
      undefined,
      undefined,
    ]);
  });

  test('a version that another commit made was not ours', async () => {
    const bench = await open();
    await bench.given(start('a', { commitId: 'theirs' }), next('a', 1, { commitId: 'theirs too' }));
    expect(await bench.store.recall([start('a'), next('a', 1)])).toEqual([undefined, undefined]);
  });

  test('one that was refused is not found, whatever else the batch held', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { commitId: 'theirs' }));
    const batch = [start('b'), next('a', 1), next('b', 1)];
    await bench.store.commit(batch);
    expect(await bench.store.recall(batch)).toEqual([NOTHING_TAKEN, undefined, NOTHING_TAKEN]);
  });

  test('it is found however much has happened since', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1), next('a', 2, { commitId: 'theirs' }));
    expect(await bench.store.recall([next('a', 1)])).toEqual([NOTHING_TAKEN]);
  });
}

function takenCases(open: OpenBench): void {
  const take = { worker: 'ann', leaseMs: 500, tokens: [tokenId(4), tokenId(3)] };
  const taking = start('a', { take, rows: { tokens: [token(3), token(4), token(5)] } });
  const claim = { instance: 'a', version: 1, worker: 'ann', handler: HANDLER, instanceVersion: 1 };

  async function takenFrom(bench: Bench, commit: Commit): Promise<unknown> {
    const [found] = await bench.store.recall([commit]);
    return found?.taken;
  }

  test('what it took is handed out again, as the first answer had it', async () => {
    const bench = await open();
    const first = await bench.commit(taking);
    bench.setTime(100);
    expect(await takenFrom(bench, taking)).toEqual(
      [3, 4].map((id) => ({ ...claim, token: id, at: at(0), until: at(500) })),
    );
    expect(await bench.store.recall([taking])).toEqual([first]);
  });

  test('as it stands now: renewed, or over and not yet recovered', async () => {
    const bench = await open();
    const first = await bench.commit(taking);
    const [three] = first.outcome === 'committed' ? first.taken : [];
    bench.setTime(400);
    await bench.store.renew(three === undefined ? [] : [three], 500);
    bench.setTime(600);
    expect(await takenFrom(bench, taking)).toEqual([
      { ...claim, token: 3, at: at(0), until: at(900) },
      { ...claim, token: 4, at: at(0), until: at(500) },
    ]);
  });

  test('a token that was there before has the version it was claimed under', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [token(3)] } }));
    const again = next('a', 1, {
      take: { ...take, tokens: [tokenId(3)] },
      rows: { tokens: [token(3, { visit: 2 })] },
    });
    const first = await bench.commit(again);
    await bench.given(next('a', 2));
    expect(await bench.store.recall([again])).toEqual([first]);
    expect(await takenFrom(bench, again)).toMatchObject([{ version: 2, instanceVersion: 2 }]);
  });

  test('what was recovered, given back or ended since is not handed out', async () => {
    const bench = await open();
    await bench.given(taking);
    const held = { instance: taking.touched.head.id, version: 1, worker: 'ann' };
    await bench.store.release([{ ...held, token: tokenId(3) }]);
    expect(await takenFrom(bench, taking)).toMatchObject([{ token: 4 }]);
    bench.setTime(501);
    const fence = fenceOf({ ...held, token: tokenId(4) }, { expired: true });
    const back = token(4, { crashes: 1 });
    await bench.given(next('a', 1, { fence, rows: { tokens: [back] } }));
    expect(await takenFrom(bench, taking)).toEqual([]);
    await bench.given(finish('a', 2));
    expect(await takenFrom(bench, taking)).toEqual([]);
  });

  test('what another worker has by now is not handed out', async () => {
    const bench = await open();
    await bench.given(taking);
    const held = { instance: taking.touched.head.id, version: 1, worker: 'ann' };
    await bench.store.release([3, 4].map((id) => ({ ...held, token: tokenId(id) })));
    expect(await bench.claim({ worker: 'bob' })).toHaveLength(3);
    expect(await takenFrom(bench, taking)).toEqual([]);
  });
}
