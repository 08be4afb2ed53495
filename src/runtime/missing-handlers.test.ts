/** Work that no process has a handler for is seen, and told from work that waits for its turn. */
import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import type { Around } from '../testing/wrapped-store.ts';

const pack = flow('pack')
  .step('wrap', () => 'wrapped')
  .end();

onEveryStore('an instance whose step nobody has a handler for', (open) => {
  test('says which, and since when, until somebody comes who has it', async () => {
    const lab = await open([]);
    const office = await lab.beside([pack]);
    await office.settle();
    // It is killed, and that was long ago.
    office.engine.parts.worker?.abandon();
    for (const { worker } of await lab.store.servers.list()) await lab.store.servers.remove(worker);
    const run = await office.engine.start(pack, null);
    const since = lab.now;
    expect((await run.inspect()).stalled).toBeNull();
    await lab.tick('9s');
    expect((await run.inspect()).stalled).toBeNull();
    await lab.tick('1s');
    const stalled = {
      reason: 'handler.missing',
      handlers: ['pack@1/wrap'],
      tokens: [{ token: 3, node: 'wrap', handler: 'pack@1/wrap', since }],
    };
    expect(await run.inspect()).toMatchObject({ status: 'running', stalled });
    expect((await lab.engine.list({ flow: 'pack' })).instances).toMatchObject([{ stalled }]);
    expect(await lab.engine.check()).toMatchObject({
      ok: true,
      stalled: [],
      unserved: [{ instance: run.id, token: 3, handler: 'pack@1/wrap' }],
    });

    const able = await lab.beside([pack]);
    await able.settle();
    expect(await run.inspect()).toMatchObject({ status: 'completed', stalled: null });
  });

  test('is no such instance if the store was away when its worker said what it has', async () => {
    const gate = new Gate();
    const slow = flow('slow')
      .step('work', () => gate.opened)
      .end();
    let isAway = true;
    const around: Around = async (verb, call) => {
      if (verb !== 'servers.put' || !isAway) return call();
      isAway = false;
      throw new EngineError('store.unreachable', 'the store is away', { retryable: true });
    };
    const lab = await open([slow], { concurrency: 1, around });
    await lab.tick('1s');
    for (let n = 0; n < 2; n += 1) await lab.engine.start(slow, undefined as never);
    // A beat has not come yet.
    for (let n = 0; n < 10; n += 1) await lab.tick('4s');
    const { instances } = await lab.engine.list();
    expect([isAway, instances.map(({ stalled }) => stalled)]).toEqual([false, [null, null]]);
    gate.open();
  });
});

test('work that waits for a slot lacks nothing', async () => {
  const world = new World();
  const gate = new Gate();
  const slow = flow('slow')
    .step('work', () => gate.opened)
    .end();
  const engine = await world.open([slow], { worker: { concurrency: 1 } });
  const runs = [await engine.start(slow, null), await engine.start(slow, null)];
  await world.passSeconds(30);
  for (const run of runs) expect((await run.inspect()).stalled).toBeNull();
  gate.open();
  await settled();
});

test('a process that ends says so, and one that was killed is forgotten', async () => {
  const world = new World();
  const kept = await world.open([pack]);
  const other = flow('other')
    .step('do', () => 1)
    .end();
  const killed = await world.open([other]);
  const names = async (): Promise<string[]> =>
    (await world.store.servers.list()).map(({ handlers }) => handlers.join());
  await settled();
  expect((await names()).sort()).toEqual(['other@1/,other@1/do', 'pack@1/,pack@1/wrap']);
  world.kill(killed);
  await world.passSeconds(149);
  expect(await names()).toHaveLength(2);
  await world.passSeconds(2);
  expect(await names()).toEqual(['pack@1/,pack@1/wrap']);
  await kept.close();
  expect(await names()).toEqual([]);
});

test('a handler that turns out to lack code is no longer offered', async () => {
  const world = new World();
  const full = flow('pack')
    .step('wrap', () => 'wrapped')
    .step('ship', () => 'shipped')
    .end();
  const office = await world.open([full], { worker: false });
  const run = await office.start(full, null);
  // The same name and version, and one step fewer.
  await world.open([pack]);
  await world.passSeconds(20);
  expect((await run.inspect()).stalled).toMatchObject({ handlers: ['pack@1/wrap'] });
});
