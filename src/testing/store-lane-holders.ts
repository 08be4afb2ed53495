/** Lanes and whoever does not use the room they gave: the suspended, tenants, and nobody. */
import { describe, expect, test } from 'vitest';
import type { Lane } from '../model/lane.ts';
import { TENANT_READY_MAX } from '../model/limits.ts';
import { LANE_LOOK_MS, TENANT_LOOK_MS } from '../stores/lane-look.ts';
import { UNSERVED_MS } from '../stores/lane-asks.ts';
import { tenantLane } from '../stores/lanes.ts';
import type { Commit } from '../stores/store.ts';
import { namesOf, type OpenBench, shown } from './store-bench.ts';
import {
  at,
  fenceOf,
  finish,
  HANDLER,
  heldOf,
  idOf,
  next,
  resume,
  start,
  suspend,
  suspendedSince,
  token,
  tokenId,
} from './store-commits.ts';
import {
  atOnce,
  begun,
  ended,
  lane,
  letThrough,
  limited,
  OTHER,
  taken,
  takenAfter,
} from './store-lane-commits.ts';

export function laneHolderCases(open: OpenBench): void {
  describe('a suspended instance with tokens in lanes', () => {
    pauseCases(open);
  });
  describe('a tenant', () => {
    tenantCases(open);
  });
  describe('a handler that nobody has', () => {
    unservedCases(open);
  });
}

function pauseCases(open: OpenBench): void {
  test('lets nobody through, and keeps nobody else waiting', async () => {
    const bench = await open();
    for (const name of ['a', 'b', 'c']) await bench.given(limited(name, atOnce(1)));
    await letThrough(bench);
    // Let through, but not claimed: it makes room.
    await bench.given(suspend('a', 1), suspend('b', 1));
    expect(namesOf(await taken(bench))).toEqual(['c.2']);
    expect((await bench.load('a')).tokens).toEqual([token(2, { lanes: atOnce(1) })]);
  });

  test('goes on to the end of the step that is at work, and that is still at work', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)), limited('b', atOnce(1)));
    const [a] = await taken(bench);
    await bench.given(suspend('a', 1));
    expect(await taken(bench)).toEqual([]);
    await bench.given(
      finish('a', 2, {
        ...(a === undefined ? {} : { fence: fenceOf(a) }),
        head: { pauses: [] },
        rows: { pausing: true, laned: [tokenId(2)] },
      }),
    );
    expect(namesOf(await taken(bench))).toEqual(['b.2']);
  });

  test('makes room when what was at work is given back', async () => {
    const bench = await open();
    await bench.given(limited('a', atOnce(1)), limited('b', atOnce(1)));
    const [a] = await taken(bench);
    await bench.given(suspend('a', 1));
    if (a !== undefined) await bench.store.release([heldOf(a)]);
    const [b] = await taken(bench);
    expect(b?.instance).toBe('b');
    await bench.given(resume('a', 2, 2));
    expect(await takenAfter(bench, 'b', b)).toEqual(['a.2']);
  });

  test('waits its turn again when it goes on', async () => {
    const bench = await open();
    for (const name of ['a', 'b']) await bench.given(limited(name, atOnce(1)));
    await bench.given(suspend('a', 1));
    const [b] = await taken(bench);
    expect(b?.instance).toBe('b');
    await bench.given(resume('a', 2, 2), limited('c', atOnce(1)));
    expect(await taken(bench)).toEqual([]);
    expect((await bench.load('a')).tokens).toEqual([token(2, { lanes: atOnce(1) })]);
    await bench.given(ended('b', b));
    expect(namesOf(await taken(bench))).toEqual(['a.2']);
  });

  test('has what comes meanwhile wait for it to go on', async () => {
    const bench = await open();
    await bench.given(begun('a', [token(2), token(3)]), suspend('a', 1));
    const born = [token(4, { lanes: atOnce(1) })];
    const rows = { bornAfter: 3, laned: [tokenId(4)], tokens: born, endedTokens: [tokenId(2)] };
    await bench.given(next('a', 2, { head: suspendedSince(2), rows }));
    expect(await taken(bench)).toEqual([]);
    expect((await bench.load('a')).tokens).toEqual([token(3), ...born]);
    await bench.given(resume('a', 3, 2));
    expect(namesOf(await taken(bench))).toEqual(['a.3', 'a.4']);
  });
}

function tenantCases(open: OpenBench): void {
  const of = (name: string, tenant: string, ms = 0, priority = 0): Commit => {
    const tokens = [token(2, { availableAt: at(ms), priority })];
    return start(name, { head: { tenant }, rows: { tokens } });
  };
  const flood = (tenant: string, count: number, priority = 0): Commit[] =>
    Array.from({ length: count }, (_, n) => `${tenant}${`${n}`.padStart(4, '0')}`).map((name) =>
      of(name, tenant, 0, priority),
    );

  test('is not kept waiting by what is more urgent to another', async () => {
    const bench = await open();
    await bench.store.commit(flood('a', TENANT_READY_MAX * 4, 5));
    await letThrough(bench);
    await bench.given(of('b', 'b'));
    const order: string[] = [];
    for (let ms = 1; ms < TENANT_READY_MAX * 3; ms += 1) {
      bench.setTime(ms);
      await letThrough(bench, { lanes: [tenantLane('a', HANDLER)] });
      order.push(...(await bench.claim({ limit: 1 })).map(({ instance }) => instance));
    }
    expect(order.indexOf(idOf('b'))).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(idOf('b'))).toBeLessThanOrEqual(TENANT_READY_MAX);
  });

  test('has its own claimed in order, the most urgent first, and none is another', async () => {
    const bench = await open();
    await bench.given(of('a', 't', 0, 1), of('b', 't', 0, 9), of('c', 't', 0, 5));
    await letThrough(bench);
    expect((await bench.load('b')).tokens).toMatchObject([{ priority: 9, availableAt: at(0) }]);
    expect(namesOf(await bench.claim())).toEqual(['b.2', 'c.2', 'a.2']);
    expect((await bench.load('b')).tokens).toMatchObject([{ priority: 9 }]);
  });

  test('has so many in the queue at a time, before the tokens of others', async () => {
    const bench = await open();
    await bench.store.commit(flood('a', TENANT_READY_MAX + 1));
    const { tokens } = await letThrough(bench);
    expect(tokens).toBe(TENANT_READY_MAX);
    bench.setTime(10);
    await bench.given(of('b', 'b', 10));
    await letThrough(bench);
    const claims = await bench.claim({ limit: 1_000 });
    expect(claims.map(({ instance }) => instance)).toContain('b');
    expect(claims).toHaveLength(TENANT_READY_MAX + 1);
  });

  test('has others follow as soon as some are claimed', async () => {
    const bench = await open();
    await bench.store.commit(flood('a', TENANT_READY_MAX * 2 + 5));
    await letThrough(bench);
    for (const most of [TENANT_READY_MAX, TENANT_READY_MAX, 5]) {
      expect(await bench.claim({ limit: 1_000 })).toHaveLength(most);
      await letThrough(bench, { lanes: [tenantLane('a', HANDLER)] });
    }
    expect(await bench.store.lanes.list(null, 9)).toEqual([]);
  });

  test('has them follow a little later if whoever claimed says nothing', async () => {
    const bench = await open();
    await bench.store.commit(flood('a', TENANT_READY_MAX + 5));
    await letThrough(bench);
    await bench.claim({ limit: 1_000, leaseMs: 60_000 });
    expect(shown(await bench.outlook()).lanes).toBe(at(TENANT_LOOK_MS));
    bench.setTime(TENANT_LOOK_MS);
    expect(await letThrough(bench)).toMatchObject({ tokens: 5 });
  });

  test('hands over as ever: what is taken at once stands before nobody', async () => {
    const bench = await open();
    const take = { worker: 'ann', leaseMs: 500, tokens: [tokenId(2)] };
    const [outcome] = await bench.store.commit([{ ...of('a', 'a'), take }]);
    expect(outcome).toMatchObject({ outcome: 'committed', taken: [{ token: 2, version: 1 }] });
    expect(shown(await bench.outlook()).lanes).toBeUndefined();
  });

  test('has lone tokens claimed apart', async () => {
    const bench = await open();
    const tokens = [token(2, { crashes: 2 })];
    await bench.given(start('a', { head: { tenant: 't' }, rows: { tokens } }));
    expect(namesOf(await bench.claim({ lone: true }))).toEqual(['a.2']);
  });

  test('is one with its limits, too', async () => {
    const bench = await open();
    const tokens = [token(2, { lanes: atOnce(1) })];
    for (const name of ['a', 'b'])
      await bench.given(begun(name, tokens, { head: { tenant: 't' } }));
    const [a] = await taken(bench);
    expect(await taken(bench)).toEqual([]);
    await bench.given({ ...ended('a', a) });
    await letThrough(bench, { lanes: [tenantLane('t', HANDLER)] });
    expect(namesOf(await bench.claim())).toEqual(['b.2']);
  });

  test('loses nothing that ends or changes while it waits', async () => {
    const bench = await open();
    await bench.store.commit(flood('a', TENANT_READY_MAX + 3));
    await letThrough(bench);
    const last = `a${`${TENANT_READY_MAX}`.padStart(4, '0')}`;
    const later = `a${`${TENANT_READY_MAX + 1}`.padStart(4, '0')}`;
    await bench.given(finish(last, 1, { head: { tenant: 'a' } }));
    const parked = token(2, {
      status: 'waiting',
      handler: null,
      wait: { on: 'time' },
      wakeAt: at(9),
    });
    await bench.given(next(later, 1, { head: { tenant: 'a' }, rows: { tokens: [parked] } }));
    expect((await bench.load(later)).tokens).toEqual([parked]);
    await bench.claim({ limit: 1_000 });
    expect(await letThrough(bench, { lanes: [tenantLane('a', HANDLER)] })).toMatchObject({
      tokens: 1,
    });
    expect(await bench.claim()).toHaveLength(1);
  });
}

function unservedCases(open: OpenBench): void {
  const others = (name: string): Commit => limited(name, atOnce(1), { handler: OTHER });

  test('does not keep others waiting for ever, and comes back with whoever has it', async () => {
    const bench = await open();
    await bench.given(others('a'), others('b'), limited('c', atOnce(1)));
    const ours = { handlers: [HANDLER] };
    expect(await letThrough(bench, ours)).toMatchObject({ tokens: 1 });
    expect(await bench.claim()).toEqual([]);
    expect((await bench.outlook()).lanes).toBe(at(LANE_LOOK_MS));
    bench.setTime(UNSERVED_MS);
    expect(await letThrough(bench, ours)).toMatchObject({ tokens: 1 });
    const [c] = await bench.claim({ leaseMs: 1e9 });
    expect(c?.instance).toBe('c');
    expect((await bench.load('a')).tokens).toMatchObject([{ status: 'ready', handler: OTHER }]);
    expect((await bench.outlook()).lanes).not.toBe(at(UNSERVED_MS));
    const theirs = await bench.outlook({ handlers: [OTHER] });
    expect(theirs.lanes).toBe(at(UNSERVED_MS));
    await letThrough(bench);
    await bench.given(ended('c', c));
    await letThrough(bench);
    expect(namesOf(await bench.claim({ handlers: [OTHER] }))).toEqual(['a.2']);
  });

  test('keeps others waiting no longer where both of its lanes are full', async () => {
    const bench = await open();
    const both = (customer: string): readonly Lane[] => [
      lane(`flow:order=${customer}`, 1),
      lane('step:order/work', 2),
    ];
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) {
      await bench.given(limited(name, both(name.slice(0, 1)), { handler: OTHER }));
    }
    await bench.given(limited('c', both('c')));
    const ours = { handlers: [HANDLER] };
    expect(await letThrough(bench, ours)).toMatchObject({ tokens: 2 });
    bench.setTime(UNSERVED_MS);
    expect(await letThrough(bench, ours)).toMatchObject({ tokens: 1 });
    expect(namesOf(await bench.claim())).toEqual(['c.2']);
  });

  test('is not what a slow handler is taken for', async () => {
    const bench = await open();
    await bench.given(others('a'), limited('b', atOnce(1)));
    await letThrough(bench);
    expect(await bench.claim({ handlers: [OTHER], leaseMs: 1e9 })).toHaveLength(1);
    bench.setTime(UNSERVED_MS + LANE_LOOK_MS);
    expect(await letThrough(bench, { handlers: [HANDLER] })).toMatchObject({ tokens: 0 });
  });
}
