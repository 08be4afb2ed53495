/** Claims (D2): who gets which token, and that nobody gets the same one. */
import { describe, expect, test } from 'vitest';
import type { Token } from '../model/instance.ts';
import type { ClaimOneRequest } from '../stores/store.ts';
import { type Bench, namesOf, type OpenBench } from './store-bench.ts';
import {
  at,
  finish,
  HANDLER,
  idOf,
  next,
  sleeping,
  start,
  token,
  tokenId,
} from './store-commits.ts';

export function claimCases(open: OpenBench): void {
  describe('claiming', () => {
    claimingCases(open);
  });
  describe('the order of claims', () => {
    orderCases(open);
  });
  describe('claiming one', () => {
    oneCases(open);
  });
  describe('racing for claims', () => {
    raceCases(open);
  });
}

function claimingCases(open: OpenBench): void {
  test('B-11 L-12 a claim is one version higher, with an owner and a lease', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1));
    bench.setTime(40);
    const claim = { instance: 'a', token: 2, version: 1, worker: 'ann', handler: HANDLER };
    expect(await bench.claim()).toEqual([
      { ...claim, at: at(40), until: at(1_040), instanceVersion: 2 },
    ]);
  });

  test('B-12 B-15 what is claimed cannot be claimed, and that is no error', async () => {
    const bench = await open();
    await bench.given(start('a'));
    await bench.claimFirst('ann');
    expect(await bench.claim({ worker: 'bob' })).toEqual([]);
    bench.setTime(5_000);
    expect(await bench.claim({ worker: 'bob' })).toEqual([]);
  });

  test('L-14 what is not due yet is not claimed, and at its moment it is', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [token(2, { availableAt: at(100) })] } }));
    bench.setTime(99);
    expect(await bench.claim()).toEqual([]);
    bench.setTime(100);
    expect(namesOf(await bench.claim())).toEqual(['a.2']);
  });

  test('a worker gets tokens only for handlers that it has', async () => {
    const bench = await open();
    const tokens = ['x', 'y', 'z', 'x\u0000y'].map((handler, i) => token(i + 2, { handler }));
    await bench.given(start('a', { rows: { tokens } }));
    expect(await bench.claim({ handlers: [] })).toEqual([]);
    expect(await bench.claim({ handlers: ['other', 'X'] })).toEqual([]);
    expect(namesOf(await bench.claim({ handlers: ['z', 'other', 'x'] }))).toEqual(['a.2', 'a.4']);
    expect(namesOf(await bench.claim({ handlers: ['x\u0000y'] }))).toEqual(['a.5']);
  });

  test('a handler named twice gives each token once', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'));
    expect(namesOf(await bench.claim({ handlers: [HANDLER, HANDLER] }))).toEqual(['a.2', 'b.2']);
  });

  test('no more than the limit is claimed', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [2, 3, 4].map((id) => token(id)) } }));
    expect(await bench.claim({ limit: 0 })).toEqual([]);
    expect(namesOf(await bench.claim({ limit: 2 }))).toEqual(['a.2', 'a.3']);
    expect(namesOf(await bench.claim({ limit: 2 }))).toEqual(['a.4']);
  });

  test('only what is ready, and only for a handler, can be claimed', async () => {
    const bench = await open();
    const tokens = [
      token(2, { status: 'created' }),
      token(3, { handler: null }),
      sleeping(4, 0),
      token(5, { seq: 0, status: 'completed' }),
    ];
    await bench.given(start('a', { rows: { tokens } }));
    expect(await bench.claim()).toEqual([]);
  });

  test('a token that changes its handler or its moment is claimed as it is now', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'));
    await bench.given(next('a', 1, { rows: { tokens: [token(2, { handler: 'new' })] } }));
    await bench.given(next('b', 1, { rows: { tokens: [token(2, { availableAt: at(5) })] } }));
    expect(await bench.claim()).toEqual([]);
    expect(namesOf(await bench.claim({ handlers: ['new'] }))).toEqual(['a.2']);
    bench.setTime(5);
    expect(namesOf(await bench.claim())).toEqual(['b.2']);
  });
}

function orderCases(open: OpenBench): void {
  async function claimAll(...tokens: readonly Token[]): Promise<string[]> {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens } }));
    bench.setTime(1_000);
    return namesOf(await bench.claim({ handlers: [HANDLER, 'other'] }));
  }

  test('L-11 what has been due longest comes first', async () => {
    const order = await claimAll(
      token(2, { availableAt: at(30) }),
      token(3, { availableAt: at(10) }),
      token(4, { availableAt: at(20) }),
    );
    expect(order).toEqual(['a.3', 'a.4', 'a.2']);
  });

  test('what is more urgent comes before what has been due longer', async () => {
    const order = await claimAll(
      token(2, { availableAt: at(10), priority: -1 }),
      token(3, { availableAt: at(20) }),
      token(4, { availableAt: at(30), priority: 5 }),
    );
    expect(order).toEqual(['a.4', 'a.3', 'a.2']);
  });

  test('what is urgent but not due yet does not hide what is due', async () => {
    const order = await claimAll(
      token(2, { availableAt: at(2_000), priority: 9 }),
      token(3, { availableAt: at(10) }),
      token(4, { availableAt: at(5_000), priority: 8 }),
    );
    expect(order).toEqual(['a.3']);
  });

  test('the order holds across handlers', async () => {
    const order = await claimAll(
      token(2, { availableAt: at(10) }),
      token(3, { availableAt: at(5), handler: 'other' }),
      token(4, { availableAt: at(20), handler: 'other', priority: 1 }),
      token(5, { availableAt: at(7) }),
    );
    expect(order).toEqual(['a.4', 'a.3', 'a.5', 'a.2']);
  });

  test('a limit takes the first of all, whatever their handler', async () => {
    const bench = await open();
    const tokens = [2, 3, 4, 5].map((id) =>
      token(id, { availableAt: at(10 - id), handler: id % 2 === 0 ? 'even' : 'odd' }),
    );
    await bench.given(start('a', { rows: { tokens } }));
    bench.setTime(10);
    const claims = await bench.claim({ handlers: ['odd', 'even'], limit: 3 });
    expect(namesOf(claims)).toEqual(['a.5', 'a.4', 'a.3']);
  });
}

function oneCases(open: OpenBench): void {
  const request = {
    worker: 'ann',
    instance: idOf('a'),
    token: tokenId(2),
    version: 0,
    leaseMs: 500,
  };

  async function tryOne(born: Token, fields: Partial<ClaimOneRequest> = {}): Promise<unknown> {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [born] } }));
    return bench.store.claimOne({ ...request, ...fields });
  }

  test('B-11 one token is claimed by its version', async () => {
    const claim = { instance: 'a', token: 2, version: 1, worker: 'ann', handler: HANDLER };
    const lease = { at: at(0), until: at(500), instanceVersion: 1 };
    expect(await tryOne(token(2))).toEqual({ ...claim, ...lease });
  });

  test('B-14 an older or a newer version is refused, though the token is ready', async () => {
    expect(await tryOne(token(2), { version: 1 })).toBeUndefined();
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { rows: { tokens: [token(2)] } }));
    expect(await bench.store.claimOne(request)).toBeUndefined();
    expect(await bench.store.claimOne({ ...request, version: 1 })).toMatchObject({ version: 2 });
  });

  test('what is not due, not ready or for no handler is refused', async () => {
    expect(await tryOne(token(2, { availableAt: at(1) }))).toBeUndefined();
    expect(await tryOne(token(2, { status: 'created' }))).toBeUndefined();
    expect(await tryOne(token(2, { handler: null }))).toBeUndefined();
    expect(await tryOne(sleeping(2, 0))).toBeUndefined();
  });

  test('what is not there is refused', async () => {
    expect(await tryOne(token(2), { token: tokenId(9) })).toBeUndefined();
    expect(await tryOne(token(2), { instance: idOf('b') })).toBeUndefined();
  });

  test('what is claimed is refused under any version', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const { version } = await bench.claimFirst();
    for (const tried of [version - 1, version, version + 1]) {
      expect(await bench.store.claimOne({ ...request, version: tried })).toBeUndefined();
    }
  });
}

function raceCases(open: OpenBench): void {
  test('B-13 a thousand concurrent claims of one token have one winner', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const claims = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => {
        const worker = `w${i}`;
        const one = { worker, instance: idOf('a'), token: tokenId(2), version: 0, leaseMs: 500 };
        return i % 2 === 0 ? bench.store.claimOne(one) : bench.claim({ worker });
      }),
    );
    const won = claims.flat().filter((claim) => claim !== undefined);
    expect(namesOf(won)).toEqual(['a.2']);
    expect(won[0]?.version).toBe(1);
  });

  test('L-13 workers that claim at the same time never get the same token', async () => {
    const bench = await open();
    await bench.given(...manyStarts(40));
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, i) => bench.claim({ worker: `w${i}`, limit: 7 })),
    );
    const names = namesOf(claims.flat());
    expect(names).toHaveLength(40);
    expect(new Set(names).size).toBe(40);
  });

  test('every token of many is claimed and settled once, in the order of arrival', async () => {
    const bench = await open();
    await bench.given(...manyStarts(30));
    const settled: string[] = [];
    for (let claim = await tryFirst(bench); claim !== undefined; claim = await tryFirst(bench)) {
      const { instance, token: id, version, worker } = claim;
      const fence = { instance, token: id, version, worker, expired: false };
      await bench.given(finish(instance, 1, { fence }));
      settled.push(instance);
    }
    expect(settled).toEqual(manyStarts(30).map(({ touched }) => touched.head.id));
  });
}

function manyStarts(count: number): ReturnType<typeof start>[] {
  return Array.from({ length: count }, (_, i) => start(`i${String(i).padStart(3, '0')}`));
}

async function tryFirst(bench: Bench) {
  const [claim] = await bench.claim({ limit: 1 });
  return claim;
}
