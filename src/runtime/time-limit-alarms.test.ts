/** Alarms behind time limits: none outlives its engine, and one that rings early is set again. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { Gate, settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import type { Alarm } from './alarm.ts';

const slow = flow('slow')
  .step('work', () => new Gate<string>().opened, { timeout: '30s' })
  .end();

test('an engine that is closed leaves no alarm of a time limit behind', async () => {
  const world = new World();
  const pending = new Set<number>();
  const alarm: Alarm = {
    set(ms, ring) {
      pending.add(ms);
      const cancel = world.clock.set(ms, () => {
        pending.delete(ms);
        ring();
      });
      return () => {
        pending.delete(ms);
        cancel();
      };
    },
  };
  const engine = await world.open([slow], { alarm });
  await engine.start(slow, null);
  await settled();
  expect(pending).toContain(30_000);
  const closing = engine.close({ timeout: 0 });
  await world.pass(0);
  await closing;
  expect(pending).not.toContain(30_000);
});

test('a time limit that is further away than an alarm reaches comes at its moment', async () => {
  const world = new World();
  const alarm: Alarm = { set: (ms, ring) => world.clock.set(Math.min(ms, 1_000), ring) };
  const engine = await world.open([slow], { alarm });
  const run = await engine.start(slow, null);
  await settled();
  for (let seconds = 0; seconds < 29; seconds += 1) await world.pass('1s');
  expect(await run.status()).toBe('running');
  for (let seconds = 0; seconds < 3; seconds += 1) await world.pass('1s');
  expect((await run.inspect()).fault?.code).toBe('step.timeout');
});
