/**
 * Suspended instances: nothing of them is due until they go on. To whoever loads them they are what
 * they are, suspended or not.
 */
import { describe, expect, test } from 'vitest';
import type { Token } from '../model/instance.ts';
import { type Bench, namesOf, type OpenBench, shown } from './store-bench.ts';
import {
  at,
  fenceOf,
  finish,
  HANDLER,
  head,
  idOf,
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
import { isDeepFrozen } from './store-state.ts';

/** One of each that something could come of by itself: ready, lone, asleep, waiting too long. */
const MESSAGE = { on: 'message', type: 'paid', key: 'k' } as const;
const PATIENT = token(5, { status: 'waiting', handler: null, wait: MESSAGE, wakeAt: at(80) });
const LIVELY: readonly Token[] = [token(2), token(3, { crashes: 2 }), sleeping(4, 50), PATIENT];
const NAMES = ['a.2', 'a.3', 'a.4', 'a.5'];

/** Those of a chain whose second step waits for a message. */
export const LINKS: readonly Token[] = [
  token(2, { seq: 0, status: 'completed', handler: 'order/PAY' }),
  token(3, { seq: 1, status: 'waiting', handler: 'order/SHIP', wait: MESSAGE, wakeAt: at(80) }),
  token(4, { seq: 2, status: 'created', handler: 'order/BILL' }),
];

/** Long after everything was due. */
export const LATER = 500;

export function pauseCases(open: OpenBench): void {
  describe('an instance that is suspended', () => {
    heldCases(open);
    loadedCases(open);
  });
  describe('an instance that goes on', () => {
    resumeCases(open);
  });
  describe('a suspended instance that ends', () => {
    endCases(open);
  });
}

/** Whatever of an instance could be found by whoever looks for work. */
export async function found(bench: Bench): Promise<string[]> {
  const usual = [bench.claim(), bench.claim({ lone: true }), bench.store.due(9)];
  const refs = await Promise.all(usual);
  return namesOf(refs.flat()).toSorted();
}

export async function withTokens(
  open: OpenBench,
  tokens: readonly Token[] = LIVELY,
): Promise<Bench> {
  const bench = await open();
  await bench.given(start('a', { rows: { tokens } }));
  return bench;
}

function heldCases(open: OpenBench): void {
  test('without it, all of these are found', async () => {
    const bench = await withTokens(open);
    bench.setTime(LATER);
    expect(await found(bench)).toEqual(NAMES);
  });

  test('has nothing that is claimed or woken', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1));
    bench.setTime(LATER);
    expect(await found(bench)).toEqual([]);
  });

  test('has nothing to look for, now or later', async () => {
    const bench = await withTokens(open, [...LIVELY, token(6, { availableAt: at(9_000) })]);
    await bench.given(suspend('a', 1));
    expect(shown(await bench.outlook())).toEqual({});
    bench.setTime(LATER);
    expect(shown(await bench.outlook())).toEqual({});
  });

  test('is refused to who names one of its tokens', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1));
    for (const version of [0, 1, 2]) {
      const one = { worker: 'ann', instance: idOf('a'), token: tokenId(2), version, leaseMs: 500 };
      expect(await bench.store.claimOne(one)).toBeUndefined();
    }
  });

  test('keeps nobody from others', async () => {
    const bench = await withTokens(open);
    await bench.given(start('b', { rows: { tokens: LIVELY } }), suspend('a', 1));
    bench.setTime(LATER);
    expect(await found(bench)).toEqual(['b.2', 'b.3', 'b.4', 'b.5']);
  });

  test('may be suspended in a batch with others, and in its first commits', async () => {
    const bench = await open();
    await bench.store.commit([
      start('a', { rows: { tokens: LIVELY } }),
      start('b', { head: { key: 'k' } }),
      suspend('a', 1),
      next('b', 1, { head: { key: 'k' } }),
      start('c', { head: suspendedSince(1), rows: { pausing: true, tokens: LIVELY } }),
    ]);
    bench.setTime(LATER);
    expect(await found(bench)).toEqual(['b.2']);
    expect((await bench.load('c')).head.pauses).toEqual([pause(1)]);
  });

  test('does not keep others of its batch from what they hand over', async () => {
    const bench = await withTokens(open);
    const take = { worker: 'ann', leaseMs: 1_000, tokens: [tokenId(3)] };
    await bench.given(start('b'));
    const [, second] = await bench.store.commit([
      suspend('a', 1),
      next('b', 1, { take, rows: { tokens: [token(3)] } }),
    ]);
    const taken = [{ instance: 'b', token: 3, version: 1, worker: 'ann' }];
    expect(second).toMatchObject({ outcome: 'committed', taken });
  });

  test('hands nothing over', async () => {
    const bench = await withTokens(open);
    const take = { worker: 'ann', leaseMs: 500, tokens: [tokenId(2)] };
    const commit = suspend('a', 1, { take, rows: { tokens: [token(2)] } });
    expect(await bench.commit(commit)).toMatchObject({ outcome: 'failed' });
    expect((await bench.load('a')).head.version).toBe(1);
  });
}

function loadedCases(open: OpenBench): void {
  test('is loaded with the tokens it has', async () => {
    const tokens = [
      ...LIVELY,
      token(6, { status: 'created', seq: 1 }),
      token(7, { handler: null }),
    ];
    const bench = await withTokens(open, tokens);
    await bench.given(suspend('a', 1));
    const rows = await bench.load('a');
    expect(rows.tokens).toEqual(tokens);
    expect(rows.head).toEqual(head('a', 2, suspendedSince(2)));
    await bench.given(resume('a', 2, 2));
    expect((await bench.load('a')).tokens).toEqual(tokens);
  });

  test('has all its pauses, and keeps them when it is over', async () => {
    const bench = await withTokens(open);
    expect((await bench.load('a')).head.pauses).toEqual([]);
    const pauses = [pause(2, 3), { ...pause(4, 5), as: 'compensating' } as const];
    await bench.given(suspend('a', 1), resume('a', 2, 2));
    await bench.given(suspend('a', 3, { head: { pauses: [pause(2, 3), pause(4)] } }));
    await bench.given(
      resume('a', 4, 4, { head: { pauses } }),
      finish('a', 5, { head: { pauses } }),
    );
    const last = (await bench.load('a')).head;
    expect(last.pauses).toEqual(pauses);
    expect(isDeepFrozen(last)).toBe(true);
  });

  test('has no pauses but those it was told', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1), start('b'));
    expect((await bench.load('b')).head.pauses).toEqual([]);
  });
}

function resumeCases(open: OpenBench): void {
  test('has everything again', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1), resume('a', 2, 2));
    expect(shown(await bench.outlook())).toEqual({ work: at(0), lone: at(0), timers: at(50) });
    bench.setTime(LATER);
    expect(await found(bench)).toEqual(NAMES);
    expect((await bench.load('a')).head.status).toBe('running');
  });

  test('has what it deferred at its new moment, and the rest at the old one', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1));
    const later = { ...PATIENT, wakeAt: at(400) };
    await bench.given(resume('a', 2, 2, { rows: { tokens: [later] } }));
    expect((await bench.load('a')).tokens).toEqual([...LIVELY.slice(0, 3), later]);
    bench.setTime(399);
    expect(namesOf(await bench.store.due(9))).toEqual(['a.4']);
    bench.setTime(400);
    expect(namesOf(await bench.store.due(9))).toEqual(['a.4', 'a.5']);
  });

  test('has nothing of what it lost with the same commit', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1));
    const idle = [token(2, { handler: null }), { ...PATIENT, wakeAt: null }];
    await bench.given(resume('a', 2, 2, { rows: { tokens: idle } }));
    expect((await bench.load('a')).tokens).toEqual([idle[0], LIVELY[1], LIVELY[2], idle[1]]);
    bench.setTime(LATER);
    expect(await found(bench)).toEqual(['a.3', 'a.4']);
  });

  test('may hand over what it makes ready', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1));
    const take = { worker: 'ann', leaseMs: 1_000, tokens: [tokenId(4)] };
    const [outcome] = await bench.store.commit([
      resume('a', 2, 2, { take, rows: { tokens: [token(4)] } }),
    ]);
    const taken = [{ instance: 'a', token: 4, version: 2, worker: 'ann', handler: HANDLER }];
    expect(outcome).toMatchObject({ outcome: 'committed', taken });
    expect(namesOf(await bench.claim())).toEqual(['a.2']);
  });

  test('has its tokens under the versions they had', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1), resume('a', 2, 2));
    const one = { worker: 'ann', instance: idOf('a'), token: tokenId(2), version: 0, leaseMs: 500 };
    expect(await bench.store.claimOne(one)).toMatchObject({ version: 1, instanceVersion: 3 });
  });

  test('takes its place among the others', async () => {
    const bench = await open();
    for (const [name, ms] of Object.entries({ a: 10, b: 20, c: 30 })) {
      const tokens = [token(2, { availableAt: at(ms) })];
      await bench.given(start(name, { rows: { tokens } }));
    }
    await bench.given(suspend('b', 1));
    bench.setTime(LATER);
    await bench.given(resume('b', 2, 2));
    expect(namesOf(await bench.claim())).toEqual(['a.2', 'b.2', 'c.2']);
  });

  test('is suspended again, as if it never had been', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1), resume('a', 2, 2), suspend('a', 3));
    bench.setTime(LATER);
    expect(await found(bench)).toEqual([]);
    await bench.given(resume('a', 4, 4));
    expect(await found(bench)).toEqual(NAMES);
  });

  test('may be suspended and go on in one batch', async () => {
    const bench = await withTokens(open);
    const rows = { tokens: [sleeping(4, 100)] };
    await bench.store.commit([
      suspend('a', 1),
      next('a', 2, { head: suspendedSince(2), rows }),
      resume('a', 3, 2),
      next('a', 4, { head: { pauses: [pause(2, 4)] }, rows: { tokens: [token(6)] } }),
    ]);
    bench.setTime(99);
    expect(await found(bench)).toEqual(['a.2', 'a.3', 'a.5', 'a.6']);
    bench.setTime(100);
    expect(namesOf(await bench.store.due(9))).toEqual(['a.5', 'a.4']);
  });
}

function endCases(open: OpenBench): void {
  const over = { status: 'canceled', pauses: [pause(2, 3)] } as const;

  test('leaves nothing', async () => {
    const bench = await withTokens(open);
    await bench.given(suspend('a', 1));
    const endedTokens = LIVELY.map(({ id }) => id);
    await bench.given(finish('a', 2, { head: over, rows: { pausing: true, endedTokens } }));
    expect(await bench.load('a')).toMatchObject({ head: over, tokens: [], scopes: [] });
    bench.setTime(LATER);
    expect(await found(bench)).toEqual([]);
    expect(shown(await bench.outlook())).toEqual({});
  });

  test('leaves the links of its chain as they are then', async () => {
    const links = [
      token(2, { seq: 0, status: 'completed' }),
      token(3, { seq: 1, status: 'waiting', wait: MESSAGE, wakeAt: at(80) }),
      token(4, { seq: 2, status: 'created' }),
    ];
    const bench = await withTokens(open, links);
    await bench.given(suspend('a', 1));
    const idle = { status: 'terminated', wait: null, wakeAt: null } as const;
    const last = links.map((link) => (link.seq === 0 ? link : { ...link, ...idle }));
    const rows = { pausing: true, endedTokens: [], tokens: last.slice(1) };
    await bench.given(finish('a', 2, { head: over, rows }));
    expect((await bench.load('a')).tokens).toEqual(last);
    expect(last.every(({ handler }) => handler === HANDLER)).toBe(true);
  });

  test('ends by what was at work', async () => {
    const bench = await withTokens(open, [token(2), sleeping(3, 50)]);
    const claim = await bench.claimFirst();
    await bench.given(suspend('a', 1));
    const rows = { pausing: true, endedTokens: [tokenId(2), tokenId(3)] };
    const failed = { ...over, status: 'failed' } as const;
    await bench.given(finish('a', 2, { fence: fenceOf(claim), head: failed, rows }));
    expect(await bench.load('a')).toMatchObject({ head: failed, tokens: [] });
  });
}
