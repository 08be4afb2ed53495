/**
 * A handler that blocks the event loop loses nothing (D15): the thread of the database renews what
 * the process holds. Blocking is about real time, so these tests block for real, and briefly.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { Instant } from '../../model/ids.ts';
import { namesOf } from '../../testing/store-bench.ts';
import {
  fenceOf,
  HANDLER,
  idOf,
  next,
  start,
  T0,
  token,
  tokenId,
} from '../../testing/store-commits.ts';
import type { Claim, Commit, Held, Store } from '../store.ts';
import { Watch } from '../watch.ts';
import { encodeCommit } from '../writes.ts';
import { Session } from './session.ts';
import { Sqlite } from './sqlite.ts';

/** Half of it is how long a busy machine may keep the thread waiting. */
const LEASE_MS = 500;
const BLOCK_MS = 2 * LEASE_MS + 100;

const folder = mkdtempSync(join(tmpdir(), 'perdure-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

let files = 0;

/** Ours, and that of another process, which sees what has run out. */
async function openTwo(blockedMsMax?: number): Promise<{ store: Store; other: Store }> {
  files += 1;
  const path = join(folder, `${files}.db`);
  const store = new Sqlite(path, { durability: 'relaxed' }, blockedMsMax);
  const other = new Sqlite(path, { durability: 'relaxed' });
  opened.push(store, other);
  await store.open();
  await other.open();
  return { store, other };
}

async function claimFirst(store: Store): Promise<Claim> {
  const request = { worker: 'ann', handlers: [HANDLER], limit: 1, leaseMs: LEASE_MS };
  const [claim] = await store.claim(request);
  assert(claim !== undefined, 'there is something to claim');
  return claim;
}

/** The clock is that of the machine, whatever it says: due since ever. */
const EVER = { availableAt: 0 as Instant };

function ready(name: string): Commit {
  return start(name, { rows: { tokens: [token(2, EVER)] } });
}

/** What a handler does that computes for long, or calls something synchronous. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function committed(store: Store, commit: Commit): Promise<readonly Claim[]> {
  const [outcome] = await store.commit([commit]);
  assert(outcome?.outcome === 'committed', `${commit.commitId} is ${outcome?.outcome}`);
  return outcome.taken;
}

describe('a process that is blocked', () => {
  test('keeps what it claimed for as long as it takes, and settles it', async () => {
    const { store, other } = await openTwo();
    await committed(store, ready('a'));
    const claim = await claimFirst(store);
    block(BLOCK_MS);
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
    block(BLOCK_MS);
    expect(namesOf(await other.expired(9))).toEqual([]);
  });

  test('does not keep what it let go of, at once or after some time', async () => {
    const { store, other } = await openTwo();
    await committed(store, ready('a'));
    await committed(store, ready('b'));
    const claims = [await claimFirst(store), await claimFirst(store)];
    store.letGo(claims.slice(0, 1));
    store.letGo(claims.slice(1), LEASE_MS / 5);
    block(BLOCK_MS);
    expect(namesOf(await other.expired(9))).toEqual(['a.2', 'b.2']);
    const fence = fenceOf(claims[0] ?? (await claimFirst(store)));
    expect(await store.commit([next('a', 1, { fence })])).toEqual([{ outcome: 'fenced' }]);
  });

  test('does not keep what another took from it', async () => {
    const { store, other } = await openTwo();
    await committed(store, ready('a'));
    const claim = await claimFirst(store);
    await committed(other, next('a', 1, { rows: { tokens: [token(2, { ...EVER, visit: 2 })] } }));
    other.letGo([await claimFirst(other)]);
    block(BLOCK_MS);
    expect(namesOf(await other.expired(9))).toEqual(['a.2']);
    expect(await store.renew([claim], LEASE_MS)).toEqual([claim]);
  });

  test('is taken for stuck after a while, and its claims run out', async () => {
    const { store, other } = await openTwo(LEASE_MS / 5);
    await committed(store, ready('a'));
    await claimFirst(store);
    block(BLOCK_MS);
    expect(namesOf(await other.expired(9))).toEqual(['a.2']);
  });
});

describe('what is on the watch', () => {
  const LATE = 10 * LEASE_MS;

  /** A session whose time is told, with one token that "ann" claimed at moment 0. */
  function withClaim(): { session: Session; watch: Watch; held: Held } {
    files += 1;
    const watch = new Watch();
    const session = new Session(join(folder, `${files}.db`), 'relaxed', watch);
    opened.push(session);
    session.commit(T0, [encodeCommit(start('a'))]);
    const request = { worker: 'ann', limit: 1, leaseMs: LEASE_MS, lone: false };
    session.claim(T0, { ...request, handlers: JSON.stringify([HANDLER]) });
    const held = { instance: idOf('a'), token: tokenId(2), version: 1, worker: 'ann' };
    expect(watch.due(T0 + LATE)).toEqual([{ ...held, leaseMs: LEASE_MS }]);
    return { session, watch, held };
  }

  test('a claim that is settled is off it, and what it hands over is on it', () => {
    const { session, watch, held } = withClaim();
    const commit = next('a', 1, {
      fence: fenceOf(held),
      take: { worker: 'ann', leaseMs: LEASE_MS, tokens: [tokenId(3)] },
      rows: { endedTokens: [tokenId(2)], tokens: [token(3), token(4)] },
    });
    session.commit(T0, [encodeCommit(commit)]);
    expect(watch.due(T0 + LATE)).toEqual([{ ...held, token: 3, leaseMs: LEASE_MS }]);
  });

  test('a claim that was too late to be settled is off it, so that it does run out', () => {
    const { session, watch, held } = withClaim();
    const commit = encodeCommit(next('a', 1, { fence: fenceOf(held) }));
    expect(session.commit(T0 + LATE, [commit])).toEqual([{ outcome: 'fenced' }]);
    expect(watch.due(T0 + LATE)).toEqual([]);
  });

  test('a claim stays on it when a commit is stale, or would recover it too early', () => {
    const { session, watch, held } = withClaim();
    const early = next('a', 1, { fence: fenceOf(held, { expired: true }) });
    const commits = [next('a', 7, { fence: fenceOf(held) }), early];
    const answers = commits.map((commit) => session.commit(T0, [encodeCommit(commit)]));
    expect(answers).toEqual([[{ outcome: 'stale' }], [{ outcome: 'fenced' }]]);
    expect(watch.due(T0 + LATE)).toHaveLength(1);
  });

  test.each<[string, (session: Session, held: Held) => unknown]>([
    ['is given back', (session, held) => session.release(T0, [held])],
    ['is given back too late', (session, held) => session.release(T0 + LATE, [held])],
    ['is let go of', (session, held) => session.letGo(null, [held], 0)],
    ['turns out to be lost', (session, held) => loseAndRenew(session, held)],
  ])('a claim that %s is off it', (_how, end) => {
    const { session, watch, held } = withClaim();
    end(session, held);
    expect(watch.due(Math.max(Date.now(), T0 + LATE))).toEqual([]);
  });

  test('a claim that is renewed stays on it until later', () => {
    const { session, watch, held } = withClaim();
    session.renew(T0 + LATE, [held], LEASE_MS);
    expect(watch.due(T0 + LATE)).toEqual([]);
    expect(watch.due(T0 + LATE + LEASE_MS)).toHaveLength(1);
  });
});

function loseAndRenew(session: Session, held: Held): void {
  session.commit(T0, [encodeCommit(next('a', 1, { rows: { tokens: [token(2)] } }))]);
  expect(session.renew(T0, [held], LEASE_MS)).toEqual([false]);
}
