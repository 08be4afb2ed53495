/** D11, X-05: a token that has cost two workers their lives is run by itself. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Store } from '../stores/store.ts';
import { onEveryStore } from '../testing/lab.ts';
import { Questions } from '../testing/questions.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import type { Engine } from './engine.ts';
import type { Run } from './run.ts';

const LEASE_SECONDS = 10;

/** A step that kills its worker a number of times, and what runs beside it. */
class Poison {
  readonly world = new World();
  readonly poison: Flow<string>;
  readonly plain: Flow<string>;
  readonly long: Flow<null>;
  /** How many others were at work, each time the poison was run. */
  readonly beside: number[] = [];
  readonly ran: string[] = [];
  /** Workers it will still kill. */
  kills: number;
  /** Holds the poison at work when it does not kill any more. */
  readonly gate = new Gate();
  /** Holds the long ones at work. */
  readonly longGate = new Gate();
  #running = 0;
  #victim: Engine | null = null;

  constructor(kills: number) {
    this.kills = kills;
    this.poison = flow<string>('poison')
      .step('bite', ({ input }) => this.#bite(input))
      .step('after', () => void this.ran.push('after'))
      .end(({ results }) => results.bite);
    this.plain = flow<string>('plain')
      .step('work', ({ input }) => void this.ran.push(input))
      .end();
    this.long = flow<null>('long')
      .step('work', async () => {
        this.#running += 1;
        await this.longGate.opened;
        this.#running -= 1;
      })
      .end();
  }

  async #bite(input: string): Promise<string> {
    this.beside.push(this.#running);
    this.ran.push(`bite ${input}`);
    if (this.kills > 0 && this.#victim !== null) {
      this.kills -= 1;
      this.world.kill(this.#victim);
      await new Gate().opened;
    }
    await this.gate.opened;
    return 'survived';
  }

  office(): Promise<Engine> {
    return this.world.open([this.poison, this.plain, this.long], { worker: false });
  }

  /** The worker that is killed next. */
  async open(concurrency = 64, store: Store = this.world.store): Promise<Engine> {
    const { poison, plain, long, world } = this;
    this.#victim = await world.open([poison, plain, long], { store, worker: { concurrency } });
    return this.#victim;
  }
}

/** One that has killed so many workers, one after the other. */
async function crashed(kills: number) {
  const poison = new Poison(kills);
  const { world } = poison;
  const office = await poison.office();
  const run = await office.start(poison.poison, 'x');
  for (let times = 0; times < kills; times += 1) {
    await poison.open();
    await settled();
    await world.passSeconds(LEASE_SECONDS + 1);
  }
  return { poison, world, office, run };
}

async function crashesOf(run: Run): Promise<number> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  return changes.filter(({ did }) => did === 'recover-token').length;
}

describe('a step that kills its worker', () => {
  test('takes nobody with it when it does so for the third time', async () => {
    const { poison, world, office, run } = await crashed(2);
    poison.kills = 1;
    const neighbours = [
      await office.start(poison.long, null),
      await office.start(poison.long, null),
    ];
    await poison.open();
    await world.passSeconds(LEASE_SECONDS + 2);
    // They were claimed without it, though it had waited for longer than they had.
    expect(poison.beside).toEqual([0, 0]);
    poison.longGate.open();
    await settled();
    for (const neighbour of neighbours) expect(await neighbour.status()).toBe('completed');
    expect(await Promise.all(neighbours.map(crashesOf))).toEqual([0, 0]);
    // It was run by itself, and has killed the third.
    expect([poison.kills, poison.beside]).toEqual([0, [0, 0, 0]]);

    await poison.open();
    poison.gate.open();
    await world.passSeconds(LEASE_SECONDS + 2);
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'survived' });
    expect(await crashesOf(run)).toBe(3);
  });

  test('takes along what is at work beside it before that', async () => {
    const poison = new Poison(1);
    const { world } = poison;
    const office = await poison.office();
    const neighbour = await office.start(poison.long, null);
    await office.start(poison.poison, 'x');
    await poison.open();
    await settled();
    await world.passSeconds(LEASE_SECONDS + 1);
    await poison.open();
    await settled();
    expect([await crashesOf(neighbour), poison.beside]).toEqual([1, [1, 2]]);
  });

  test.each([
    [1, false],
    [2, true],
    [3, true],
  ])('%i times is run by itself: %s', async (kills, isAlone) => {
    const { poison, world, office, run } = await crashed(kills);
    const engine = await poison.open();
    await settled();
    expect(poison.ran.filter((line) => line.startsWith('bite'))).toHaveLength(kills + 1);
    // While it is at work, nothing is claimed, nothing is handed over.
    const others = [
      await office.start(poison.plain, 'from the queue'),
      await engine.start(poison.plain, 'of its own'),
    ];
    await world.passSeconds(3);
    const statuses = await Promise.all(others.map((other) => other.status()));
    expect(statuses).toEqual(Array(2).fill(isAlone ? 'running' : 'completed'));
    poison.gate.open();
    await world.passSeconds(2);
    expect(await run.status()).toBe('completed');
    for (const other of others) expect(await other.status()).toBe('completed');
  });
});

describe('the line of a lone token', () => {
  test('goes on with the next step in the same slot, and the worker is as before', async () => {
    const { poison, world, run } = await crashed(2);
    const claims: number[] = [];
    const store = wrappedStore(world.store, {
      claim: async (request) => {
        const taken = await world.store.claim(request);
        if (taken.length > 0) claims.push(taken.length);
        return taken;
      },
    });
    const engine = await poison.open(64, store);
    await settled();
    poison.gate.open();
    await settled();
    expect(await run.status()).toBe('completed');
    expect(poison.ran.at(-1)).toBe('after');
    // The lone token was claimed, and what came after it was handed over.
    expect(claims).toEqual([1]);
    const next = await engine.start(poison.plain, 'next');
    await settled();
    expect(await next.status()).toBe('completed');
    expect(claims).toEqual([1]);
  });

  test('is not handed over when it is tried again: it waits to be claimed alone', async () => {
    const world = new World();
    const beside: number[] = [];
    let [running, kills] = [0, 2];
    let victim: Engine | null = null;
    const gate = new Gate();
    const flaky = flow<null>('flaky')
      .step(
        'bite',
        async () => {
          beside.push(running);
          if (kills > 0 && victim !== null) {
            kills -= 1;
            world.kill(victim);
            return new Gate<string>().opened;
          }
          throw new Error('and fails');
        },
        { retry: { maxAttempts: 6, delay: 0 } },
      )
      .end();
    const other = flow<null>('other')
      .step('work', async () => {
        running += 1;
        await gate.opened;
        running -= 1;
      })
      .end();
    const office = await world.open([flaky, other], { worker: false });
    const run = await office.start(flaky, null);
    for (let times = 0; times < 2; times += 1) {
      victim = await world.open([flaky, other]);
      await settled();
      await world.passSeconds(LEASE_SECONDS + 1);
    }
    await office.start(other, null);
    victim = await world.open([flaky, other]);
    await world.passSeconds(2);
    gate.open();
    await world.passSeconds(2);
    expect(await run.status()).toBe('failed');
    expect(beside).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe('a worker that is never without work', () => {
  test('makes room for a lone token that has waited for a lease', async () => {
    const { poison, world, office, run } = await crashed(2);
    poison.gate.open();
    const gates: Gate[] = [];
    const steps = flow<null>('steps')
      .step('work', () => {
        const gate = new Gate();
        gates.push(gate);
        return gate.opened;
      })
      .end();
    const others = [await office.start(poison.plain, 'at work from the first moment')];
    const keeper = await world.open([steps], { worker: false });
    for (let n = 0; n < 60; n += 1) others.push(await keeper.start(steps, null));
    await world.open([poison.poison, poison.plain, steps], { worker: { concurrency: 2 } });
    // Each step takes a second, and there is always a next one.
    let seconds = 0;
    for (; (await run.status()) === 'running'; seconds += 1) {
      await world.pass(500);
      gates.shift()?.open();
      await world.pass(500);
    }
    // A lease had passed when the worker looked, and making room takes as long as a step does.
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(LEASE_SECONDS + 4);
    expect(poison.ran.at(-1)).toBe('after');
    for (; seconds < 100; seconds += 1) {
      await world.pass('1s');
      gates.shift()?.open();
      await settled();
    }
    for (const other of others) expect(await other.status()).toBe('completed');
  });

  /** One whose first work does not end for as long as the test likes. */
  async function occupied() {
    const { poison, world, office, run } = await crashed(2);
    poison.gate.open();
    const long = await office.start(poison.long, null);
    const engine = await poison.open(4);
    await settled();
    return { poison, world, office, run, long, engine };
  }

  test('gives up what it cannot finish in three leases, and tries again later', async () => {
    const { poison, world, office, run, long } = await occupied();
    const begin = world.clock.now;
    const taken: number[] = [];
    for (let second = 0; second < 150; second += 1) {
      await office.start(poison.plain, `${second}`);
      const before = poison.ran.length;
      await world.pass('1s');
      if (poison.ran.length > before) taken.push((world.clock.now - begin) / 1_000);
    }
    const gaps = taken.slice(1).map((second, at) => second - (taken[at] ?? 0));
    const rooms = gaps.flatMap((gap, at) => (gap > 1 ? [{ at, gap }] : []));
    expect(rooms.length).toBeGreaterThanOrEqual(2);
    for (const { gap } of rooms) expect([31, 32]).toContain(gap);
    const between = (rooms[1]?.at ?? 0) - (rooms[0]?.at ?? 0);
    expect(between).toBeGreaterThanOrEqual(30);
    expect(await run.status()).toBe('running');

    poison.longGate.open();
    await world.passSeconds(65);
    expect([await long.status(), await run.status()]).toEqual(['completed', 'completed']);
    expect(poison.beside.at(-1)).toBe(0);
  });

  test('stops making room when somebody else has come for it', async () => {
    const { poison, world, run, engine } = await occupied();
    await world.passSeconds(LEASE_SECONDS + 2);
    const kept = await engine.start(poison.plain, 'while it makes room');
    await settled();
    expect(await kept.status()).toBe('running');
    const other = await world.open([poison.poison]);
    await settled();
    expect(await run.status()).toBe('completed');
    await other.close();
    await world.passSeconds(2);
    expect(await kept.status()).toBe('completed');
  });

  test('asks for lone tokens once per poll interval, and for nothing else', async () => {
    const poison = new Poison(0);
    const { world } = poison;
    const questions = new Questions();
    const engine = await poison.open(1, questions.to(world.store));
    await engine.start(poison.long, null);
    await settled();
    questions.counts();
    for (let tenth = 0; tenth < 100; tenth += 1) {
      engine.parts.worker?.ringWork();
      await world.pass(100);
    }
    expect(questions.counts()).toEqual({ outlook: 10, renew: 2 });
  });
});

test('many tokens that are not lone are not kept waiting by many that are', async () => {
  const poison = new Poison(0);
  const { world } = poison;
  const office = await poison.office();
  // Ten that bite, each of which has cost two workers their lives.
  for (let n = 0; n < 10; n += 1) await office.start(poison.poison, `${n}`);
  for (let times = 0; times < 2; times += 1) {
    const dead = await world.open([poison.poison]);
    await settled();
    world.kill(dead);
    await world.passSeconds(LEASE_SECONDS + 1);
  }
  await (await world.open([])).close();
  poison.ran.length = 0;
  poison.gate.open();
  for (let n = 0; n < 20; n += 1) await office.start(poison.plain, 'plain');
  await poison.open(2);
  await world.passSeconds(30);
  // Whatever there is to do besides comes first, while it is idle for the rest.
  expect(poison.ran.slice(0, 20)).toEqual(Array(20).fill('plain'));
  expect(poison.ran.filter((line) => line.startsWith('bite'))).toHaveLength(10);
  expect(new Set(poison.beside.slice(-10))).toEqual(new Set([0]));
});

onEveryStore('a lone token, and a handler that only its time limit ends', (open) => {
  test('wait for each other, and both come to their end', async () => {
    let runs = 0;
    const hanging = { timeout: '10s', onFailure: 'incident' } as const;
    const job = flow<null>('job')
      .parallel('p', {
        hangs: (b) => b.step('hangs', () => new Gate<string>().opened, hanging),
        kills: (b) =>
          b
            .step('kills', () => {
              runs += 1;
              if (runs <= 3) lab.crash();
              return runs;
            })
            .step('after', () => 'after'),
      })
      .end();
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.advance('3m');
    const tokens = (await run.tokens()).map(({ node, wait }) => `${node} on ${wait?.on}`);
    expect(tokens.toSorted()).toEqual(['hangs on incident', 'p/:join on join']);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});
