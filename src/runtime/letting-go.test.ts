/** D15: what nobody works on is not renewed for ever by a store that watches over its claims. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceRows } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { unreachable } from '../testing/outage.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';

/** What was let go: the worker's, at once or after so long. */
interface LetGo {
  readonly token: number;
  readonly worker: string;
  readonly afterMs?: number;
}

class Watched {
  readonly world = new World();
  readonly letGo: LetGo[] = [];

  /** The store of this world, and whatever else is replaced. */
  store(verbs: Partial<Store> = {}): Store {
    return wrappedStore(this.world.store, {
      letGo: (held, afterMs) => {
        for (const { token, worker } of held) {
          this.letGo.push({ token, worker, ...(afterMs === undefined ? {} : { afterMs }) });
        }
      },
      ...verbs,
    });
  }
}

const steps = flow<null>('steps')
  .step('one', () => 1)
  .step('two', () => Promise.resolve(2))
  .end();

const A = { worker: { id: 'A' } };

test('an ordinary step calls for nothing of the kind', async () => {
  const watched = new Watched();
  const engine = await watched.world.open([steps], { store: watched.store(), ...A });
  const run = await engine.start(steps, null);
  await run.result();
  expect(watched.letGo).toEqual([]);
});

describe('a claim without work', () => {
  /** A ready token, and a worker that claims it. */
  async function claimed(verbs: (world: World) => Partial<Store>) {
    const watched = new Watched();
    const { world } = watched;
    const office = await world.open([steps], { worker: false });
    const run = await office.start(steps, null);
    const engine = await world.open([steps], { store: watched.store(verbs(world)), ...A });
    await settled();
    const [token] = await run.tokens();
    return { world, run, engine, letGo: watched.letGo, token: token?.id };
  }

  const spoilt =
    (spoil: (rows: InstanceRows) => InstanceRows | undefined) =>
    (world: World): Partial<Store> => ({
      load: async (ids) => (await world.store.load(ids)).map((rows) => rows && spoil(rows)),
    });

  test.each([
    ['its token is gone', spoilt((rows) => ({ ...rows, tokens: [] }))],
    ['its instance cannot be read', spoilt((rows) => ({ ...rows, scopes: [] }))],
    ['its instance is gone', spoilt(() => undefined)],
  ])('is let go where %s', async (_, verbs) => {
    const { letGo, token } = await claimed(verbs);
    expect(letGo).toEqual([{ token, worker: 'A' }]);
  });

  test('is let go where the store did not tell what it is for', async () => {
    let isAway = true;
    const { world, run, letGo, token } = await claimed((world) => ({
      load: (ids) => (isAway ? Promise.reject(unreachable()) : world.store.load(ids)),
    }));
    expect(letGo).toEqual([{ token, worker: 'A' }]);
    isAway = false;
    for (let second = 0; second < 30; second += 1) await world.pass('1s');
    expect(await run.status()).toBe('completed');
  });
});

/** A worker that has one token of a flow at work. */
async function atWork(job: Flow<null>) {
  const watched = new Watched();
  const { world, letGo } = watched;
  const engine = await world.open([job], { store: watched.store(), ...A });
  const run = await engine.start(job, null);
  await settled();
  const [token] = await run.tokens();
  return { world, letGo, engine, run, token: token?.id };
}

test('a result that is dropped lets its claim go', async () => {
  const gate = new Gate<string>();
  const job = flow<null>('job')
    .step('work', () => gate.opened)
    .end();
  const { world, letGo, run, token } = await atWork(job);
  const office = await world.open([job], { worker: false });
  await (await office.get(run.id))?.cancel();
  gate.open('late');
  await settled();
  expect(await world.store.dropped(run.id)).toHaveLength(1);
  expect(letGo).toEqual([{ token, worker: 'A' }]);
});

test('work that is lost lets its claim go', async () => {
  const watched = new Watched();
  const { world } = watched;
  const broken = { commit: () => Promise.reject(new Error('a bug of the driver')) };
  const office = await world.open([steps], { worker: false });
  const run = await office.start(steps, null);
  await world.open([steps], { store: watched.store(broken), ...A });
  await settled();
  const [token] = await run.tokens();
  expect(watched.letGo).toEqual([{ token: token?.id, worker: 'A' }]);
  expect(world.log.lines.map(({ message }) => message)).toContain('work was lost');
});

test('a step with a time limit is let go when that is over, and not before', async () => {
  const gate = new Gate<string>();
  const limited = flow<null>('limited')
    .step('work', () => gate.opened, { timeout: '30s' })
    .step('after', () => 1, { deadline: '5m' })
    .step('free', () => 1)
    .end();
  const { letGo, run, token } = await atWork(limited);
  expect(letGo).toEqual([{ token, worker: 'A', afterMs: 30_000 }]);
  gate.open('in time');
  await run.result();
  expect(letGo.map(({ afterMs }) => afterMs)).toEqual([30_000, 300_000]);
});

test('a worker that is killed lets everything go', async () => {
  const gate = new Gate<string>();
  const job = flow<null>('job')
    .parallel('fork', {
      a: (b) => b.step('a', () => gate.opened),
      b: (b) => b.step('b', () => gate.opened),
    })
    .end();
  const { world, letGo, engine, run } = await atWork(job);
  const tokens = (await run.tokens()).map(({ id }) => ({ token: id, worker: 'A' }));
  world.kill(engine);
  expect(letGo).toEqual(tokens);
});

test('what an engine leaves undone because it can be undone is let go when it closes', async () => {
  const job = flow<null>('job')
    .step('charge', () => new Gate().opened, { undo: () => {} })
    .end();
  const { world, letGo, engine, token } = await atWork(job);
  const closing = engine.close({ timeout: '1s' });
  await world.pass('1s');
  await closing;
  expect(letGo).toEqual([{ token, worker: 'A' }]);
});
