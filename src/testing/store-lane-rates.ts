/** Lanes with a limit per time, and tokens that are in two lanes at once. */
import { describe, expect, test } from 'vitest';
import type { Lane } from '../model/lane.ts';
import type { Claim } from '../stores/store.ts';
import { type Bench, namesOf, type OpenBench } from './store-bench.ts';
import { at, token } from './store-commits.ts';
import {
  altered,
  ended,
  lane,
  leavesNoLane,
  letThrough,
  limited,
  of,
  OTHER,
  taken,
} from './store-lane-commits.ts';

export function laneRateCases(open: OpenBench): void {
  describe('how many per time', () => {
    rateCases(open);
  });
  describe('a token in two lanes', () => {
    twoLaneCases(open);
  });
}

function rateCases(open: OpenBench): void {
  const RATE = { max: 2, perMs: 1_000 };
  const perSecond = [lane('step:order/work', null, RATE)];

  async function withSome(count: number, lanes: readonly Lane[] = perSecond): Promise<Bench> {
    const bench = await open();
    for (const name of 'abcdefgh'.slice(0, count)) await bench.given(limited(name, lanes));
    return bench;
  }

  test('so many begin, and the next when a whole window is over', async () => {
    const bench = await withSome(5);
    expect(namesOf(await taken(bench))).toEqual(['a.2', 'b.2']);
    expect((await bench.outlook()).lanes).toBe(at(1_000));
    bench.setTime(999);
    expect(await taken(bench)).toEqual([]);
    bench.setTime(1_000);
    expect(namesOf(await taken(bench))).toEqual(['c.2', 'd.2']);
    bench.setTime(2_000);
    expect(namesOf(await taken(bench))).toEqual(['e.2']);
  });

  test('also if they are done at once', async () => {
    const bench = await withSome(5);
    for (const claim of await taken(bench)) await bench.given(ended(claim.instance, claim));
    bench.setTime(400);
    expect(await taken(bench)).toEqual([]);
    expect((await bench.outlook()).lanes).toBe(at(1_000));
    bench.setTime(1_000);
    expect(namesOf(await taken(bench))).toEqual(['c.2', 'd.2']);
  });

  test('what is let through and not claimed begins when it is claimed', async () => {
    const bench = await withSome(5);
    expect(await letThrough(bench)).toMatchObject({ tokens: 2 });
    bench.setTime(5_000);
    // Nobody has begun, and nobody else is let through to begin together with them.
    expect(await letThrough(bench)).toMatchObject({ tokens: 0 });
    expect(await bench.claim()).toHaveLength(2);
    expect(await taken(bench)).toEqual([]);
    bench.setTime(5_999);
    expect(await taken(bench)).toEqual([]);
    bench.setTime(6_000);
    expect(await taken(bench)).toHaveLength(2);
  });

  test('an execution that failed has begun, and the next is another', async () => {
    const bench = await withSome(3);
    const [a] = await taken(bench);
    const again = token(2, { lanes: perSecond, attempts: 1, priority: 5 });
    await bench.given(altered('a', a, again));
    expect(await taken(bench)).toEqual([]);
    bench.setTime(1_000);
    expect(namesOf(await taken(bench))).toEqual(['a.2', 'c.2']);
  });

  test('one that is called off before it begins counts as if it had', async () => {
    const bench = await withSome(4);
    await letThrough(bench);
    await bench.given(ended('a', undefined));
    expect(namesOf(await taken(bench))).toEqual(['b.2']);
    bench.setTime(1_001);
    expect(namesOf(await taken(bench))).toEqual(['c.2']);
    // It was called off with its second commit.
    bench.setTime(1_002);
    expect(namesOf(await taken(bench))).toEqual(['d.2']);
  });

  test('a lane that nobody uses is gone when its last window is', async () => {
    const bench = await withSome(1);
    const [a] = await taken(bench);
    await bench.given(ended('a', a));
    await letThrough(bench);
    expect(await bench.store.lanes.list(null, 9)).toMatchObject([{ rate: RATE, atWork: 0 }]);
    expect((await bench.outlook()).lanes).toBe(at(1_000));
    bench.setTime(1_000);
    await leavesNoLane(bench);
  });

  test('one that goes on in another lane has not begun there', async () => {
    const bench = await open();
    const other = [lane('step:order/other', null, RATE)];
    await bench.given(limited('z', other));
    expect(await taken(bench)).toHaveLength(1);
    await bench.given(limited('a', perSecond));
    await letThrough(bench);
    // Nobody looks at the lane between the claim and its end.
    const [a] = await bench.claim();
    await bench.given(altered('a', a, token(2, { lanes: other })));
    expect(namesOf(await taken(bench))).toEqual(['a.2']);
  });

  test('with a limit at a time, too, both hold', async () => {
    const both = [lane('step:order/work', 1, RATE)];
    const bench = await withSome(4, both);
    const [a] = await taken(bench);
    await bench.given(ended('a', a));
    const [b] = await taken(bench);
    expect(b?.instance).toBe('b');
    await bench.given(ended('b', b));
    expect(await taken(bench)).toEqual([]);
    bench.setTime(1_000);
    expect(namesOf(await taken(bench))).toEqual(['c.2']);
  });
}

function twoLaneCases(open: OpenBench): void {
  const inBoth = (customer: string, most: number): readonly Lane[] => [
    lane('flow:order', most),
    lane(`step:order/work=${customer}`, 1),
  ];

  /** Those at work are a and c. First a ends, and it is the turn of that one; then c does. */
  async function takenBetween(bench: Bench, next: string): Promise<Claim | undefined> {
    const claims = await taken(bench);
    expect(namesOf(claims)).toEqual(['a.2', 'c.2']);
    await bench.given(ended('a', of(claims, 'a')));
    const [claim] = await taken(bench);
    expect(claim?.instance).toBe(next);
    await bench.given(ended('c', of(claims, 'c')));
    return claim;
  }

  test('needs room in both', async () => {
    const bench = await open();
    for (const [name, customer] of ['ax', 'bx', 'cy', 'dz'].map((pair) => pair.split(''))) {
      await bench.given(limited(name ?? '', inBoth(customer ?? '', 2)));
    }
    // Both have room for the other one of x, which is older than d; but it is the turn of z.
    await takenBetween(bench, 'd');
    expect(namesOf(await taken(bench))).toEqual(['b.2']);
  });

  test('waits for the one that is full, and nobody stands behind it in the other', async () => {
    const bench = await open();
    const flood = Array.from({ length: 300 }, (_, n) => `a${`${n}`.padStart(3, '0')}`);
    await bench.store.commit(flood.map((name) => limited(name, inBoth('x', 3))));
    expect(await taken(bench)).toHaveLength(1);
    await bench.given(limited('b', inBoth('y', 3)), limited('c', inBoth('z', 3)));
    expect(namesOf(await taken(bench))).toEqual(['b.2', 'c.2']);
    const lanes = await bench.store.lanes.list(null, 9);
    expect(lanes).toMatchObject([
      { name: 'flow:order', atWork: 3, waiting: 0 },
      { name: 'step:order/work=x', atWork: 1, waiting: 299 },
      { name: 'step:order/work=y', atWork: 1 },
      { name: 'step:order/work=z', atWork: 1 },
    ]);
  });

  test.each([6, 300])('does not keep free places from one behind it, after %i', async (count) => {
    const bench = await open();
    const customer = lane('flow:order=acme', 5);
    const both = [customer, lane('step:order/work', 1)];
    const many = Array.from({ length: count }, (_, n) => `b${`${n}`.padStart(3, '0')}`);
    await bench.store.commit(many.map((name) => limited(name, both)));
    await bench.given(limited('c', [customer], { handler: OTHER }));
    expect(namesOf(await taken(bench))).toEqual(['b000.2', 'c.2']);
    // Some stand for the others in the lane that is full.
    const lanes = await bench.store.lanes.list(null, 9);
    expect(lanes.find(({ name }) => name === 'step:order/work')?.waiting).toBeLessThan(6);
  });

  test('goes on to wait for the other where the first has room', async () => {
    const bench = await open();
    await bench.given(limited('a', inBoth('x', 2)), limited('b', inBoth('x', 2)));
    await bench.given(limited('c', [lane('flow:order', 2)]), limited('d', [lane('flow:order', 2)]));
    // There is room for x, and d is the older one in the flow's own lane by now.
    const b = await takenBetween(bench, 'b');
    const [d] = await taken(bench);
    await bench.given(ended('d', d), ended('b', b));
    await letThrough(bench);
    expect(await bench.store.lanes.list(null, 9)).toEqual([]);
  });
}
