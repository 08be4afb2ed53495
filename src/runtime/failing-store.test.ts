/** A store that fails delays and loses nothing; one bad instance stops no other (P12). */
import { describe, expect, test, vi } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { Logger } from './logger.ts';
import { Outage } from '../testing/outage.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';

const gates = { one: new Gate<number>(), two: new Gate<number>() };

function branches(ran: string[] = []) {
  return flow<string>('branches')
    .parallel('fork', {
      left: (b) =>
        b.step('one', () => {
          ran.push('one');
          return gates.one.opened;
        }),
      right: (b) =>
        b.step('two', () => {
          ran.push('two');
          return gates.two.opened;
        }),
    })
    .step('last', ({ results }) => results.one + results.two)
    .end(({ results }) => results.last);
}

async function outage(logger?: Logger) {
  gates.one = new Gate();
  gates.two = new Gate();
  const world = new World();
  const ran: string[] = [];
  const away = new Outage(world.store);
  const engine = await world.open([branches(ran)], {
    store: away.store,
    ...(logger === undefined ? {} : { logger }),
  });
  const run = await engine.start(branches(), 'x');
  await settled();
  return { world, away, engine, run, ran };
}

describe('while the store is away', () => {
  test('results wait until it is back, and none is worked out twice', async () => {
    const { world, away, run, ran } = await outage();
    away.away = true;
    gates.one.open(1);
    gates.two.open(2);
    await settled();
    for (let second = 0; second < 5; second += 1) await world.pass('1s');
    away.away = false;
    for (let second = 0; second < 5; second += 1) await world.pass('1s');
    expect(await run.result()).toBe(3);
    expect(ran).toEqual(['one', 'two']);
  });

  test('for longer than a lease results are kept as well: nobody took them over', async () => {
    const { world, away, run, engine, ran } = await outage();
    away.away = true;
    gates.one.open(1);
    gates.two.open(2);
    await settled();
    for (let second = 0; second < 30; second += 1) await world.pass('1s');
    away.away = false;
    for (let second = 0; second < 30; second += 1) await world.pass('1s');
    expect(await run.result()).toBe(3);
    expect(ran).toEqual(['one', 'two']);
    expect(await world.store.dropped(run.id)).toEqual([]);
    expect(await engine.check()).toMatchObject({ ok: true });
  });

  test('a start and a publish say so, and can be repeated', async () => {
    const { world, away, engine } = await outage();
    away.away = true;
    const start = engine.start(branches(), 'y', { key: 'k' });
    await expect(start).rejects.toMatchObject({ code: 'store.unreachable', retryable: true });
    await expect(engine.publish({ type: 'a', key: 'b' })).rejects.toMatchObject({
      retryable: true,
    });
    away.away = false;
    await engine.start(branches(), 'y', { key: 'k' });
    expect((await engine.publish({ type: 'a', key: 'b' })).outcome).toBe('buffered');
    await world.pass('1s');
  });

  test('a result is waited for, not given up', async () => {
    const { world, away, run } = await outage();
    const result = run.result();
    away.away = true;
    for (let second = 0; second < 5; second += 1) await world.pass('1s');
    away.away = false;
    gates.one.open(1);
    gates.two.open(2);
    for (let second = 0; second < 5; second += 1) await world.pass('1s');
    expect(await result).toBe(3);
  });

  test('a worker asks less and less often', async () => {
    const { world, away } = await outage();
    away.away = true;
    for (let second = 0; second < 600; second += 1) await world.pass('1s');
    const warnings = world.log.lines.filter(({ message }) => message.includes('did not answer'));
    // A pause is up to ten seconds by then, and half of that in the middle.
    expect(warnings.length).toBeLessThan(200);
    expect(warnings.length).toBeGreaterThan(60);
  });

  test('a message that is kept already is delivered later', async () => {
    const world = new World();
    const waits = flow('waits').waitFor('w', { event: 'e', key: 'k' }).end();
    const away = new Outage(world.store);
    const engine = await world.open([waits], { store: away.store });
    const run = await engine.start(waits, null);
    await settled();
    const publishing = engine.publish({ type: 'e', key: 'k', data: 1 });
    away.away = true;
    expect(await publishing).toMatchObject({ outcome: 'buffered', instances: [] });
    away.away = false;
    for (let second = 0; second < 12; second += 1) await world.pass('1s');
    expect(await run.result()).toEqual({ w: 1 });
  });
});

test('a logger that throws while the store is away leaves no work standing', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const refuse = (): never => {
    throw new Error('the disk of the logger is full');
  };
  const refusing = { debug: refuse, info: refuse, warn: refuse, error: refuse };
  const { world, away, run } = await outage(refusing);
  away.away = true;
  gates.one.open(1);
  gates.two.open(2);
  await world.pass('1s');
  away.away = false;
  await world.pass('1s');
  expect(await run.result()).toBe(3);
  const told = stderr.mock.calls.join();
  stderr.mockRestore();
  expect(told).toContain('a result could not be committed yet');
});

describe('P12: an instance whose rows are broken', () => {
  const waits = flow<string>('waits')
    .waitFor('w', { event: 'e', key: ({ input }) => input, timeout: '1h' })
    .step('after', () => 'fine')
    .end(({ results }) => results.after);

  const elsewhere = (rows: InstanceRows): InstanceRows => ({
    ...rows,
    tokens: rows.tokens.map((token) => ({ ...token, node: 'gone' as never })),
  });

  async function broken(started = waits, spoil = elsewhere) {
    const world = new World();
    const office = await world.open([started], { worker: false });
    const { id: bad } = await office.start(started, 'k');
    const good = await office.start(started, 'k');
    const store = wrappedStore(world.store, {
      load: async (ids) =>
        (await world.store.load(ids)).map((rows) => (rows?.head.id === bad ? spoil(rows) : rows)),
    });
    const engine = await world.open([started], { store });
    await settled();
    return { world, engine, good, bad };
  }

  test('does not keep a message from the others', async () => {
    const { engine, good, world, bad } = await broken();
    const published = await engine.publish({ type: 'e', key: 'k', data: 1 });
    expect(published.instances).toEqual([good.id]);
    expect(await (await engine.get(good.id))?.result()).toBe('fine');
    expect(world.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        details: expect.objectContaining({ instance: bad }),
      }),
    );
  });

  test('does not keep a kept message from the others, nor the worker from its work', async () => {
    const { engine, good, world } = await broken();
    const message = { id: 'm', type: 'e', key: 'k', data: 1, ttlMs: 600_000 };
    await world.store.publish(message);
    await world.pass('1s');
    expect(await (await engine.get(good.id))?.result()).toBe('fine');
    const later = await engine.start(waits, 'l');
    await engine.publish({ type: 'e', key: 'l' });
    expect(await later.result()).toBe('fine');
  });

  test('does not keep time from the others', async () => {
    const { engine, good, world } = await broken();
    await world.pass('1h');
    expect(await (await engine.get(good.id))?.result()).toBe('fine');
  });

  test('is set aside for a minute, and then looked at again', async () => {
    const { world } = await broken();
    await world.pass('1h');
    const errors = (): number => world.log.lines.filter(({ level }) => level === 'error').length;
    expect(errors()).toBe(1);
    for (let second = 0; second < 59; second += 1) await world.pass('1s');
    expect(errors()).toBe(1);
    await world.pass('2s');
    expect(errors()).toBe(2);
  });

  test('does not keep a worker from those it claimed together with it', async () => {
    const steps = flow<string>('steps')
      .step('after', () => 'fine')
      .end(({ results }) => results.after);
    const { good, bad, world } = await broken(steps, (rows) => ({ ...rows, scopes: [] }));
    expect(await good.inspect()).toMatchObject({ output: 'fine', version: 2 });
    expect(world.log.lines).toMatchObject([{ level: 'error', details: { instance: bad } }]);
    for (let minute = 0; minute < 10; minute += 1) await world.pass('1m');
    expect(await world.store.dropped(good.id)).toEqual([]);
  });
});
