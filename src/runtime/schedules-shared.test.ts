/** Several processes on one database and the schedules in it, on clocks that nobody sets. */
import { afterEach, expect, test } from 'vitest';
import type { Flow } from '../model/definition.ts';
import { onBothDatabases } from '../testing/databases.ts';
import { storeAt } from '../testing/place.ts';
import { Fired } from '../testing/schedule-flows.ts';
import { Gate } from '../testing/stage.ts';
import { createEngine, type Engine } from './engine.ts';
import type { EngineWorker } from './options.ts';

onBothDatabases('schedules', (make) => {
  const engines: Engine[] = [];
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
  });

  async function engineAt(
    place: string,
    flows: readonly Flow[],
    worker: Partial<EngineWorker> | false,
  ): Promise<Engine> {
    const engine = await createEngine({ store: storeAt(place), flows, worker });
    engines.push(engine);
    return engine;
  }

  /** Resolves once so many different moments have fired. */
  function momentsOf(fired: Fired, count: number): Promise<void> {
    const gate = new Gate();
    fired.onMoment = () => {
      if (new Set(fired.moments.map(({ at }) => at)).size >= count) gate.open();
    };
    return gate.opened;
  }

  test('fire once for each moment, however many workers there are, and never early', async () => {
    const { place } = make();
    const fired = new Fired();
    const tick = fired.flow();
    const [a] = await Promise.all([1, 2, 3].map(() => engineAt(place, [tick], {})));
    const enough = momentsOf(fired, 12);
    const schedule = await a?.schedule('pulse', { every: '50ms', flow: tick, catchUp: 'all' });
    await enough;
    const view = await schedule?.describe();
    await schedule?.remove();
    await Promise.all(engines.splice(1).map((engine) => engine.close()));
    await a?.close();
    const office = await engineAt(place, [tick], false);
    const { instances } = await office.check();
    const moments = fired.moments.map(({ at }) => Date.parse(at));
    expect(new Set(moments).size).toBe(instances);
    expect(moments.length).toBe(instances);
    const since = view?.since ?? Number.NaN;
    expect(moments.every((at) => at > since && (at - since) % 50 === 0)).toBe(true);
    for (const id of await storeIds(place)) {
      const run = await office.get(id);
      const { createdAt, input } = (await run?.inspect()) ?? {};
      expect(createdAt).toBeGreaterThanOrEqual(Date.parse((input as { at: string }).at) - SLACK_MS);
    }
  });

  test('are made where no worker is, and heard of long before anyone would look', async () => {
    const { place } = make();
    const fired = new Fired();
    const office = await engineAt(place, [fired.flow()], false);
    await engineAt(place, [fired.flow()], { poll: '5m' });
    const enough = momentsOf(fired, 3);
    await office.schedule('pulse', { every: '50ms', flow: 'tick' });
    await enough;
    expect(fired.moments.every(({ schedule }) => schedule === 'pulse')).toBe(true);
  });

  test('outlive every process: the next one goes on, and nobody makes them again', async () => {
    const { place } = make();
    const fired = new Fired();
    const first = await engineAt(place, [fired.flow()], {});
    const some = momentsOf(fired, 2);
    await first.schedule('pulse', { every: '50ms', flow: 'tick', catchUp: 'all' });
    await some;
    await first.close();
    const before = fired.moments.length;
    const more = momentsOf(fired, before + 3);
    await engineAt(place, [fired.flow()], {});
    await more;
    const moments = fired.moments.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b);
    const steps = moments.slice(1).map((at, n) => at - (moments[n] ?? 0));
    // Not one of them twice, and none left out: neither while nobody was there nor after.
    expect(new Set(steps)).toEqual(new Set([50]));
  });
});

/** A process may know the clock of its database a little late: of that its own stamp is made. */
const SLACK_MS = 20;

async function storeIds(place: string): Promise<readonly string[]> {
  const store = storeAt(place);
  await store.open();
  const ids = await store.scan(null, 10_000);
  await store.close();
  return ids;
}
