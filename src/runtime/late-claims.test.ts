/** A process that stands still between claiming and loading: its leases are over by then. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Store } from '../stores/store.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

const away = Object.assign(new Error('away'), { code: 'store.unreachable', retryable: true });

/** Where and with which attempt the step ran; A's first load takes longer than its lease. */
async function standStill(
  renew: Store['renew'],
): Promise<{ world: World; ran: string[]; run: Run }> {
  const world = new World();
  const ran: string[] = [];
  const job = (who: string): Flow<null> =>
    flow<null>('job')
      .step('work', ({ attempt }) => void ran.push(`${who} ${attempt}`))
      .end();
  const office = await world.open([job('office')], { worker: false });
  const run = await office.start('job', null);
  let loads = 0;
  let renewals = 0;
  const store = wrappedStore(world.store, {
    load: async (ids) => {
      loads += 1;
      if (loads === 1) world.clock.moveTo(world.clock.now + 11_000);
      return world.store.load(ids);
    },
    renew: async (held, leaseMs) => {
      renewals += 1;
      return renewals === 1 ? renew(held, leaseMs) : world.store.renew(held, leaseMs);
    },
  });
  await world.open([job('A')], { store, worker: { id: 'A', concurrency: 1 } });
  await settled();
  return { world, ran, run };
}

test('what it has lost meanwhile it does not run', async () => {
  const { world, ran, run } = await standStill(async (held) => held);
  await world.passSeconds(5);
  expect([ran, await run.status()]).toEqual([['A 2'], 'completed']);
  expect((await run.history()).flatMap(({ changes }) => changes)).toContainEqual(
    expect.objectContaining({ did: 'recover-token' }),
  );
});

test('what it still holds it runs, and nobody has taken it back', async () => {
  const { ran, run } = await standStill(async () => []);
  expect(ran).toEqual(['A 1']);
  expect((await run.history()).flatMap(({ changes }) => changes)).not.toContainEqual(
    expect.objectContaining({ did: 'recover-token' }),
  );
});

test('where the store cannot say, it lets go, and has its slot again', async () => {
  const { world, ran, run } = await standStill(() => Promise.reject(away));
  expect(ran).toEqual([]);
  await world.passSeconds(30);
  expect([ran, await run.status()]).toEqual([['A 2'], 'completed']);
});
