/** What was asked under a name is done once: on memory, and by two engines on one database. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Limits } from '../model/limits.ts';
import { memory } from '../stores/memory/memory.ts';
import { onBothDatabases } from '../testing/databases.ts';
import { storeAt } from '../testing/place.ts';
import { guardedStore } from '../testing/wrapped-store.ts';
import { createEngine, type Engine } from './engine.ts';

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function opened(
  limits: Partial<Limits> = {},
): Promise<{ engine: Engine; clock: { now: number } }> {
  const clock = { now: Date.UTC(2026, 0) };
  const store = memory({ clock: () => clock.now });
  const engine = await createEngine({ store, worker: false, limits });
  engines.push(engine);
  return { engine, clock };
}

describe('a receipt', () => {
  test('is new once, and says the same ever after', async () => {
    const { engine, clock } = await opened();
    const first = await engine.receipts.take('order', 'abc', '1h');
    expect(first).toMatchObject({ fingerprint: 'abc', answer: null, isNew: true });
    expect(first).toMatchObject({ ageMs: 0, isLeft: false });
    expect(first.instance).toMatch(UUID_7);
    clock.now += 2_000;
    const again = await engine.receipts.take('order', 'abc', '1h');
    expect(again).toEqual({ ...first, isNew: false, ageMs: 2_000 });
    const other = await engine.receipts.take('order', 'xyz', '1h');
    expect(other).toEqual(again);
    const next = await engine.receipts.take('another order', 'abc', '1h');
    expect(next.isNew).toBe(true);
    expect(next.instance).not.toBe(first.instance);
  });

  test('has the first answer, whatever comes after it', async () => {
    const { engine } = await opened();
    const { receipts } = engine;
    const { instance } = await receipts.take('order', 'abc', '1h');
    await receipts.settle('order', { status: 201, headers: { etag: '"1"' } });
    await receipts.settle('order', { status: 200 });
    await receipts.leave('order');
    expect(await receipts.take('order', 'abc', '1h')).toMatchObject({
      ...{ answer: { status: 201, headers: { etag: '"1"' } }, instance },
      ...{ isNew: false, isLeft: false },
    });
  });

  test('that was left is for the next one alone, under the same id', async () => {
    const { engine } = await opened();
    const { receipts } = engine;
    const { instance } = await receipts.take('order', 'abc', '1h');
    await receipts.leave('order');
    await receipts.leave('order');
    // Whoever means something else by it is told, and takes nothing over.
    expect(await receipts.take('order', 'xyz', '1h')).toMatchObject({ fingerprint: 'abc' });
    const next = await Promise.all([1, 2, 3].map(() => receipts.take('order', 'abc', '1h')));
    expect(next.filter(({ isLeft }) => isLeft)).toHaveLength(1);
    expect(next.every((one) => one.instance === instance && !one.isNew)).toBe(true);
    await receipts.leave('order');
    expect(await receipts.take('order', 'abc', '1h')).toMatchObject({ isLeft: true });
    await receipts.settle('order', 'done');
    expect(await receipts.take('order', 'abc', '1h')).toMatchObject({
      ...{ answer: 'done', isLeft: false },
    });
  });

  test('is forgotten when its time is over, and nothing can be said of it then', async () => {
    const { engine, clock } = await opened();
    const { receipts } = engine;
    const first = await receipts.take('order', 'abc', '1h');
    clock.now += 3_600_000;
    await receipts.settle('order', 'late');
    await receipts.leave('order');
    await receipts.settle('nobody asked', 1);
    const second = await receipts.take('order', 'xyz', '1h');
    expect(second).toMatchObject({ fingerprint: 'xyz', answer: null, isNew: true, isLeft: false });
    expect(second.instance).not.toBe(first.instance);
  });

  test('keeps answers of VALUE_CHARS_MAX characters, and of a larger one nothing', async () => {
    const { engine } = await opened({ VALUE_CHARS_MAX: 10 });
    const { receipts } = engine;
    for (const name of ['fits', 'does not']) await receipts.take(name, 'abc', '1h');
    await receipts.settle('fits', '12345678');
    await receipts.settle('does not', '123456789');
    expect(await receipts.take('fits', 'abc', '1h')).toMatchObject({ answer: '12345678' });
    expect(await receipts.take('does not', 'abc', '1h')).toMatchObject({
      ...{ answer: null, isNew: false, isLeft: true },
    });
  });

  test('that somebody settles while another leaves it has the answer', async () => {
    const store = memory();
    const engine = await createEngine({ store, worker: false });
    engines.push(engine);
    await engine.receipts.take('order', 'abc', '1h');
    let finds = 0;
    // The other looks before there is an answer, and speaks after.
    const slow = guardedStore(store, async (verb, call) => {
      const answer = await call();
      if (verb !== 'receipts.find') return answer;
      finds += 1;
      if (finds === 1) await engine.receipts.settle('order', 'done');
      return answer;
    });
    const other = await createEngine({ store: slow, worker: false });
    engines.push(other);
    await other.receipts.leave('order');
    expect(finds).toBe(2);
    expect(await engine.receipts.take('order', 'abc', '1h')).toMatchObject({
      ...{ answer: 'done', isLeft: false },
    });
  });

  test.each([
    ['name', (e: Engine) => e.receipts.take('', 'abc', '1h'), 'engine.option-invalid'],
    ['name', (e: Engine) => e.receipts.take('x'.repeat(501), 'abc', '1h'), 'engine.option-invalid'],
    ['fingerprint', (e: Engine) => e.receipts.take('a', 5 as never, 1), 'engine.option-invalid'],
    ['ttl', (e: Engine) => e.receipts.take('a', 'abc', 0), 'engine.option-invalid'],
    ['one day', (e: Engine) => e.receipts.take('a', 'abc', 'one day'), 'duration.invalid'],
    ['name', (e: Engine) => e.receipts.settle(5 as never, 1), 'engine.option-invalid'],
    ['an answer', (e: Engine) => e.receipts.settle('a', new Map() as never), 'input.invalid'],
    ['name', (e: Engine) => e.receipts.leave(''), 'engine.option-invalid'],
  ])('is refused with a word about %s where that is wrong', async (word, call, code) => {
    const { engine } = await opened();
    await expect(call(engine)).rejects.toMatchObject({
      ...{ code, message: expect.stringContaining(word) },
    });
  });

  test('is given by no engine that is closed', async () => {
    const { engine } = await opened();
    await engine.close();
    const { receipts } = engine;
    for (const call of [
      ...[receipts.take('a', 'abc', 1), receipts.settle('a', 1), receipts.leave('a')],
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'engine.closed' });
    }
  });

  test('that is over goes when the engine prunes everything, and not when only some', async () => {
    const { engine, clock } = await opened();
    for (const name of ['a', 'b', 'c']) await engine.receipts.take(name, 'abc', '1h');
    await engine.receipts.take('d', 'abc', '2h');
    clock.now += 3_600_000;
    const all = { olderThan: '30d', batch: 2 } as const;
    expect(await engine.prune({ ...all, status: 'failed' })).toMatchObject({ receipts: 0 });
    expect(await engine.prune({ ...all, dryRun: true })).toMatchObject({ receipts: 3 });
    expect(await engine.prune(all)).toMatchObject({ receipts: 3, batches: 2 });
    expect(await engine.prune(all)).toMatchObject({ receipts: 0, batches: 0 });
    expect(await engine.receipts.take('d', 'abc', '2h')).toMatchObject({ isNew: false });
  });
});

onBothDatabases('two engines', (make) => {
  test('that take one name at once agree on who is the first', async () => {
    const { place } = make();
    const both = await Promise.all(
      [1, 2].map(() => createEngine({ store: storeAt(place), worker: false })),
    );
    engines.push(...both);
    for (let round = 0; round < 20; round += 1) {
      const name = `order ${round}`;
      const taken = await Promise.all(both.map(({ receipts }) => receipts.take(name, 'f', '1h')));
      expect(taken.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(new Set(taken.map(({ instance }) => instance)).size).toBe(1);
      await Promise.all(both.map(({ receipts }) => receipts.leave(name)));
      const next = await Promise.all(both.map(({ receipts }) => receipts.take(name, 'f', '1h')));
      expect(next.filter(({ isLeft }) => isLeft)).toHaveLength(1);
      const ends = both.map(({ receipts }, index) => receipts.settle(name, index));
      await Promise.all(ends);
      const after = await Promise.all(both.map(({ receipts }) => receipts.take(name, 'f', '1h')));
      expect([0, 1]).toContain(after[0]?.answer);
      expect(after[1]?.answer).toBe(after[0]?.answer);
    }
  });
});
