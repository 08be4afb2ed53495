import { describe, expect, test } from 'vitest';
import { event } from '../frontends/builder/event-type.ts';
import { flow } from '../frontends/builder/flow.ts';
import { settled } from '../testing/stage.ts';
import { createTestEngine, type TestEngine } from '../testing/test-engine.ts';
import { World } from '../testing/world.ts';
import type { Publication } from './messages.ts';
import type { Run } from './run.ts';

const paid = event<{ amount: number }>('paid');

const payment = flow('payment')
  .waitFor('paid', { event: paid, timeout: '1h' })
  .end(({ results }) => results.paid?.amount ?? 'never');

const two = flow('two')
  .parallel('both', {
    left: (b) => b.waitFor('left', { event: 'go' }),
    right: (b) => b.waitFor('right', { event: 'go' }),
  })
  .end();

const shared = flow('shared')
  .waitFor('gong', { event: 'gong', key: 'all' })
  .end(({ results }) => results.gong);

function pay(key: string, amount: number, more: Partial<Publication> = {}): Publication {
  return { type: 'paid', key, data: { amount }, ...more };
}

async function wakesOf(run: Run): Promise<string[]> {
  const history = await run.history();
  const changes = history.flatMap((entry) => entry.changes);
  return changes.flatMap((change) => (change.did === 'wake-token' ? [change.wake.reason] : []));
}

async function started(kit: TestEngine, key = 'k'): Promise<Run> {
  const run = await kit.start(payment, null, { key });
  await kit.runUntilIdle();
  return run;
}

describe('scenario 5, X-07', () => {
  test('a message that finds its waiter wakes it', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const run = await started(kit);
    expect(await run.status()).toBe('waiting');
    const published = await kit.engine.publish(pay('k', 5));
    expect(published).toMatchObject({ outcome: 'woken', instances: [run.id] });
    expect(await run.result()).toBe(5);
  });

  test('a message that comes before its waiter is kept for it', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const published = await kit.engine.publish(pay('k', 7));
    expect(published).toMatchObject({ outcome: 'buffered', instances: [] });
    await kit.advance('6d');
    const run = await started(kit);
    expect(await run.result()).toBe(7);
  });

  test('a kept message is used up by the first who waits for it', async () => {
    const kit = createTestEngine({ flows: [payment] });
    await kit.engine.publish(pay('k', 1));
    expect(await (await started(kit)).result()).toBe(1);
    const second = await started(kit);
    expect(await second.status()).toBe('waiting');
  });

  test('kept messages are had in the order they came', async () => {
    const kit = createTestEngine({ flows: [payment] });
    for (const amount of [1, 2, 3]) await kit.engine.publish(pay('k', amount));
    for (const amount of [1, 2, 3]) expect(await (await started(kit)).result()).toBe(amount);
  });

  test('a message with a known id is a duplicate and changes nothing', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const first = await kit.engine.publish(pay('k', 1, { id: 'm1' }));
    const again = await kit.engine.publish(pay('k', 2, { id: 'm1' }));
    expect([first.outcome, again.outcome]).toEqual(['buffered', 'duplicate']);
    expect(again.instances).toEqual([]);
    expect(await (await started(kit)).result()).toBe(1);
    expect((await kit.engine.publish(pay('k', 3, { id: 'm1' }))).outcome).toBe('duplicate');
    expect(await (await started(kit)).status()).toBe('waiting');
  });

  test('a duplicate that comes while the first is being delivered changes nothing', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const run = await started(kit);
    const same = Array.from({ length: 20 }, () => kit.engine.publish(pay('k', 9, { id: 'm' })));
    const outcomes = (await Promise.all(same)).map(({ outcome }) => outcome).toSorted();
    expect(outcomes).toEqual([...Array<string>(19).fill('duplicate'), 'woken']);
    expect(await run.result()).toBe(9);
    expect(await wakesOf(run)).toEqual(['event']);
  });

  test('another key or another type is not what is waited for', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const run = await started(kit);
    await kit.engine.publish(pay('l', 1));
    await kit.engine.publish({ ...pay('k', 1), type: 'refunded' });
    // Put together they would read the same.
    await kit.engine.publish({ ...pay('k', 1), type: 'pai', key: 'dk' });
    expect(await run.status()).toBe('waiting');
  });

  test.each([
    ['its ttl', '1h', { ttl: '1h' }],
    ['seven days, where nobody says otherwise,', '7d', {}],
  ])('a message is kept for %s and not for longer', async (_, kept, ttl) => {
    const kit = createTestEngine({ flows: [payment] });
    await kit.engine.publish(pay('a', 1, ttl));
    await kit.engine.publish(pay('b', 2, ttl));
    await kit.advance(kept);
    expect(await (await started(kit, 'a')).result()).toBe(1);
    await kit.advance(1);
    expect(await (await started(kit, 'b')).status()).toBe('waiting');
  });

  test('the timeout wins: the message that comes after it is kept, and wakes nobody', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const run = await started(kit);
    await kit.advance('1h');
    expect(await kit.engine.publish(pay('k', 1))).toMatchObject({ outcome: 'buffered' });
    expect(await run.result()).toBe('never');
    expect(await wakesOf(run)).toEqual(['timeout']);
  });

  test('the message wins: the timeout that comes after it changes nothing', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const run = await started(kit);
    await kit.advance('59m');
    await kit.engine.publish(pay('k', 1));
    const before = await run.history();
    await kit.advance('2h');
    expect(await run.result()).toBe(1);
    expect(await run.history()).toEqual(before);
    expect(await wakesOf(run)).toEqual(['event']);
  });

  test.each(['message first', 'timeout first'])(
    'in the same millisecond the first commit decides: %s',
    async (order) => {
      const world = new World();
      const engine = await world.open([payment], { alarm: { set: () => () => {} } });
      const run = await engine.start(payment, null, { key: 'k' });
      await settled();
      world.clock.moveTo(world.clock.now + 3_600_000);
      const ring = (): void => engine.parts.worker?.ring();
      if (order === 'timeout first') ring();
      const publishing = engine.publish(pay('k', 1));
      ring();
      const { outcome } = await publishing;
      await settled();

      const wakes = await wakesOf(run);
      expect(wakes).toEqual([outcome === 'woken' ? 'event' : 'timeout']);
      expect(await run.result()).toBe(outcome === 'woken' ? 1 : 'never');
      expect(await engine.check()).toMatchObject({ ok: true });
    },
  );
});

describe('one message', () => {
  test.each([3, 200, 201, 450])('wakes all of %i instances that wait for it', async (count) => {
    const kit = createTestEngine({ flows: [shared] });
    const runs = await Promise.all(Array.from({ length: count }, () => kit.start(shared, null)));
    await kit.runUntilIdle();
    const published = await kit.engine.publish({ type: 'gong', key: 'all', data: 'now' });
    expect(published.instances.toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
    const results = await Promise.all(runs.map((run) => run.result()));
    expect(results).toEqual(Array(count).fill('now'));
  });

  test('that was kept wakes all who come to wait before it is looked for', async () => {
    const world = new World();
    const office = await world.open([shared], { worker: false });
    await office.publish({ type: 'gong', key: 'all', data: 'kept' });
    const starts = Array.from({ length: 250 }, () => office.start(shared, null));
    const runs = await Promise.all(starts);
    const engine = await world.open([shared]);
    await settled();
    for (const { id } of runs) expect(await (await engine.get(id))?.result()).toBe('kept');
  });

  test('wakes one wait of an instance, the one that has waited longest', async () => {
    const kit = createTestEngine({ flows: [two] });
    const run = await kit.start(two, null, { key: 'k' });
    await kit.runUntilIdle();
    await kit.engine.publish({ type: 'go', key: 'k', data: 1 });
    expect(await run.status()).toBe('waiting');
    expect((await run.tokens()).filter(({ wait }) => wait?.on === 'message')).toMatchObject([
      { node: 'right' },
    ]);
    await kit.engine.publish({ type: 'go', key: 'k', data: 2 });
    expect(await run.result()).toEqual({ left: 1, right: 2 });
  });
});

describe('the key of a wait', () => {
  test('is computed from what the flow knows, where it is a closure', async () => {
    const ticket = flow<{ ids: string[] }>('ticket')
      .repeat('each', { times: ({ input }) => input.ids.length }, (b) =>
        b.waitFor('seen', { event: 'seen', key: ({ input, index }) => input.ids[index] ?? '' }),
      )
      .end(({ results }) => results.seen);
    const kit = createTestEngine({ flows: [ticket] });
    const run = await kit.start(ticket, { ids: ['a', 'b'] });
    await kit.runUntilIdle();
    expect((await kit.engine.publish({ type: 'seen', key: 'b', data: 2 })).outcome).toBe(
      'buffered',
    );
    expect((await kit.engine.publish({ type: 'seen', key: 'a', data: 1 })).outcome).toBe('woken');
    expect(await run.result()).toBe(2);
  });

  test('is missing if there is neither a business key nor one of its own', async () => {
    const kit = createTestEngine({ flows: [payment] });
    const run = await kit.start(payment, null);
    await expect(run.result()).rejects.toMatchObject({
      details: { fault: { code: 'wait.no-key', node: 'paid' } },
    });
  });
});

describe('a message that cannot be kept is refused', () => {
  test.each<[string, Record<string, unknown>]>([
    ['no type', { type: '' }],
    ['a type that is no text', { type: 7 }],
    ['no key', { key: undefined }],
    ['an empty key', { key: '' }],
    ['an empty id', { id: '' }],
    ['a key of 501 characters', { key: 'x'.repeat(501) }],
    ['data that is no JSON', { data: { n: 1n } }],
    ['data that is too large', { data: 'x'.repeat(99) }],
    ['a ttl that is none', { ttl: 'for ever' }],
    ['a negative ttl', { ttl: -1 }],
  ])('%s', async (_, odd) => {
    const kit = createTestEngine({ flows: [payment], limits: { VALUE_CHARS_MAX: 100 } });
    const run = await started(kit);
    const message = { ...pay('k', 1), ...odd } as unknown as Publication;
    await expect(kit.engine.publish(message)).rejects.toMatchObject({ code: 'message.invalid' });
    expect(await run.status()).toBe('waiting');
  });

  test('and data of just the right size is kept', async () => {
    const kit = createTestEngine({ flows: [two], limits: { VALUE_CHARS_MAX: 100 } });
    const sized = kit.engine.publish({ type: 'go', key: 'k', data: 'x'.repeat(98) });
    expect((await sized).outcome).toBe('buffered');
  });
});
