/** The store suite: how much there is to do, and since when. */
import { describe, expect, test } from 'vitest';
import { CRASHES_LONE } from '../model/limits.ts';
import type { Backlog } from '../stores/backlog.ts';
import { COUNTED_MAX } from '../stores/health.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import {
  at,
  letter,
  listening,
  next,
  sleeping,
  start,
  suspendedSince,
  token,
  tokenId,
} from './store-commits.ts';

const NOTHING: Omit<Backlog, 'now'> = {
  ready: { count: 0, since: null },
  executing: { count: 0, expired: 0 },
  timers: { since: null },
  letters: { ready: 0, dead: 0, since: null },
  messages: 0,
};

const MESSAGE = { id: 'm1', type: 'paid', key: 'k', data: null, ttlMs: 100 };

async function backlog(bench: Bench): Promise<Omit<Backlog, 'now'>> {
  const { now, ...rest } = await bench.store.health.backlog();
  expect(now).toBe(bench.store.now());
  return rest;
}

export function backlogCases(open: OpenBench): void {
  describe('the backlog', () => {
    workCases(open);
    otherCases(open);
  });
}

function workCases(open: OpenBench): void {
  test('of a store in which there is nothing to do is nothing', async () => {
    const bench = await open();
    expect(await backlog(bench)).toEqual(NOTHING);
  });

  test('has what is due of every handler and urgency, since the first of it', async () => {
    const bench = await open();
    const tokens = [
      token(2, { availableAt: at(40), priority: 9 }),
      token(3, { availableAt: at(20) }),
      token(4, { availableAt: at(30), handler: 'other' }),
      token(5, { availableAt: at(10), handler: 'other', crashes: CRASHES_LONE }),
      token(6, { availableAt: at(90) }),
    ];
    await bench.given(start('a', { rows: { tokens } }));
    expect(await backlog(bench)).toEqual(NOTHING);
    bench.setTime(50);
    expect((await backlog(bench)).ready).toEqual({ count: 4, since: at(10) });
    await bench.claim({ lone: true, handlers: ['other'] });
    expect((await backlog(bench)).ready).toEqual({ count: 3, since: at(20) });
  });

  test('has nothing of an instance that is suspended', async () => {
    const bench = await open();
    await bench.given(start('a', { head: suspendedSince(1), rows: { pausing: true } }));
    expect(await backlog(bench)).toEqual(NOTHING);
  });

  test('has what somebody is at, and whose lease is over', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'), start('c'));
    await bench.claim({ limit: 1, leaseMs: 100 });
    await bench.claim({ limit: 1, leaseMs: 200 });
    bench.setTime(100);
    expect((await backlog(bench)).executing).toEqual({ count: 2, expired: 0 });
    bench.setTime(101);
    const now = await backlog(bench);
    expect(now.executing).toEqual({ count: 2, expired: 1 });
    expect(now.ready).toEqual({ count: 1, since: at(0) });
  });

  test('counts up to COUNTED_MAX and no further', async () => {
    const bench = await open();
    const tokens = Array.from({ length: COUNTED_MAX + 1 }, (_, n) => {
      return token(n + 2, { priority: n % 3, availableAt: at(n % 7) });
    });
    await bench.given(start('a', { rows: { tokens: tokens.slice(0, COUNTED_MAX - 1) } }));
    bench.setTime(10);
    expect((await backlog(bench)).ready).toEqual({ count: COUNTED_MAX - 1, since: at(0) });
    await bench.given(next('a', 1, { rows: { tokens: tokens.slice(COUNTED_MAX - 1) } }));
    expect((await backlog(bench)).ready).toEqual({ count: COUNTED_MAX, since: at(0) });
  });
}

function otherCases(open: OpenBench): void {
  test('says since when a timer has been due, and nothing of one that is not', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [sleeping(2, 50), sleeping(3, 70)] } }));
    expect((await backlog(bench)).timers).toEqual({ since: null });
    bench.setTime(80);
    expect((await backlog(bench)).timers).toEqual({ since: at(50) });
  });

  test('has letters that could be sent, since when, and the dead ones', async () => {
    const bench = await open();
    const { letters } = bench.store;
    await bench.given(start('a', { rows: { letters: [letter('l1'), letter('l2')] } }));
    await bench.given(start('b', { rows: { letters: [letter('l3')] } }));
    expect((await backlog(bench)).letters.ready).toBe(0);
    bench.setTime(10);
    expect((await backlog(bench)).letters).toEqual({ ready: 3, dead: 0, since: at(1) });
    const request = { worker: 'ann', types: null, limit: 9, leaseMs: 100 };
    const [first, second] = await letters.claim(request);
    const failed = { expired: false, error: 'no', afterMs: null };
    if (first !== undefined) await letters.failed([{ ...failed, held: first }]);
    if (second !== undefined) await letters.failed([{ ...failed, held: second, afterMs: 50 }]);
    expect((await backlog(bench)).letters).toEqual({ ready: 1, dead: 1, since: at(1) });
    bench.setTime(60);
    expect((await backlog(bench)).letters).toEqual({ ready: 2, dead: 1, since: at(1) });
  });

  test('has messages that are kept, for as long as somebody may have them', async () => {
    const bench = await open();
    await bench.store.publish(MESSAGE);
    await bench.store.publish({ ...MESSAGE, id: 'm2', ttlMs: 200 });
    expect((await backlog(bench)).messages).toBe(2);
    await bench.given(start('a', { rows: listening(2, 'paid', 'k') }));
    const had = { tokens: [token(2)], unsubscribed: [tokenId(2)] };
    await bench.given(next('a', 1, { message: 'm2', rows: had }));
    await bench.store.consume(['m2']);
    expect((await backlog(bench)).messages).toBe(1);
    bench.setTime(101);
    expect((await backlog(bench)).messages).toBe(0);
  });
}
