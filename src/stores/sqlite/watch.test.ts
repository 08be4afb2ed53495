/** What a process holds is renewed by the database's thread when it cannot do so itself (D15). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { blockedCases, LEASE_MS } from '../../testing/store-blocked.ts';
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
import type { Held, Store } from '../store.ts';
import { Watch } from '../watch.ts';
import { encodeCommit } from '../writes.ts';
import { Session } from './session.ts';
import { Sqlite } from './sqlite.ts';

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

blockedCases(openTwo);

describe('what is on the watch', () => {
  const LATE = 10 * LEASE_MS;

  /** A session whose time is told, with one token that "ann" claimed at moment 0. */
  function withClaim(): { session: Session; watch: Watch; held: Held } {
    files += 1;
    const watch = new Watch();
    const session = new Session(join(folder, `${files}.db`), { durability: 'relaxed' }, watch);
    opened.push(session);
    session.commit(T0, [encodeCommit(start('a'))]);
    const all = { lone: false, tenant: null, watched: true };
    const request = { worker: 'ann', limit: 1, leaseMs: LEASE_MS, ...all };
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
