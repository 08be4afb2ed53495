import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { pay, payment, shared } from '../testing/payments.ts';
import { settled } from '../testing/stage.ts';
import { createTestEngine, type TestEngine } from '../testing/test-engine.ts';
import { World } from '../testing/world.ts';
import type { Publication } from './messages.ts';
import type { Run } from './run.ts';

const two = flow('two')
  .parallel('both', {
    left: (b) => b.waitFor('left', { event: 'go' }),
    right: (b) => b.waitFor('right', { event: 'go' }),
  })
  .end();

async function started(kit: TestEngine, key = 'k'): Promise<Run> {
  const run = await kit.start(payment, null, { key });
  await kit.runUntilIdle();
  return run;
}

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
