/** Events for the world outside: kept with the commit that writes them, until a target has them. */
import { describe, expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Instant } from '../model/ids.ts';
import type { LetterHeld } from '../stores/letters.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import { at, fenceOf, finish, letter, next, start } from './store-commits.ts';
import {
  claim,
  claimFirst,
  deadLetterCases,
  failure,
  heldOf,
  idsOf,
  LEASE_MS,
  list,
  standings,
  writing,
} from './store-dead-letters.ts';
import { isDeepFrozen } from './store-state.ts';

export function letterCases(openNew: OpenBench): void {
  // When what these cases write is due.
  const open: OpenBench = async () => {
    const bench = await openNew();
    bench.setTime(10);
    return bench;
  };
  describe('writing letters', () => {
    writingCases(open);
    lossCases(open);
  });
  describe('claiming letters', () => {
    orderCases(open);
    dueCases(open);
  });
  describe('what becomes of letters', () => {
    sentCases(open);
    failureCases(open);
    leaseCases(open);
  });
  deadLetterCases(open);
}

function writingCases(open: OpenBench): void {
  test('a letter comes back as it was written, frozen to the bottom', async () => {
    const bench = await open();
    const data: Json = { b: [1], a: null };
    await bench.given(start('a', writing(letter('l1', { type: 't', key: 'k', data }))));
    const first = await claimFirst(bench);
    expect(first).toEqual({
      ...{ id: 'l1', instance: 'a', flow: 'order', type: 't', key: 'k', data },
      ...{ attempts: 0, createdAt: at(1), version: 1, worker: 'ann' },
    });
    expect(JSON.stringify(first.data)).toBe(JSON.stringify(data));
    expect(isDeepFrozen(first)).toBe(true);
  });

  test('a letter keeps the trace of whoever wrote it, if that had one', async () => {
    const bench = await open();
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await bench.given(start('a', writing(letter('l1', { trace }), 'l2')));
    const first = await claimFirst(bench);
    expect(first.trace).toBe(trace);
    await bench.store.letters.failed([failure(first, { afterMs: 0 })]);
    const again = await claimFirst(bench);
    expect([again.id, again.trace]).toEqual(['l1', trace]);
    await bench.store.letters.sent([heldOf(again)]);
    const second = await claimFirst(bench);
    expect(second.id).toBe('l2');
    expect(second).not.toHaveProperty('trace');
  });

  test('names and keys of any kind come back as they were', async () => {
    const bench = await open();
    const odd = ['with "quotes"', "it's", 'zero\u0000', '', 'é😀', '%', '{a,b}', '\\'];
    const letters = odd.map((text, n) => letter(`${n} ${text}`, { type: text, key: text }));
    await bench.given(start('a', writing(...letters)));
    const found = await list(bench);
    expect(found.map(({ type }) => type)).toEqual(odd);
    expect(found.map(({ key }) => key)).toEqual(odd);
    for (const type of odd) expect(await list(bench, { type })).toHaveLength(1);
  });

  test('the same id is the same letter: it is not written twice', async () => {
    const bench = await open();
    await bench.given(start('a', writing(letter('l1', { data: 'first' }), 'l2')));
    await bench.given(next('a', 1, writing(letter('l1', { data: 'again' }), 'l3')));
    const found = await list(bench);
    expect(idsOf(found)).toEqual(['l1', 'l2', 'l3']);
    expect(found[0]?.data).toBe('first');
  });

  test('what an instance wrote outlives it', async () => {
    const bench = await open();
    await bench.given(start('a', writing('l1')), finish('a', 1, writing('l2')));
    expect(idsOf(await list(bench))).toEqual(['l1', 'l2']);
  });

  test('commits of one batch write in its order', async () => {
    const bench = await open();
    const batch = [start('a', writing('z', 'm')), next('a', 1, writing('b'))];
    await bench.store.commit(batch);
    expect(idsOf(await list(bench))).toEqual(['z', 'm', 'b']);
  });
}

function lossCases(open: OpenBench): void {
  test('a commit that is stale or fenced writes no letter', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1));
    expect(await bench.commit(next('a', 1, writing('l1')))).toEqual({ outcome: 'stale' });
    const fence = fenceOf(await bench.claimFirst(), { worker: 'bob' });
    const lost = next('a', 2, { ...writing('l2'), fence });
    expect(await bench.commit(lost)).toEqual({ outcome: 'fenced' });
    expect(await list(bench)).toEqual([]);
  });

  test('a letter that is no JSON fails its commit, and nothing of it is kept', async () => {
    const bench = await open();
    const bad = writing('l1', letter('l2', { data: 1n as unknown as Json }));
    const outcome = await bench.commit(start('a', bad));
    expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'store.refused' } });
    expect(await list(bench)).toEqual([]);
    expect(await bench.find('a')).toBeUndefined();
  });
}

function orderCases(open: OpenBench): void {
  test('of each instance only the first can be claimed, then the next', async () => {
    const bench = await open();
    await bench.given(start('a', writing('a1', 'a2')), start('b', writing('b1')));
    const claimed = await claim(bench);
    expect(idsOf(claimed)).toEqual(['a1', 'b1']);
    expect(await claim(bench, { worker: 'bob' })).toEqual([]);
    await bench.store.letters.sent(claimed.map(heldOf));
    expect(idsOf(await claim(bench, { worker: 'bob' }))).toEqual(['a2']);
  });

  test('a letter that is written later comes after all that are left', async () => {
    const bench = await open();
    await bench.given(start('a', writing('z', 'm')), next('a', 1, writing('b')));
    const seen: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const first = await claimFirst(bench);
      seen.push(first.id);
      await bench.store.letters.sent([heldOf(first)]);
    }
    expect(seen).toEqual(['z', 'm', 'b']);
  });

  test('the longest due comes first, and no more than the limit', async () => {
    const bench = await open();
    const later = (ms: number, id: string) => ({ ...writing(id), head: { updatedAt: at(ms) } });
    await bench.given(start('a', later(30, 'l30')), start('b', later(10, 'l10')));
    await bench.given(start('c', later(20, 'l20')));
    bench.setTime(100);
    expect(idsOf(await claim(bench, { limit: 2 }))).toEqual(['l10', 'l20']);
    expect(await claim(bench, { limit: 0 })).toEqual([]);
    expect(idsOf(await claim(bench))).toEqual(['l30']);
  });

  test('only letters of the types asked for, behind whatever stands before', async () => {
    const bench = await open();
    const of = (id: string, type: string) => letter(id, { type });
    await bench.given(start('a', writing(of('a1', 'x'), of('a2', 'y'))));
    await bench.given(start('b', writing(of('b1', 'y'))));
    expect(await claim(bench, { types: [] })).toEqual([]);
    expect(await claim(bench, { types: ['z'] })).toEqual([]);
    expect(idsOf(await claim(bench, { types: ['y', 'z'] }))).toEqual(['b1']);
    expect(idsOf(await claim(bench, { types: null }))).toEqual(['a1']);
  });
}

async function nextOf(bench: Bench, letters: string[] | null): Promise<Instant | undefined> {
  return (await bench.outlook({ letters })).letters;
}

function dueCases(open: OpenBench): void {
  test('a letter can be claimed when it is due, and not a moment before', async () => {
    const bench = await open();
    await bench.given(start('a', writing('l1')));
    bench.setTime(0);
    expect(await claim(bench)).toEqual([]);
    expect(await nextOf(bench, null)).toBe(at(1));
    bench.setTime(1);
    expect(idsOf(await claim(bench))).toEqual(['l1']);
  });

  test('the next moment is that of the first free letter, or of a lease', async () => {
    const bench = await open();
    const { letters } = bench.store;
    expect(await nextOf(bench, null)).toBeUndefined();
    await bench.given(start('a', writing(letter('l1', { type: 'x' }), letter('l2'))));
    // Never in the past; and nobody here knows what to do with the first.
    expect(await nextOf(bench, null)).toBe(at(10));
    expect(await nextOf(bench, ['x'])).toBe(at(10));
    expect(await nextOf(bench, ['paid'])).toBeUndefined();
    const first = await claimFirst(bench);
    expect(await nextOf(bench, ['paid'])).toBe(at(10 + LEASE_MS + 1));
    await letters.failed([failure(first, { afterMs: 70 })]);
    expect(await nextOf(bench, null)).toBe(at(80));
    expect(await nextOf(bench, ['paid'])).toBeUndefined();
    expect((await bench.outlook()).letters).toBeUndefined();
  });
}

function sentCases(open: OpenBench): void {
  test('what was sent is gone; to say so twice does no harm', async () => {
    const bench = await open();
    await bench.given(start('a', writing('l1', 'l2')));
    const first = await claimFirst(bench);
    await bench.store.letters.sent([heldOf(first), heldOf(first)]);
    await bench.store.letters.sent([heldOf(first)]);
    await bench.store.letters.sent([]);
    expect(idsOf(await list(bench))).toEqual(['l2']);
  });

  test.each<[string, Partial<LetterHeld>]>([
    ['of another', { worker: 'bob' }],
    ['of an older version', { version: 0 }],
    ['of nothing', { id: 'unknown' }],
  ])('L-56: whoever has the claim %s changes nothing', async (_what, fields) => {
    const bench = await open();
    const { letters } = bench.store;
    await bench.given(start('a', writing('l1')));
    const first = await claimFirst(bench);
    const held = { ...heldOf(first), ...fields };
    await letters.sent([held]);
    await letters.release([held]);
    await letters.failed([{ held, expired: false, error: 'no', afterMs: null }]);
    expect(standings(await list(bench))).toEqual(['l1 sending 0']);
    await letters.sent([heldOf(first)]);
    expect(await list(bench)).toEqual([]);
  });

  test('L-56: a claim holds until its last moment, and what comes later is ignored', async () => {
    const bench = await open();
    const { letters } = bench.store;
    bench.setTime(10);
    await bench.given(start('a', writing('l1')), start('b', writing('l2')));
    const [first, second] = await claim(bench);
    assert(first !== undefined && second !== undefined, 'both are claimed');
    bench.setTime(10 + LEASE_MS);
    await letters.sent([heldOf(first)]);
    bench.setTime(10 + LEASE_MS + 1);
    await letters.sent([heldOf(second)]);
    await letters.release([heldOf(second)]);
    await letters.failed([failure(second)]);
    expect(standings(await list(bench))).toEqual(['l2 sending 0']);
  });
}

function failureCases(open: OpenBench): void {
  test('what failed is due after its pause, with one attempt more and what was wrong', async () => {
    const bench = await open();
    bench.setTime(10);
    await bench.given(start('a', writing('l1', 'l2')));
    await bench.store.letters.failed([failure(await claimFirst(bench), { afterMs: 50 })]);
    bench.setTime(59);
    expect(await claim(bench)).toEqual([]);
    bench.setTime(60);
    expect(await list(bench)).toMatchObject([
      { id: 'l1', status: 'ready', attempts: 1, availableAt: at(60), lastError: 'no' },
      { id: 'l2', status: 'ready', attempts: 0, availableAt: at(60), lastError: null },
    ]);
    expect(await claim(bench)).toMatchObject([{ id: 'l1', attempts: 1, version: 3 }]);
  });

  test('what was given back is as it was, and due at once', async () => {
    const bench = await open();
    await bench.given(start('a', writing('l1', 'l2')));
    bench.setTime(1);
    await bench.store.letters.release([heldOf(await claimFirst(bench))]);
    expect(await claim(bench)).toMatchObject([{ id: 'l1', attempts: 0, version: 3 }]);
  });

  test('failures of one call are each for itself', async () => {
    const bench = await open();
    await bench.given(start('a', writing('a1')), start('b', writing('b1', 'b2')));
    await bench.given(start('c', writing('c1')));
    const [a, b, c] = await claim(bench);
    assert(a !== undefined && b !== undefined && c !== undefined, 'all are claimed');
    const lost = { ...failure(c), held: { ...heldOf(c), version: 7 } };
    await bench.store.letters.failed([failure(a), failure(b, { afterMs: null }), lost]);
    await bench.store.letters.failed([]);
    const now = ['a1 ready 1', 'b1 dead 1', 'b2 ready 0', 'c1 sending 0'];
    expect(standings(await list(bench))).toEqual(now);
  });
}

function leaseCases(open: OpenBench): void {
  test('L-21: a lease that ran out is found the moment after, longest first', async () => {
    const bench = await open();
    const { letters } = bench.store;
    await bench.given(start('a', writing('l1')), start('b', writing('l2')));
    bench.setTime(10);
    const first = await claimFirst(bench, { leaseMs: 200 });
    const second = await claimFirst(bench, { leaseMs: 100, worker: 'bob' });
    bench.setTime(110);
    expect(await letters.expired(9)).toEqual([]);
    bench.setTime(111);
    expect(await letters.expired(9)).toEqual([{ ...heldOf(second), attempts: 0 }]);
    bench.setTime(211);
    expect(idsOf(await letters.expired(9))).toEqual([second.id, first.id]);
    expect(idsOf(await letters.expired(1))).toEqual([second.id]);
  });

  test('L-21: it counts as an attempt, and the old holder can do nothing any more', async () => {
    const bench = await open();
    const { letters } = bench.store;
    await bench.given(start('a', writing('l1')));
    bench.setTime(10);
    const late = await claimFirst(bench);
    await letters.failed([failure(late, { expired: true })]);
    expect(standings(await list(bench))).toEqual(['l1 sending 0']);
    bench.setTime(10 + LEASE_MS + 1);
    await letters.failed([failure(late, { expired: true, afterMs: 0 })]);
    expect(standings(await list(bench))).toEqual(['l1 ready 1']);
    const again = await claimFirst(bench, { worker: 'bob' });
    await letters.sent([heldOf(late)]);
    expect(standings(await list(bench))).toEqual(['l1 sending 1']);
    await letters.sent([heldOf(again)]);
    expect(await list(bench)).toEqual([]);
  });
}
