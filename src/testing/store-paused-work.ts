/** What goes on in a suspended instance: what was at work comes to the end of its step. */
import { describe, expect, test } from 'vitest';
import type { Token } from '../model/instance.ts';
import type { Claim } from '../stores/store.ts';
import { type Bench, namesOf, type OpenBench, shown } from './store-bench.ts';
import {
  at,
  fenceOf,
  HANDLER,
  heldOf,
  next,
  pause,
  resume,
  sleeping,
  start,
  suspend,
  suspendedSince,
  token,
  tokenId,
} from './store-commits.ts';
import { found, LATER, withTokens } from './store-pauses.ts';

export function pausedWorkCases(open: OpenBench): void {
  describe('what is at work in a suspended instance', () => {
    workCases(open);
  });
  describe('what changes in a suspended instance', () => {
    changeCases(open);
  });
}

function workCases(open: OpenBench): void {
  async function atWork(): Promise<{ bench: Bench; claim: Claim }> {
    const bench = await withTokens(open, [token(2), token(3)]);
    const claim = await bench.claimFirst();
    await bench.given(suspend('a', 1));
    return { bench, claim };
  }

  const still = suspendedSince(2);

  test('keeps its claim, which can be renewed', async () => {
    const { bench, claim } = await atWork();
    bench.setTime(900);
    expect(await bench.store.renew([heldOf(claim)], 1_000)).toEqual([]);
    expect(shown(await bench.outlook())).toEqual({ leases: at(1_901) });
    bench.setTime(1_900);
    expect(await bench.store.expired(9)).toEqual([]);
  });

  test.each([{ bornAfter: 2 }, {}])(
    'brings its result under its claim, and what comes after it is held: %o',
    async (known) => {
      const { bench, claim } = await atWork();
      const born = [token(4), token(5, { crashes: 2 }), sleeping(6, 50)];
      const rows = { ...known, tokens: born, endedTokens: [tokenId(2)] };
      await bench.given(next('a', 2, { fence: fenceOf(claim), head: still, rows }));
      expect((await bench.load('a')).tokens).toEqual([token(3), ...born]);
      bench.setTime(LATER);
      expect(await found(bench)).toEqual([]);
      expect(shown(await bench.outlook())).toEqual({});
      await bench.given(resume('a', 3, 2));
      expect(await found(bench)).toEqual(['a.3', 'a.4', 'a.5', 'a.6']);
    },
  );

  test('leaves the next step, as most do, and nobody begins it', async () => {
    const { bench, claim } = await atWork();
    const rows = { bornAfter: 3, tokens: [token(4)], endedTokens: [tokenId(2)] };
    await bench.given(next('a', 2, { fence: fenceOf(claim), head: still, rows }));
    expect(await bench.claim()).toEqual([]);
    expect((await bench.load('a')).tokens).toEqual([token(3), token(4)]);
  });

  test('brings its result in the middle of a batch', async () => {
    const { bench, claim } = await atWork();
    const rows = { bornAfter: 3, tokens: [token(4)], endedTokens: [tokenId(2)] };
    const outcomes = await bench.store.commit([
      start('b'),
      next('a', 2, { fence: fenceOf(claim), head: still, rows }),
      next('b', 1),
      next('a', 3, { head: still, rows: { bornAfter: 4, tokens: [token(5)] } }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(outcomes.map(() => 'committed'));
    expect(namesOf(await bench.claim())).toEqual(['b.2']);
    expect((await bench.load('a')).tokens).toEqual([token(3), token(4), token(5)]);
  });

  test('is late with what it made of the time before, and brings it again', async () => {
    const { bench, claim } = await atWork();
    const stale = { fence: fenceOf(claim), rows: { endedTokens: [tokenId(2)] } };
    expect(await bench.commit(next('a', 1, stale))).toEqual({ outcome: 'stale' });
    await bench.given(next('a', 2, { ...stale, head: still }));
    expect(await bench.commit(next('a', 3, { ...stale, head: still }))).toEqual({
      outcome: 'fenced',
    });
  });

  test('that is given back is not claimed before the instance goes on', async () => {
    const { bench, claim } = await atWork();
    await bench.store.release([heldOf(claim)]);
    expect(shown(await bench.outlook())).toEqual({});
    expect(await bench.claim()).toEqual([]);
    expect((await bench.load('a')).tokens).toEqual([token(2), token(3)]);
    await bench.given(resume('a', 2, 2));
    expect(namesOf(await bench.claim())).toEqual(['a.2', 'a.3']);
  });

  test('runs out as ever, and is recovered without being claimed', async () => {
    const { bench, claim } = await atWork();
    expect((await bench.outlook()).leases).toBe(at(1_001));
    bench.setTime(1_001);
    expect(await bench.store.expired(9)).toEqual([{ ...claim, instanceVersion: 2 }]);
    const again = token(2, { crashes: 1, attempts: 1 });
    const fence = fenceOf(claim, { expired: true });
    await bench.given(next('a', 2, { fence, head: still, rows: { tokens: [again] } }));
    expect(await bench.store.expired(9)).toEqual([]);
    expect(await bench.claim()).toEqual([]);
    await bench.given(resume('a', 3, 2));
    expect(namesOf(await bench.claim())).toEqual(['a.2', 'a.3']);
  });

  test('is still at work when the instance goes on', async () => {
    const { bench, claim } = await atWork();
    await bench.given(resume('a', 2, 2));
    expect(namesOf(await bench.claim())).toEqual(['a.3']);
    expect(await bench.store.renew([heldOf(claim)], 1_000)).toEqual([]);
    await bench.given(next('a', 3, { fence: fenceOf(claim) }));
  });

  test('is recalled with its handler', async () => {
    const bench = await open();
    const take = { worker: 'ann', leaseMs: 1_000, tokens: [tokenId(2)] };
    const begun = start('a', { take });
    await bench.given(begun, suspend('a', 1));
    expect(await bench.store.recall([begun])).toMatchObject([
      { outcome: 'committed', taken: [{ token: 2, version: 1, handler: HANDLER }] },
    ]);
  });
}

function changeCases(open: OpenBench): void {
  const still = suspendedSince(2);
  const changes: readonly (readonly [string, Token, readonly string[]])[] = [
    ['what slept is ready', token(2), ['a.2']],
    ['what slept waits for something else', sleeping(2, 90), ['a.2']],
    ['what slept waits, and nothing wakes it', { ...sleeping(2, 0), wakeAt: null }, []],
    ['what slept is ready for no handler', token(2, { handler: null }), []],
    ['what slept is done', token(2, { status: 'completed', seq: 0 }), []],
  ];

  test.each(changes)('%s, and that is what is held', async (_what, after, names) => {
    const bench = await withTokens(open, [{ ...sleeping(2, 50), handler: 'order@1/other' }]);
    await bench.given(suspend('a', 1));
    await bench.given(next('a', 2, { head: still, rows: { tokens: [after] } }));
    bench.setTime(LATER);
    expect(await found(bench)).toEqual([]);
    expect((await bench.load('a')).tokens).toEqual([after]);
    await bench.given(resume('a', 3, 2));
    expect((await bench.load('a')).tokens).toEqual([after]);
    expect(await found(bench)).toEqual(names);
  });

  test('it begins to undo what it did, and is suspended still', async () => {
    const bench = await withTokens(open, [sleeping(2, 50), token(3)]);
    await bench.given(suspend('a', 1));
    const fields = { ...still, pauses: [{ ...pause(2), as: 'compensating' } as const] };
    const rows = { tokens: [token(2), token(4, { mode: 'compensation' })] };
    await bench.given(suspend('a', 2, { head: fields, rows }));
    bench.setTime(LATER);
    expect(await found(bench)).toEqual([]);
    const { head: last, tokens } = await bench.load('a');
    expect(last.pauses).toEqual(fields.pauses);
    expect(tokens).toEqual([token(2), token(3), token(4, { mode: 'compensation' })]);
  });
}
