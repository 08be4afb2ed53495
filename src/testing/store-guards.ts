/** The guards of a commit (D3): instance version, fence, message. A lost race writes nothing. */
import { describe, expect, test } from 'vitest';
import type { Fence, Held } from '../stores/store.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import {
  at,
  fenceOf,
  finish,
  idOf,
  listening,
  next,
  start,
  token,
  tokenId,
} from './store-commits.ts';

/** It was never made. */
const NOBODYS: Held = { instance: idOf('a'), token: tokenId(2), version: 1, worker: 'ann' };

export function guardCases(open: OpenBench): void {
  describe('the version of an instance', () => {
    versionCases(open);
  });
  describe('the fence', () => {
    fenceCases(open);
  });
  describe('the end of a lease', () => {
    expiryCases(open);
  });
  describe('the message of a commit', () => {
    messageGuardCases(open);
  });
}

function versionCases(open: OpenBench): void {
  test('a commit on an older version is stale and leaves no trace', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1));
    const late = next('a', 1, { head: { output: 'late' }, rows: { endedTokens: [tokenId(2)] } });
    expect(await bench.commit(late)).toEqual({ outcome: 'stale' });
    expect((await bench.load('a')).head).toMatchObject({ version: 2, output: null });
    expect((await bench.load('a')).tokens).toHaveLength(1);
    expect(await bench.historyNumbers('a')).toEqual([1, 2]);
  });

  test('a commit on a version that is still to come is stale', async () => {
    const bench = await open();
    await bench.given(start('a'));
    expect(await bench.commit(next('a', 2))).toEqual({ outcome: 'stale' });
  });

  test('a commit on an instance that never started is stale', async () => {
    expect(await (await open()).commit(next('a', 1))).toEqual({ outcome: 'stale' });
  });

  test('of two commits on one version one wins', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const both = await Promise.all([bench.commit(next('a', 1)), bench.commit(next('a', 1))]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['committed', 'stale']);
  });
}

function fenceCases(open: OpenBench): void {
  test('a commit whose claim stands is taken and uses the claim up', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = fenceOf(await bench.claimFirst());
    await bench.given(next('a', 1, { fence, rows: { endedTokens: [tokenId(2)] } }));
    expect(await bench.commit(next('a', 2, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('L-22 a result under another version is fenced and leaves no trace', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const claim = await bench.claimFirst();
    const fence = fenceOf(claim, { version: claim.version - 1 });
    const late = next('a', 1, { fence, rows: { endedTokens: [tokenId(2)] } });
    expect(await bench.commit(late)).toEqual({ outcome: 'fenced' });
    expect((await bench.load('a')).tokens).toHaveLength(1);
    expect(await bench.historyNumbers('a')).toEqual([1]);
  });

  test('L-22 a result of another worker is fenced', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = { ...fenceOf(await bench.claimFirst()), worker: 'bob' };
    expect(await bench.commit(next('a', 1, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('L-22 a result after the end of the lease is fenced', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = fenceOf(await bench.claimFirst());
    bench.setTime(1_001);
    expect(await bench.commit(next('a', 1, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('L-23 a lease that ends exactly now still holds for a commit', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = fenceOf(await bench.claimFirst());
    bench.setTime(1_000);
    expect(await bench.commit(next('a', 1, { fence }))).toMatchObject({ outcome: 'committed' });
  });

  test('a result for a token that is gone is fenced', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = fenceOf(await bench.claimFirst());
    await bench.given(next('a', 1, { rows: { endedTokens: [tokenId(2)] } }));
    expect(await bench.commit(next('a', 2, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('a result for a token that nobody claimed is fenced', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = { ...fenceOf(NOBODYS), version: 0 };
    expect(await bench.commit(next('a', 1, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('a commit that writes a claimed token takes it from its worker', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const fence = fenceOf(await bench.claimFirst());
    await bench.given(next('a', 1, { rows: { tokens: [token(2, { attempts: 1 })] } }));
    expect(await bench.commit(next('a', 2, { fence }))).toEqual({ outcome: 'fenced' });
    expect((await bench.claimFirst('bob')).version).toBe(fence.version + 2);
  });

  test('an older version of the instance is reported before a lost claim', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1));
    const fence = fenceOf(NOBODYS);
    expect(await bench.commit(next('a', 1, { fence }))).toEqual({ outcome: 'stale' });
  });
}

function expiryCases(open: OpenBench): void {
  const recovered = token(2, { attempts: 1, crashes: 1, availableAt: at(1_001) });

  async function claimed(): Promise<{ bench: Bench; fence: Fence }> {
    const bench = await open();
    await bench.given(start('a'));
    return { bench, fence: fenceOf(await bench.claimFirst(), { expired: true }) };
  }

  test('L-20 a claim whose lease is over is recovered, with a higher version', async () => {
    const { bench, fence } = await claimed();
    bench.setTime(1_001);
    await bench.given(next('a', 1, { fence, rows: { tokens: [recovered] } }));
    expect((await bench.load('a')).tokens).toEqual([recovered]);
    expect((await bench.claimFirst('bob')).version).toBe(fence.version + 2);
  });

  test('L-23 a lease that ends exactly now is not over yet', async () => {
    const { bench, fence } = await claimed();
    bench.setTime(1_000);
    expect(await bench.commit(next('a', 1, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('the recovery of another claim than the one that stands is fenced', async () => {
    const { bench, fence } = await claimed();
    bench.setTime(1_001);
    const others = [
      { ...fence, worker: 'bob' },
      { ...fence, version: fence.version + 1 },
    ];
    for (const other of others) {
      expect(await bench.commit(next('a', 1, { fence: other }))).toEqual({ outcome: 'fenced' });
    }
  });

  test('a lease is recovered once', async () => {
    const { bench, fence } = await claimed();
    bench.setTime(1_001);
    await bench.given(next('a', 1, { fence, rows: { tokens: [recovered] } }));
    expect(await bench.commit(next('a', 2, { fence }))).toEqual({ outcome: 'fenced' });
  });

  test('X-03 of one that stalled and one that took over, the second commits', async () => {
    const { bench, fence } = await claimed();
    bench.setTime(1_001);
    await bench.given(next('a', 1, { fence, rows: { tokens: [recovered] } }));
    const second = fenceOf(await bench.claimFirst('bob'));
    const first = { ...fence, expired: false };
    expect(await bench.commit(next('a', 2, { fence: first }))).toEqual({ outcome: 'fenced' });
    await bench.given(finish('a', 2, { fence: second }));
    expect((await bench.load('a')).head.status).toBe('completed');
  });
}

function messageGuardCases(open: OpenBench): void {
  const woken = { tokens: [token(2)], unsubscribed: [tokenId(2)] };

  test('an instance has a message once', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: listening(2, 'paid', 'k') }));
    await bench.given(next('a', 1, { message: 'm1', rows: woken }));
    const again = next('a', 2, { message: 'm1', head: { output: 'twice' } });
    expect(await bench.commit(again)).toEqual({ outcome: 'delivered' });
    expect((await bench.load('a')).head).toMatchObject({ version: 2, output: null });
  });

  test('another message, or another instance, is another delivery', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'));
    await bench.given(next('a', 1, { message: 'm1' }), next('a', 2, { message: 'm2' }));
    await bench.given(next('b', 1, { message: 'm1' }));
  });

  test('a delivery that lost its race can be made later', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1));
    expect(await bench.commit(next('a', 1, { message: 'm1' }))).toEqual({ outcome: 'stale' });
    await bench.given(next('a', 2, { message: 'm1' }));
  });

  test('a lost claim is reported before a message that was delivered', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { message: 'm1' }));
    const both = next('a', 2, { message: 'm1', fence: fenceOf(NOBODYS) });
    expect(await bench.commit(both)).toEqual({ outcome: 'fenced' });
  });

  test('an instance that a message starts has had it', async () => {
    const bench = await open();
    await bench.given(start('a', { message: 'm1' }));
    expect(await bench.commit(next('a', 1, { message: 'm1' }))).toEqual({ outcome: 'delivered' });
  });
}
