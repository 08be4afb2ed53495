import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Claim } from '../stores/store.ts';
import { Questions } from '../testing/questions.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

const three = flow('three')
  .step('one', () => setImmediate(1))
  .step('two', () => setImmediate(2))
  .step('three', () => setImmediate(3))
  .end();

const SECONDS_10 = 10_000;

/** Which worker ran what, in order. */
async function claimsOf(run: Run): Promise<{ token: number; worker: string }[]> {
  const history = await run.history();
  return history
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.did === 'claim-token' ? [change] : []))
    .map(({ token, worker }) => ({ token, worker }));
}

describe('scenario 1, B-13: of 1,000 concurrent claims on one token one wins', () => {
  async function readyToken() {
    const world = new World();
    const office = await world.open([three], { worker: false });
    const run = await office.start(three, null);
    const [token] = await run.tokens();
    if (typeof token?.handler !== 'string') throw new Error('the first step is ready');
    return { world, run, token, handlers: [token.handler] };
  }

  const thousand = Array.from({ length: 1_000 }, (_, n) => `w${n}`);

  test('by the queue', async () => {
    const { world, handlers } = await readyToken();
    const claims = await Promise.all(
      thousand.map((worker) =>
        world.store.claim({ worker, handlers, limit: 10, leaseMs: SECONDS_10 }),
      ),
    );
    expect(claims.flat()).toHaveLength(1);
  });

  test('by name and version', async () => {
    const { world, run, token } = await readyToken();
    const claim = (worker: string, version: number): Promise<Claim | undefined> =>
      world.store.claimOne({ worker, instance: run.id, token: token.id, version, leaseMs: 10 });
    const claims = await Promise.all(thousand.map((worker) => claim(worker, 0)));
    const [won, ...rest] = claims.filter((one) => one !== undefined);
    expect(won).toMatchObject({ worker: 'w0', version: 1, token: token.id });
    expect(rest).toEqual([]);
    expect(await claim('late', 1)).toBeUndefined();
  });

  test('and with fifty engines the handler runs once and the token completes', async () => {
    const world = new World();
    const office = await world.open([three], { worker: false });
    const run = await office.start(three, null);
    const engines = Array.from({ length: 50 }, () => world.open([three]));
    await Promise.all(engines);
    await world.pass('2s');
    expect(await run.inspect()).toMatchObject({ status: 'completed', version: 4 });
    const claims = await claimsOf(run);
    expect(new Set(claims.map(({ token }) => token)).size).toBe(claims.length);
  });
});

test('never do more handlers run at once than the worker has slots', async () => {
  let [running, most] = [0, 0];
  const counted = flow('counted')
    .parallel('fork', {
      left: (b) => b.step('l1', work).step('l2', work),
      right: (b) => b.step('r1', work).step('r2', work),
      middle: (b) => b.step('m1', work).sleep('nap', '1s').step('m2', work),
    })
    .end();
  async function work(): Promise<void> {
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
  }
  const world = new World();
  const engine = await world.open([counted], { worker: { concurrency: 4 } });
  const runs = await Promise.all(Array.from({ length: 25 }, () => engine.start(counted, null)));
  for (let second = 0; second < 5; second += 1) {
    await world.pass('1s');
    for (let turns = 0; turns < 20; turns += 1) await settled();
  }
  for (const run of runs) expect(await run.status()).toBe('completed');
  expect(most).toBe(4);
  expect(running).toBe(0);
});

test('a worker claims no more than it can start now', async () => {
  const world = new World();
  const asked: number[] = [];
  const store = wrappedStore(world.store, {
    claim: (request) => {
      asked.push(request.limit);
      return world.store.claim(request);
    },
  });
  const office = await world.open([three], { worker: false });
  for (let n = 0; n < 10; n += 1) await office.start(three, null);
  const gate = new Gate();
  const engine = await world.open([three], { store, worker: { concurrency: 3 } });
  engine.parts.library.replaceHandler('three@1/one', () => gate.opened);
  await settled();
  // First for half of its slots, so that hand-over has room; a full answer asks for the rest.
  expect(asked).toEqual([2, 1]);
  const due = await world.store.claim({
    ...{ worker: 'other', handlers: ['three@1/one'], limit: 99, leaseMs: SECONDS_10 },
  });
  expect(due).toHaveLength(7);
});

describe('D5: hand-over', () => {
  test('keeps an instance with the worker that has it, without asking for it', async () => {
    const long = flow('long')
      .repeat('round', { times: 100 }, (b) =>
        b.step('work', () => {
          other?.parts.worker?.ring();
          return setImmediate();
        }),
      )
      .end();
    const world = new World();
    const claims: number[] = [];
    const store = wrappedStore(world.store, {
      claim: async (request) => {
        const taken = await world.store.claim(request);
        claims.push(taken.length);
        return taken;
      },
    });
    const engine = await world.open([long], { store, worker: { id: 'mine' } });
    const other = await world.open([long], { worker: { id: 'other' } });
    const run = await engine.start(long, null);
    await run.result();
    const workers = (await claimsOf(run)).map(({ worker }) => worker);
    expect(workers).toEqual(Array(100).fill('mine'));
    expect(claims.filter((taken) => taken > 0)).toEqual([]);
    expect((await run.inspect()).version).toBe(101);
  });

  test('makes room after 16 in a row while others wait', async () => {
    const steps: string[] = [];
    const gate = new Gate();
    const long = flow<string>('long')
      .repeat('round', { times: 40 }, (b) =>
        b.step('work', ({ input }) => {
          steps.push(input);
          return input === 'first' ? gate.opened : null;
        }),
      )
      .end();
    const world = new World();
    const engine = await world.open([long], { worker: { concurrency: 1 } });
    const runs = [await engine.start(long, 'first'), await engine.start(long, 'second')];
    await settled();
    expect(steps).toEqual(['first']);
    gate.open();
    await Promise.all(runs.map((run) => run.result()));

    const turns = steps.join().match(/(first,?)+|(second,?)+/g) ?? [];
    const longest = Math.max(...turns.map((turn) => turn.split(',').filter(Boolean).length));
    expect(steps).toHaveLength(80);
    expect(longest).toBeLessThanOrEqual(17);
  });

  test('gives what one worker cannot take to another', async () => {
    const fan = flow('fan')
      .parallel('all', {
        a: (b) => b.step('a', () => gate.opened),
        b: (b) => b.step('b', () => gate.opened),
        c: (b) => b.step('c', () => gate.opened),
      })
      .end();
    const gate = new Gate();
    const world = new World();
    const small = await world.open([fan], { worker: { id: 'small', concurrency: 1 } });
    await world.open([fan], { worker: { id: 'big' } });
    const run = await small.start(fan, null);
    await world.pass('1s');
    gate.open();
    await world.pass('1s');
    expect(await run.status()).toBe('completed');
    const workers = (await claimsOf(run)).map(({ worker }) => worker);
    expect(workers.toSorted()).toEqual(['big', 'big', 'small']);
  });
});

test('what is urgent goes first, then what has been ready longest', async () => {
  const order: string[] = [];
  const marked = flow<string>('marked')
    .step('mark', ({ input }) => void order.push(input))
    .end();
  const world = new World();
  const office = await world.open([marked], { worker: false });
  for (const [name, priority] of [
    ['a', 0],
    ['b', 5],
    ['c', -1],
    ['d', 5],
  ] as const) {
    await office.start(marked, name, { priority });
    await world.pass(1);
  }
  await world.open([marked], { worker: { concurrency: 1 } });
  await settled();
  expect(order).toEqual(['b', 'd', 'a', 'c']);
});

test('a step with a priority of its own goes before those of its instance', async () => {
  const order: string[] = [];
  const mixed = flow('mixed')
    .parallel('fork', {
      plain: (b) => b.step('plain', () => void order.push('plain')),
      urgent: (b) => b.step('urgent', () => void order.push('urgent'), { priority: 9 }),
    })
    .end();
  const world = new World();
  await (await world.open([mixed], { worker: false })).start(mixed, null, { priority: 1 });
  await world.open([mixed], { worker: { concurrency: 1 } });
  await settled();
  expect(order).toEqual(['urgent', 'plain']);
});

test('two engines share the work, and every result is committed once', async () => {
  const ran = new Map<string, number>();
  const shared = flow<number>('shared')
    .step('a', ({ idempotencyKey }) => count(idempotencyKey))
    .parallel('fork', {
      left: (b) => b.step('b', ({ idempotencyKey }) => count(idempotencyKey)),
      right: (b) => b.step('c', ({ idempotencyKey }) => count(idempotencyKey)),
    })
    .end(({ input }) => input);
  async function count(key: string): Promise<number> {
    ran.set(key, (ran.get(key) ?? 0) + 1);
    await setImmediate();
    return 1;
  }
  const world = new World();
  const office = await world.open([shared], { worker: false });
  const starts = Array.from({ length: 100 }, (_, n) => office.start(shared, n));
  const runs = await Promise.all(starts);
  await Promise.all(
    ['x', 'y'].map((id) => world.open([shared], { worker: { id, concurrency: 5 } })),
  );
  for (let turns = 0; turns < 200; turns += 1) await settled();

  const workers = new Map<string, number>();
  for (const [n, run] of runs.entries()) {
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: n });
    for (const { worker } of await claimsOf(run)) {
      workers.set(worker, (workers.get(worker) ?? 0) + 1);
    }
  }
  expect([...ran.values()]).toEqual(Array(300).fill(1));
  expect([...workers.keys()].toSorted()).toEqual(['x', 'y']);
  expect([...workers.values()].reduce((sum, some) => sum + some)).toBe(300);
  expect(await office.check()).toMatchObject({ ok: true, instances: 100 });
});

test('a worker that has nothing to do asks the store once per poll interval', async () => {
  const world = new World();
  const questions = new Questions();
  await world.open([three], { store: questions.to(world.store), worker: { poll: '10s' } });
  await settled();
  questions.counts();
  for (let second = 0; second < 60; second += 1) await world.pass('1s');
  expect(questions.counts()).toEqual({ outlook: 6, 'servers.put': 1 });
});
