/** Tenants are kept apart: messages, the ids of messages, and business keys. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { createTestEngine, type TestEngine } from '../testing/test-engine.ts';
import type { Run } from './run.ts';

const waits = flow('waits')
  .waitFor('paid', { event: 'paid' })
  .end(({ results }) => results.paid);
const PAID = { type: 'paid', key: 'k' } as const;

/** An instance of each of these tenants, all of the same flow and key. */
async function waiting(...tenants: readonly (string | null)[]): Promise<[TestEngine, Run[]]> {
  const kit = createTestEngine({ flows: [waits] });
  const runs: Run[] = [];
  for (const tenant of tenants) {
    const whose = tenant === null ? {} : { tenant };
    runs.push(await kit.start(waits, null, { key: 'k', ...whose }));
  }
  await kit.runUntilIdle();
  return [kit, runs];
}

const statuses = (runs: readonly Run[]): Promise<readonly string[]> =>
  Promise.all(runs.map((run) => run.status()));
const ids = (runs: readonly Run[]): readonly string[] => runs.map(({ id }) => id);

describe('a message of a tenant', () => {
  test('wakes instances of that tenant, and no others', async () => {
    const [kit, runs] = await waiting('acme', 'other', null);
    const published = await kit.engine.publish({ ...PAID, data: 1 }, { tenant: 'acme' });
    expect(published).toMatchObject({ outcome: 'woken', instances: [runs[0]?.id] });
    await kit.runUntilIdle();
    expect(await statuses(runs)).toEqual(['completed', 'waiting', 'waiting']);
  });

  test('waits for who comes later of its tenant', async () => {
    const [kit] = await waiting('other');
    await kit.engine.publish({ ...PAID, data: 'early' }, { tenant: 'acme' });
    const run = await kit.start(waits, null, { key: 'k', tenant: 'acme' });
    await kit.runUntilIdle();
    expect(await run.result()).toBe('early');
  });

  test('without a tenant is for all of them', async () => {
    const [kit, runs] = await waiting('acme', 'other', null);
    const published = await kit.engine.publish(PAID);
    expect(published.instances.toSorted()).toEqual(ids(runs).toSorted());
  });

  test('has an id that is apart from that of another tenant, and is given back', async () => {
    const kit = createTestEngine({ flows: [waits] });
    const publish = (options: { tenant?: string }) =>
      kit.engine.publish({ ...PAID, id: 'm1' }, options);
    for (const options of [{ tenant: 'acme' }, { tenant: 'other' }, {}]) {
      expect(await publish(options)).toMatchObject({ outcome: 'buffered', id: 'm1' });
      expect(await publish(options)).toMatchObject({ outcome: 'duplicate', id: 'm1' });
    }
  });

  test('that is an event is known by its source and id, for each tenant', async () => {
    const kit = createTestEngine({ flows: [waits] });
    const event = { specversion: '1.0', type: 'paid', source: '/shop', id: '1' } as const;
    const [first, again, other] = [
      await kit.engine.publish(event, { tenant: 'acme' }),
      await kit.engine.publish(event, { tenant: 'acme' }),
      await kit.engine.publish(event, { tenant: 'other' }),
    ];
    const outcomes = [first, again, other].map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['buffered', 'duplicate', 'buffered']);
    expect(first.id).toBe(other.id);
  });

  test('is listed with its tenant under the id that was given', async () => {
    const kit = createTestEngine({ flows: [waits] });
    await kit.engine.publish({ ...PAID, id: 'm1' }, { tenant: 'acme' });
    await kit.engine.publish({ ...PAID, id: 'm1' }, { tenant: 'other' });
    await kit.engine.publish({ ...PAID, id: 'm1' });
    const all = (await kit.engine.inbox.list()).messages;
    expect(all.map(({ id, tenant }) => `${id} ${tenant}`)).toEqual([
      ...['m1 null', 'm1 other', 'm1 acme'],
    ]);
    const { messages } = await kit.engine.inbox.list({ tenant: 'acme' });
    expect(messages).toMatchObject([{ id: 'm1', tenant: 'acme', type: 'paid' }]);
  });

  test.each(['', 7, 'x'.repeat(501), null])('of which the tenant is %o is refused', async (bad) => {
    const kit = createTestEngine({ flows: [waits] });
    const publishing = kit.engine.publish(PAID, { tenant: bad as string });
    await expect(publishing).rejects.toMatchObject({ name: 'EngineError' });
    expect((await kit.engine.inbox.list()).messages).toEqual([]);
  });
});

describe('a message that is sent to an instance of a tenant', () => {
  test('has an id that is apart from those of other tenants', async () => {
    const [kit, [ours, theirs]] = await waiting('acme', 'other');
    expect(await ours?.send('paid', 1, { id: 'm1' })).toMatchObject({ id: 'm1', outcome: 'woken' });
    const again = await ours?.send('paid', 1, { id: 'm1' });
    expect(again).toMatchObject({ id: 'm1', outcome: 'duplicate' });
    expect(await theirs?.send('paid', 2, { id: 'm1' })).toMatchObject({ outcome: 'woken' });
    await kit.runUntilIdle();
    expect([await ours?.result(), await theirs?.result()]).toEqual([1, 2]);
  });
});

describe('what an instance emits', () => {
  test('wakes instances of its own tenant, and no others', async () => {
    const tells = flow('tells').emit('tell', { type: 'paid', key: 'k', data: 7 }).end();
    const [kit, runs] = await waiting('acme', 'other', null);
    await kit.engine.deploy(tells);
    await kit.start(tells, null, { tenant: 'acme' });
    await kit.runUntilIdle();
    expect(await statuses(runs)).toEqual(['completed', 'waiting', 'waiting']);
  });
});

describe('business keys', () => {
  test('of two tenants are two keys', async () => {
    const [kit, runs] = await waiting('acme', 'other', null);
    expect(new Set(ids(runs)).size).toBe(3);
    const again = kit.start(waits, null, { key: 'k', tenant: 'acme' });
    await expect(again).rejects.toMatchObject({ code: 'instance.exists' });
    const held = await kit.start(waits, null, {
      ...{ key: 'k', tenant: 'other', onConflict: 'existing' },
    });
    expect(held.id).toBe(runs[1]?.id);
  });

  test('of a tenant are free when its instance is over', async () => {
    const [kit, [ours]] = await waiting('acme', 'other');
    await kit.engine.publish(PAID, { tenant: 'acme' });
    await kit.runUntilIdle();
    expect(await ours?.status()).toBe('completed');
    const next = await kit.start(waits, null, { key: 'k', tenant: 'acme' });
    expect(next.id).not.toBe(ours?.id);
  });
});

describe('what there is to do', () => {
  test('is told by the engine, with the workers that are there', async () => {
    const [kit] = await waiting('acme');
    await kit.engine.publish({ type: 'other', key: 'k' });
    expect(await kit.engine.backlog()).toMatchObject({
      ready: { count: 0, since: null },
      executing: { count: 0, expired: 0 },
      messages: 1,
    });
    const workers = await kit.engine.workers();
    expect(workers).toMatchObject([{ worker: expect.any(String), handlers: expect.any(Array) }]);
  });
});
