/** Versions in a store: which plans it keeps, who serves them, and rows that move to another. */
import { describe, expect, test } from 'vitest';
import type { GroupId, NodeId, PlanHash, ScopeId, TokenId } from '../model/ids.ts';
import { SERVED_AFTER_MS } from '../stores/servers.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import {
  at,
  HANDLER,
  idOf,
  latch,
  next,
  scope,
  start,
  suspend,
  token,
  undo,
} from './store-commits.ts';

export function serverCases(open: OpenBench): void {
  describe('plans', () => {
    planCases(open);
  });
  describe('who serves what', () => {
    presenceCases(open);
  });
  describe('ready tokens', () => {
    unservedCases(open);
  });
  describe('an instance that goes on by another plan', () => {
    migrationCases(open);
  });
}

function planCases(open: OpenBench): void {
  test('are listed by name and version, and the one saved last comes last', async () => {
    const { store, ...bench } = await opened(open);
    const save = (hash: string, name: string, version: number): Promise<void> =>
      store.savePlan({ hash: hash as PlanHash, name, version, body: {} });
    await save('h9', 'order', 2);
    bench.setTime(1);
    await save('h1', 'order', 2);
    bench.setTime(2);
    await save('h5', 'order', 1);
    await save('h7', 'bill', 3);
    // Saving one again is no news.
    await save('h9', 'order', 2);
    const plans = await store.plans();
    expect(plans.map(({ hash, name, version }) => `${name}@${version} ${hash}`)).toEqual([
      ...['bill@3 h7', 'order@1 h5', 'order@2 h9', 'order@2 h1'],
    ]);
    expect(Object.keys(plans[0] ?? {}).sort()).toEqual(['hash', 'name', 'version']);
  });
}

/** A bench whose parts can be taken apart. */
async function opened(open: OpenBench): Promise<Pick<Bench, 'store' | 'setTime'>> {
  const bench = await open();
  return { store: bench.store, setTime: (ms) => bench.setTime(ms) };
}

function presenceCases(open: OpenBench): void {
  const names = async ({ store }: Pick<Bench, 'store'>): Promise<string[]> =>
    (await store.servers.list()).map(({ worker, handlers }) => `${worker} ${handlers.join()}`);

  test('is what each of them said last, until it ends', async () => {
    const bench = await open();
    await bench.store.servers.put('bob', ['b', 'c'], 50);
    await bench.store.servers.put('ann', ['a'], 50);
    bench.setTime(5);
    await bench.store.servers.put('bob', ['d', 'é"/:undo'], 60);
    expect(await names(bench)).toEqual(['ann a', 'bob d,é"/:undo']);
    expect(await bench.store.servers.list()).toMatchObject([{ until: at(50) }, { until: at(65) }]);
    await bench.store.servers.remove('ann');
    await bench.store.servers.remove('nobody');
    expect(await names(bench)).toEqual(['bob d,é"/:undo']);
  });

  test('comes with what each of them is at, since when and until when', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [token(2), token(3)] } }), start('b'));
    for (const worker of ['bob', 'ann', 'idle']) await bench.store.servers.put(worker, ['x'], 100);
    bench.setTime(5);
    const [first] = await bench.claim({ worker: 'bob', limit: 1, leaseMs: 50 });
    const others = await bench.claim({ worker: 'ann', limit: 5, leaseMs: 40 });
    const [ann, bob, idle] = await bench.store.servers.list();
    const { instance, token: id } = first ?? {};
    expect(bob?.holds).toEqual([
      { instance, token: id, node: 'work', since: at(5), until: at(55) },
    ]);
    const names = (list: readonly { instance: string; token: number }[]): string[] =>
      list.map((one) => `${one.instance}.${one.token}`).sort();
    expect(names(ann?.holds ?? [])).toEqual(names(others));
    expect([others.length, idle?.holds]).toEqual([2, []]);
  });

  test('is nothing once somebody has been silent for too long', async () => {
    const bench = await open();
    await bench.store.servers.put('ann', ['a'], 100);
    bench.setTime(100);
    await bench.store.servers.put('bob', ['b'], 100);
    expect(await names(bench)).toEqual(['ann a', 'bob b']);
    bench.setTime(101);
    expect(await names(bench)).toEqual(['bob b']);
  });
}

function unservedCases(open: OpenBench): void {
  const found = async ({ store }: Bench, ...ids: string[]): Promise<unknown[]> =>
    (await store.servers.unserved(ids.map(idOf))).map(({ instance, token: id, node, handler }) => {
      return `${instance}.${id} ${node} ${handler}`;
    });

  async function due(): Promise<Bench> {
    const bench = await open();
    const rows = { tokens: [token(2), token(3, { handler: 'order@1/other', crashes: 2 })] };
    await bench.given(start('a', { rows }), start('b'));
    bench.setTime(SERVED_AFTER_MS);
    return bench;
  }

  test('that nobody has a handler for are told, once they have been due for a while', async () => {
    const bench = await due();
    bench.setTime(SERVED_AFTER_MS - 1);
    expect(await found(bench, 'a', 'b')).toEqual([]);
    bench.setTime(SERVED_AFTER_MS);
    expect(await found(bench, 'b', 'a')).toEqual([
      `a.2 work ${HANDLER}`,
      'a.3 work order@1/other',
      `b.2 work ${HANDLER}`,
    ]);
    expect(await bench.store.servers.unserved([idOf('b')])).toMatchObject([{ since: at(0) }]);
    expect(await found(bench, 'nobody')).toEqual([]);
    expect(await found(bench)).toEqual([]);
  });

  test('that somebody has a handler for wait for their turn', async () => {
    const bench = await due();
    await bench.store.servers.put('ann', [HANDLER], 100);
    expect(await found(bench, 'a', 'b')).toEqual(['a.3 work order@1/other']);
    await bench.store.servers.put('bob', ['order@1/other', 'more'], 100);
    expect(await found(bench, 'a', 'b')).toEqual([]);
    bench.setTime(SERVED_AFTER_MS + 101);
    expect(await found(bench, 'b')).toEqual([`b.2 work ${HANDLER}`]);
  });

  test('that are at work, set down, or of a suspended instance are none of them', async () => {
    const bench = await due();
    const [claim] = await bench.claim({ limit: 1, leaseMs: 1e9 });
    const set = start('c', { rows: { tokens: [token(2, { handler: null })] } });
    await bench.given(set, start('d'));
    await bench.given(suspend('d', 1));
    const taken = `${claim?.instance}.${claim?.token}`;
    const rest = await found(bench, 'a', 'b', 'c', 'd');
    expect(rest).toHaveLength(2);
    expect(rest).not.toContain(`${taken} work ${HANDLER}`);
  });
}

function migrationCases(open: OpenBench): void {
  const node = 'elsewhere' as NodeId;

  test.each([{ bornAfter: 4 }, {}])('has every row where it is then: %o', async (known) => {
    const bench = await open();
    const inner = scope(3, { parent: 1 as ScopeId, owner: 2 as TokenId, node: 'box' as NodeId });
    const before = { tokens: [token(2), token(4, { scope: inner.id })], scopes: [scope(1), inner] };
    const held = { latches: [latch(9)], undos: [undo(5)] };
    await bench.given(start('a', { rows: { ...before, ...held } }));
    const [claim] = await bench.claim({ limit: 1 });
    const moved = {
      tokens: [
        token(2, { node, handler: 'order@2/elsewhere', via: 'x->y' as never }),
        token(4, { node, scope: 1 as ScopeId, groups: [7 as GroupId], handler: 'order@2/b' }),
      ],
      scopes: [{ ...inner, node }],
      latches: [{ ...latch(9), node }],
      droppedLatches: [{ scope: 1 as ScopeId, node: 'join' as NodeId, group: 9 as GroupId }],
      undos: [undo(5, { node })],
    };
    const head = { plan: 'other-hash' as PlanHash, flowVersion: 2 };
    await bench.given(next('a', 1, { head, rows: { ...known, ...moved } }));
    const rows = await bench.load('a');
    expect(rows.head).toMatchObject(head);
    expect(rows.tokens).toEqual(moved.tokens);
    expect(rows.scopes).toEqual([scope(1), { ...inner, node }]);
    expect(rows.latches).toEqual(moved.latches);
    expect(rows.undos).toEqual(moved.undos);
    // Whoever had one of them has lost it.
    expect(claim && (await bench.store.renew([claim], 1_000))).toHaveLength(1);
    expect(await bench.claim()).toEqual([]);
    expect(await bench.claim({ handlers: ['order@2/elsewhere', 'order@2/b'] })).toHaveLength(2);
  });
}
