/** D3: a commit in doubt stays in doubt until it is known what came of it. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Commit } from '../stores/store.ts';
import { isSound } from '../testing/fragile.ts';
import { onEveryStore } from '../testing/lab.ts';
import { answerLost, unreachable } from '../testing/outage.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { type Around, wrappedStore } from '../testing/wrapped-store.ts';

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

onEveryStore('an instance that is run again before its end is found out', (open) => {
  test('has the result of its second end, for whoever asks after that', async () => {
    const gate = new Gate<string>();
    let runs = 0;
    const job = flow<null>('job')
      .step('work', () => (runs++ === 0 ? 'first' : gate.opened))
      .end(({ results }) => results.work);
    let isLosing = false;
    const around: Around = async (verb, call) => {
      const answer = await call();
      if (verb !== 'commit' || !isLosing) return answer;
      isLosing = false;
      throw answerLost();
    };
    const lab = await open([job], { around });
    const run = await lab.engine.start(job, null);
    isLosing = true;
    await lab.pass(0);
    expect([isLosing, await run.status()]).toEqual([false, 'completed']);
    await run.rerun('work');
    const early = run.result();
    await lab.tick('1s');
    const late = run.result();
    await lab.tick('1s');
    expect([runs, await run.status()]).toEqual([2, 'running']);
    gate.open('second');
    await lab.tick(0);
    expect(await Promise.all([early, late])).toEqual(['second', 'second']);
    await isSound(lab);
  });
});
