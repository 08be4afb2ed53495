/** What can be undone and what became of it, scopes that are let go of, and who called whom. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import type { NodeId, ScopeId } from '../model/ids.ts';
import type { Undo } from '../model/instance.ts';
import type { OpenBench } from './store-bench.ts';
import {
  fenceOf,
  finish,
  idOf,
  next,
  ROOT,
  scope,
  start,
  tokenId,
  undo,
  undoId,
  value,
} from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

const FAULT = { code: 'REFUSED', message: 'too late', node: 'work' as NodeId, details: { at: 1 } };

export function sagaCases(open: OpenBench): void {
  describe('steps that can be undone', () => {
    undoCases(open);
  });
  describe('what stays of them', () => {
    remainCases(open);
  });
  describe('scopes that are altered', () => {
    alterCases(open);
  });
  describe('how it ended and who called it', () => {
    headCases(open);
  });
}

function undoCases(open: OpenBench): void {
  const full: Undo = undo(7, {
    saga: 3 as ScopeId,
    node: 'book' as NodeId,
    token: tokenId(6),
    visit: 2,
    result: { seat: ['12A', null] },
    index: 4,
    item: ['an', { item: 0 }],
    inDoubt: true,
    status: 'failed',
    by: tokenId(9),
    fault: FAULT,
  });

  test('every field of an undo comes back', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { undos: [full] } }));
    expect((await bench.load('a')).undos).toEqual([full]);
  });

  test('every field of an undo can be altered', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { undos: [undo(7)] } }));
    await bench.given(next('a', 1, { rows: { undos: [full] } }));
    expect((await bench.load('a')).undos).toEqual([full]);
    await bench.given(next('a', 2, { rows: { undos: [undo(7)] } }));
    expect((await bench.load('a')).undos).toEqual([undo(7)]);
  });

  test('undos come in the order of their ids, and only those of the instance', async () => {
    const bench = await open();
    await bench.given(
      start('a', { rows: { undos: [undo(10), undo(9)] } }),
      start('b', { rows: { undos: [undo(3)] } }),
    );
    await bench.given(next('a', 1, { rows: { undos: [undo(4)] } }));
    expect((await bench.load('a')).undos.map(({ id }) => id)).toEqual([4, 9, 10]);
  });

  test('an undo that is dropped is gone, and the others stay', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { undos: [undo(4), undo(5), undo(6)] } }));
    await bench.given(
      next('a', 1, { rows: { undos: [undo(7)], droppedUndos: [undoId(5), undoId(99)] } }),
    );
    expect((await bench.load('a')).undos).toEqual([undo(4), undo(6), undo(7)]);
  });

  test('an undo is a copy, frozen to the bottom', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { undos: [full] } }));
    const [first, second] = [await bench.load('a'), await bench.load('a')];
    expect(isDeepFrozen(first.undos)).toBe(true);
    expect(second.undos[0]?.result).not.toBe(first.undos[0]?.result);
  });

  test('an undo whose result is no JSON fails its commit', async () => {
    const bench = await open();
    const bad = undo(4, { result: 1n as unknown as Json });
    const outcome = await bench.commit(start('a', { rows: { undos: [bad] } }));
    expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'store.refused' } });
    expect(await bench.find('a')).toBeUndefined();
  });

  test('a commit that loses its race neither records nor drops an undo', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { undos: [undo(4)] } }));
    const rows = { undos: [undo(5)], droppedUndos: [undoId(4)] };
    const fence = fenceOf(await bench.claimFirst(), { worker: 'bob' });
    expect(await bench.commit(next('a', 3, { rows }))).toEqual({ outcome: 'stale' });
    expect(await bench.commit(next('a', 1, { rows, fence }))).toEqual({ outcome: 'fenced' });
    expect((await bench.load('a')).undos).toEqual([undo(4)]);
  });
}

function remainCases(open: OpenBench): void {
  const failed = undo(5, { status: 'failed', fault: FAULT });

  test.each(['completed', 'failed', 'canceled'] as const)(
    'of an instance that is %s, only what could not be undone stays',
    async (status) => {
      const bench = await open();
      const undos = [undo(4), failed, undo(6, { status: 'completed' })];
      const rows = { droppedUndos: [undoId(4), undoId(6)] };
      await bench.given(start('a', { rows: { undos } }));
      await bench.given(finish('a', 1, { head: { status }, rows }));
      expect((await bench.load('a')).undos).toEqual([failed]);
    },
  );

  test('while an instance compensates, all of them are there', async () => {
    const bench = await open();
    const undos = [undo(4), failed, undo(6, { status: 'completed' })];
    await bench.given(start('a', { rows: { undos } }));
    await bench.given(next('a', 1, { head: { status: 'compensating' } }));
    expect((await bench.load('a')).undos).toEqual(undos);
  });

  test('the commit that ends an instance may say what became of them', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { undos: [undo(4), undo(5)] } }));
    const undos = [undo(4, { status: 'completed' }), failed, undo(6)];
    await bench.given(finish('a', 1, { head: { status: 'failed' }, rows: { undos } }));
    expect((await bench.load('a')).undos).toEqual([failed]);
  });

  test('the end of one instance leaves the undos of another alone', async () => {
    const bench = await open();
    const rows = { undos: [undo(4)] };
    await bench.given(start('a', { rows }), start('b', { rows }));
    await bench.given(finish('a', 1, { rows: { droppedUndos: [undoId(4)] } }));
    expect((await bench.load('b')).undos).toEqual([undo(4)]);
  });
}

function alterCases(open: OpenBench): void {
  const pass = { node: 'loop' as NodeId, index: 3, item: { of: ['a', 'list'] } };
  const inner = scope(3, { ...pass, parent: ROOT, owner: tokenId(2) });
  const written = [value('results', 'x', 1, 3), value('vars', 'y', { z: [] }, 3)];
  const values = { results: { x: 1 }, vars: { y: { z: [] } } };

  test('a scope that is altered keeps its values, whatever it says of them', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { rows: { scopes: [inner], values: written } }));
    const draining = { ...inner, drains: ROOT };
    await bench.given(
      next('a', 2, { rows: { scopes: [{ ...draining, results: {}, vars: { other: 0 } }] } }),
    );
    expect((await bench.load('a')).scopes).toEqual([scope(1), { ...draining, ...values }]);
  });

  test('a scope is let go of, comes to lie elsewhere, and drains', async () => {
    const bench = await open();
    const outer = scope(4, { parent: ROOT });
    await bench.given(start('a'), next('a', 1, { rows: { scopes: [inner, outer] } }));
    const altered = { ...inner, parent: outer.id, owner: null, drains: outer.id };
    await bench.given(next('a', 2, { rows: { scopes: [altered] } }));
    expect((await bench.load('a')).scopes).toEqual([scope(1), altered, outer]);
    await bench.given(next('a', 3, { rows: { scopes: [inner] } }));
    expect((await bench.load('a')).scopes).toEqual([scope(1), inner, outer]);
  });

  test('a value that is written together with an altered scope joins the others', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { rows: { scopes: [inner], values: written } }));
    const rows = { scopes: [{ ...inner, owner: null }], values: [value('vars', 'n', 2, 3)] };
    await bench.given(next('a', 2, { rows }));
    const [, altered] = (await bench.load('a')).scopes;
    expect(altered).toEqual({ ...inner, owner: null, ...values, vars: { ...values.vars, n: 2 } });
  });

  test('a scope that was altered closes like any other', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { rows: { scopes: [inner], values: written } }));
    await bench.given(next('a', 2, { rows: { scopes: [{ ...inner, drains: ROOT }] } }));
    await bench.given(next('a', 3, { rows: { closedScopes: [inner.id] } }));
    await bench.given(next('a', 4, { rows: { scopes: [inner] } }));
    expect((await bench.load('a')).scopes).toEqual([scope(1), inner]);
  });
}

function headCases(open: OpenBench): void {
  const parent = { instance: idOf('caller'), token: tokenId(5) };

  test('an instance is told who called it from its start to its end', async () => {
    const bench = await open();
    await bench.given(start('a', { head: { parent } }), start('b'));
    expect((await bench.load('a')).head.parent).toEqual(parent);
    await bench.given(next('a', 1, { head: { parent } }), finish('a', 2, { head: { parent } }));
    expect((await bench.load('a')).head.parent).toEqual(parent);
    expect((await bench.load('b')).head.parent).toBeNull();
  });

  test('that the work was undone shows from the commit that says so', async () => {
    const bench = await open();
    await bench.given(start('a'), next('a', 1, { head: { status: 'compensating' } }));
    expect((await bench.load('a')).head.outcome).toBeNull();
    const ended = { status: 'canceled', outcome: 'compensated' } as const;
    await bench.given(finish('a', 2, { head: ended }));
    expect((await bench.load('a')).head).toMatchObject(ended);
  });

  test('an instance can be over and undone with its first commit', async () => {
    const bench = await open();
    const ended = { status: 'failed', outcome: 'compensated', parent } as const;
    await bench.given(start('a', { head: ended, rows: { tokens: [], scopes: [] } }));
    expect((await bench.load('a')).head).toMatchObject(ended);
    expect(isDeepFrozen((await bench.load('a')).head)).toBe(true);
  });
}
