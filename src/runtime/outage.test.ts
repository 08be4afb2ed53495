/** D11: after the store was away, or the process busy, what is held is renewed before all else. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { hangsOnce, Outage, unreachable } from '../testing/outage.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { guardedStore, type StoreVerb, wrappedStore } from '../testing/wrapped-store.ts';
import type { Engine } from './engine.ts';
import type { Run } from './run.ts';

/** No lease of it ran out, and every handler ran once. */
async function expectUndisturbed(world: World, run: Run): Promise<void> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  expect(changes.filter(({ did }) => did === 'recover-token')).toEqual([]);
  const claims = changes.flatMap((change) => (change.did === 'claim-token' ? [change.token] : []));
  expect(new Set(claims).size).toBe(claims.length);
  expect(await world.store.dropped(run.id)).toEqual([]);
}

/** Both are at work still, for the first time. */
async function expectAtWork(run: Run, signals: readonly AbortSignal[]): Promise<void> {
  expect(await run.tokens()).toMatchObject([
    { node: 'a', attempts: 0, crashes: 0 },
    { node: 'b', attempts: 0, crashes: 0 },
  ]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
}

/** Two steps at the same time; each runs until its gate opens. */
function pair() {
  const gates = { a: new Gate<string>(), b: new Gate<string>() };
  const ran: string[] = [];
  const signals: AbortSignal[] = [];
  const job: Flow<null> = flow<null>('pair')
    .parallel('fork', {
      a: (b) =>
        b.step('a', ({ signal, attempt }) => {
          ran.push(`a ${attempt}`);
          signals.push(signal);
          return gates.a.opened;
        }),
      b: (b) =>
        b.step('b', ({ signal, attempt }) => {
          ran.push(`b ${attempt}`);
          signals.push(signal);
          return gates.b.opened;
        }),
    })
    .step('last', () => void ran.push('last'))
    .end();
  return { gates, ran, signals, job };
}

describe('a process that was blocked for twice the lease', () => {
  /** One handler at work in each of some processes, and a jump of the clock that no alarm heard. */
  async function blocked() {
    const world = new World();
    const { gates, ran, signals, job } = pair();
    const engine = await world.open([job]);
    const run = await engine.start(job, null);
    await settled();
    world.clock.now += 20_000;
    return { world, gates, ran, signals, run, engine };
  }

  test('keeps its claims when its alarms ring again', async () => {
    const { world, gates, ran, signals, run } = await blocked();
    await world.pass(0);
    await world.passSeconds(15);
    await expectAtWork(run, signals);
    gates.a.open('a');
    gates.b.open('b');
    await settled();
    expect([ran, await run.status()]).toEqual([['a 1', 'b 1', 'last'], 'completed']);
    await expectUndisturbed(world, run);
  });

  test('keeps its results when those are what comes first', async () => {
    const { world, gates, ran, run } = await blocked();
    gates.a.open('a');
    gates.b.open('b');
    await settled();
    await world.pass(0);
    await world.passSeconds(15);
    expect([ran, await run.status()]).toEqual([['a 1', 'b 1', 'last'], 'completed']);
    await expectUndisturbed(world, run);
  });

  test('renews before it takes back what others hold, and before it claims', async () => {
    const world = new World();
    const verbs: string[] = [];
    const noted = guardedStore(world.store, (verb, call) => {
      verbs.push(verb);
      return call();
    });
    const { job } = pair();
    const dead = await world.open([hangsOnce]);
    await dead.start(hangsOnce, null);
    const office = await world.open([job], { worker: false });
    const engine = await world.open([job, hangsOnce], { store: noted });
    await engine.start(job, null);
    await settled();
    world.kill(dead);
    await office.start(job, null);
    verbs.length = 0;
    world.clock.now += 20_000;
    engine.parts.worker?.ring();
    await settled();
    const asked = verbs.filter((verb) => verb !== 'commit' && verb !== 'load');
    expect(asked.slice(0, 4)).toEqual(['renew', 'outlook', 'expired', 'claim']);
  });

  test('takes nothing back from itself, also where that was in the middle of a look', async () => {
    const world = new World();
    let blockedMs = 0;
    const store = wrappedStore(world.store, {
      outlook: async (request) => {
        world.clock.now += blockedMs;
        blockedMs = 0;
        return world.store.outlook(request);
      },
    });
    const { gates, ran, job } = pair();
    const engine = await world.open([job], { store });
    const run = await engine.start(job, null);
    await settled();
    blockedMs = 20_000;
    engine.parts.worker?.ring();
    await settled();
    gates.a.open('a');
    await settled();
    await world.passSeconds(15);
    gates.b.open('b');
    await settled();
    expect(ran).toEqual(['a 1', 'b 1', 'last']);
    expect(await run.status()).toBe('completed');
    await expectUndisturbed(world, run);
  });

  test('does not renew before its time where nothing was late', async () => {
    const world = new World();
    let renewals = 0;
    const store = wrappedStore(world.store, {
      renew: (held, leaseMs) => {
        renewals += 1;
        return world.store.renew(held, leaseMs);
      },
    });
    const { job } = pair();
    const engine = await world.open([job], { store, worker: { lease: '9s' } });
    await engine.start(job, null);
    for (let second = 0; second < 30; second += 1) {
      engine.parts.worker?.ring();
      await world.pass('1s');
    }
    expect(renewals).toBe(10);
  });
});

describe('two processes that both lose their store for longer than a lease', () => {
  async function bothAway(
    seconds: number,
    during: (parts: Parts) => Promise<void> = async () => {},
  ) {
    const world = new World();
    const { gates, ran, signals, job } = pair();
    const away = new Outage(world.store);
    const open = (id: string): Promise<Engine> =>
      world.open([job], { store: away.store, worker: { id, concurrency: 1 } });
    const engines = [await open('A'), await open('B')] as const;
    const run = await engines[0].start(job, null);
    await world.pass('1s');
    expect(ran.toSorted()).toEqual(['a 1', 'b 1']);
    away.away = true;
    await world.passSeconds(1);
    await during({ world, gates });
    await world.passSeconds(seconds - 1);
    away.away = false;
    return { world, gates, ran, signals, run, engines, away };
  }

  interface Parts {
    readonly world: World;
    readonly gates: ReturnType<typeof pair>['gates'];
  }

  test('go on with what they were doing: nothing runs twice, nothing is a crash', async () => {
    const { world, gates, ran, signals, run, engines } = await bothAway(30);
    await world.passSeconds(30);
    await expectAtWork(run, signals);
    gates.a.open('a');
    gates.b.open('b');
    await world.passSeconds(2);
    expect(ran.toSorted()).toEqual(['a 1', 'b 1', 'last']);
    await expectUndisturbed(world, run);
    expect(await engines[0].check()).toMatchObject({ ok: true });
  });

  test('keep the results that came meanwhile', async () => {
    const { world, ran, run } = await bothAway(30, async ({ gates }) => {
      gates.a.open('a');
      gates.b.open('b');
      await settled();
    });
    await world.passSeconds(30);
    expect(ran.toSorted()).toEqual(['a 1', 'b 1', 'last']);
    expect(await run.status()).toBe('completed');
    await expectUndisturbed(world, run);
  });

  test('take back what a third has left behind, one lease later', async () => {
    const world = new World();
    const dead = await world.open([hangsOnce]);
    const run = await dead.start(hangsOnce, null);
    const away = new Outage(world.store);
    await world.open([hangsOnce], { store: away.store });
    await settled();
    world.kill(dead);
    away.away = true;
    await world.passSeconds(30);
    away.away = false;
    // Its backoff is ten seconds at most, and the lease as many.
    let seconds = 0;
    while ((await run.status()) === 'running') {
      await world.passSeconds(1);
      seconds += 1;
    }
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(seconds).toBeLessThanOrEqual(22);
    expect((await run.inspect()).output).toBe(2);
  });

  /** A is dead from the beginning; B has work of its own, and no answers to some of its calls. */
  async function partly(isAway: (verb: StoreVerb, second: number) => boolean) {
    const world = new World();
    const { job } = pair();
    const a = await world.open([job], { worker: { id: 'A', concurrency: 1 } });
    const run = await a.start(job, null);
    await settled();
    const begin = world.clock.now;
    const store = guardedStore(world.store, (verb, call) =>
      isAway(verb, (world.clock.now - begin) / 1_000) ? Promise.reject(unreachable()) : call(),
    );
    await world.open([job], { store, worker: { id: 'B', concurrency: 1 } });
    await settled();
    world.kill(a);
    for (let second = 1; second < 60; second += 1) {
      await world.passSeconds(1);
      if ((await run.tokens()).some(({ crashes }) => crashes > 0)) return second;
    }
    return Number.NaN;
  }

  test('an outage that only heartbeats noticed counts as well', async () => {
    expect(await partly(() => false)).toBe(11);
    const heard = await partly((verb, second) => verb === 'renew' && second > 7 && second < 15);
    expect(heard).toBeGreaterThanOrEqual(24);
  });

  test('a store that stumbles now and then keeps nobody from taking work back', async () => {
    let calls = 0;
    const seconds = await partly((verb) => {
      if (verb === 'outlook') calls += 1;
      return verb === 'outlook' && calls % 2 === 0;
    });
    expect(seconds).toBeLessThanOrEqual(13);
  });
});

describe('a worker whose store does not answer', () => {
  /** When each of some workers asked, after the store went away. */
  async function asksOf(ids: readonly string[]): Promise<readonly (readonly number[])[]> {
    const world = new World();
    let isAway = false;
    const asks = await Promise.all(
      ids.map(async (id) => {
        const moments: number[] = [];
        const store = guardedStore(world.store, (verb, call) => {
          if (isAway && verb === 'outlook') moments.push(world.clock.now);
          return isAway ? Promise.reject(new Error('away')) : call();
        });
        await world.open([], { store, worker: { id } });
        return moments;
      }),
    );
    await settled();
    isAway = true;
    const begin = world.clock.now;
    for (let tenth = 0; tenth < 1_200; tenth += 1) await world.pass(100);
    return asks.map((moments) => moments.map((moment) => moment - begin));
  }

  test('does not come back at the same moments as others', async () => {
    const [a = [], b = [], c = []] = await asksOf(['a', 'b', 'c']);
    expect(a.length).toBeGreaterThan(10);
    // Past the first seconds, in which all of them ask often.
    const late = (moments: readonly number[]): readonly number[] =>
      moments.filter((moment) => moment > 5_000);
    const shared = late(a).filter((moment) => b.includes(moment) || c.includes(moment));
    expect(shared.length).toBeLessThan(late(a).length / 4);
  });

  test('pauses the same way when it is played again', async () => {
    expect(await asksOf(['a', 'b'])).toEqual(await asksOf(['a', 'b']));
  });
});
