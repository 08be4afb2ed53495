import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { event } from '../frontends/builder/event-type.ts';
import { flow } from '../frontends/builder/flow.ts';
import { memory } from '../stores/memory/memory.ts';
import { settled } from '../testing/stage.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { createEngine, Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';

const double = flow<{ n: number }>('double')
  .step('twice', ({ input }) => input.n * 2)
  .end(({ results }) => ({ doubled: results.twice }));

const waits = flow<string>('waits')
  .waitFor('answer', { event: event<{ yes: boolean }>('answer') })
  .end(({ results, input }) => `${input}: ${results.answer.yes}`);

test('a started instance gives its typed output', async () => {
  const engine = await createEngine({ store: memory(), flows: [double] });
  const run = await engine.start(double, { n: 21 });
  const { doubled }: { doubled: number } = await run.result();

  expect(doubled).toBe(42);
  expect(await run.status()).toBe('completed');
  await engine.close();
});

test('the result can be asked for as often as one likes, before and after the end', async () => {
  const kit = createTestEngine({ flows: [waits] });
  const run = await kit.start(waits, 'well', { key: 'k' });
  const early = [run.result(), run.result()];
  await kit.engine.publish({ type: 'answer', key: 'k', data: { yes: true } });

  expect(await Promise.all([...early, run.result()])).toEqual(Array(3).fill('well: true'));
});

test('a start is durable when it resolves, even where nobody works', async () => {
  const world = new World();
  const office = await world.open([double], { worker: false });
  const run = await office.start(double, { n: 1 });
  await settled();

  expect(await run.status()).toBe('running');
  expect(await run.history()).toHaveLength(1);
});

test('an instance id sorts by the moment of its start', async () => {
  const kit = createTestEngine({ flows: [double] });
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    ids.push((await kit.start(double, { n })).id);
    await kit.advance('1s');
  }
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(5);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('at most one open instance of a flow has a key', async () => {
  const kit = createTestEngine({ flows: [waits] });
  const first = await kit.start(waits, 'one', { key: 'k' });

  await expect(kit.start(waits, 'two', { key: 'k' })).rejects.toMatchObject({
    code: 'instance.exists',
    details: { instance: first.id },
  });
  await expect(kit.start(waits, 'two', { key: 'k', onConflict: 'fail' })).rejects.toMatchObject({
    code: 'instance.exists',
  });
  const same = await kit.start(waits, 'two', { key: 'k', onConflict: 'existing' });
  expect(same.id).toBe(first.id);
  expect((await same.inspect()).input).toBe('one');
});

test('another key and another flow are no conflict', async () => {
  const other = flow('other').waitFor('w', { event: 'e' }).end();
  const kit = createTestEngine({ flows: [waits, other] });
  const runs = await Promise.all([
    kit.start(waits, 'a', { key: 'k' }),
    kit.start(waits, 'b', { key: 'l' }),
    kit.start(other, null, { key: 'k' }),
  ]);
  expect(new Set(runs.map(({ id }) => id)).size).toBe(3);
});

test('of many starts with one key at the same time one comes about', async () => {
  const kit = createTestEngine({ flows: [waits] });
  const starts = Array.from({ length: 50 }, (_, n) => kit.start(waits, `${n}`, { key: 'k' }));
  const outcomes = await Promise.allSettled(starts);

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await kit.engine.check()).instances).toBe(1);
});

test('a key is free again when its instance has completed or failed', async () => {
  const fails = flow('fails')
    .step('boom', () => {
      throw new Error('boom');
    })
    .end();
  const kit = createTestEngine({ flows: [double, fails] });
  for (let round = 0; round < 2; round += 1) {
    const run = await kit.start(double, { n: 1 }, { key: 'k' });
    expect(await run.result()).toEqual({ doubled: 2 });
    const failed = await kit.start(fails, null, { key: 'k' });
    await expect(failed.result()).rejects.toMatchObject({ code: 'instance.failed' });
  }
});

test('an id of the caller names the instance, once', async () => {
  const kit = createTestEngine({ flows: [double] });
  const run = await kit.start(double, { n: 1 }, { id: 'mine' });
  expect(run.id).toBe('mine');
  await run.result();

  await expect(kit.start(double, { n: 2 }, { id: 'mine' })).rejects.toMatchObject({
    code: 'instance.exists',
    details: { instance: 'mine' },
  });
  const again = await kit.start(double, { n: 2 }, { id: 'mine', onConflict: 'existing' });
  expect(await again.result()).toEqual({ doubled: 2 });
  expect((await kit.engine.check()).instances).toBe(1);
});

test('tenant, key and priority are kept with the instance', async () => {
  const kit = createTestEngine({ flows: [waits] });
  const run = await kit.start(waits, 'x', { key: 'k', tenant: 't', priority: 3 });
  expect(await run.inspect()).toMatchObject({
    ...{ key: 'k', tenant: 't', priority: 3 },
    ...{ flow: 'waits', flowVersion: 1, input: 'x', status: 'waiting' },
  });
});

test.each([
  [{ id: '' }],
  [{ id: 7 as never }],
  [{ id: 'x'.repeat(501) }],
  [{ key: '' }],
  [{ key: 7 as never }],
  [{ key: 'x'.repeat(501) }],
  [{ tenant: '' }],
  [{ priority: Number.NaN }],
  [{ priority: 1.5 }],
  [{ priority: '1' as never }],
  [{ onConflict: 'ignore' as never }],
])('a start refuses what it cannot keep: %j', async (options) => {
  const kit = createTestEngine({ flows: [double] });
  await expect(kit.start(double, { n: 1 }, options)).rejects.toMatchObject({
    code: 'engine.option-invalid',
  });
  expect((await kit.engine.check()).instances).toBe(0);
});

test('a known instance is found by its id, an unknown one is not', async () => {
  const kit = createTestEngine({ flows: [double] });
  const run = await kit.start(double, { n: 4 });
  const found = await kit.engine.get(run.id);

  expect(await found?.result()).toEqual({ doubled: 8 });
  expect(await kit.engine.get('nobody')).toBeUndefined();
});

test('a flow the engine was not given is not found', async () => {
  const kit = createTestEngine({ flows: [double] });
  await expect(kit.start(waits, 'x')).rejects.toMatchObject({ code: 'definition.not-found' });
  await expect(kit.start('waits', 'x')).rejects.toThrow('"waits"');
  const newer = flow<{ n: number }>('double', { version: 2 }).end();
  await expect(kit.start(newer, { n: 1 })).rejects.toThrow('"double@2"');
});

test('a name starts the newest version, a flow its own', async () => {
  const versions = [2, 10, 1].map((version) =>
    flow('v', { version })
      .step('which', () => version)
      .end(({ results }) => results.which),
  );
  const kit = createTestEngine({ flows: versions });
  const byName = await kit.start('v', null);
  expect(await byName.result()).toBe(10);
  for (const one of versions) {
    const run = await kit.start(one, null);
    expect(await run.result()).toBe(one.version);
  }
});

test('a closed engine refuses every verb, and closing again changes nothing', async () => {
  const engine = await createEngine({ store: memory(), flows: [double, waits] });
  const open = await engine.start(waits, 'x', { key: 'k' });
  const pending = open.result();
  const closing = engine.close();
  await expect(pending).rejects.toMatchObject({ code: 'engine.closed' });
  await closing;
  await engine.close();

  const closed = { code: 'engine.closed' };
  await expect(engine.start(double, { n: 1 })).rejects.toMatchObject(closed);
  await expect(engine.get(open.id)).rejects.toMatchObject(closed);
  await expect(engine.publish({ type: 'a', key: 'b' })).rejects.toMatchObject(closed);
  await expect(engine.check()).rejects.toMatchObject(closed);
  await expect(open.result()).rejects.toMatchObject(closed);
});

test('a result that does not come in time is given up, and the instance goes on', async () => {
  const kit = createTestEngine({ flows: [waits] });
  const run = await kit.start(waits, 'so', { key: 'k' });
  const late = run.result({ timeout: '1h' }).catch((error: unknown) => error);
  await kit.advance('1h');
  expect(await late).toMatchObject({
    ...{ code: 'result.timeout', retryable: true },
    details: { instance: run.id },
  });

  expect(await run.status()).toBe('waiting');
  await kit.engine.publish({ type: 'answer', key: 'k', data: { yes: false } });
  expect(await run.result({ timeout: '1h' })).toBe('so: false');
  await expect(run.result({ timeout: 'soon' })).rejects.toMatchObject({ code: 'duration.invalid' });
});

test('a failed instance says what failed, where and why', async () => {
  const charge = flow('charge')
    .step('pay', () => {
      throw Object.assign(new RangeError('no funds'), { code: 'CARD_DECLINED' });
    })
    .end();
  const kit = createTestEngine({ flows: [charge] });
  const run = await kit.start(charge, null);
  const fault = { code: 'CARD_DECLINED', message: 'RangeError: no funds', node: 'pay' };

  await expect(run.result()).rejects.toMatchObject({
    code: 'instance.failed',
    details: { fault, instance: run.id },
  });
  await expect(run.result()).rejects.toThrow('at "pay": RangeError: no funds (CARD_DECLINED)');
  expect(await run.inspect()).toMatchObject({ status: 'failed', fault });
});

test('an end in another process is heard of by asking', async () => {
  const world = new World();
  const office = await world.open([double], { worker: false });
  await world.open([double]);
  const run = await office.start(double, { n: 5 });
  const result = run.result();
  await world.pass('1s');
  await world.pass('5s');
  expect(await result).toEqual({ doubled: 10 });
});

test('an instance that is gone from the store is not waited for', async () => {
  const world = new World();
  const forgetful = wrappedStore(world.store, { load: async () => [undefined] });
  const engine = await world.open([waits], { store: forgetful });
  const run = await engine.start(waits, 'x', { key: 'k' });
  const gone = { code: 'instance.not-found', details: {} };
  const result = run.result().catch((error: unknown) => error);
  await world.pass('1s');
  expect(await result).toMatchObject(gone);
  await expect(run.inspect()).rejects.toMatchObject(gone);
});

test.each([
  [{ concurrency: 0 }],
  [{ concurrency: 1.5 }],
  [{ concurrency: '4' as never }],
  [{ lease: 0 }],
  [{ lease: 'long' }],
  [{ poll: 0 }],
  [{ poll: -1 }],
  [{ id: '' }],
])('a worker refuses options it cannot work with: %j', (worker) => {
  expect(() => makeEngine({ worker })).toThrow(EngineError);
});

const misspelled: object = { MOVES_PER_COMIT: 5 };

test.each([
  [{ MOVES_PER_COMMIT: 0 }],
  [{ VALUE_CHARS_MAX: Number.NaN }],
  [{ CRASHES_MAX: -1 }],
  [{ FAULT_CHARS_MAX: 1.5 }],
  [misspelled],
])('an engine refuses limits that are none: %j', (limits) => {
  expect(() => makeEngine({ limits })).toThrow(/limits/);
});

function makeEngine(options: Omit<EngineOptions, 'store'>): Engine {
  return new Engine({ store: memory(), ...options }, new VirtualAlarm(0));
}
