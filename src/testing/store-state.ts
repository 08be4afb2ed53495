/** What a commit writes is what a load gives back: these rows, all of them and no others. */
import { describe, expect, test } from 'vitest';
import type { EdgeId, GroupId, NodeId, ScopeId } from '../model/ids.ts';
import type { Head, Token } from '../model/instance.ts';
import { type OpenBench, shown } from './store-bench.ts';
import {
  at,
  finish,
  head,
  idOf,
  latch,
  listening,
  next,
  ROOT,
  scope,
  sleeping,
  start,
  token,
  tokenId,
  undo,
  value,
} from './store-commits.ts';

export function stateCases(open: OpenBench): void {
  describe('instances', () => {
    headCases(open);
  });
  describe('tokens', () => {
    tokenCases(open);
  });
  describe('scopes and their values', () => {
    scopeCases(open);
  });
  describe('the end of an instance', () => {
    endCases(open);
  });
  describe('copies', () => {
    copyCases(open);
  });
}

function headCases(open: OpenBench): void {
  test('every field of an instance comes back', async () => {
    const full: Partial<Head> = {
      status: 'failed',
      counter: 17,
      key: 'k',
      tenant: 't',
      priority: -3,
      input: { a: 1 },
      output: [1],
      fault: { code: 'x', message: 'y', node: 'n' as NodeId, details: { z: null } },
      stalled: { reason: 'join', joins: [] },
      outcome: 'compensated',
      parent: { instance: idOf('caller'), token: tokenId(5) },
      endedAt: at(9),
    };
    const bench = await open();
    await bench.given(start('a', { head: full }), next('a', 1, { head: full }));
    expect((await bench.load('a')).head).toEqual(head('a', 2, full));
  });

  test('instances come in the order asked for, with a gap where there is none', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'));
    const rows = await bench.store.load([idOf('b'), idOf('x'), idOf('a'), idOf('b')]);
    expect(rows.map((row) => row?.head.id)).toEqual(['b', undefined, 'a', 'b']);
    expect(await bench.store.load([])).toEqual([]);
  });

  test('latches are opened, fired and dropped', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { latches: [latch(4), latch(5)] } }));
    expect((await bench.load('a')).latches).toEqual([latch(4), latch(5)]);
    await bench.given(
      next('a', 1, { rows: { latches: [latch(4, true)], droppedLatches: [latch(5)] } }),
    );
    expect((await bench.load('a')).latches).toEqual([latch(4, true)]);
  });
}

function tokenCases(open: OpenBench): void {
  const full: Token = token(7, {
    scope: 3 as ScopeId,
    via: 'a-b' as EdgeId,
    seq: 4,
    status: 'waiting',
    mode: 'compensation',
    groups: [5 as GroupId, 6 as GroupId],
    visit: 2,
    attempts: 3,
    crashes: 1,
    maxAttempts: 10,
    priority: -1,
    availableAt: at(5),
    wait: { on: 'message', type: 't', key: 'k' },
    wakeAt: at(60),
    wake: { reason: 'event', payload: { a: [1] } },
    lastError: { code: 'x', message: 'y', node: null },
    hops: 12,
    createdAt: at(1),
    updatedAt: at(2),
  });

  test('every field of a token comes back', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [full] } }));
    expect((await bench.load('a')).tokens).toEqual([full]);
  });

  test('every field of a token can be altered', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [token(7)] } }));
    await bench.given(next('a', 1, { rows: { tokens: [{ ...full, createdAt: at(0) }] } }));
    await bench.given(next('a', 2, { rows: { tokens: [token(7)] } }));
    expect((await bench.load('a')).tokens).toEqual([token(7)]);
  });

  test('tokens come in the order of their ids, and only those of the instance', async () => {
    const bench = await open();
    await bench.given(
      start('a', { rows: { tokens: [token(10), token(9), token(2)] } }),
      start('b'),
    );
    expect((await bench.load('a')).tokens.map(({ id }) => id)).toEqual([2, 9, 10]);
  });

  test('D2 a claimed token is still ready to the kernel', async () => {
    const bench = await open();
    await bench.given(start('a'));
    await bench.claimFirst();
    expect((await bench.load('a')).tokens).toEqual([token(2)]);
  });

  test('a token that ended is gone', async () => {
    const bench = await open();
    await bench.given(start('a'));
    await bench.given(next('a', 1, { rows: { tokens: [token(3)], endedTokens: [tokenId(2)] } }));
    expect((await bench.load('a')).tokens).toEqual([token(3)]);
    expect(await bench.claim()).toHaveLength(1);
  });

  test('only a claim makes a token executing', async () => {
    const bench = await open();
    const rows = { tokens: [token(2, { status: 'executing' })] };
    expect(await bench.commit(start('a', { rows }))).toMatchObject({ outcome: 'failed' });
    expect(await bench.find('a')).toBeUndefined();
  });
}

function scopeCases(open: OpenBench): void {
  const pass = { parent: ROOT, owner: tokenId(2), node: 'loop' as NodeId, index: 3 };

  test('a scope comes back with its values, results and variables apart', async () => {
    const bench = await open();
    const values = [
      value('results', 'x', 1),
      value('vars', 'x', { y: 2 }),
      value('vars', 'z', null),
    ];
    await bench.given(start('a', { rows: { values } }));
    const expected = scope(1, { results: { x: 1 }, vars: { x: { y: 2 }, z: null } });
    expect((await bench.load('a')).scopes).toEqual([expected]);
  });

  test('what comes of items is kept apart from both, and goes with its scope', async () => {
    const bench = await open();
    const inner = scope(3, { ...pass, item: ['x', 'y'] });
    const values = ['next', '1', '0'].map((name) => value('items', name, `${name}!`, 3));
    const first = { scopes: [inner], values: [...values, value('vars', 'next', 7, 3)] };
    await bench.given(start('a'), next('a', 1, { rows: first }));
    await bench.given(next('a', 2, { rows: { values: [value('items', 'next', 2, 3)] } }));
    const items = { next: 2, 1: '1!', 0: '0!' };
    expect((await bench.load('a')).scopes).toEqual([
      scope(1),
      { ...inner, vars: { next: 7 }, items },
    ]);
    await bench.given(next('a', 3, { rows: { closedScopes: [inner.id] } }));
    await bench.given(next('a', 4, { rows: { scopes: [inner] } }));
    expect((await bench.load('a')).scopes).toEqual([scope(1), inner]);
  });

  test('every field of a scope comes back', async () => {
    const bench = await open();
    const inner = scope(3, { ...pass, item: ['an', { item: 0 }], drains: ROOT });
    await bench.given(start('a'), next('a', 1, { rows: { scopes: [inner] } }));
    expect((await bench.load('a')).scopes).toEqual([scope(1), inner]);
  });

  test('a value that is written again is replaced', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { values: [value('vars', 'x', 1)] } }));
    await bench.given(next('a', 1, { rows: { values: [value('vars', 'x', 2)] } }));
    expect((await bench.load('a')).scopes[0]?.vars).toEqual({ x: 2 });
  });

  test('names keep the order in which they were first written', async () => {
    const bench = await open();
    const first = ['zebra', 'ant'].map((name) => value('vars', name, 1));
    const second = ['mole', 'ant', 'bee'].map((name) => value('vars', name, 2));
    await bench.given(start('a', { rows: { values: first } }));
    await bench.given(next('a', 1, { rows: { values: second } }));
    const { vars } = (await bench.load('a')).scopes[0] ?? scope(1);
    expect(JSON.stringify(vars)).toBe('{"zebra":1,"ant":2,"mole":2,"bee":2}');
  });

  test('names of any kind are names', async () => {
    const bench = await open();
    const names = ['__proto__', 'constructor', 'with "quotes"', 'zero\u0000', '', '10', 'é😀'];
    const values = names.map((name) => value('results', name, name));
    await bench.given(start('a', { rows: { values } }));
    const { results } = (await bench.load('a')).scopes[0] ?? scope(1);
    expect(Object.getPrototypeOf(results)).toBe(Object.prototype);
    expect(new Set(Object.keys(results))).toEqual(new Set(names));
    expect(Object.entries(results).every(([name, text]) => name === text)).toBe(true);
  });

  test('a scope that closes takes its values with it', async () => {
    const bench = await open();
    const rows = { scopes: [scope(3, pass)], values: [value('vars', 'x', 1, 3)] };
    await bench.given(start('a'), next('a', 1, { rows }));
    await bench.given(next('a', 2, { rows: { closedScopes: [3 as ScopeId] } }));
    expect((await bench.load('a')).scopes).toEqual([scope(1)]);
    await bench.given(next('a', 3, { rows: { scopes: [scope(3, pass)] } }));
    expect((await bench.load('a')).scopes[1]?.vars).toEqual({});
  });
}

function endCases(open: OpenBench): void {
  const everything = {
    tokens: [token(2), sleeping(3, 5), ...(listening(4, 't', 'k').tokens ?? [])],
    subscribed: listening(4, 't', 'k').subscribed ?? [],
    values: [value('vars', 'x', 1)],
    latches: [latch(9)],
    undos: [undo(8)],
  };
  /** The commit that ends an instance names all it takes along. */
  const ending = {
    endedTokens: [tokenId(2), tokenId(3), tokenId(4)],
    unsubscribed: [tokenId(4)],
    droppedLatches: [latch(9)],
    droppedUndos: [undo(8).id],
  };

  test('an instance that is over leaves its head and its history, and nothing else', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: everything }));
    await bench.given(finish('a', 1, { head: { output: 'done' }, rows: ending }));
    const { head: last, ...rows } = await bench.load('a');
    expect(last).toMatchObject({ status: 'completed', output: 'done', endedAt: at(2) });
    expect(rows).toEqual({ tokens: [], scopes: [], latches: [], undos: [] });
    expect(await bench.historyNumbers('a')).toEqual([1, 2]);
  });

  test('nothing of an instance that is over is claimed, woken or found by a message', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: everything }));
    await bench.claimFirst();
    await bench.given(finish('a', 1, { rows: ending }));
    await bench.store.publish({ id: 'm1', type: 't', key: 'k', data: null, ttlMs: 60_000 });
    bench.setTime(10_000);
    const found = [bench.claim(), bench.store.due(9), bench.store.expired(9)];
    expect(await Promise.all([...found, bench.store.deliverable(9)])).toEqual([[], [], [], []]);
    expect(shown(await bench.outlook({ handlers: ['order@1/work'] }))).toEqual({});
  });

  test('an instance that had many rows leaves none of them, either', async () => {
    const bench = await open();
    const ids = Array.from({ length: 20 }, (_, i) => i + 10);
    const scopes = [scope(1), ...ids.map((id) => scope(id + 100, { parent: scope(1).id }))];
    const values = ids.map((id) => value('results', 'x', id, id + 100));
    const rows = { ...everything, tokens: ids.map((id) => token(id)), scopes, values };
    await bench.given(start('a', { rows }));
    const endedTokens = ids.map(tokenId);
    const closedScopes = scopes.map(({ id }) => id);
    await bench.given(finish('a', 1, { rows: { ...ending, endedTokens, closedScopes } }));
    const { head: _, ...left } = await bench.load('a');
    expect(left).toEqual({ tokens: [], scopes: [], latches: [], undos: [] });
    await bench.store.publish({ id: 'm1', type: 't', key: 'k', data: null, ttlMs: 60_000 });
    expect(await bench.store.deliverable(9)).toEqual([]);
  });

  test('the finished steps of a chain stay, and are never claimed', async () => {
    const bench = await open();
    const done = token(2, { seq: 0, status: 'completed', handler: null });
    await bench.given(start('a', { rows: { tokens: [token(2, { seq: 0 })] } }));
    await bench.given(finish('a', 1, { rows: { endedTokens: [], tokens: [done] } }));
    expect((await bench.load('a')).tokens).toEqual([done]);
    expect(await bench.claim()).toEqual([]);
  });
}

function copyCases(open: OpenBench): void {
  test('what is handed out is frozen to the bottom, and another copy each time', async () => {
    const bench = await open();
    const wake = { reason: 'event', payload: { list: [1] } } as const;
    const rows = { tokens: [token(2, { wake })], values: [value('vars', 'x', { y: [] })] };
    await bench.given(start('a', { head: { input: { a: {} } }, rows }));
    const [first, second] = [await bench.load('a'), await bench.load('a')];
    expect(isDeepFrozen(first)).toBe(true);
    expect(second).toEqual(first);
    expect(second.head.input).not.toBe(first.head.input);
  });
}

export function isDeepFrozen(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return true;
  return Object.isFrozen(json) && Object.values(json).every(isDeepFrozen);
}
