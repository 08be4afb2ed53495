/** Leases, and what becomes due: renewing, giving back, running out, waking. */
import { describe, expect, test } from 'vitest';
import type { Claim, Held } from '../stores/store.ts';
import { type Bench, namesOf, type OpenBench, shown } from './store-bench.ts';
import {
  at,
  fenceOf,
  HANDLER,
  heldOf,
  next,
  sleeping,
  start,
  token,
  tokenId,
} from './store-commits.ts';

export function leaseCases(open: OpenBench): void {
  describe('renewing', () => {
    renewCases(open);
  });
  describe('giving back', () => {
    releaseCases(open);
  });
  describe('leases that ran out', () => {
    expiredCases(open);
  });
  describe('tokens to wake', () => {
    dueCases(open);
  });
  describe('the next moment', () => {
    nextCases(open);
  });
}

async function withClaim(open: OpenBench): Promise<{ bench: Bench; held: Held }> {
  const bench = await open();
  await bench.given(start('a'));
  return { bench, held: heldOf(await bench.claimFirst()) };
}

function renewCases(open: OpenBench): void {
  test('a renewed lease holds for that much longer, under the same version', async () => {
    const { bench, held } = await withClaim(open);
    bench.setTime(900);
    expect(await bench.store.renew([held], 1_000)).toEqual([]);
    bench.setTime(1_900);
    expect(await bench.store.expired(9)).toEqual([]);
    await bench.given(next('a', 1, { fence: fenceOf(held) }));
  });

  test('L-23 a lease that is over can be renewed until someone takes the token back', async () => {
    const { bench, held } = await withClaim(open);
    bench.setTime(1_000);
    expect(await bench.store.renew([held], 100)).toEqual([]);
    bench.setTime(9_000);
    expect(namesOf(await bench.store.expired(9))).toEqual(['a.2']);
    expect(await bench.store.renew([held], 100)).toEqual([]);
    expect(await bench.store.expired(9)).toEqual([]);
    expect(shown(await bench.outlook({ handlers: [] }))).toEqual({ leases: at(9_101) });
    await bench.given(next('a', 1, { fence: fenceOf(held) }));
  });

  test('a claim that was recovered is lost, and stays so when another has it', async () => {
    const { bench, held } = await withClaim(open);
    bench.setTime(1_001);
    const again = token(2, { crashes: 1 });
    const recovery = { fence: fenceOf(held, { expired: true }), rows: { tokens: [again] } };
    await bench.given(next('a', 1, recovery));
    expect(await bench.store.renew([held], 5_000)).toEqual([held]);
    const other = heldOf(await bench.claimFirst('bob'));
    expect(await bench.store.renew([held, other], 5_000)).toEqual([held]);
    const own = heldOf(await givenAgain(bench, other, 'ann'));
    expect(await bench.store.renew([held, own], 5_000)).toEqual([held]);
  });

  test('a recovery that comes after the renewal finds nothing to recover', async () => {
    const { bench, held } = await withClaim(open);
    bench.setTime(1_001);
    expect(await bench.store.renew([held], 100)).toEqual([]);
    const fence = fenceOf(held, { expired: true });
    expect(await bench.commit(next('a', 1, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('renewing gives back those that are lost, and renews the others', async () => {
    const { bench, held } = await withClaim(open);
    await bench.given(start('b'), start('c'));
    const [b, c] = (await bench.claim()).map(heldOf);
    if (b === undefined || c === undefined) throw new Error('two more are claimed');
    await bench.given(next('b', 1, { rows: { endedTokens: [tokenId(2)] } }));
    const lost = [{ ...c, worker: 'bob' }, b, { ...held, version: 9 }];
    expect(await bench.store.renew([lost[0] ?? c, held, b, lost[2] ?? c, c], 5_000)).toEqual(lost);
    bench.setTime(4_000);
    expect(await bench.store.expired(9)).toEqual([]);
  });

  test('renewing never shortens a lease', async () => {
    const { bench, held } = await withClaim(open);
    expect(await bench.store.renew([held], 10)).toEqual([]);
    bench.setTime(1_000);
    await bench.given(next('a', 1, { fence: fenceOf(held) }));
  });

  test('renewing nothing loses nothing', async () => {
    const { bench } = await withClaim(open);
    expect(await bench.store.renew([], 1_000)).toEqual([]);
  });
}

/** What one worker had, another has. */
async function givenAgain(bench: Bench, held: Held, worker: string): Promise<Claim> {
  await bench.store.release([held]);
  return bench.claimFirst(worker);
}

function releaseCases(open: OpenBench): void {
  test('what is given back can be claimed at once, and the old claim is void', async () => {
    const { bench, held } = await withClaim(open);
    await bench.store.release([held]);
    const again = await bench.claimFirst('bob');
    expect(again.version).toBe(held.version + 2);
    expect(await bench.commit(next('a', 1, { fence: fenceOf(held) }))).toEqual({
      outcome: 'fenced',
    });
  });

  test('giving back a claim that is lost changes nothing for its new holder', async () => {
    const { bench, held } = await withClaim(open);
    await bench.store.release([held]);
    const again = await bench.claimFirst('bob');
    await bench.store.release([held, { ...heldOf(again), worker: 'ann' }]);
    await bench.given(next('a', 1, { fence: fenceOf(again) }));
  });

  test('a claim whose lease is over is left to recovery', async () => {
    const { bench, held } = await withClaim(open);
    bench.setTime(1_001);
    await bench.store.release([held]);
    expect(await bench.claim()).toEqual([]);
    expect(namesOf(await bench.store.expired(9))).toEqual(['a.2']);
  });

  test('giving back keeps the place in the queue', async () => {
    const { bench, held } = await withClaim(open);
    await bench.given(start('b', { rows: { tokens: [token(2, { availableAt: at(1) })] } }));
    bench.setTime(1);
    await bench.store.release([held]);
    expect(namesOf(await bench.claim())).toEqual(['a.2', 'b.2']);
  });
}

function expiredCases(open: OpenBench): void {
  test('L-20 L-23 a lease is over strictly after its end, and is told as claimed', async () => {
    const { bench, held } = await withClaim(open);
    bench.setTime(1_000);
    expect(await bench.store.expired(9)).toEqual([]);
    bench.setTime(1_001);
    const claim = { ...held, handler: HANDLER, at: at(0), until: at(1_000), instanceVersion: 1 };
    expect(await bench.store.expired(9)).toEqual([claim]);
  });

  test('what ran out longest ago comes first, and stays until recovered', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'), start('c'));
    for (const [name, leaseMs] of Object.entries({ a: 300, b: 100, c: 200 })) {
      const one = { worker: 'ann', instance: start(name).touched.head.id, token: tokenId(2) };
      await bench.store.claimOne({ ...one, version: 0, leaseMs });
    }
    bench.setTime(250);
    expect(namesOf(await bench.store.expired(9))).toEqual(['b.2', 'c.2']);
    bench.setTime(400);
    expect(namesOf(await bench.store.expired(2))).toEqual(['b.2', 'c.2']);
    expect(namesOf(await bench.store.expired(9))).toEqual(['b.2', 'c.2', 'a.2']);
  });

  test('nothing that is settled or given back runs out', async () => {
    const { bench, held } = await withClaim(open);
    await bench.given(start('b'));
    const [second] = (await bench.claim()).map(heldOf);
    await bench.store.release(second === undefined ? [] : [second]);
    await bench.given(next('a', 1, { fence: fenceOf(held), rows: { endedTokens: [tokenId(2)] } }));
    bench.setTime(9_000);
    expect(await bench.store.expired(9)).toEqual([]);
  });
}

function dueCases(open: OpenBench): void {
  test('a token is due at its moment and not before', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [sleeping(2, 100)] } }));
    bench.setTime(99);
    expect(await bench.store.due(9)).toEqual([]);
    bench.setTime(100);
    expect(await bench.store.due(9)).toEqual([{ instance: 'a', token: 2 }]);
  });

  test('what has been due longest comes first, up to the limit', async () => {
    const bench = await open();
    const tokens = [sleeping(2, 30), sleeping(3, 10), sleeping(4, 20), sleeping(5, 99)];
    await bench.given(start('a', { rows: { tokens } }));
    bench.setTime(50);
    expect(namesOf(await bench.store.due(2))).toEqual(['a.3', 'a.4']);
    expect(namesOf(await bench.store.due(9))).toEqual(['a.3', 'a.4', 'a.2']);
  });

  test('the timeout of a wait for a message is due like any other', async () => {
    const bench = await open();
    const wait = { on: 'message', type: 't', key: 'k' } as const;
    const patient = token(2, { status: 'waiting', handler: null, wait, wakeAt: at(10) });
    await bench.given(start('a', { rows: { tokens: [patient, token(3)] } }));
    bench.setTime(10);
    expect(namesOf(await bench.store.due(9))).toEqual(['a.2']);
  });

  test('what was woken, moved on or ended is not due any more', async () => {
    const bench = await open();
    const tokens = [sleeping(2, 10), sleeping(3, 10), sleeping(4, 10)];
    await bench.given(start('a', { rows: { tokens } }));
    const rows = { tokens: [token(2), sleeping(3, 500)], endedTokens: [tokenId(4)] };
    await bench.given(next('a', 1, { rows }));
    bench.setTime(100);
    expect(await bench.store.due(9)).toEqual([]);
  });
}

function nextCases(open: OpenBench): void {
  test('where nothing is going to happen there is no next moment', async () => {
    const bench = await open();
    expect(shown(await bench.outlook())).toEqual({});
    await bench.given(start('a', { rows: { tokens: [token(2, { handler: 'other' })] } }));
    expect(shown(await bench.outlook())).toEqual({});
    expect(shown(await bench.outlook({ handlers: [] }))).toEqual({});
  });

  test('what becomes ready, wakes or runs out has a moment each', async () => {
    const bench = await open();
    const later = token(3, { availableAt: at(3_000), priority: 5 });
    const rows = { tokens: [token(2), later, sleeping(4, 2_000)] };
    await bench.given(start('a', { rows }));
    expect(namesOf(await bench.claim())).toEqual(['a.2']);
    const all = { leases: at(1_001), timers: at(2_000), work: at(3_000) };
    expect(shown(await bench.outlook())).toEqual(all);
    await bench.given(next('a', 1, { rows: { endedTokens: [tokenId(2)] } }));
    expect(shown(await bench.outlook())).toEqual({ timers: at(2_000), work: at(3_000) });
    await bench.given(next('a', 2, { rows: { endedTokens: [tokenId(4)] } }));
    expect(shown(await bench.outlook())).toEqual({ work: at(3_000) });
  });

  test('of several it is the earliest', async () => {
    const bench = await open();
    const tokens = [sleeping(2, 30), sleeping(3, 10), sleeping(4, 20)];
    await bench.given(start('a', { rows: { tokens } }), start('b'), start('c'), start('d'));
    for (const [name, leaseMs] of Object.entries({ b: 300, c: 100, d: 200 })) {
      const one = { worker: 'ann', instance: start(name).touched.head.id, token: tokenId(2) };
      await bench.store.claimOne({ ...one, version: 0, leaseMs });
    }
    expect(shown(await bench.outlook())).toEqual({ timers: at(10), leases: at(101) });
  });

  test('among what becomes ready the earliest counts, not the most urgent', async () => {
    const bench = await open();
    const tokens = [5, 9, 1].map((priority, i) =>
      token(i + 2, { priority, availableAt: at(100 * priority) }),
    );
    await bench.given(start('a', { rows: { tokens } }));
    expect((await bench.outlook()).work).toBe(at(100));
  });

  test('of several handlers it is the earliest, and others do not count', async () => {
    const bench = await open();
    const tokens = ['x', 'y', 'z'].map((handler, i) =>
      token(i + 2, { handler, availableAt: at(30 - 10 * i) }),
    );
    await bench.given(start('a', { rows: { tokens } }));
    expect((await bench.outlook({ handlers: ['x'] })).work).toBe(at(30));
    expect((await bench.outlook({ handlers: ['x', 'y', 'x'] })).work).toBe(at(20));
  });

  test('what is due already is due now, not in the past', async () => {
    const bench = await open();
    await bench.given(start('a'));
    bench.setTime(70);
    expect(shown(await bench.outlook())).toEqual({ work: at(70) });
    await bench.given(next('a', 1, { rows: { tokens: [sleeping(2, 60)] } }));
    expect(shown(await bench.outlook({ handlers: [] }))).toEqual({ timers: at(70) });
    await bench.given(next('a', 2, { rows: { tokens: [token(2)] } }));
    await bench.claimFirst();
    bench.setTime(5_000);
    expect(shown(await bench.outlook())).toEqual({ leases: at(5_000) });
  });
}
