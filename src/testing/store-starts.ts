/** Plans and starts: what is kept under a hash, an id or a business key, and what is taken. */
import { describe, expect, test } from 'vitest';
import type { PlanHash } from '../model/ids.ts';
import type { OpenBench } from './store-bench.ts';
import { finish, head, idOf, next, start } from './store-commits.ts';
import { isDeepFrozen } from './store-state.ts';

const PLAN = { hash: 'h1' as PlanHash, name: 'order', version: 1, body: { nodes: [{ id: 'a' }] } };

export function startCases(open: OpenBench): void {
  describe('plans', () => {
    planCases(open);
  });
  describe('starting', () => {
    idCases(open);
  });
  describe('business keys', () => {
    keyCases(open);
  });
}

function planCases(open: OpenBench): void {
  test('a plan comes back as it was saved', async () => {
    const { store } = await open();
    await store.savePlan(PLAN);
    expect(await store.loadPlan(PLAN.hash)).toEqual(PLAN);
  });

  test('a plan that nobody saved is not found', async () => {
    const { store } = await open();
    expect(await store.loadPlan('other' as PlanHash)).toBeUndefined();
  });

  test('saving a plan again changes nothing', async () => {
    const { store } = await open();
    await store.savePlan(PLAN);
    await store.savePlan({ ...PLAN, body: 'something else under the same hash' });
    expect(await store.loadPlan(PLAN.hash)).toEqual(PLAN);
  });

  test('a loaded plan is frozen to the bottom', async () => {
    const { store } = await open();
    await store.savePlan(PLAN);
    expect(isDeepFrozen(await store.loadPlan(PLAN.hash))).toBe(true);
  });

  test('the handlers that chains call for are known, each once', async () => {
    const { store } = await open();
    expect(await store.links()).toEqual([]);
    const [first, second] = [
      ['pay/A', 'pay/B'],
      ['pay/B', 'ship/A'],
    ];
    await store.savePlan(PLAN);
    await store.savePlan({ ...PLAN, hash: 'h2' as PlanHash, links: first });
    await store.savePlan({ ...PLAN, hash: 'h3' as PlanHash, links: first });
    await store.savePlan({ ...PLAN, hash: 'h4' as PlanHash, links: second });
    expect((await store.links()).toSorted()).toEqual(['pay/A', 'pay/B', 'ship/A']);
    // They are no part of the plan: whoever loads it can tell them from its nodes.
    expect(await store.loadPlan('h2' as PlanHash)).toEqual({ ...PLAN, hash: 'h2' });
  });

  test('what was saved first says what a plan calls for', async () => {
    const { store } = await open();
    await store.savePlan({ ...PLAN, links: ['pay/A'] });
    await store.savePlan({ ...PLAN, links: ['pay/B'] });
    expect(await store.links()).toEqual(['pay/A']);
  });

  test('a handler may be called anything', async () => {
    const { store } = await open();
    const links = ['a/with "quotes"', "a/it's", 'a/é😀', 'a/%', 'a/{a,b}', 'a/\\', 'a/constructor'];
    await store.savePlan({ ...PLAN, links });
    expect(await store.links()).toEqual(links);
  });
}

function idCases(open: OpenBench): void {
  test('an instance that starts can be loaded', async () => {
    const bench = await open();
    expect(await bench.commit(start('a'))).toEqual({ outcome: 'committed', taken: [] });
    expect((await bench.load('a')).head).toEqual(head('a', 1));
  });

  test('an instance that never started is not found', async () => {
    expect(await (await open()).find('a')).toBeUndefined();
  });

  test('an id that is taken refuses a second start and says whose it is', async () => {
    const bench = await open();
    await bench.given(start('a', { head: { input: 'first' } }));
    const again = await bench.commit(start('a', { head: { input: 'second' } }));
    expect(again).toEqual({ outcome: 'exists', instance: 'a' });
    expect((await bench.load('a')).head.input).toBe('first');
  });

  test('an id stays taken when its instance is over', async () => {
    const bench = await open();
    await bench.given(start('a'), finish('a', 1));
    expect(await bench.commit(start('a'))).toEqual({ outcome: 'exists', instance: 'a' });
  });

  test('of a taken id and a taken key the id is named', async () => {
    const bench = await open();
    await bench.given(start('a', { head: { key: 'k1' } }), start('b', { head: { key: 'k2' } }));
    const both = await bench.commit(start('a', { head: { key: 'k2' } }));
    expect(both).toEqual({ outcome: 'exists', instance: 'a' });
  });
}

function keyCases(open: OpenBench): void {
  test('a key that is taken refuses the start and says who has it', async () => {
    const bench = await open();
    await bench.given(start('a', { head: { key: 'k' } }));
    const second = await bench.commit(start('b', { head: { key: 'k' } }));
    expect(second).toEqual({ outcome: 'exists', instance: 'a' });
    expect(await bench.find('b')).toBeUndefined();
  });

  test('the same key in another flow is another key', async () => {
    const bench = await open();
    await bench.given(
      start('a', { head: { key: 'k' } }),
      start('b', { head: { key: 'k', flow: 'orders' } }),
    );
    expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
    expect(await bench.store.findByKey('orders', 'k', null)).toBe('b');
  });

  test('flow and key that read the same together are told apart', async () => {
    const bench = await open();
    await bench.given(
      start('a', { head: { flow: 'order', key: 's1' } }),
      start('b', { head: { flow: 'orders', key: '1' } }),
    );
    expect(await bench.store.findByKey('orders', '1', null)).toBe('b');
  });

  test('instances without a key never collide', async () => {
    const bench = await open();
    await bench.given(start('a'), start('b'), start('c'));
    expect(await bench.store.scan(null, 10)).toEqual(['a', 'b', 'c']);
  });

  test.each(['completed', 'failed', 'canceled'] as const)(
    'a key is free again once its instance is %s',
    async (status) => {
      const bench = await open();
      await bench.given(start('a', { head: { key: 'k' } }));
      await bench.given(finish('a', 1, { head: { key: 'k', status } }));
      expect(await bench.store.findByKey('order', 'k', null)).toBeUndefined();
      await bench.given(start('b', { head: { key: 'k' } }));
      expect(await bench.store.findByKey('order', 'k', null)).toBe('b');
    },
  );

  test.each(['running', 'suspended', 'compensating'] as const)(
    'a key is held while its instance is %s',
    async (status) => {
      const bench = await open();
      await bench.given(start('a', { head: { key: 'k' } }));
      await bench.given(next('a', 1, { head: { key: 'k', status } }));
      expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
    },
  );

  test('an instance that ends in its first commit does not hold its key', async () => {
    const bench = await open();
    const over = { status: 'completed', key: 'k' } as const;
    await bench.given(start('a', { head: over, rows: { tokens: [], scopes: [] } }));
    expect(await bench.store.findByKey('order', 'k', null)).toBeUndefined();
    expect((await bench.load('a')).head.key).toBe('k');
  });

  test('who would end in the first commit does not start under a taken key', async () => {
    const bench = await open();
    const over = { status: 'failed', key: 'k' } as const;
    const ended = start('b', { head: over, rows: { tokens: [], scopes: [] } });
    await bench.given(start('a', { head: { key: 'k' } }));
    expect(await bench.commit(ended)).toEqual({ outcome: 'exists', instance: 'a' });
    const [, second] = await bench.store.commit([start('c'), ended]);
    expect(second).toEqual({ outcome: 'exists', instance: 'a' });
    expect(await bench.store.load([idOf('b')])).toEqual([undefined]);
    expect(await bench.store.findByKey('order', 'k', null)).toBe('a');
  });

  test('a late commit of an ended instance leaves the key to its new holder', async () => {
    const bench = await open();
    await bench.given(start('a', { head: { key: 'k' } }), finish('a', 1, { head: { key: 'k' } }));
    await bench.given(start('b', { head: { key: 'k' } }), finish('a', 2, { head: { key: 'k' } }));
    expect(await bench.store.findByKey('order', 'k', null)).toBe('b');
  });

  test('a key that nobody has is not found', async () => {
    const bench = await open();
    await bench.given(start('a', { head: { key: 'k' } }));
    expect(await bench.store.findByKey('order', 'other', null)).toBeUndefined();
    expect(await bench.store.findByKey('other', 'k', null)).toBeUndefined();
    expect(await bench.store.load([idOf('k')])).toEqual([undefined]);
  });
}
