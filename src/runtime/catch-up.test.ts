/** D5: when the version moved, the missing history is applied instead of loading everything. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { fold } from '../kernel/fold.ts';
import { assemble, type Instance, rowsOf } from '../kernel/instance.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { Dice } from '../testing/dice.ts';
import { memoryShelf, TRIAL, tryCase } from '../testing/laws.ts';
import { caseOf } from '../testing/random-case.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { Cache, entryOf } from './cache.ts';
import { CATCH_UP_MAX, catchUp } from './catch-up.ts';
import type { Engine } from './engine.ts';

/** The state after commit n, as one who committed it himself would know it. */
async function stateAt(store: Store, id: InstanceId, n: number): Promise<Instance> {
  return fold(id, await store.history({ instance: id, after: 0, limit: n }));
}

/** From any of its last states history leads to what the store holds, and alters none of them. */
async function expectCaughtUp(store: Store, rows: InstanceRows, dice: Dice): Promise<void> {
  const { id, version } = rows.head;
  const back = dice.roll(Math.min(version, CATCH_UP_MAX));
  const known = await stateAt(store, id, version - back);
  const before = JSON.stringify(rowsOf(known));
  const caughtUp = await catchUp(store, known);
  expect(caughtUp && rowsOf(caughtUp)).toEqual(rowsOf(assemble(rows)));
  expect(JSON.stringify(rowsOf(known))).toBe(before);
}

const HUNDREDS = Array.from({ length: 4 }, (_, n) => n * 100 + 1);

test.each(HUNDREDS)('it is what loading gives, on 100 random flows from seed %i', async (from) => {
  for (let seed = from; seed < from + 100; seed += 1) {
    const dice = new Dice(seed);
    const shelf = memoryShelf();
    const store = wrappedStore(shelf.store, {
      load: async (ids) => {
        const all = await shelf.store.load(ids);
        for (const rows of all) if (rows) await expectCaughtUp(shelf.store, rows, dice);
        return all;
      },
    });
    const verdict = await tryCase(caseOf(seed), {
      ...TRIAL,
      openShelf: () => ({ ...shelf, store }),
    });
    const breach = verdict.kept ? null : verdict.breach;
    expect(breach, `seed ${seed}`).toBeNull();
  }
});

/** Five branches with steps, waits and a loop, and what the engines asked the store for. */
function contended(act: () => Promise<unknown>) {
  const many = flow<null>('many')
    .parallel('fork', {
      a: (b) => b.step('a1', act).step('a2', act).step('a3', act),
      b: (b) => b.repeat('r', { times: 4 }, (b) => b.step('b1', act)),
      c: (b) => b.step('c1', act).sleep('nap', '1s').step('c2', act),
      d: (b) => b.step('d1', act, { undo: () => {} }).step('d2', act),
      e: (b) => b.race('w', { x: (b) => b.step('e1', act), y: (b) => b.sleep('late', '1h') }),
    })
    .step('last', act)
    .end();
  return many;
}

interface Asked {
  loads: number;
  histories: number;
}

function counting(store: Store, asked: Asked): Store {
  return wrappedStore(store, {
    load: (ids) => {
      asked.loads += ids.length;
      return store.load(ids);
    },
    history: (request) => {
      asked.histories += 1;
      return store.history(request);
    },
  });
}

describe('two engines that share the branches of an instance', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'seed %i: whatever they know leads to the same',
    async (seed) => {
      const world = new World();
      const dice = new Dice(seed);
      const gates: Gate[] = [];
      const act = async (): Promise<number> => {
        const gate = new Gate();
        gates.push(gate);
        await gate.opened;
        return seed;
      };
      const many = contended(act);
      const asked = { loads: 0, histories: 0 };
      const open = (id: string): Promise<Engine> =>
        world.open([many], { store: counting(world.store, asked), worker: { id, concurrency: 3 } });
      const engines = [await open('x'), await open('y')];
      const run = await dice.pick(engines).start(many, null);
      for (let moves = 0; moves < 200; moves += 1) {
        const [rows] = await world.store.load([run.id]);
        if (rows === undefined || rows.head.endedAt !== null) break;
        await expectCaughtUp(world.store, rows, dice);
        const some = 1 + dice.roll(3);
        for (const gate of gates.splice(0, some)) gate.open();
        await world.pass(dice.roll(400));
      }
      expect(await run.status()).toBe('completed');
      expect(await engines[0]?.check()).toMatchObject({ ok: true });
      expect(await world.store.dropped(run.id)).toEqual([]);
      // Each has loaded it when it first met it; later it has only read what was new.
      expect(asked.loads).toBeLessThanOrEqual(4);
      expect(asked.histories).toBeGreaterThan(0);
    },
  );

  test('a commit that came too late is worked out again from what is known', async () => {
    const world = new World();
    const gates = [new Gate(), new Gate(), new Gate(), new Gate()];
    const pair = flow<null>('pair')
      .parallel('fork', {
        a: (b) => b.step('a', () => gates[0]?.opened).step('c', () => gates[2]?.opened),
        b: (b) => b.step('b', () => gates[1]?.opened).step('d', () => gates[3]?.opened),
      })
      .end();
    const [x, y] = [
      { loads: 0, histories: 0 },
      { loads: 0, histories: 0 },
    ];
    const open = (id: string, asked: Asked): Promise<Engine> =>
      world.open([pair], { store: counting(world.store, asked), worker: { id, concurrency: 1 } });
    const engine = await open('x', x);
    const run = await engine.start(pair, null);
    await open('y', y);
    await world.pass('1s');
    for (const gate of gates) {
      gate.open();
      await world.pass('1s');
    }
    expect(await run.status()).toBe('completed');
    // The one that started it never had to load it; the other did so once.
    expect([x.loads, y.loads]).toEqual([1, 1]);
    expect(x.histories).toBeGreaterThan(0);
    expect(y.histories).toBeGreaterThan(0);
  });
});

describe('where history cannot tell, all of it is loaded', () => {
  /** An instance of so many commits, and a cache that knows one of its states. */
  async function known(commits: number, at: number, verbs: Partial<Store> = {}) {
    const world = new World();
    const loop = flow<null>('loop')
      .repeat('r', { times: commits - 1 }, (b) => b.step('s', () => null))
      .waitFor('w', { event: 'e', key: 'k' })
      .end();
    const engine = await world.open([loop]);
    const { id } = await engine.start(loop, null);
    for (let turns = 0; turns < 20; turns += 1) await settled();
    const asked = { loads: 0, histories: 0 };
    const cache = new Cache(counting(wrappedStore(world.store, verbs), asked));
    const entry = entryOf(await stateAt(world.store, id, at));
    cache.keep(id, entry);
    cache.fallBack(id, entry);
    const [rows] = await world.store.load([id]);
    const expected = rows && rowsOf(assemble(rows));
    expect(expected?.head.version).toBe(commits);
    return { world, cache, id, asked, expected };
  }

  test.each([
    [CATCH_UP_MAX, { loads: 0, histories: 1 }],
    [CATCH_UP_MAX + 1, { loads: 1, histories: 1 }],
  ])('%i commits behind', async (behind, asked) => {
    const found = await known(60, 60 - behind);
    const entry = await found.cache.load(found.id);
    expect(entry && rowsOf(entry.instance)).toEqual(found.expected);
    expect(found.asked).toEqual(asked);
  });

  /** What history says when the cache asks, made by the test from what it really says. */
  async function misled(mislead: (rows: readonly HistoryRow[]) => readonly HistoryRow[]) {
    const world = new World();
    let store: Store = world.store;
    const found = await known(10, 5, {
      history: async (request) => mislead(await store.history(request)),
    });
    store = found.world.store;
    const entry = await found.cache.load(found.id);
    expect(entry && rowsOf(entry.instance)).toEqual(found.expected);
    expect(found.asked).toEqual({ loads: 1, histories: 1 });
  }

  test('a commit is missing', async () => {
    await misled((rows) => rows.filter(({ n }) => n !== 7));
  });

  test('the first commits are missing', async () => {
    await misled((rows) => rows.slice(2));
  });

  test('changes do not fit what is known', async () => {
    await misled((rows) => rows.map((row) => ({ ...row, changes: rows.at(-1)?.changes ?? [] })));
  });

  test('nothing new, and yet too late again', async () => {
    const { cache, id, asked } = await known(10, 10);
    const first = await cache.load(id);
    expect([first?.instance.head.version, asked]).toEqual([10, { loads: 0, histories: 1 }]);
    // What was built on it was refused once more.
    if (first !== undefined) cache.fallBack(id, first);
    const second = await cache.load(id);
    expect([second?.instance.head.version, asked]).toEqual([10, { loads: 1, histories: 1 }]);
  });

  test('nothing is known', async () => {
    const { cache, id, asked } = await known(3, 3);
    cache.forget();
    await cache.load(id);
    expect(asked).toEqual({ loads: 1, histories: 0 });
  });
});
