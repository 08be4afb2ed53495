/**
 * A handler that blocks the event loop loses nothing (D15): a thread of the store's renews what the
 * process holds. Blocking is about real time, so these cases block for real, and briefly.
 */
import { describe, expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import type { Instant } from '../model/ids.ts';
import type { Claim, Commit, Store } from '../stores/store.ts';
import { namesOf } from './store-bench.ts';
import { fenceOf, HANDLER, idOf, next, start, token, tokenId } from './store-commits.ts';

/** Half of it is how long a busy machine may keep the thread waiting. */
export const LEASE_MS = 500;
const BLOCK_MS = 2 * LEASE_MS + 100;

/** Ours, and that of another process, which sees what has run out. */
export type OpenTwo = (blockedMsMax?: number) => Promise<{ store: Store; other: Store }>;

export async function claimFirst(store: Store, worker: string = 'ann'): Promise<Claim> {
  const request = { worker, handlers: [HANDLER], limit: 1, leaseMs: LEASE_MS };
  const [claim] = await store.claim(request);
  assert(claim !== undefined, 'there is something to claim');
  return claim;
}

/** The clock is that of the machine, whatever it says: due since ever. */
const EVER = { availableAt: 0 as Instant };

export function ready(name: string): Commit {
  return start(name, { rows: { tokens: [token(2, EVER)] } });
}

/** What a handler does that computes for long, or calls something synchronous. */
export function block(ms: number = BLOCK_MS): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export async function committed(store: Store, commit: Commit): Promise<readonly Claim[]> {
  const [outcome] = await store.commit([commit]);
  assert(outcome?.outcome === 'committed', `${commit.commitId} is ${outcome?.outcome}`);
  return outcome.taken;
}

export function blockedCases(openTwo: OpenTwo): void {
  describe('a process that is blocked', () => {
    test('keeps what it claimed for as long as it takes, and settles it', async () => {
      const { store, other } = await openTwo();
      await committed(store, ready('a'));
      const claim = await claimFirst(store);
      block();
      expect(await other.expired(9)).toEqual([]);
      await committed(store, next('a', 1, { fence: fenceOf(claim) }));
    });

    test('keeps what was claimed by version, taken by a commit or recalled', async () => {
      const { store, other } = await openTwo();
      const take = { worker: 'ann', leaseMs: LEASE_MS, tokens: [tokenId(3)] };
      await committed(store, ready('a'));
      await committed(store, start('b', { take, rows: { tokens: [token(3)] } }));
      // Of the other process until it is recalled here.
      const lost = start('c', { take, rows: { tokens: [token(3)] } });
      other.letGo(await committed(other, lost));
      await store.recall([lost]);
      const one = { worker: 'ann', instance: idOf('a'), token: tokenId(2), version: 0 };
      await store.claimOne({ ...one, leaseMs: LEASE_MS });
      block();
      expect(namesOf(await other.expired(9))).toEqual([]);
    });

    test('does not keep what it let go of, at once or after some time', async () => {
      const { store, other } = await openTwo();
      await committed(store, ready('a'));
      await committed(store, ready('b'));
      const claims = [await claimFirst(store), await claimFirst(store)];
      store.letGo(claims.slice(0, 1));
      store.letGo(claims.slice(1), LEASE_MS / 5);
      block();
      expect(namesOf(await other.expired(9))).toEqual(['a.2', 'b.2']);
      const fence = fenceOf(claims[0] ?? (await claimFirst(store)));
      expect(await store.commit([next('a', 1, { fence })])).toEqual([{ outcome: 'fenced' }]);
    });

    test('does not keep what it claimed for somebody elsewhere', async () => {
      const { store, other } = await openTwo();
      await committed(store, ready('a'));
      await committed(store, ready('b'));
      const mine = await claimFirst(store);
      const [theirs] = await store.claim({
        ...{ worker: 'bob', handlers: [HANDLER], limit: 1, leaseMs: LEASE_MS },
        elsewhere: true,
      });
      block();
      expect(await other.expired(9)).toMatchObject([{ instance: theirs?.instance }]);
      await committed(store, next('a', 1, { fence: fenceOf(mine) }));
    });

    test('does not keep what another took from it', async () => {
      const { store, other } = await openTwo();
      await committed(store, ready('a'));
      const claim = await claimFirst(store);
      await committed(other, next('a', 1, { rows: { tokens: [token(2, { ...EVER, visit: 2 })] } }));
      other.letGo([await claimFirst(other, 'bob')]);
      block();
      expect(namesOf(await other.expired(9))).toEqual(['a.2']);
      expect(await store.renew([claim], LEASE_MS)).toEqual([claim]);
    });

    test('is taken for stuck after a while, and its claims run out', async () => {
      const { store, other } = await openTwo(LEASE_MS / 5);
      await committed(store, ready('a'));
      await claimFirst(store);
      block();
      expect(namesOf(await other.expired(9))).toEqual(['a.2']);
    });
  });
}
