/** Messages between processes: one of them publishes, another has the flow's code. */
import { expect, test } from 'vitest';
import { event } from '../frontends/builder/event-type.ts';
import { flow } from '../frontends/builder/flow.ts';
import { settled, Stage } from '../testing/stage.ts';
import { World } from '../testing/world.ts';

const reply = flow('reply')
  .waitFor('ask', { event: event<string>('ask') })
  .step('think', ({ results }) => `on ${results.ask}`)
  .end(({ results }) => results.think);

test('D19: a process without the code wakes only, and one that has it goes on', async () => {
  const world = new World();
  const worker = await world.open([reply]);
  const run = await worker.start(reply, null, { key: 'k' });
  await settled();
  await worker.close();

  const office = await world.open([], { worker: false });
  const published = await office.publish({ type: 'ask', key: 'k', data: 'time' });
  expect(published).toMatchObject({ outcome: 'woken', instances: [run.id] });
  const seen = await office.get(run.id);
  expect(await seen?.tokens()).toMatchObject([
    {
      ...{ node: 'ask', status: 'ready', handler: 'reply@1/', wait: null },
      wake: { reason: 'event', payload: 'time' },
    },
  ]);

  const again = await world.open([reply]);
  expect(await (await again.get(run.id))?.result()).toBe('on time');
  expect(await again.check()).toMatchObject({ ok: true });
});

test('D19: a process without the code wakes sleepers too, at their moment', async () => {
  const nap = flow('nap')
    .sleep('nap', '1h')
    .end(() => 'rested');
  const world = new World();
  const worker = await world.open([nap]);
  const run = await worker.start(nap, null);
  await worker.close();

  const other = await world.open([]);
  await world.pass('59m');
  expect(await (await other.get(run.id))?.status()).toBe('waiting');
  await world.pass('1m');
  expect(await (await other.get(run.id))?.tokens()).toMatchObject([
    { node: 'nap', status: 'ready', wake: { reason: 'timeout' } },
  ]);
  const again = await world.open([nap]);
  expect(await (await again.get(run.id))?.result()).toBe('rested');
});

test('P5: a message published while its waiter is being committed is not lost', async () => {
  const world = new World();
  const stage = new Stage();
  const store = stage.watch(world.store, 'worker', ['commit']);
  const worker = await world.open([reply], { store });
  const office = await world.open([], { worker: false });

  const starting = worker.start(reply, null, { key: 'k' });
  await settled();
  expect(stage.held).toEqual(['worker commit']);
  const published = await office.publish({ type: 'ask', key: 'k', data: 'time' });
  expect(published.outcome).toBe('buffered');
  stage.letGo(0);
  await settled();
  expect(stage.held).toEqual(['worker commit answers']);
  stage.letGo(0);
  const run = await starting;
  const result = run.result();
  await stage.letAllGo();
  expect(await result).toBe('on time');
});

test('P5: whoever publishes may die before anyone is woken', async () => {
  const world = new World();
  const worker = await world.open([reply]);
  const run = await worker.start(reply, null, { key: 'k' });
  await settled();
  // Kept, and then nothing: the publisher is gone.
  await world.store.publish({ id: 'm', type: 'ask', key: 'k', data: 'time', ttlMs: 60_000 });
  await world.pass('1s');
  expect(await run.result()).toBe('on time');
});

test('P5: whoever delivers may die between two deliveries: others are woken', async () => {
  const shared = flow('shared')
    .waitFor('gong', { event: 'gong', key: 'all' })
    .end(({ results }) => results.gong);
  const world = new World();
  const stage = new Stage();
  const dying = await world.open([shared], {
    worker: false,
    store: stage.watch(world.store, 'dying', ['commit']),
  });
  const worker = await world.open([shared]);
  const runs = [await worker.start(shared, null), await worker.start(shared, null)];
  await settled();
  void dying.publish({ type: 'gong', key: 'all', data: 'now' });
  await settled();
  // Its deliveries are held back for ever.
  expect(stage.held).toEqual(['dying commit']);
  await world.pass('1s');
  for (const run of runs) expect(await run.result()).toBe('now');
});

test('two processes that deliver the same message deliver it once', async () => {
  const world = new World();
  const [a, b] = [await world.open([reply]), await world.open([reply])];
  const run = await a.start(reply, null, { key: 'k' });
  await settled();
  const stage = new Stage();
  const slow = await world.open([], {
    worker: false,
    store: stage.watch(world.store, 'slow', ['commit']),
  });
  const publishing = slow.publish({ type: 'ask', key: 'k', data: 'time' });
  await settled();
  b.parts.worker?.ringFor('messages');
  expect(await (await b.get(run.id))?.result()).toBe('on time');
  await stage.letAllGo();
  expect(await publishing).toMatchObject({ outcome: 'woken', instances: [] });
  expect(await a.check()).toMatchObject({ ok: true });
});
