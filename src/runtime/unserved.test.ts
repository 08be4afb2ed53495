/** D19: instances whose plan this process has not the code for. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';

const full = flow('order')
  .step('reserve', () => 'full')
  .step('charge', () => 'full')
  .end();

/** The same name and version, and one step fewer. */
const partial = flow('order')
  .step('reserve', () => 'partial')
  .end();

/** The same steps, and one closure fewer. */
const closureless = flow('order')
  .step('reserve', () => 'closureless')
  .step('charge', () => 'closureless')
  .end();

const asking = flow('order')
  .step('reserve', () => 'asking')
  .set('note', () => 'asked')
  .step('charge', () => 'asking')
  .end();

test('what this process cannot finish is not run, not lost, and run by one that can', async () => {
  const world = new World();
  const office = await world.open([full], { worker: false });
  const run = await office.start(full, null);
  await world.open([partial]);
  for (let minute = 0; minute < 3; minute += 1) await world.pass('1m');

  expect(await run.status()).toBe('running');
  expect(await run.history()).toHaveLength(1);
  expect(await run.tokens()).toMatchObject([{ node: 'reserve', attempts: 0, crashes: 0 }]);
  const lines = world.log.lines.filter(({ level }) => level === 'warn');
  expect(lines).not.toEqual([]);
  expect(lines[0]).toMatchObject({ details: { handler: 'order@1/reserve' } });

  const able = await world.open([full]);
  expect(await (await able.get(run.id))?.result()).toEqual({ reserve: 'full', charge: 'full' });
});

test('a step that was renamed without a new version is named, and so is what to do', async () => {
  const world = new World();
  const before = flow('v')
    .step('a', () => 1)
    .sleep('nap', '1s')
    .step('b', () => 2)
    .end();
  const after = flow('v')
    .step('a', () => 1)
    .sleep('nap', '1s')
    .step('c', () => 2)
    .end();
  const first = await world.open([before]);
  const run = await first.start(before, null);
  await settled();
  await first.close();
  await world.open([after]);
  await world.passSeconds(30);
  const { level, message, details } = world.log.lines.find(({ level: l }) => l === 'warn') ?? {};
  expect({ level, message, details }).toEqual({
    level: 'warn',
    message:
      'a stored plan of flow "v" version 1 needs "b", which this process does not have: ' +
      'put the old flow back as version 1, and give the changed one another',
    details: { handler: 'v@1/', flow: 'v', version: 1, missing: ['b'] },
  });
  // The name of no step, but of all the code that this version is.
  expect((await run.inspect()).stalled).toMatchObject({ handlers: ['v@1/'] });
});

test('a missing closure counts like a missing handler', async () => {
  const world = new World();
  const office = await world.open([asking], { worker: false });
  const run = await office.start(asking, null);
  await world.open([closureless]);
  await world.pass('1m');
  expect(await run.history()).toHaveLength(1);
  await world.open([asking]);
  await settled();
  expect((await run.inspect()).output).toEqual({
    ...{ reserve: 'asking', note: 'asked', charge: 'asking' },
  });
});

test('it is not asked for again and again', async () => {
  const world = new World();
  const office = await world.open([full], { worker: false });
  await office.start(full, null);
  await world.open([partial]);
  for (let second = 0; second < 29; second += 1) await world.pass('1s');
  expect(world.log.lines).toHaveLength(1);
});

test('same name, version and code for every node: an older plan is served', async () => {
  const world = new World();
  const office = await world.open([partial], { worker: false });
  const run = await office.start(partial, null);
  const engine = await world.open([full]);
  const fresh = await engine.start(full, null);
  expect(await fresh.result()).toEqual({ reserve: 'full', charge: 'full' });
  // It runs the plan it was started with, by the code that is there.
  expect(await (await engine.get(run.id))?.result()).toEqual({ reserve: 'full' });
});

test('an instance whose plan is gone from the store stops nobody else', async () => {
  const world = new World();
  const waiting = flow('waiting').waitFor('w', { event: 'e', key: 'k' }).end();
  const office = await world.open([waiting, full], { worker: false });
  const lost = await office.start(waiting, null);
  Reflect.set(world.store, 'loadPlan', async () => undefined);
  const engine = await world.open([full]);
  const published = await engine.publish({ type: 'e', key: 'k' });
  expect(published.instances).toEqual([]);
  const run = await engine.start(full, null);
  expect(await run.result()).toEqual({ reserve: 'full', charge: 'full' });
  await world.pass('1s');
  expect(await (await engine.start(full, null)).result()).toBeDefined();
  expect(await lost.status()).toBe('waiting');
  expect(world.log.lines).toMatchObject([{ level: 'error', details: { instance: lost.id } }, {}]);
});
