/** What a schedule may be given, and what is said about the rest. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { Fired } from '../testing/schedule-flows.ts';
import { settled } from '../testing/stage.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { World } from '../testing/world.ts';
import { SCHEDULE_EVERY_MS_MIN, type ScheduleSpec } from './schedule-spec.ts';

const fired = new Fired();
const tick = fired.flow();

const WRONG: readonly (readonly [string, unknown, string, RegExp])[] = [
  ['', { every: '1m' }, 'schedule.invalid', /name of a schedule is a text of 1 to 500/],
  ['x'.repeat(501), { every: '1m' }, 'schedule.invalid', /name of a schedule/],
  ['s', {}, 'schedule.invalid', /either "cron" or "every"/],
  ['s', { cron: '@daily', every: '1m' }, 'schedule.invalid', /either "cron" or "every"/],
  ['s', { cron: '* * *' }, 'schedule.invalid', /five fields.*came "\* \* \*"/],
  ['s', { cron: '60 * * * *' }, 'schedule.invalid', /minute: 60/],
  ['s', { cron: 7 }, 'schedule.invalid', /five fields/],
  ['s', { cron: '@daily', timezone: 'Moon/Sea' }, 'schedule.invalid', /time zone.*Moon\/Sea/],
  ['s', { cron: '@daily', timeZone: 'UTC' }, 'schedule.invalid', /no "timeZone"; it has flow/],
  ['s', { every: '1m', timezone: 'UTC' }, 'schedule.invalid', /no timezone/],
  ['s', { every: 'soon' }, 'schedule.invalid', /a duration is/],
  ['s', { every: 'P1M' }, 'schedule.invalid', /a duration is/],
  ['s', { every: -1 }, 'schedule.invalid', /negative/],
  ['s', { every: SCHEDULE_EVERY_MS_MIN - 1 }, 'schedule.invalid', /SCHEDULE_EVERY_MS_MIN 10 ms/],
  ['s', { every: '1m', catchUp: 'twice' }, 'schedule.invalid', /'once', 'all' or 'skip'/],
  ['s', { every: '1m', key: '' }, 'schedule.invalid', /key of a schedule/],
  ['s', { every: '1m', flow: 'nowhere' }, 'definition.not-found', /no flow "nowhere"/],
  ['s', { every: '1m', input: 1n }, 'input.invalid', /JSON/],
  ['s', { every: '1m', input: new Date(0) }, 'input.invalid', /JSON/],
];

describe('what is no schedule is said, and nothing is kept', () => {
  test.each(WRONG)('%.9s %j', async (name, spec, code, why) => {
    const world = new World();
    const engine = await world.open([tick]);
    const given = { flow: tick, ...(spec as object) } as unknown as ScheduleSpec;
    const made = engine.schedule(name, given);
    await expect(made).rejects.toMatchObject({ code, message: expect.stringMatching(why) });
    expect(await engine.schedules.list()).toEqual([]);
    await engine.close();
    await expect(engine.schedule(name, given)).rejects.toMatchObject({ code: 'engine.closed' });
  });

  test('without an object, or with no flow in it', async () => {
    const engine = await new World().open([tick]);
    const wrong = [null, 7, undefined] as unknown as ScheduleSpec[];
    for (const spec of wrong) {
      await expect(engine.schedule('s', spec)).rejects.toMatchObject({ code: 'schedule.invalid' });
    }
    const none = engine.schedule('s', { every: '1m' } as ScheduleSpec);
    await expect(none).rejects.toMatchObject({ code: 'schedule.invalid' });
  });

  test('an input that its flow would refuse, given or not', async () => {
    const schema: StandardSchemaV1<{ amount: number }> = {
      '~standard': {
        ...{ version: 1, vendor: 'test' },
        validate: (value) =>
          typeof (value as { amount?: unknown }).amount === 'number'
            ? { value: value as { amount: number } }
            : { issues: [{ message: 'must be a number', path: ['amount'] }] },
      },
    };
    const bill = flow('bill', { input: schema }).end();
    const engine = await new World().open([bill]);
    const bare = engine.schedule('s', { every: '1m', flow: bill });
    const message = expect.stringContaining('amount: must be a number');
    await expect(bare).rejects.toMatchObject({ code: 'input.invalid', message });
    await engine.schedule('s', { every: '1m', flow: bill, input: { amount: 1 } });
  });
});

test('the compiler knows what input a flow takes', async () => {
  const engine = await new World().open([tick]);
  const input = { schedule: 's', at: '' };
  await engine.schedule('s', { every: '1m', flow: tick, input });
  await engine.schedule('s', { every: '1m', flow: 'tick', input: 7 });
  // @ts-expect-error it takes an object
  await engine.schedule('s', { every: '1m', flow: tick, input: 7 });
  // @ts-expect-error a clock on a wall, or steps
  await engine.schedule('s', { every: '1m', timezone: 'UTC', flow: tick }).catch(() => {});
});

test('SCHEDULE_EVERY_MS_MIN itself is long enough', async () => {
  const engine = await new World().open([tick]);
  await engine.schedule('s', { every: SCHEDULE_EVERY_MS_MIN, flow: tick });
});

test('what is given is kept plainly, with what was left out filled in', async () => {
  const engine = await new World().open([tick]);
  const one = await engine.schedule('one', { cron: ' 0  9 * * MON ', flow: tick, key: 'k' });
  const spec = { cron: '0 9 * * MON', timezone: 'UTC', catchUp: 'once', key: 'k' };
  expect((await one.describe()).spec).toEqual(spec);
});

test('one made where no worker is fires where there is one', async () => {
  const world = new World();
  const office = await world.open([tick], { worker: false });
  await world.open([tick]);
  fired.take();
  await office.schedule('pulse', { every: '1m', flow: tick });
  await settled();
  await world.passSeconds(130);
  expect(fired.take()).toEqual([1, 2]);
});

test('one for a flow that is not here waits for whoever has it', async () => {
  const world = new World();
  const office = await world.open([tick], { worker: false });
  const other = await world.open([flow('other').end()]);
  await office.schedule('pulse', { every: '1m', flow: tick });
  await world.passSeconds(90);
  expect(await other.check()).toMatchObject({ instances: 0 });
  fired.take();
  await world.open([tick]);
  await settled();
  expect(fired.take()).toEqual([1]);
});

test('the test kit stops at the moments of schedules', async () => {
  const kit = createTestEngine({ flows: [tick] });
  fired.take();
  await kit.runUntilIdle();
  await kit.engine.schedule('weekly', { cron: '@weekly', flow: tick });
  await kit.advance('21d');
  expect(fired.take().map((minutes) => minutes / 1_440)).toEqual([3, 10, 17]);
  await kit.close();
});
