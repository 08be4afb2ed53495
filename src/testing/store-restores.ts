/**
 * Restored instances: open once more as they were at some earlier time. Of their rows some may be
 * there still and others not, whatever their ids are; and their business key may be another's.
 */
import { describe, expect, test } from 'vitest';
import type { NodeId, ScopeId } from '../model/ids.ts';
import { type Bench, namesOf, type OpenBench, shown } from './store-bench.ts';
import {
  at,
  fenceOf,
  finish,
  HANDLER,
  head,
  heldOf,
  latch,
  listening,
  next,
  type Parts,
  restore,
  resume,
  ROOT,
  scope,
  sleeping,
  start,
  suspend,
  suspendedSince,
  token,
  tokenId,
  undo,
  value,
} from './store-commits.ts';

const KEYED = { head: { key: 'k' } };

export function restoreCases(open: OpenBench): void {
  describe('restoring what is over', () => {
    overCases(open);
  });
  describe('restoring what is open', () => {
    openCases(open);
  });
  describe('the key of what is restored', () => {
    keyCases(open);
  });
  describe('claims of before', () => {
    claimCases(open);
  });
}

/** A scope within the root, as a loop has them. */
function inner(id: number, node = 'loop') {
  return scope(id, { parent: ROOT, owner: tokenId(2), node: node as NodeId, index: id });
}

function isNew(...args: Parameters<typeof value>): ReturnType<typeof value> {
  return { ...value(...args), isNew: true };
}

/** Everything an instance can have, with ids that were given long ago. */
const PAST: Parts = {
  head: { counter: 30 },
  rows: {
    bornAfter: 30,
    tokens: [token(2), sleeping(3, 50), ...(listening(4, 'paid', 'k').tokens ?? [])],
    scopes: [scope(1), inner(5)],
    closedScopes: [ROOT],
    values: [isNew('vars', 'z', 1), isNew('vars', 'a', 2), isNew('results', 'x', [3], 5)],
    latches: [latch(9), latch(8, true)],
    undos: [undo(7, { result: 'seat' }), undo(6)],
    subscribed: listening(4, 'paid', 'k').subscribed ?? [],
  },
};

/** That all of it is there, and works. */
async function expectPast(bench: Bench, name: string): Promise<void> {
  const { tokens, scopes, latches, undos } = await bench.load(name);
  expect(tokens).toEqual(PAST.rows?.tokens);
  const open = [scope(1, { vars: { z: 1, a: 2 } }), { ...inner(5), results: { x: [3] } }];
  expect(scopes).toEqual(open);
  expect(Object.keys(scopes[0]?.vars ?? {})).toEqual(['z', 'a']);
  expect(new Set(latches)).toEqual(new Set(PAST.rows?.latches));
  expect(undos).toEqual([undo(6), undo(7, { result: 'seat' })]);
  await bench.store.publish({ id: 'm1', type: 'paid', key: 'k', data: null, ttlMs: 9_000 });
  expect(namesOf(await bench.store.deliverable(9))).toEqual([`${name}.4`]);
  bench.setTime(50);
  expect(namesOf(await bench.store.due(9))).toEqual([`${name}.3`]);
  expect(namesOf(await bench.claim())).toEqual([`${name}.2`]);
}

function overCases(open: OpenBench): void {
  test('it is open, and has everything it is given', async () => {
    const bench = await open();
    const ended = { fault: { code: 'x', message: 'y', node: null }, output: 1, counter: 30 };
    await bench.given(start('a'), finish('a', 1, { head: { ...ended, status: 'failed' } }));
    await bench.given(restore('a', 2, PAST));
    expect((await bench.load('a')).head).toEqual(head('a', 3, { counter: 30 }));
    expect(await bench.historyNumbers('a')).toEqual([1, 2, 3]);
    await expectPast(bench, 'a');
  });

  test('it goes on like any other, and ends', async () => {
    const bench = await open();
    await bench.given(start('a'), finish('a', 1), restore('a', 2, PAST));
    const claim = await bench.claimFirst();
    const rows = { bornAfter: 30, tokens: [token(31)], endedTokens: [tokenId(2)] };
    await bench.given(next('a', 3, { fence: fenceOf(claim), rows }));
    const ending = {
      endedTokens: [3, 4, 31].map(tokenId),
      unsubscribed: [tokenId(4)],
      closedScopes: [ROOT, 5 as ScopeId],
      droppedLatches: [latch(8), latch(9)],
      droppedUndos: [undo(6).id, undo(7).id],
    };
    await bench.given(finish('a', 4, { rows: ending }));
    const { head: last, ...left } = await bench.load('a');
    expect(last.status).toBe('completed');
    expect(left).toEqual({ tokens: [], scopes: [], latches: [], undos: [] });
    bench.setTime(9_000);
    expect(shown(await bench.outlook())).toEqual({});
  });

  test('the links of its chain are what they were', async () => {
    const bench = await open();
    const links = [0, 1, 2].map((seq) => token(seq + 2, { seq, status: 'created' }));
    const done = links.map((link) => ({ ...link, status: 'completed' as const }));
    await bench.given(start('a', { rows: { tokens: links } }));
    await bench.given(finish('a', 1, { rows: { endedTokens: [], tokens: done } }));
    const again = [...done.slice(0, 1), token(3, { seq: 1 }), ...links.slice(2)];
    await bench.given(restore('a', 2, { rows: { bornAfter: 4, tokens: again } }));
    expect((await bench.load('a')).tokens).toEqual(again);
    expect(namesOf(await bench.claim())).toEqual(['a.3']);
  });

  test('it may be a new one, that begins as another once was', async () => {
    const bench = await open();
    await bench.given(
      start('b', { ...PAST, rows: { ...PAST.rows, bornAfter: 0, restoring: true } }),
    );
    await expectPast(bench, 'b');
  });

  test('it may be over at once', async () => {
    const bench = await open();
    await bench.given(start('a', KEYED), finish('a', 1, KEYED));
    await bench.given(finish('a', 2, { ...KEYED, rows: { restoring: true } }));
    expect(await bench.load('a')).toMatchObject({ tokens: [], scopes: [] });
    expect(await bench.store.findByKey('order', 'k', null)).toBeUndefined();
  });

  test('it is restored in a batch with others, or goes on in it', async () => {
    const bench = await open();
    await bench.given(start('a'), finish('a', 1), start('b'));
    const outcomes = await bench.store.commit([
      next('b', 1),
      restore('a', 2, PAST),
      start('c', { rows: { tokens: [] } }),
      next('a', 3, { head: { counter: 30 }, rows: { bornAfter: 30 } }),
      next('b', 2, { rows: { endedTokens: [tokenId(2)] } }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(outcomes.map(() => 'committed'));
    await expectPast(bench, 'a');
  });
}

function openCases(open: OpenBench): void {
  test('what is there is replaced, what is not is made, and what ended is gone', async () => {
    const bench = await open();
    const now = {
      tokens: [token(2, { attempts: 1 }), token(9), ...(listening(3, 'sent', 'k').tokens ?? [])],
      subscribed: listening(3, 'sent', 'k').subscribed ?? [],
      scopes: [scope(1), inner(5, 'other'), inner(11)],
      values: [value('vars', 'a', 1), value('vars', 'b', 1), value('results', 'x', 1, 5)],
      latches: [latch(9, true), latch(10)],
      undos: [undo(6, { status: 'completed' }), undo(12)],
    };
    await bench.given(start('a', { rows: now }));
    await bench.store.publish({ id: 'm2', type: 'sent', key: 'k', data: null, ttlMs: 9_000 });
    const rows = {
      ...PAST.rows,
      endedTokens: [tokenId(9)],
      closedScopes: [ROOT, 5 as ScopeId, 11 as ScopeId],
      droppedLatches: [latch(10)],
      droppedUndos: [undo(12).id],
      unsubscribed: [tokenId(3)],
    };
    await bench.given(restore('a', 1, { ...PAST, rows }));
    await expectPast(bench, 'a');
  });

  test('a scope that stays comes to lie at another node', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { scopes: [scope(1), inner(5, 'old')] } }));
    const rows = { closedScopes: [ROOT], scopes: [scope(1), inner(5, 'new')] };
    await bench.given(restore('a', 1, { rows }));
    expect((await bench.load('a')).scopes).toEqual([scope(1), inner(5, 'new')]);
  });

  test('what is suspended stays so, and has what it is given when it goes on', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [sleeping(2, 10), token(3)] } }));
    await bench.given(suspend('a', 1));
    const tokens = [token(2), sleeping(4, 20)];
    const rows = { bornAfter: 9, tokens, endedTokens: [tokenId(3)] };
    await bench.given(restore('a', 2, { head: suspendedSince(2), rows }));
    bench.setTime(100);
    expect(shown(await bench.outlook())).toEqual({});
    expect((await bench.load('a')).tokens).toEqual(tokens);
    await bench.given(resume('a', 3, 2));
    expect(namesOf(await bench.claim())).toEqual(['a.2']);
    expect(namesOf(await bench.store.due(9))).toEqual(['a.4']);
    expect((await bench.load('a')).tokens).toEqual(tokens);
  });
}

function keyCases(open: OpenBench): void {
  const again = restore('a', 2, KEYED);

  /** It had the key, and it is over. */
  async function withEnded(): Promise<Bench> {
    const bench = await open();
    await bench.given(start('a', KEYED), finish('a', 1, KEYED));
    return bench;
  }

  test('is its own once more, until it is over', async () => {
    const bench = await withEnded();
    await bench.given(again);
    expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
    expect(await bench.commit(start('b', KEYED))).toEqual({ outcome: 'exists', instance: 'a' });
    await bench.given(finish('a', 3, KEYED));
    expect(await bench.store.findByKey('order', 'k', null)).toBeUndefined();
    await bench.given(start('b', KEYED));
  });

  test('that another has refuses it, and says who that is', async () => {
    const bench = await withEnded();
    await bench.given(start('b', KEYED));
    const before = await bench.load('a');
    expect(await bench.commit(again)).toEqual({ outcome: 'exists', instance: 'b' });
    expect(await bench.load('a')).toEqual(before);
    expect(await bench.historyNumbers('a')).toEqual([1, 2]);
    expect(namesOf(await bench.claim())).toEqual(['b.2']);
    expect(await bench.store.findByKey('order', 'k', null)).toBe('b');
  });

  test('is its own already if it is open', async () => {
    const bench = await open();
    await bench.given(start('a', KEYED), restore('a', 1, KEYED), restore('a', 2, KEYED));
    expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
    await bench.given(finish('a', 3, KEYED));
    expect(await bench.store.findByKey('order', 'k', null)).toBeUndefined();
  });

  test('is left alone by who comes too late', async () => {
    const bench = await withEnded();
    const late = restore('a', 1, { ...KEYED, commitId: 'late' });
    expect(await bench.commit(late)).toEqual({ outcome: 'stale' });
    expect(await bench.store.findByKey('order', 'k', null)).toBeUndefined();
    await bench.given(start('b', KEYED));
    expect(await bench.commit(late)).toEqual({ outcome: 'stale' });
    expect(await bench.store.findByKey('order', 'k', null)).toBe('b');
  });

  test('is left alone by who was never there', async () => {
    const bench = await open();
    expect(await bench.commit(again)).toEqual({ outcome: 'stale' });
    expect(await bench.store.findByKey('order', 'k', null)).toBeUndefined();
  });

  test('changes hands within a batch, in its order', async () => {
    const bench = await withEnded();
    await bench.given(start('b', KEYED));
    const outcomes = await bench.store.commit([{ ...again, commitId: 'too early' }, start('c')]);
    expect(outcomes).toMatchObject([
      { outcome: 'exists', instance: 'b' },
      { outcome: 'committed' },
    ]);
    const more = await bench.store.commit([
      finish('b', 1, KEYED),
      again,
      start('d', KEYED),
      next('a', 3, KEYED),
    ]);
    expect(more.map(({ outcome }) => outcome)).toEqual([
      'committed',
      'committed',
      'exists',
      'committed',
    ]);
    expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
  });

  test('goes to the first of two that are restored together', async () => {
    const bench = await withEnded();
    await bench.given(start('b', KEYED), finish('b', 1, KEYED));
    const both = [restore('b', 2, KEYED), again];
    expect(await bench.store.commit(both)).toMatchObject([
      { outcome: 'committed' },
      { outcome: 'exists', instance: 'b' },
    ]);
    expect((await bench.load('a')).head.status).toBe('completed');
  });

  test('is not built on if it was not given', async () => {
    const bench = await withEnded();
    await bench.given(start('b', KEYED));
    const outcomes = await bench.store.commit([again, restore('a', 3, KEYED)]);
    expect(outcomes).toEqual([{ outcome: 'exists', instance: 'b' }, { outcome: 'stale' }]);
  });

  test('may be the same in another flow', async () => {
    const bench = await withEnded();
    await bench.given(start('b', { head: { key: 'k', flow: 'orders' } }), again);
    expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
    expect(await bench.store.findByKey('orders', 'k', null)).toBe('b');
  });
}

function claimCases(open: OpenBench): void {
  test('are worth nothing when the instance was over in between', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const old = await bench.claimFirst();
    await bench.given(finish('a', 1), restore('a', 2));
    const claim = await bench.claimFirst();
    expect(claim.version).toBeGreaterThan(old.version);
    expect(await bench.commit(next('a', 3, { fence: fenceOf(old) }))).toEqual({
      outcome: 'fenced',
    });
    expect(await bench.store.renew([heldOf(old), heldOf(claim)], 5_000)).toEqual([heldOf(old)]);
    await bench.store.release([heldOf(old)]);
    await bench.given(next('a', 3, { fence: fenceOf(claim) }));
  });

  test('are worth nothing when it happens twice', async () => {
    const bench = await open();
    await bench.given(start('a'), finish('a', 1), restore('a', 2));
    const old = await bench.claimFirst();
    await bench.given(finish('a', 3), restore('a', 4));
    const claim = await bench.claimFirst();
    expect(await bench.commit(next('a', 5, { fence: fenceOf(old) }))).toEqual({
      outcome: 'fenced',
    });
    await bench.given(next('a', 5, { fence: fenceOf(claim) }));
  });

  test('are worth nothing when it was open all the time', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens: [token(2), token(3)] } }));
    const [old, other] = await bench.claim();
    if (old === undefined || other === undefined) throw new Error('two are claimed');
    await bench.given(restore('a', 1, { rows: { bornAfter: 3 } }));
    const refused = [fenceOf(old)].map((fence) => bench.commit(next('a', 2, { fence })));
    expect(await Promise.all(refused)).toEqual([{ outcome: 'fenced' }]);
    // What the restoring commit does not name is no part of it.
    expect(await bench.store.renew([heldOf(old), heldOf(other)], 500)).toEqual([heldOf(old)]);
  });

  test('are followed by those that it makes itself', async () => {
    const bench = await open();
    await bench.given(start('a'));
    const old = await bench.claimFirst();
    await bench.given(finish('a', 1));
    const take = { worker: 'ann', leaseMs: 1_000, tokens: [tokenId(2), tokenId(3)] };
    const rows = { bornAfter: 3, tokens: [token(2), token(3)] };
    const outcome = await bench.commit(restore('a', 2, { take, rows }));
    const taken = outcome.outcome === 'committed' ? outcome.taken : [];
    expect(namesOf(taken)).toEqual(['a.2', 'a.3']);
    expect(taken[0]).toMatchObject({ handler: HANDLER, at: at(0), until: at(1_000) });
    expect(await bench.store.renew([heldOf(old), ...taken.map(heldOf)], 500)).toEqual([
      heldOf(old),
    ]);
    for (const [index, claim] of taken.entries()) {
      await bench.given(next('a', 3 + index, { fence: fenceOf(claim) }));
    }
  });
}
