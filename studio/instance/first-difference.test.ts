/** Where two instances first went different ways: of histories that engines have written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flow, type Run } from '../../src/index.ts';
import type { Commit } from '../api/shapes.ts';
import { commitsOf, openPlace, type Place, until } from '../testing/histories.ts';
import { type Difference, firstDifference } from './first-difference.ts';
import { jsonDiff } from './json-diff.ts';

interface Order {
  readonly amount: number;
  readonly name?: string;
}

/** What the outside says at the moment, and which of two is held back. */
const world = { price: 1, isDown: false, held: '' };
const waiting = new Set<() => void>();

function turn(name: string): Promise<void> | void {
  if (world.held === name) return new Promise((resolve) => void waiting.add(resolve));
}

const order = flow<Order>('order', { onFailure: 'fail' })
  .step('price', () => world.price)
  .choose(
    'size',
    { big: { when: ({ input }) => input.amount > 10, do: (b) => b.step('ask', () => 'asked') } },
    { otherwise: (b) => b.step('take', () => 'taken') },
  )
  .step('charge', () => {
    if (world.isDown) throw new Error('the bank is down');
    return 'charged';
  })
  .end();

const both = flow('both')
  .parallel('fulfil', {
    left: (b) => b.step('ship', () => turn('ship')),
    right: (b) => b.step('bill', () => turn('bill')),
  })
  .end();

const signed = flow('signed')
  .approve('release', { approvers: ['finance'] })
  .end();

let place: Place;

beforeAll(async () => {
  place = await openPlace([order, both, signed]);
});

afterAll(() => place.engine.close());

async function ended(run: Run): Promise<readonly Commit[]> {
  await run.result().catch(() => undefined);
  return commitsOf(run);
}

async function ordered(input: Order, then: Partial<typeof world> = {}): Promise<readonly Commit[]> {
  Object.assign(world, { price: 1, isDown: false }, then);
  return ended(await place.engine.start(order, input));
}

function told({ what, node, a, b }: Difference): readonly unknown[] {
  return [what, node, a.fact?.value ?? null, b.fact?.value ?? null];
}

async function between(
  a: readonly Commit[],
  b: readonly Commit[],
): Promise<readonly unknown[] | null> {
  const found = firstDifference(a, b);
  return found === null ? null : told(found);
}

test('two that went the same way do not differ, whatever their ids and times', async () => {
  expect(await between(await ordered({ amount: 1 }), await ordered({ amount: 1 }))).toBeNull();
});

test('another input alone is told if nothing came of it', async () => {
  const [a, b] = [await ordered({ amount: 1, name: 'x' }), await ordered({ amount: 1, name: 'y' })];
  expect(firstDifference(a, b)?.what).toBe('input');
});

test('the result of a step that was another is found at its node and its commit', async () => {
  const [a, b] = [await ordered({ amount: 1 }), await ordered({ amount: 1 }, { price: 2 })];
  expect(await between(a, b)).toEqual(['result', 'price', 1, 2]);
  expect(firstDifference(a, b)).toMatchObject({ a: { n: 2 }, b: { n: 2 } });
});

test('another way taken is told with both nodes', async () => {
  const found = firstDifference(await ordered({ amount: 1 }), await ordered({ amount: 99 }));
  expect(found?.what).toBe('path');
  expect([found?.a.fact?.node, found?.b.fact?.node]).toEqual(['take', 'ask']);
});

test('a fault of one of them is where they differ', async () => {
  const [a, b] = [await ordered({ amount: 1 }), await ordered({ amount: 1 }, { isDown: true })];
  const found = firstDifference(a, b);
  expect(found?.node).toBe('charge');
  expect(JSON.stringify(found)).toContain('the bank is down');
});

test('it does not matter which is the first and which the second', async () => {
  const [a, b] = [await ordered({ amount: 1 }), await ordered({ amount: 1 }, { price: 2 })];
  expect(await between(b, a)).toEqual(['result', 'price', 2, 1]);
});

test('branches that were done in another order differ in that alone', async () => {
  const one = await heldBack('ship');
  const other = await heldBack('bill');
  expect(firstDifference(one, other)?.what).toBe('order');
  expect(firstDifference(one, await heldBack('ship'))).toBeNull();
});

async function heldBack(name: string): Promise<readonly Commit[]> {
  world.held = name;
  const run = await place.engine.start(both, null);
  await until(async () => waiting.size > 0 && (await commitsOf(run)).length > 1);
  for (const goOn of waiting) goOn();
  waiting.clear();
  return ended(run);
}

describe('one that is still open', () => {
  async function sign(by: string | null): Promise<readonly Commit[]> {
    const { engine } = place;
    const run = await engine.start(signed, null);
    const task = await until(async () => (await engine.tasks.list({ instance: run.id })).tasks[0]);
    if (by === null) return commitsOf(run);
    await engine.tasks.decide(task.id, { actor: by, groups: ['finance'], decision: 'approve' });
    return ended(run);
  }

  test('has not come as far', async () => {
    expect(firstDifference(await sign('ann'), await sign(null))?.what).toBe('length');
  });

  test('and another like it are the same so far', async () => {
    expect(firstDifference(await sign(null), await sign(null))).toBeNull();
  });

  test('people who decide are compared, and when they did is not', async () => {
    expect(firstDifference(await sign('ann'), await sign('ann'))).toBeNull();
    expect(firstDifference(await sign('ann'), await sign('bob'))?.what).toBe('person');
  });
});

test('what is not loaded yet may be the same, and what is loaded and differs does', async () => {
  const [a, b] = [await ordered({ amount: 1 }), await ordered({ amount: 1 }, { price: 2 })];
  const loaded = { isAllA: false, isAllB: false };
  expect(firstDifference(a.slice(0, 1), b, loaded)).toBeNull();
  expect(firstDifference(a, b.slice(0, 2), loaded)?.what).toBe('result');
});

describe('two values', () => {
  test('differ by path, in lists and in objects', () => {
    const a = { name: 'Ada', items: [{ price: 4 }, { price: 8 }], 'a b': 1 };
    const b = { name: 'Ada', items: [{ price: 5 }], more: null, 'a b': 2 };
    expect(jsonDiff(a, b)).toEqual([
      { path: 'items[0].price', a: 4, b: 5 },
      { path: 'items[1]', a: { price: 8 }, b: undefined },
      { path: '["a b"]', a: 1, b: 2 },
      { path: 'more', a: undefined, b: null },
    ]);
  });

  test('of different kinds differ as a whole', () => {
    expect(jsonDiff([1], { 0: 1 })).toEqual([{ path: '', a: [1], b: { 0: 1 } }]);
    expect(jsonDiff(null, undefined)).toEqual([{ path: '', a: null, b: undefined }]);
    expect(jsonDiff({ a: [1] }, { a: [1] })).toEqual([]);
  });

  test('have no fields but their own', () => {
    expect(jsonDiff({}, JSON.parse('{"constructor":1}'))).toEqual([
      { path: 'constructor', a: undefined, b: 1 },
    ]);
  });
});
