import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { answerLost } from '../testing/outage.ts';
import { Gate, settled } from '../testing/stage.ts';
import { Trap } from '../testing/trap.ts';
import { World } from '../testing/world.ts';
import { guardedStore } from '../testing/wrapped-store.ts';
import type { HandlerContext } from './handlers.ts';

function pair(first: (context: Pick<HandlerContext, 'signal'>) => unknown) {
  return flow('pair')
    .step('first', first)
    .step('second', () => 'second')
    .end(({ results }) => [results.first, results.second]);
}

async function busy() {
  const world = new World();
  const gate = new Gate<string>();
  const signals: AbortSignal[] = [];
  const engine = await world.open([
    pair(({ signal }) => {
      signals.push(signal);
      return gate.opened;
    }),
  ]);
  const run = await engine.start('pair', null);
  await settled();
  let closed = false;
  const close = async (timeout?: string): Promise<void> => {
    await engine.close(timeout === undefined ? {} : { timeout });
    closed = true;
  };
  return { world, gate, signals, engine, run, close, isClosed: () => closed };
}

describe('close', () => {
  test('waits for the handlers that run, keeps their results, takes on no more', async () => {
    const { world, gate, run, close, isClosed, signals } = await busy();
    const closing = close();
    await settled();
    expect(isClosed()).toBe(false);
    gate.open('first');
    await settled();
    expect(isClosed()).toBe(true);
    await closing;
    expect(signals[0]?.aborted).toBe(false);
    expect(await run.tokens()).toMatchObject([{ node: 'second', status: 'ready', attempts: 0 }]);

    const next = await world.open([pair(() => 'again')]);
    expect(await (await next.get(run.id))?.result()).toEqual(['first', 'second']);
  });

  test('is done at once where nothing runs', async () => {
    const world = new World();
    const engine = await world.open([pair(() => 'x')]);
    const run = await engine.start('pair', null);
    await run.result();
    await engine.close();
  });

  test('is done at once where nobody works', async () => {
    const world = new World();
    await (await world.open([], { worker: false })).close();
  });

  test('with a timeout gives back what does not come to its end in time', async () => {
    const { world, gate, run, close, isClosed, signals } = await busy();
    const closing = close('5s');
    await world.pass('4s');
    expect(isClosed()).toBe(false);
    await world.pass('1s');
    await closing;
    expect(signals[0]?.aborted).toBe(true);
    expect(signals[0]?.reason).toMatchObject({ message: 'the engine closes' });

    // At once: nobody waits for a lease, and it was nobody's failure.
    const next = await world.open([pair(() => 'again')]);
    expect(await (await next.get(run.id))?.result()).toEqual(['again', 'second']);
    const changes = (await run.history()).flatMap((entry) => entry.changes);
    expect(changes.filter(({ did }) => did === 'recover-token')).toEqual([]);

    gate.open('too late');
    await settled();
    expect(await world.store.dropped(run.id)).toHaveLength(1);
    expect(await next.check()).toMatchObject({ ok: true });
  });

  test('keeps the leases of what it waits for alive', async () => {
    const { world, gate, run, close } = await busy();
    await world.open([pair(() => 'stolen')]);
    const closing = close('10m');
    for (let second = 0; second < 60; second += 1) await world.pass('1s');
    gate.open('kept');
    await closing;
    await world.pass('1s');
    expect((await run.inspect()).output).toEqual(['kept', 'second']);
  });

  test('ends while the store is away', async () => {
    const { gate, close, isClosed, engine, world } = await busy();
    Reflect.set(world.store, 'commit', () => Promise.reject(new Error('gone')));
    gate.open('lost');
    await settled();
    const closing = close('1s');
    await settled();
    await world.pass('1s');
    await closing;
    expect(isClosed()).toBe(true);
    await expect(engine.get('x')).rejects.toMatchObject({ code: 'engine.closed' });
  });

  test('begins no handler afterwards, whatever comes of what was under way', async () => {
    const world = new World();
    const ran: string[] = [];
    const job = (where: string) =>
      flow<null>('job')
        .step('work', () => void ran.push(where))
        .end();
    const trap = new Trap('commit', 'answer');
    const engine = await world.open([job('here')], {
      store: guardedStore(world.store, trap.around),
    });
    const run = await engine.start('job', null);
    await run.result();
    trap.arm();
    const rerun = run.rerun('work');
    await trap.sprung;
    const closing = engine.close({ timeout: 0 });
    await world.pass(0);
    await closing;
    trap.letGo();
    await rerun;
    await settled();
    expect(ran).toEqual(['here']);

    // And nobody waits for its lease.
    await world.open([job('there')]);
    await settled();
    expect([ran, await run.status()]).toEqual([['here', 'there'], 'completed']);
  });

  test('keeps to its timeout while a flow is being suspended and no answer comes', async () => {
    const world = new World();
    let isAway = false;
    const store = guardedStore(world.store, async (verb, call) => {
      if (isAway && verb === 'commit') throw answerLost();
      return call();
    });
    const waits = flow('waits').waitFor('go', { event: 'go', key: 'k' }).end();
    const engine = await world.open([waits], { store });
    const run = await engine.start('waits', null);
    await settled();
    isAway = true;
    const suspending = engine.flows.suspend('waits').catch((error: unknown) => error);
    await settled();
    const closing = engine.close({ timeout: '2s' });
    await world.passSeconds(2);
    await closing;
    expect(await suspending).toMatchObject({ details: { unsure: true } });
    expect(world.clock.now).toBe(Date.UTC(2026, 0) + 2_000);

    // What was said is made true by whoever comes next.
    const next = await world.open([waits]);
    await world.pass('1s');
    expect(await (await next.get(run.id))?.status()).toBe('suspended');
  });

  test('keeps to its timeout while a flow is being suspended and the store hangs', async () => {
    const world = new World();
    const trap = new Trap('instances.find');
    const waits = flow('waits').waitFor('go', { event: 'go', key: 'k' }).end();
    const store = guardedStore(world.store, trap.around);
    const engine = await world.open([waits], { store, worker: false });
    await engine.start('waits', null);
    trap.arm();
    const suspending = engine.flows.suspend('waits').catch((error: unknown) => error);
    await trap.sprung;
    const closing = engine.close({ timeout: '2s' });
    await settled();
    await world.passSeconds(2);
    await closing;
    trap.letGo();
    expect(await suspending).toMatchObject({ code: 'engine.closed' });
  });
});

test('a worker that died gives nothing back: its lease must run out first', async () => {
  const { world, run, engine } = await busy();
  world.kill(engine);
  const next = await world.open([pair(() => 'again')]);
  await world.pass('10s');
  expect(await run.status()).toBe('running');
  await world.pass('1s');
  expect(await (await next.get(run.id))?.result()).toEqual(['again', 'second']);
});
