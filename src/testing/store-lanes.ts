/**
 * Lanes: who waits because of a limit, and who is let through. To whoever loads them such tokens
 * are ready, as to the kernel; to whoever claims they are not there until there is room.
 */
import { describe, expect, test } from 'vitest';
import type { Lane } from '../model/lane.ts';
import { NEWS_MAX } from '../stores/lane-asks.ts';
import type { Commit } from '../stores/store.ts';
import { namesOf, type OpenBench, shown } from './store-bench.ts';
import { at, fenceOf, heldOf, idOf, next, start, token, tokenId } from './store-commits.ts';
import {
  altered,
  atOnce,
  begun,
  ended,
  lane,
  leavesNoLane,
  letThrough,
  limited,
  of,
  taken,
  takenAfter,
} from './store-lane-commits.ts';

export function laneCases(open: OpenBench): void {
  describe('a token under a limit', () => {
    waitingCases(open);
  });
  describe('how many at a time', () => {
    concurrencyCases(open);
    newsCases(open);
  });
  describe('whose turn it is', () => {
    turnCases(open);
  });
}

function waitingCases(open: OpenBench): void {
  test('is not claimed before it is let through', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)));
    expect(await bench.claim()).toEqual([]);
    expect(shown(await bench.outlook())).toEqual({ lanes: at(0) });
    expect(await letThrough(bench)).toMatchObject({ tokens: 1, more: false });
    expect(namesOf(await bench.claim())).toEqual(['a.2']);
  });

  test('is ready to whoever loads it, with its lanes, waiting or let through', async () => {
    const bench = await open();
    const tokens = [
      token(2, { lanes: [lane('a', 1, { max: 3, perMs: 1_000 }), lane('b', null)] }),
      token(3, { lanes: atOnce(1), status: 'created', seq: 1 }),
      token(4),
    ];
    await bench.given(begun('a', tokens));
    expect((await bench.load('a')).tokens).toEqual(tokens);
    await letThrough(bench);
    expect((await bench.load('a')).tokens).toEqual(tokens);
    await bench.claim();
    expect((await bench.load('a')).tokens).toEqual(tokens);
  });

  test('is refused to who names it', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)));
    const one = { worker: 'ann', instance: idOf('a'), token: tokenId(2), version: 0, leaseMs: 500 };
    expect(await bench.store.claimOne(one)).toBeUndefined();
    await letThrough(bench);
    expect(await bench.store.claimOne(one)).toMatchObject({ version: 1 });
  });

  test('is not handed over', async () => {
    const bench = await open();
    const take = { worker: 'ann', leaseMs: 500, tokens: [tokenId(2)] };
    const commit = { ...limited('a', atOnce(1)), take };
    expect(await bench.commit(commit)).toMatchObject({ outcome: 'failed' });
    expect(await bench.find('a')).toBeUndefined();
  });

  test('keeps nobody from what is under no limit', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)), start('b'));
    expect(namesOf(await bench.claim())).toEqual(['b.2']);
  });

  test('that is asked for again is where it was', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)), limited('b', atOnce(1)));
    await letThrough(bench);
    expect(await letThrough(bench)).toEqual({ tokens: 0, looked: 0, more: false, isBusy: false });
    expect(namesOf(await bench.claim())).toEqual(['a.2']);
  });

  test('and nobody else leaves a lane behind', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)));
    const [claim] = await taken(bench);
    expect(await bench.store.lanes.list(null, 9)).toHaveLength(1);
    await bench.given(ended('a', claim));
    await leavesNoLane(bench);
  });

  test('that is not due is let through when it is, and not before', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1), { availableAt: at(500) }));
    expect(await letThrough(bench)).toMatchObject({ tokens: 0 });
    expect(shown(await bench.outlook())).toEqual({ lanes: at(500) });
    await bench.given(limited('b', atOnce(1)));
    expect(namesOf(await taken(bench))).toEqual(['b.2']);
    bench.setTime(500);
    expect(await taken(bench)).toEqual([]);
    await bench.given(next('b', 1, { rows: { laned: [tokenId(2)], endedTokens: [tokenId(2)] } }));
    expect(namesOf(await taken(bench))).toEqual(['a.2']);
  });

  test('that ends while it waits is nobody else\u2019s to wait for', async () => {
    const bench = await open();
    for (const name of ['a', 'b', 'c']) await bench.given(limited(name, atOnce(1)));
    const [a] = await taken(bench);
    await bench.given(ended('b', undefined));
    await bench.given(ended('a', a));
    expect(namesOf(await taken(bench))).toEqual(['c.2']);
  });

  test('comes and goes in one batch with others', async () => {
    const bench = await open();
    const outcomes = await bench.store.commit([
      limited('a', atOnce(2)),
      start('b'),
      limited('c', atOnce(2)),
      next('a', 1, {
        rows: { laned: [tokenId(2)], tokens: [token(2, { lanes: atOnce(2), priority: 1 })] },
      }),
      limited('d', atOnce(2)),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(outcomes.map(() => 'committed'));
    expect(namesOf(await taken(bench)).toSorted()).toEqual(['a.2', 'b.2', 'c.2']);
  });

  test('waits for somebody who looks, and says who is before it', async () => {
    const bench = await open();
    for (const name of ['a', 'b', 'c']) await bench.given(limited(name, atOnce(1)));
    await letThrough(bench);
    const { lanes } = bench.store;
    expect(await lanes.heldOf(idOf('a'))).toEqual([]);
    expect(await lanes.heldOf(idOf('b'))).toEqual([
      { token: 2, lane: 'step:order/work', ahead: 0 },
    ]);
    expect(await lanes.heldOf(idOf('c'))).toEqual([
      { token: 2, lane: 'step:order/work', ahead: 1 },
    ]);
    const shownLane = { concurrency: 1, rate: null, atWork: 1, waiting: 2 };
    expect(await lanes.list(null, 9)).toEqual([{ name: 'step:order/work', ...shownLane }]);
    expect(await lanes.list('step:order/work', 9)).toEqual([]);
  });
}

function concurrencyCases(open: OpenBench): void {
  test.each([1, 2, 3])('%i, and the next when one is done', async (most) => {
    const bench = await open();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await bench.given(limited(name, atOnce(most)));
    const claims = await taken(bench);
    expect(namesOf(claims)).toEqual(names.slice(0, most).map((name) => `${name}.2`));
    expect(await taken(bench)).toEqual([]);
    await bench.given(ended('a', of(claims, 'a')));
    expect(shown(await bench.outlook()).lanes).toBe(at(0));
    expect(namesOf(await taken(bench))).toEqual([`${names[most]}.2`]);
  });

  test('each value has its own', async () => {
    const bench = await open();
    for (const name of ['a1', 'a2', 'b1', 'b2']) {
      await bench.given(limited(name, atOnce(1, `flow:order=${name[0]}`)));
    }
    expect(namesOf(await taken(bench)).toSorted()).toEqual(['a1.2', 'b1.2']);
  });

  test('one that waits for a message makes room, and waits its turn afterwards', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)), limited('b', atOnce(1)));
    const [a] = await taken(bench);
    const wait = { on: 'message', type: 't', key: 'k' } as const;
    const parked = token(2, { lanes: atOnce(1), status: 'waiting', handler: null, wait });
    await bench.given(altered('a', a, parked));
    expect((await bench.load('a')).tokens).toEqual([parked]);
    const [b] = await taken(bench);
    expect(b?.instance).toBe('b');
    const woken = { laned: [tokenId(2)], tokens: [token(2, { lanes: atOnce(1) })] };
    await bench.given(next('a', 2, { rows: woken }));
    expect(await takenAfter(bench, 'b', b)).toEqual(['a.2']);
  });

  test('one that failed waits its turn again', async () => {
    const bench = await open();
    await bench.given(limited('b', atOnce(1)), limited('a', atOnce(1), { priority: -1 }));
    const [b] = await taken(bench);
    expect(b?.instance).toBe('b');
    const again = token(2, { lanes: atOnce(1), attempts: 1, availableAt: at(900) });
    await bench.given(altered('b', b, again));
    const [a] = await taken(bench);
    expect(a?.instance).toBe('a');
    bench.setTime(900);
    expect(await takenAfter(bench, 'a', a)).toEqual(['b.2']);
  });

  test('one whose lease ran out is at work until somebody has recovered it', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)), limited('b', atOnce(1)));
    const [a] = await taken(bench);
    bench.setTime(1_500);
    expect(await taken(bench)).toEqual([]);
    const lost = token(2, { lanes: atOnce(1), crashes: 1, attempts: 1 });
    const rows = { laned: [tokenId(2)], tokens: [lost] };
    const fence = a === undefined ? null : fenceOf(a, { expired: true });
    await bench.given(next('a', 1, { fence, rows }));
    expect(namesOf(await taken(bench))).toEqual(['a.2']);
    expect(await bench.store.lanes.list(null, 9)).toMatchObject([{ atWork: 1, waiting: 1 }]);
  });

  test('one that was given back unrun keeps its place', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)), limited('b', atOnce(1)));
    const [a] = await taken(bench);
    if (a !== undefined) await bench.store.release([heldOf(a)]);
    expect(namesOf(await taken(bench))).toEqual(['a.2']);
  });

  test('the numbers of the newest version count', async () => {
    const bench = await open();
    const versioned = (name: string, version: number, most: number): Commit => {
      const tokens = [token(2, { lanes: atOnce(most) })];
      return begun(name, tokens, { head: { flowVersion: version } });
    };
    await bench.given(versioned('a', 1, 1), versioned('b', 1, 1), versioned('c', 1, 1));
    expect(await taken(bench)).toHaveLength(1);
    await bench.given(versioned('d', 2, 3));
    expect(await taken(bench)).toHaveLength(2);
    // What still goes by the old one does not bring its numbers back.
    await bench.given(versioned('e', 1, 1));
    expect(await taken(bench)).toEqual([]);
    expect(await bench.store.lanes.list(null, 9)).toMatchObject([
      { concurrency: 3, atWork: 3, waiting: 2 },
    ]);
  });

  test('more than are looked at in one go are all let through in the end', async () => {
    const bench = await open();
    const names = Array.from({ length: 1_200 }, (_, n) => `i${`${n}`.padStart(5, '0')}`);
    await bench.store.commit(names.map((name) => limited(name, atOnce(1_100))));
    const claims = await taken(bench);
    expect(claims).toHaveLength(1_100);
    expect(new Set(claims.map(({ instance }) => instance)).size).toBe(1_100);
    expect(await bench.store.lanes.list(null, 9)).toMatchObject([{ atWork: 1_100, waiting: 100 }]);
  });
}

function newsCases(open: OpenBench): void {
  test('holds also for those whose news are behind more than is read in one go', async () => {
    const bench = await open();
    const flood = Array.from({ length: NEWS_MAX }, (_, n) => `f${`${n}`.padStart(5, '0')}`);
    const customer = lane('flow:order=acme', 5);
    await bench.store.commit(flood.map((name) => limited(name, [customer])));
    const both = [customer, lane('step:order/work', 1)];
    const urgent = ['a', 'b', 'c'].map((name) => limited(name, both, { priority: 10 }));
    await bench.store.commit(urgent);
    const claims = await taken(bench);
    const ofStep = claims.filter(({ instance }) => !instance.startsWith('f'));
    expect(claims.length).toBeGreaterThan(0);
    expect(ofStep.length).toBeLessThanOrEqual(1);
  });
}

function turnCases(open: OpenBench): void {
  test('the most urgent first, then the oldest instance', async () => {
    const bench = await open();
    const urgent: Readonly<Record<string, number>> = { a: 0, b: 5, c: 5, d: 9 };
    await bench.given(limited('first', atOnce(1)));
    const [first] = await taken(bench);
    for (const name of ['d', 'c', 'b', 'a']) {
      await bench.given(limited(name, atOnce(1), { priority: urgent[name] ?? 0 }));
    }
    const order: string[] = [];
    await bench.given(ended('first', first));
    for (let [claim] = await taken(bench); claim !== undefined; [claim] = await taken(bench)) {
      order.push(claim.instance);
      await bench.given(ended(claim.instance, claim));
    }
    expect(order).toEqual(['d', 'b', 'c', 'a']);
  });

  test('also among several lanes that share one', async () => {
    const bench = await open();
    const both = (step: string): readonly Lane[] => [lane('flow:order', 1), lane(step, 5)];
    await bench.given(limited('first', both('step:order/a')));
    const [first] = await taken(bench);
    await bench.given(
      limited('x', both('step:order/a'), { priority: 1 }),
      limited('y', both('step:order/b'), { priority: 2 }),
    );
    await letThrough(bench);
    await bench.given(ended('first', first));
    expect(namesOf(await taken(bench))).toEqual(['y.2']);
  });

  test('across lanes and what is under no limit it is the claim that decides', async () => {
    const bench = await open();
    await bench.given(
      limited('a', atOnce(1), { priority: 1 }),
      start('b', { rows: { tokens: [token(2, { priority: 2 })] } }),
      start('c', { rows: { tokens: [token(2, { priority: 0 })] } }),
    );
    await letThrough(bench);
    expect(namesOf(await bench.claim())).toEqual(['b.2', 'a.2', 'c.2']);
  });
}
