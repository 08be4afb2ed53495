/** D3: a message whose answer is lost is kept again, and is the publisher's own all the same. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { answerLost, type Loss, refusalOf, unreachable } from '../testing/outage.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import { UNSURE_MS_MAX } from './unsure.ts';

const LOSSES: readonly Loss[] = ['before', 'after'];

const waits = flow<null>('waits').waitFor('w', { event: 'e', key: 'k' }).end();

/** The answers to the first so many calls of publish are lost. */
async function publishing(losses: number, loss: Loss) {
  const world = new World();
  let calls = 0;
  const store = wrappedStore(world.store, {
    publish: async (message) => {
      calls += 1;
      if (calls > losses) return world.store.publish(message);
      if (loss === 'after') await world.store.publish(message);
      throw answerLost();
    },
  });
  const engine = await world.open([waits], { store });
  return { world, engine };
}

test.each(LOSSES)('one that is kept, its answer lost %s that, is ours', async (loss) => {
  const { world, engine } = await publishing(3, loss);
  const kept = engine.publish({ type: 'e', key: 'k', data: 1, id: 'm' });
  await world.passSeconds(5);
  expect(await kept).toEqual({ outcome: 'buffered', id: 'm', instances: [] });
  const again = await engine.publish({ type: 'e', key: 'k', data: 2, id: 'm' });
  expect(again.outcome).toBe('duplicate');
  expect(await (await engine.start(waits, null)).result()).toEqual({ w: 1 });
});

test.each(LOSSES)('one that somebody waits for wakes it, its answer lost %s', async (loss) => {
  const { world, engine } = await publishing(1, loss);
  const run = await engine.start(waits, null);
  await settled();
  const kept = engine.publish({ type: 'e', key: 'k', data: 1 });
  await world.passSeconds(3);
  expect((await kept).outcome).toBe('woken');
  expect(await run.result()).toEqual({ w: 1 });
});

test('it is given up after UNSURE_MS_MAX, with the error', async () => {
  const { world, engine } = await publishing(1_000, 'before');
  const refusal = await refusalOf(world, engine.publish({ type: 'e', key: 'k' }));
  expect(refusal.error).toMatchObject({ code: 'store.unreachable', retryable: true });
  expect(Math.abs(refusal.seconds - UNSURE_MS_MAX / 1_000 - 1)).toBeLessThanOrEqual(2);
});

test('one that surely was not kept is refused at once', async () => {
  const world = new World();
  const store = wrappedStore(world.store, { publish: () => Promise.reject(unreachable()) });
  const engine = await world.open([waits], { store });
  const kept = engine.publish({ type: 'e', key: 'k' });
  await expect(kept).rejects.toMatchObject({ code: 'store.unreachable' });
});
