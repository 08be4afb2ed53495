/** Workflows that start by themselves: SD rows. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import { createTestEngine, type TestEngine } from '../../testing/test-engine.ts';
import { workflow } from '../../testing/workflows.ts';
import { World } from '../../testing/world.ts';
import type { Engine } from '../engine.ts';

const HOUR_MS = 3_600_000;
const BEGIN = Date.UTC(2026, 0);
const RAISES = "raise: { error: { type: 'about:blank', status: 500 } }";

/** What was started of a workflow, oldest first. */
async function startedOf(
  { engine }: Pick<TestEngine, 'engine'> | { engine: Engine },
  flow: string | Flow<Json, Json> = 'test.workflow',
) {
  const { instances } = await engine.list({ flow: typeof flow === 'string' ? flow : flow.name });
  return instances.toReversed();
}

/** At which hours after the beginning something was started. */
async function hoursOf(test: TestEngine, flow?: Flow<Json, Json>): Promise<readonly number[]> {
  const instances = await startedOf(test, flow);
  return instances.map(({ createdAt }) => (createdAt - BEGIN) / HOUR_MS);
}

const EMPTY_DO = 'do: []';

describe('every', () => {
  test('starts one after each interval, whether or not the last is over [SD-01]', async () => {
    const flow = workflow('schedule: { every: PT1H }\ndo: [{ slow: { wait: P10D } }]');
    const engine = createTestEngine({ flows: [flow] });
    await engine.advance('59m');
    expect(await hoursOf(engine)).toEqual([]);
    await engine.advance('3h');
    expect(await hoursOf(engine)).toEqual([1, 2, 3]);
    const started = await startedOf(engine);
    expect(started.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting']);
    await engine.close();
  });

  test('has nothing but an empty object as its input [SD-01]', async () => {
    const flow = workflow("schedule: { every: { hours: 1 } }\ndo: [{ a: { set: '${ . }' } }]");
    const engine = createTestEngine({ flows: [flow] });
    await engine.advance('1h');
    const [one] = await startedOf(engine);
    expect(await (await engine.engine.get(one?.id ?? ''))?.result()).toEqual({});
    await engine.close();
  });

  test('may be an expression, and then a month of the calendar [SD-01]', async () => {
    const flow = workflow(`schedule: { every: '\${ "P1M" }' }\n${EMPTY_DO}`);
    const engine = createTestEngine({ flows: [flow] });
    await engine.advance('100d');
    const started = await startedOf(engine);
    expect(started.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10))).toEqual([
      ...['2026-02-01', '2026-03-01', '2026-04-01'],
    ]);
    await engine.close();
  });

  test('goes on when one of them fails, and none is hurt by another [SD-10]', async () => {
    const flow = workflow(`schedule: { every: PT1H }\ndo: [{ no: { ${RAISES} } }]`);
    const slow = workflow('do: [{ slow: { wait: PT150M } }]', { name: 'slow' });
    const engine = createTestEngine({ flows: [flow, slow] });
    const run = await engine.start(slow, {});
    await engine.advance('3h');
    const started = await startedOf(engine);
    expect(started.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect((await run.inspect()).status).toBe('completed');
    await engine.close();
  });
});

describe('cron', () => {
  const days = async (cron: string, from: number, passing: string): Promise<readonly string[]> => {
    const flow = workflow(`schedule: { cron: '${cron}' }\n${EMPTY_DO}`);
    const engine = createTestEngine({ flows: [flow], now: from });
    await engine.advance(passing);
    const started = await startedOf(engine);
    await engine.close();
    return started.map(({ createdAt }) => new Date(createdAt).toISOString());
  };

  test('starts one at each of its moments, five fields [SD-02]', async () => {
    expect(await days('30 9 * * 1-5', Date.UTC(2026, 0, 2), '4d')).toEqual([
      ...['2026-01-02T09:30:00.000Z', '2026-01-05T09:30:00.000Z'],
    ]);
  });

  test('may have seconds before them [SD-02]', async () => {
    expect(await days('15,45 0 0 1 1 *', Date.UTC(2025, 11, 31), '2d')).toEqual([
      ...['2026-01-01T00:00:15.000Z', '2026-01-01T00:00:45.000Z'],
    ]);
  });

  test.each([
    ['where clocks are put forward', Date.UTC(2026, 2, 28)],
    ['where clocks are put back', Date.UTC(2026, 9, 24)],
  ])('is by UTC, which has no summer: one a day, %s [SD-02]', async (_when, from) => {
    const all = await days('30 2 * * *', from, '3d');
    expect(all.map((moment) => moment.slice(11))).toEqual(all.map(() => '02:30:00.000Z'));
    expect(all).toHaveLength(3);
  });
});

describe('after', () => {
  const after = (body: string): Flow<Json, Json> => workflow(`schedule: { after: PT1H }\n${body}`);

  test('starts one at once, and the next so long after that has ended [SD-03]', async () => {
    const flow = after('do: [{ slow: { wait: PT30M } }]');
    const engine = createTestEngine({ flows: [flow] });
    await engine.advance('5h');
    expect(await hoursOf(engine)).toEqual([0, 1.5, 3, 4.5]);
    const started = await startedOf(engine);
    const open = started.filter(({ endedAt }) => endedAt === null);
    expect(open).toHaveLength(0);
    const overlaps = started.filter(
      ({ createdAt }, n) => createdAt < (started[n - 1]?.endedAt ?? 0),
    );
    expect(overlaps).toEqual([]);
    await engine.close();
  });

  test('starts another although one has failed [SD-03, SD-10]', async () => {
    const engine = createTestEngine({ flows: [after(`do: [{ no: { ${RAISES} } }]`)] });
    await engine.advance('150m');
    expect(await hoursOf(engine)).toEqual([0, 1, 2]);
    await engine.close();
  });

  test('starts none after one that was cancelled, whoever begins anew [SD-03]', async () => {
    const world = new World();
    const flow = after('do: [{ slow: { wait: P1D } }]');
    const first = await world.open([flow]);
    await world.pass('1s');
    const [one] = await startedOf({ engine: first });
    await (await first.get(one?.id ?? ''))?.cancel();
    await world.passSeconds(3);
    world.kill(first);
    const second = await world.open([flow]);
    await world.pass('1d');
    expect(await startedOf({ engine: second })).toHaveLength(1);
    world.kill(second);
  });

  test('starts one more after any number of crashes [SD-03]', async () => {
    const flow = after('do: [{ slow: { wait: PT30M } }]');
    const engine = createTestEngine({ flows: [flow], chaos: { crashAfterEveryCommit: true } });
    await engine.advance('4h');
    const hours = await hoursOf(engine);
    expect(hours.map((hour) => Math.round(hour * 10) / 10)).toEqual([0, 1.5, 3]);
    await engine.close();
  });
});

describe('several of them', () => {
  test('are all at work [SD-01, SD-02, SD-03]', async () => {
    const flow = workflow(
      `schedule: { every: PT2H, cron: '30 * * * *', after: PT3H }\n${EMPTY_DO}`,
    );
    const engine = createTestEngine({ flows: [flow] });
    await engine.advance('4h');
    expect(await hoursOf(engine)).toEqual([0, 0.5, 1.5, 2, 2.5, 3, 3.5, 4]);
    await engine.close();
  });
});

describe('another version', () => {
  const version = (n: number, schedule: string, body = EMPTY_DO): Flow<Json, Json> =>
    workflow(`${schedule === '' ? '' : `schedule: { ${schedule} }\n`}${body}`, {
      version: `${n}.0.0`,
    });

  test('has its own schedule in the place of the one before [SD-07]', async () => {
    const engine = createTestEngine({ flows: [version(1, 'every: PT1H')] });
    await engine.advance('2h');
    await engine.engine.deploy(version(2, 'every: PT3H'));
    await engine.advance('6h');
    const started = await startedOf(engine);
    expect(await hoursOf(engine)).toEqual([1, 2, 5, 8]);
    expect(started.map((one) => one.version)).toEqual([...[1, 1, 2, 2].map((n) => n * 1_000_000)]);
    await engine.close();
  });

  test.each(['every: P10D', "cron: '0 0 1 * *'", 'after: P10D', 'every: \'${ "P1M" }\''])(
    'without any ends it: %s [SD-07]',
    async (schedule) => {
      const engine = createTestEngine({ flows: [version(1, schedule)] });
      await engine.advance('40d');
      const before = await startedOf(engine);
      expect(before.length).toBeGreaterThan(0);
      await engine.engine.deploy(version(2, ''));
      await engine.advance('40d');
      expect(await startedOf(engine)).toHaveLength(before.length);
      expect(await engine.engine.schedules.list()).toEqual([]);
      await engine.close();
    },
  );

  test('leaves alone what an earlier one has started [SD-07]', async () => {
    const slow = 'do: [{ slow: { wait: PT10H } }]';
    const engine = createTestEngine({ flows: [version(1, 'after: PT1H', slow)] });
    await engine.advance('1h');
    await engine.engine.deploy(version(2, 'after: PT1H', slow));
    await engine.advance('12h');
    const started = await startedOf(engine);
    expect(started.map(({ version: n, status }) => [n / 1_000_000, status])).toEqual([
      [1, 'completed'],
      [2, 'completed'],
      [2, 'waiting'],
    ]);
    await engine.close();
  });

  test('counts if it is the newest, in whatever order they are known [SD-07]', async () => {
    const flows = [version(2, 'every: PT3H'), version(1, 'every: PT1H')];
    const engine = createTestEngine({ flows });
    await engine.advance('4h');
    expect(await hoursOf(engine)).toEqual([3]);
    await engine.close();
  });
});

describe('a program that was not there', () => {
  test.each(['every: PT1H', "cron: '0 * * * *'"])(
    'catches up with one moment at most: %s [SD-09]',
    async (schedule) => {
      const world = new World();
      const flow = workflow(`schedule: { ${schedule} }\n${EMPTY_DO}`);
      const first = await world.open([flow]);
      await world.pass('1h');
      expect(await startedOf({ engine: first })).toHaveLength(1);
      world.kill(first);
      await world.pass('1d');
      const second = await world.open([flow]);
      await world.pass('1s');
      expect(await startedOf({ engine: second })).toHaveLength(2);
      await world.pass('1h');
      expect(await startedOf({ engine: second })).toHaveLength(3);
      world.kill(second);
    },
  );

  test('goes on with what is to come after an end [SD-09]', async () => {
    const world = new World();
    const flow = workflow(`schedule: { after: PT1H }\n${EMPTY_DO}`);
    const first = await world.open([flow]);
    await world.pass('1s');
    world.kill(first);
    await world.pass('1d');
    const second = await world.open([flow]);
    await world.passSeconds(2);
    expect(await startedOf({ engine: second })).toHaveLength(2);
    world.kill(second);
  });
});
