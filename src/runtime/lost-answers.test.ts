/** D3: a commit whose answer is lost is handed in again, and asked for, before it is judged. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Store } from '../stores/store.ts';
import {
  answerLost,
  hangsOnce,
  type Loss,
  losingStore,
  Outage,
  refusalOf,
  unreachable,
} from '../testing/outage.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { UNSURE_MS_MAX } from './unsure.ts';

const LOSSES: readonly Loss[] = ['before', 'after'];

/** The answer to one commit is lost, by its number from 1. */
function losingOne(store: Store, nth: number, loss: Loss): Store {
  return losingStore(store, (n) => (n === nth ? loss : undefined));
}

/** Two branches whose steps answer when their gates open, and a step after them. */
function branches() {
  const gates = { one: new Gate<number>(), two: new Gate<number>() };
  const ran: string[] = [];
  const work = (name: 'one' | 'two') => (): Promise<number> => {
    ran.push(name);
    return gates[name].opened;
  };
  const job = flow<string>('branches')
    .parallel('fork', {
      left: (b) => b.step('one', work('one')),
      right: (b) => b.step('two', work('two')),
    })
    .step('last', ({ results }) => {
      ran.push('last');
      return results.one + results.two;
    })
    .end(({ results }) => results.last);
  return { gates, ran, job };
}

/** The answer to one commit is lost, and the store may be away after that. */
function losingAndAway(store: Store, nth: number, loss: Loss): Outage {
  const away = new Outage(store);
  const lost = losingOne(store, nth, loss);
  const commit: Store['commit'] = async (batch) => {
    if (away.away) throw unreachable();
    return lost.commit(batch);
  };
  return Object.assign(away, { store: wrappedStore(away.store, { commit }) });
}

/** An instance of the two branches, on a store that the test makes of the world's own. */
async function branching(storeOf: (store: Store) => Store, concurrency = 64) {
  const { gates, ran, job } = branches();
  const world = new World();
  const worker = { id: 'A', concurrency };
  const engine = await world.open([job], { store: storeOf(world.store), worker });
  const run = await engine.start(job, 'x');
  await settled();
  return { gates, ran, world, engine, run };
}

/** All of it was done, once, and nothing of it is shown as dropped. */
async function expectDoneOnce({ ran, world, engine, run }: Awaited<ReturnType<typeof branching>>) {
  expect(await run.result()).toBe(3);
  expect(ran).toEqual(['one', 'two', 'last']);
  expect(await run.history()).toHaveLength(4);
  expect(await world.store.dropped(run.id)).toEqual([]);
  expect(await engine.check()).toMatchObject({ ok: true });
}

describe('a result', () => {
  const CASES = [2, 3, 4].flatMap((nth) => LOSSES.map((loss) => [nth, loss] as const));

  test.each(CASES)(
    'whose commit is number %i and whose answer is lost %s it came about is kept, once',
    async (nth, loss) => {
      const played = await branching((store) => losingOne(store, nth, loss));
      played.gates.one.open(1);
      await settled();
      played.gates.two.open(2);
      await played.world.passSeconds(3);
      await expectDoneOnce(played);
    },
  );

  test.each(LOSSES)(
    'is kept, once, where both of a batch are lost %s they came about',
    async (loss) => {
      const played = await branching((store) => losingOne(store, 2, loss));
      // Both answer in one turn of the event loop: their commits go out together.
      played.gates.one.open(1);
      played.gates.two.open(2);
      await played.world.passSeconds(3);
      await expectDoneOnce(played);
    },
  );

  test('is found again only when the store is back to be asked', async () => {
    let outage: Outage | null = null;
    const played = await branching((store) => {
      outage = losingAndAway(store, 2, 'after');
      return outage.store;
    });
    const away = (outage ?? {}) as Outage;
    played.gates.one.open(1);
    await settled();
    away.away = true;
    await played.world.passSeconds(8);
    away.away = false;
    played.gates.two.open(2);
    await played.world.passSeconds(12);
    await expectDoneOnce(played);
  });

  test('of a worker that has died meanwhile is not handed in again', async () => {
    const played = await branching((store) => losingOne(store, 2, 'before'));
    played.gates.one.open(1);
    await settled();
    played.world.kill(played.engine);
    await played.world.passSeconds(5);
    expect(await played.run.history()).toHaveLength(1);
  });
});

describe('what such a commit took', () => {
  /** The commit that starts three steps comes about; its answer is lost until the test says so. */
  async function taking(concurrency: number) {
    const world = new World();
    const ran: string[] = [];
    const run = (worker: string, name: string) => (): string => {
      ran.push(`${worker} ${name}`);
      return name;
    };
    const fan = (worker: string) =>
      flow<null>('fan')
        .step('first', run(worker, 'first'))
        .parallel('fork', {
          a: (b) => b.step('a', run(worker, 'a')),
          b: (b) => b.step('b', run(worker, 'b')),
          c: (b) => b.step('c', run(worker, 'c')),
        })
        .end();
    const away = new Outage(world.store);
    let isLost = false;
    const store = wrappedStore(away.store, {
      commit: async (batch) => {
        if (away.away) throw unreachable();
        const outcomes = await world.store.commit(batch);
        if (isLost || batch.every(({ expected }) => expected !== 1)) return outcomes;
        isLost = true;
        away.away = true;
        throw answerLost();
      },
    });
    const engine = await world.open([fan('A')], { store, worker: { id: 'A', concurrency } });
    const started = await engine.start('fan', null);
    await settled();
    return { world, ran, fan, away, engine, id: started.id };
  }

  test.each([1, 2, 3, 8])('is gone on with, where there are %i slots', async (concurrency) => {
    const { world, ran, away, engine, id } = await taking(concurrency);
    away.away = false;
    await world.passSeconds(12);
    expect(await (await engine.get(id))?.status()).toBe('completed');
    expect(ran.toSorted()).toEqual(['A a', 'A b', 'A c', 'A first']);
    await engine.parts.worker?.quiet();
    expect(await world.store.dropped(id)).toEqual([]);
  });

  test('and others have taken over since is left to them, and its slots are free', async () => {
    const { world, ran, fan, away, engine, id } = await taking(8);
    await world.open([fan('B')], { worker: { id: 'B' } });
    await world.passSeconds(12);
    expect(ran.toSorted()).toEqual(['A first', 'B a', 'B b', 'B c']);
    away.away = false;
    await world.passSeconds(12);
    expect(await (await engine.get(id))?.status()).toBe('completed');
    expect(ran).toHaveLength(4);
    // Would wait for ever if any slot were still taken.
    await engine.parts.worker?.quiet();
    expect(await world.store.dropped(id)).toEqual([]);
  });

  test('and others have taken over in part is gone on with for the rest', async () => {
    const { world, ran, fan, away, engine, id } = await taking(8);
    const tokens = (await world.store.load([id]))[0]?.tokens ?? [];
    const other = tokens.find(({ node }) => node === 'b');
    if (other === undefined) throw new Error('the three steps are there');
    await world.store.release([{ instance: id, token: other.id, version: 1, worker: 'A' }]);
    await world.open([fan('B')], { worker: { id: 'B' } });
    await settled();
    away.away = false;
    await world.passSeconds(12);
    expect(await (await engine.get(id))?.status()).toBe('completed');
    expect(ran.toSorted()).toEqual(['A a', 'A c', 'A first', 'B b']);
    await engine.parts.worker?.quiet();
  });
});

describe('a start', () => {
  const nothing = flow<null>('nothing').end(() => 'done');

  test.each(LOSSES)(
    'whose answer is lost %s it came about resolves with its run, and happens once',
    async (loss) => {
      const world = new World();
      const engine = await world.open([nothing], { store: losingOne(world.store, 1, loss) });
      const starting = engine.start(nothing, null, { key: 'k' });
      await settled();
      await world.pass('1s');
      expect(await (await starting).result()).toBe('done');
      expect((await engine.check()).instances).toBe(1);
    },
  );

  test('that did not come about, and whose key another has by now, says so', async () => {
    const waits = flow<null>('waits').waitFor('w', { event: 'e' }).end();
    const world = new World();
    const engine = await world.open([waits], { store: losingOne(world.store, 1, 'before') });
    const other = await world.open([waits]);
    const starting = engine.start(waits, null, { key: 'k' });
    await settled();
    const { id } = await other.start(waits, null, { key: 'k' });
    const refusal = starting.catch((error: unknown) => error);
    await world.pass('1s');
    const refused = { code: 'instance.exists', details: { instance: id } };
    expect(await refusal).toMatchObject(refused);
    expect((await engine.check()).instances).toBe(1);
  });

  test('that surely did not come about is refused at once', async () => {
    const world = new World();
    const away = new Outage(world.store);
    const engine = await world.open([nothing], { store: away.store });
    await settled();
    away.away = true;
    await expect(engine.start(nothing, null)).rejects.toMatchObject({ retryable: true });
  });

  test('is given up after UNSURE_MS_MAX, with the error', async () => {
    const world = new World();
    const store = losingStore(world.store, () => 'before');
    const engine = await world.open([nothing], { store });
    const { seconds, error } = await refusalOf(world, engine.start(nothing, null));
    expect(error).toMatchObject({ code: 'store.unreachable', retryable: true });
    expect(Math.abs(seconds - UNSURE_MS_MAX / 1_000 - 1)).toBeLessThanOrEqual(2);
  });
});

describe('whatever else moves an instance', () => {
  test.each(LOSSES)('a timer, %s it came about', async (loss) => {
    const job = flow<null>('nap').sleep('nap', '1h').end();
    const world = new World();
    const engine = await world.open([job], { store: losingOne(world.store, 2, loss) });
    const run = await engine.start(job, null);
    await world.pass('1h');
    await world.passSeconds(3);
    expect(await run.status()).toBe('completed');
    expect(await run.history()).toHaveLength(2);
  });

  test.each(LOSSES)('a message, %s it came about', async (loss) => {
    const job = flow<null>('waits').waitFor('w', { event: 'e', key: 'k' }).end();
    const world = new World();
    const engine = await world.open([job], { store: losingOne(world.store, 2, loss) });
    const run = await engine.start(job, null);
    await settled();
    const publishing = engine.publish({ type: 'e', key: 'k', data: 7 });
    await world.passSeconds(3);
    expect((await publishing).outcome).toBe('woken');
    expect(await run.result()).toEqual({ w: 7 });
    expect(await run.history()).toHaveLength(2);
  });

  test.each(LOSSES)('what one instance has for another, %s it came about', async (loss) => {
    const child = flow<number>('child').end(({ input }) => input + 1);
    const job = flow<null>('job').call('c', child, 1).end();
    for (const nth of [2, 3]) {
      const world = new World();
      const engine = await world.open([job], { store: losingOne(world.store, nth, loss) });
      const run = await engine.start(job, null);
      await world.passSeconds(3);
      expect(await run.result()).toEqual({ c: 2 });
      expect((await engine.check()).instances).toBe(2);
    }
  });

  test.each(LOSSES)('a lease that ran out, %s it came about', async (loss) => {
    const world = new World();
    const dead = await world.open([hangsOnce]);
    const run = await dead.start(hangsOnce, null);
    await settled();
    world.kill(dead);
    const engine = await world.open([hangsOnce], { store: losingOne(world.store, 1, loss) });
    await world.passSeconds(14);
    expect(await (await engine.get(run.id))?.result()).toBe(2);
    const recovered = (await run.history()).flatMap(({ changes }) =>
      changes.filter(({ did }) => did === 'recover-token'),
    );
    expect(recovered).toHaveLength(1);
  });

  test('two processes that lose answers all the time lose nothing else', async () => {
    const world = new World();
    const { job, gates, ran } = branches();
    const lossOf = (n: number): Loss | undefined => (n % 3 === 0 ? undefined : LOSSES[n % 2]);
    const open = (): ReturnType<World['open']> =>
      world.open([job], { store: losingStore(world.store, lossOf), worker: { concurrency: 1 } });
    const engines = [await open(), await open()];
    const starting = engines.map((engine) => engine.start(job, 'x'));
    await world.passSeconds(5);
    gates.one.open(1);
    gates.two.open(2);
    await world.passSeconds(60);
    const runs = await Promise.all(starting);
    const results = Promise.all(runs.map((run) => run.result()));
    // The last step may have been done by the other process, which this one finds out by asking.
    await world.passSeconds(2);
    expect(await results).toEqual([3, 3]);
    for (const { id } of runs) expect(await world.store.dropped(id)).toEqual([]);
    expect(ran.toSorted()).toEqual(['last', 'last', 'one', 'one', 'two', 'two']);
    expect(await engines[0]?.check()).toMatchObject({ ok: true, instances: 2 });
  });
});

describe('closing an engine', () => {
  async function closing(timeout: string) {
    let outage: Outage | null = null;
    const { gates, world, engine, run } = await branching((store) => {
      outage = losingAndAway(store, 2, 'before');
      return outage.store;
    }, 1);
    const away = (outage ?? {}) as Outage;
    gates.one.open(1);
    gates.two.open(2);
    await settled();
    away.away = true;
    let isClosed = false;
    void engine.close({ timeout }).finally(() => {
      isClosed = true;
    });
    return { world, away, run, isClosed: () => isClosed };
  }

  test('waits for what is in doubt', async () => {
    const { world, away, run, isClosed } = await closing('30s');
    await world.passSeconds(5);
    expect(isClosed()).toBe(false);
    away.away = false;
    await world.passSeconds(3);
    expect(isClosed()).toBe(true);
    expect((await world.store.history({ instance: run.id, after: 0, limit: 9 })).length).toBe(2);
  });

  test('waits for it no longer than for anything else, and tries no more', async () => {
    const { world, away, run, isClosed } = await closing('3s');
    await world.passSeconds(2);
    expect(isClosed()).toBe(false);
    await world.passSeconds(1);
    expect(isClosed()).toBe(true);
    away.away = false;
    await world.passSeconds(9);
    expect((await world.store.history({ instance: run.id, after: 0, limit: 9 })).length).toBe(1);
  });

  test('waits for a start in doubt that no worker has anything to do with', async () => {
    const waits = flow<null>('waits').waitFor('w', { event: 'e', key: 'k' }).end();
    const world = new World();
    const engine = await world.open([waits], {
      ...{ store: losingOne(world.store, 1, 'before'), worker: false },
    });
    const starting = engine.start(waits, null);
    await settled();
    const closed = engine.close();
    await world.pass('1s');
    await closed;
    expect((await world.store.load([(await starting).id]))[0]?.head.status).toBe('running');
  });
});
