/** Removing what is over: all of it, in short transactions, and nothing that is still needed. */
import { describe, expect, test } from 'vitest';
import type { Head } from '../model/instance.ts';
import type { PruneRequest, Pruned } from '../stores/instances.ts';
import type { Bench, OpenBench } from './store-bench.ts';
import {
  at,
  finish,
  idOf,
  letter,
  listening,
  next,
  post,
  start,
  token,
  tokenId,
  undo,
} from './store-commits.ts';

export function pruningCases(open: OpenBench): void {
  describe('removing instances that are over', () => {
    choiceCases(open);
    holdCases(open);
    batchCases(open);
  });
  describe('removing messages', () => {
    messageCases(open);
  });
}

const ANY: PruneRequest = {
  statuses: ['completed', 'failed', 'canceled'],
  flow: null,
  tenant: null,
  before: at(100),
  after: null,
  limit: 100,
  walk: 1_000,
  dryRun: false,
};

/** Until there is nothing left to walk. */
export async function prune(bench: Bench, request: Partial<PruneRequest> = {}): Promise<Pruned[]> {
  const done: Pruned[] = [];
  let after: string | null = null;
  for (;;) {
    const one: Pruned = await bench.store.instances.prune({ ...ANY, ...request, after });
    if (one.pruned > 0 || one.kept > 0) done.push(one);
    after = one.next;
    if (after === null) return done;
  }
}

async function left(bench: Bench): Promise<string> {
  return (await bench.store.scan(null, 1_000)).join('');
}

async function ended(bench: Bench, name: string, head: Partial<Head> = {}): Promise<void> {
  await bench.given(start(name, { head: { ...head, status: 'running', endedAt: null } }));
  await bench.given(finish(name, 1, { head: { endedAt: at(50), ...head } }));
}

function choiceCases(open: OpenBench): void {
  test('those that were over before the moment go, and the others stay', async () => {
    const bench = await open();
    await ended(bench, 'a', { endedAt: at(99) });
    await ended(bench, 'b', { endedAt: at(100) });
    await bench.given(start('c'));
    expect(await prune(bench)).toMatchObject([{ pruned: 1, kept: 0 }]);
    expect(await left(bench)).toBe('bc');
  });

  test('by status, flow and tenant', async () => {
    const bench = await open();
    const fault = { code: 'boom', message: 'it broke', node: null };
    await ended(bench, 'a', { status: 'failed', fault });
    await ended(bench, 'b', { status: 'canceled' });
    await ended(bench, 'c', { flow: 'other' });
    await ended(bench, 'd', { tenant: 'x' });
    await prune(bench, { statuses: ['failed'] });
    expect(await left(bench)).toBe('bcd');
    await prune(bench, { flow: 'other' });
    expect(await left(bench)).toBe('bd');
    await prune(bench, { tenant: 'x' });
    expect(await left(bench)).toBe('b');
  });

  test('nothing of them is left, and their keys are free', async () => {
    const bench = await open();
    const instance = idOf('a');
    const link = token(2, { seq: 0 });
    await bench.given(
      start('a', {
        head: { key: 'k', input: { some: 'thing' } },
        rows: { tokens: [link], tags: [{ name: 'customer', value: 'ann' }], undos: [undo(3)] },
      }),
    );
    const snapshot = await bench.load('a');
    await bench.store.drop({
      instance,
      token: tokenId(2),
      version: 1,
      worker: 'w',
      reason: 'r',
      at: at(1),
    });
    const rows = {
      tokens: [token(2, { seq: 0, status: 'completed', handler: null })],
      endedTokens: [],
      undos: [undo(3, { status: 'failed' })],
    };
    const head = { key: 'k', endedAt: at(50) };
    await bench.given(finish('a', 1, { head, rows, snapshot }));
    expect(await prune(bench)).toMatchObject([{ pruned: 1 }]);

    expect(await bench.find('a')).toBeUndefined();
    expect(await bench.historyNumbers('a')).toEqual([]);
    expect(await bench.store.snapshot(instance, 9)).toBeUndefined();
    expect(await bench.store.dropped(instance)).toEqual([]);
    await bench.given(start('a', { head: { key: 'k' } }));
    const again = await bench.load('a');
    expect([again.tokens.length, again.undos, again.head.input]).toEqual([1, [], null]);
    const [found] = (await bench.store.instances.find({ ...FIND, before: null })).instances;
    expect(found?.attributes).toEqual({});
  });

  test('an id that somebody chose is remembered, and none that the engine made', async () => {
    const bench = await open();
    const made = '0190c2a4-7c1e-7abc-9def-0123456789ab';
    const names = ['a', 'order/7', 'Straße 1', made, made.toUpperCase(), made.replace('7a', '4a')];
    for (const name of names) await ended(bench, name);
    await bench.given(start('open'));
    const known = async (): Promise<string[]> => {
      const found = [];
      for (const name of [...names, 'open', 'never']) {
        if (await bench.store.instances.wasPruned(idOf(name))) found.push(name);
      }
      return found;
    };
    await prune(bench, { dryRun: true });
    expect(await known()).toEqual([]);
    await prune(bench);
    expect(await left(bench)).toBe('open');
    expect(await known()).toEqual(names.filter((name) => name !== made));
  });

  test('a rehearsal says the same and removes nothing', async () => {
    const bench = await open();
    await ended(bench, 'a');
    await ended(bench, 'b');
    expect(sum(await prune(bench, { dryRun: true }))).toEqual({ pruned: 2, kept: 0 });
    expect(await left(bench)).toBe('ab');
    expect(sum(await prune(bench))).toEqual({ pruned: 2, kept: 0 });
  });
}

const FIND = {
  ...{ flow: null, version: null, statuses: null, stalled: false, key: null, tenant: null },
  ...{ parent: null, created: { from: null, to: null }, ended: { from: null, to: null } },
  ...{ fault: null, attributes: [], limit: 10, walk: 100 },
} as const;

function sum(done: readonly Pruned[]): Omit<Pruned, 'next'> {
  const total = { pruned: 0, kept: 0 };
  for (const { pruned, kept } of done) {
    total.pruned += pruned;
    total.kept += kept;
  }
  return total;
}

function holdCases(open: OpenBench): void {
  test('one whose posts nobody has carried yet is kept, and counted', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { posts: [post('a/5')] } }), finish('a', 1));
    await bench.given(start('a/b', { rows: { posts: [post('a/b/5')] } }), finish('a/b', 1));
    expect(sum(await prune(bench))).toEqual({ pruned: 0, kept: 2 });
    await bench.store.carried(['a/5']);
    expect(sum(await prune(bench))).toEqual({ pruned: 1, kept: 1 });
    expect(await left(bench)).toBe('a/b');
  });

  test('one whose letters are to be sent is kept; those that were given up stay', async () => {
    const bench = await open();
    await bench.given(start('a', { rows: { letters: [letter('a/5')] } }), finish('a', 1));
    expect(sum(await prune(bench))).toEqual({ pruned: 0, kept: 1 });
    bench.setTime(1_000);
    const [claim] = await bench.store.letters.claim({
      ...{ worker: 'ann', types: null, limit: 1, leaseMs: 10 },
    });
    expect(sum(await prune(bench))).toEqual({ pruned: 0, kept: 1 });
    expect(claim).toBeDefined();
    if (claim !== undefined) {
      await bench.store.letters.failed([
        { held: claim, expired: false, error: 'no', afterMs: null },
      ]);
    }
    expect(sum(await prune(bench))).toEqual({ pruned: 1, kept: 0 });
    const request = { status: null, type: null, instance: null, after: 0, limit: 9 };
    expect(await bench.store.letters.list(request)).toMatchObject([{ id: 'a/5', status: 'dead' }]);
  });

  test('one that an open instance has called is kept until that is over', async () => {
    const bench = await open();
    await bench.given(start('p'));
    await ended(bench, 'a', { parent: { instance: idOf('p'), token: tokenId(2) } });
    await ended(bench, 'b', { parent: { instance: idOf('gone'), token: tokenId(2) } });
    expect(sum(await prune(bench))).toEqual({ pruned: 1, kept: 1 });
    await bench.given(finish('p', 1));
    expect(sum(await prune(bench))).toEqual({ pruned: 2, kept: 0 });
  });
}

function batchCases(open: OpenBench): void {
  const names = Array.from({ length: 30 }, (_, index) => `i${String(index).padStart(2, '0')}`);

  test('a call removes no more than it may, and the next goes on', async () => {
    const bench = await open();
    for (const name of names) await ended(bench, name);
    const done = await prune(bench, { limit: 4 });
    expect(Math.max(...done.map(({ pruned }) => pruned))).toBeLessThanOrEqual(4);
    expect(sum(done)).toEqual({ pruned: 30, kept: 0 });
    expect(await left(bench)).toBe('');
  });

  test('a call looks at no more than it may, however many there are', async () => {
    const bench = await open();
    for (const name of names.slice(0, 28)) await bench.given(start(name));
    await ended(bench, 'i28');
    await ended(bench, 'i29');
    expect(sum(await prune(bench, { walk: 5, limit: 4 }))).toEqual({ pruned: 2, kept: 0 });
    expect((await left(bench)).length).toBe(28 * 3);
  });

  test('those that are kept hold up nobody behind them', async () => {
    const bench = await open();
    await bench.given(start('p'));
    const parent = { instance: idOf('p'), token: tokenId(2) };
    for (const name of names) await ended(bench, name, { parent });
    await ended(bench, 'z');
    expect(sum(await prune(bench, { limit: 3 }))).toEqual({ pruned: 1, kept: 30 });
  });
}

function messageCases(open: OpenBench): void {
  const publish = (bench: Bench, id: string, ttlMs = 1_000): Promise<boolean> =>
    bench.store.publish({ id, type: 'paid', key: 'k', data: null, ttlMs });

  const pruned = async (bench: Bench, before: number, more = {}): Promise<number> => {
    let count = 0;
    let after: string | null = null;
    for (;;) {
      const request = { before: at(before), after, walk: 2, dryRun: false, ...more };
      const one: { pruned: number; next: string | null } =
        await bench.store.instances.pruneMessages(request);
      count += one.pruned;
      after = one.next;
      if (after === null) return count;
    }
  };

  test('one that nobody can have any more goes, and its id is free', async () => {
    const bench = await open();
    await publish(bench, 'm', 10);
    await publish(bench, 'n', 50);
    bench.setTime(100);
    expect(await pruned(bench, 10)).toBe(0);
    expect(await pruned(bench, 11, { dryRun: true })).toBe(1);
    expect(await pruned(bench, 11)).toBe(1);
    expect(await pruned(bench, 11)).toBe(0);
    expect(await publish(bench, 'm')).toBe(true);
    expect(await publish(bench, 'n')).toBe(false);
  });

  test('one that is kept stays, whoever had it: who waits later does not get it', async () => {
    const bench = await open();
    await publish(bench, 'm', 10_000);
    await bench.given(start('a', { rows: listening(2, 'paid', 'k') }));
    await bench.given(finish('a', 1, { message: 'm', rows: { unsubscribed: [tokenId(2)] } }));
    bench.setTime(5_000);
    await prune(bench, { before: at(4_000) });
    expect(await pruned(bench, 4_000)).toBe(0);
    const later = { updatedAt: at(5_000) };
    await bench.given(start('b', { head: later, rows: listening(2, 'paid', 'k') }));
    expect(await bench.store.deliverable(9)).toEqual([]);
  });

  test('one that was used up goes once it was had long ago', async () => {
    const bench = await open();
    await publish(bench, 'm', 10_000);
    await publish(bench, 'n', 10_000);
    await bench.given(start('a', { rows: listening(2, 'paid', 'k') }));
    const late = { head: { updatedAt: at(900) }, message: 'm' };
    await bench.given(next('a', 1, { ...late, rows: { unsubscribed: [tokenId(2)] } }));
    expect(await bench.store.consume(['m'])).toEqual(['m']);
    expect(await pruned(bench, 900)).toBe(0);
    expect(await pruned(bench, 901)).toBe(1);
    expect(await publish(bench, 'm')).toBe(true);
    const request = { limit: 9 };
    const kept = await bench.store.pending(request);
    expect(kept.map(({ message }) => message.id)).toEqual(['m', 'n']);
  });
}
