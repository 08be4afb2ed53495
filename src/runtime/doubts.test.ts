/** D3: a commit in doubt stays in doubt until it is known what came of it. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Commit } from '../stores/store.ts';
import { answerLost, unreachable } from '../testing/outage.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';

test('a start in doubt that meets a lock is in doubt still: it may be its own', async () => {
  const world = new World();
  let calls = 0;
  let original: readonly Commit[] = [];
  const store = wrappedStore(world.store, {
    commit: async (batch) => {
      calls += 1;
      if (calls === 1) {
        original = batch;
        throw answerLost();
      }
      if (calls === 2) return batch.map(() => ({ outcome: 'failed', error: unreachable() }));
      // Only now does the first one come about.
      if (calls === 3) await world.store.commit(original);
      return world.store.commit(batch);
    },
  });
  const job = flow<null>('job')
    .step('work', () => 1)
    .end(({ results }) => results.work);
  const engine = await world.open([job], { store });
  const started = engine.start(job, null, { key: 'order-42' });
  await settled();
  await world.passSeconds(15);
  const run = await started;
  expect(await run.result()).toBe(1);
  expect(await world.store.scan(null, 10)).toEqual([run.id]);
});
