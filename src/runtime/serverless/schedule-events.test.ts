/** Workflows that events start: SD-04 to SD-08. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import { GROUPS_MAX } from '../../nodes/serverless/groups.ts';
import { sqlite } from '../../stores/sqlite/sqlite.ts';
import { type Event, eventOf } from '../../testing/listeners.ts';
import {
  createTestEngine,
  type TestEngine,
  type TestEngineOptions,
} from '../../testing/test-engine.ts';
import { type Head, workflow } from '../../testing/workflows.ts';
import { createEngine, type Engine } from '../engine.ts';

const KEEPS = "do: [{ keep: { set: { got: '${ . }' } } }]";

function on(to: string, more = '', head: Head = {}): Flow<Json, Json> {
  return workflow(`schedule: { on: ${to}, read: data${more} }\n${KEEPS}`, head);
}

/** What each that was started was given, oldest first. */
async function givenTo(engine: Engine, flow = 'test.workflow'): Promise<readonly Json[]> {
  const { instances } = await engine.list({ flow });
  const runs = await Promise.all(instances.map(({ id }) => engine.get(id)));
  const inputs = await Promise.all(runs.map(async (run) => (await run?.inspect())?.input ?? null));
  return inputs.toReversed();
}

async function told(
  flow: Flow<Json, Json>,
  events: readonly Event[],
  options: Partial<TestEngineOptions> = {},
): Promise<readonly Json[]> {
  const test = createTestEngine({ flows: [flow], ...options });
  try {
    await test.runUntilIdle();
    for (const event of events) await tell(test, event);
    return await givenTo(test.engine);
  } finally {
    await test.close();
  }
}

async function tell(test: TestEngine, event: Event): Promise<void> {
  await test.engine.publish(event);
  // Those of one moment are listed in no order.
  await test.advance('1ms');
}

describe('an event', () => {
  const events = [eventOf('a', 1), eventOf('b', 2), eventOf('a', 3)];

  test('starts one instance, which is given a list of it [SD-04]', async () => {
    expect(await told(on('{ one: { with: { type: a } } }'), events)).toEqual([[1], [3]]);
  });

  test('of any of several filters does [SD-04]', async () => {
    const flow = on('{ any: [{ with: { type: a } }, { with: { type: b } }] }');
    expect(await told(flow, [...events, eventOf('c', 4)])).toEqual([[1], [2], [3]]);
  });

  test('of each filter is there before one is started for all of them [SD-04]', async () => {
    const flow = on('{ all: [{ with: { type: a } }, { with: { type: b } }] }');
    expect(await told(flow, [eventOf('b', 1), eventOf('b', 2)])).toEqual([]);
    const more = [eventOf('b', 1), eventOf('a', 2), eventOf('a', 3), eventOf('b', 4)];
    expect(await told(flow, more)).toEqual([
      [2, 1],
      [3, 4],
    ]);
  });

  test('that was published as a message does, too [SD-04]', async () => {
    const flow = on('{ one: { with: { type: a } } }');
    expect(await told(flow, [{ type: 'a', key: 'k', data: { x: 1 } }])).toEqual([[{ x: 1 }]]);
  });

  test('starts one instance, however often it is published [SD-04]', async () => {
    const flow = on('{ one: { with: { type: a } } }');
    const event = eventOf('a', 1);
    expect(await told(flow, [event, event])).toEqual([[1]]);
  });

  test('that cannot be asked about is not for a filter, and ends no schedule [SD-10]', async () => {
    const flow = on("{ one: { with: { type: a, data: '${ .x.y > 1 }' } } }");
    const good = { x: { y: 2 } };
    expect(
      await told(flow, [eventOf('a', good), eventOf('a', { x: 1 }), eventOf('a', good)]),
    ).toEqual([[good], [good]]);
  });

  test('that starts what fails hurts no schedule and no other instance [SD-10]', async () => {
    const flow = workflow(`
      schedule: { on: { one: { with: { type: a } } }, read: data }
      do: [{ no: { if: '.[0] == 1', raise: { error: { type: 'about:blank', status: 500 } } } }]
    `);
    const test = createTestEngine({ flows: [flow] });
    await test.runUntilIdle();
    for (const n of [1, 2]) await tell(test, eventOf('a', n));
    const { instances } = await test.engine.list({ flow: 'test.workflow' });
    expect(instances.map(({ status }) => status)).toEqual(['completed', 'failed']);
    await test.close();
  });

  test.each([
    ['after every commit', { crashAfterEveryCommit: true }],
    ['and everything is handed in twice', { duplicateDeliveries: true }],
  ])('starts one instance, whatever crashes %s [SD-08]', async (_how, chaos) => {
    const flow = on('{ one: { with: { type: a } } }');
    const many = Array.from({ length: 10 }, (_, n) => eventOf('a', n));
    expect(await told(flow, many, { chaos })).toEqual(many.map((_, n) => [n]));
  });
});

describe('what is read of it', () => {
  const event = eventOf('a', { x: 1 }, { subject: 's' });

  test.each([
    ['data', '1.0.3', [{ x: 1 }]],
    ['envelope', '1.0.3', [event]],
    ['raw', '1.0.3', [event]],
  ])('is what is asked for: %s [SD-05]', async (read, dsl, given) => {
    const flow = workflow(
      `schedule: { on: { one: { with: { type: a } } }, read: ${read} }\n${KEEPS}`,
      { dsl },
    );
    expect(await told(flow, [event])).toEqual([given]);
  });

  test.each([
    ['1.0.0', [event]],
    ['1.0.3', [event]],
    ['1.0.4', [{ x: 1 }]],
  ])(
    'is, unless asked for, what the version of the language has: %s [SD-05]',
    async (dsl, given) => {
      const flow = workflow(`schedule: { on: { one: { with: { type: a } } } }\n${KEEPS}`, { dsl });
      expect(await told(flow, [event])).toEqual([given]);
    },
  );
});

describe('correlation', () => {
  const byId = 'correlate: { id: { from: .data.id } }';
  const both = on(`{ all: [{ with: { type: a }, ${byId} }, { with: { type: b }, ${byId} }] }`);
  const of = (type: string, id: number): Event => eventOf(type, { id, type });

  test('gathers events by their keys, each set for itself [SD-06]', async () => {
    const events = [of('a', 1), of('a', 2), of('b', 2), of('b', 3), of('b', 1), of('a', 3)];
    expect(await told(both, events)).toEqual(
      [2, 1, 3].map((id) => [
        { id, type: 'a' },
        { id, type: 'b' },
      ]),
    );
  });

  test('begins anew with the same keys [SD-06]', async () => {
    const events = [of('a', 1), of('a', 1), of('b', 1), of('b', 1)];
    expect(await told(both, events)).toHaveLength(2);
  });

  test('of one event binds nothing for the next [SD-06]', async () => {
    const flow = on(`{ one: { with: { type: a }, ${byId} } }`);
    expect(await told(flow, [of('a', 1), of('a', 2), eventOf('a', {})])).toEqual([
      [{ id: 1, type: 'a' }],
      [{ id: 2, type: 'a' }],
    ]);
  });

  test('survives crashes [SD-06]', async () => {
    const events = [of('a', 1), of('b', 2), of('b', 1), of('a', 2)];
    expect(await told(both, events, { chaos: { crashAfterEveryCommit: true } })).toHaveLength(2);
  });

  test('lets go of the oldest, of more that are not complete than it keeps [SD-06]', async () => {
    const test = createTestEngine({ flows: [both] });
    await test.runUntilIdle();
    for (let id = 0; id < GROUPS_MAX; id += 1) await test.engine.publish(of('a', id));
    await test.runUntilIdle();
    await tell(test, of('b', 0));
    expect(await givenTo(test.engine)).toHaveLength(1);
    // In the place of that, and one more: 1 is the oldest.
    for (const id of ['x', 'y']) await tell(test, eventOf('a', { id }));
    await tell(test, of('b', 1));
    expect(await givenTo(test.engine)).toHaveLength(1);
    await tell(test, eventOf('b', { id: 'y' }));
    expect(await givenTo(test.engine)).toHaveLength(2);
    await test.close();
  });
});

describe('another version', () => {
  test('is started by what it is for, and the one before by nothing more [SD-07]', async () => {
    const test = createTestEngine({ flows: [on('{ one: { with: { type: a } } }')] });
    await test.runUntilIdle();
    await tell(test, eventOf('a', 1));
    await test.engine.deploy(on('{ one: { with: { type: b } } }', '', { version: '2.0.0' }));
    for (const type of ['a', 'b']) await tell(test, eventOf(type, type));
    expect(await givenTo(test.engine)).toEqual([[1], ['b']]);
    await test.engine.deploy(workflow(KEEPS, { version: '3.0.0' }));
    for (const type of ['a', 'b']) await tell(test, eventOf(type, type));
    expect(await givenTo(test.engine)).toHaveLength(2);
    await test.close();
  });
});

describe('two programs on one database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-schedule-'));
  const engines: Engine[] = [];
  let files = 0;
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close({ timeout: 0 });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const open = async (path: string, flow: Flow<Json, Json>): Promise<Engine> => {
    const engine = await createEngine({ store: sqlite(path), flows: [flow] });
    engines.push(engine);
    return engine;
  };
  const path = (): string => join(folder, `${(files += 1)}.db`);

  /** Until so many instances of it are over. */
  async function ended(engine: Engine, count: number): Promise<void> {
    const over = new Set<string>();
    for await (const { instance, changes } of engine.subscribe({ flow: 'test.workflow' })) {
      if (changes.some(({ did }) => did === 'finish')) over.add(instance);
      if (over.size >= count) return;
    }
  }

  test('start one instance for each moment [SD-08]', async () => {
    const file = path();
    const flow = workflow('schedule: { every: { milliseconds: 40 } }\ndo: []');
    const [one] = await Promise.all([open(file, flow), open(file, flow)]);
    await ended(one, 8);
    const [schedule] = await one.schedules.list();
    const { since = 0, lastAt = 0 } = schedule ?? {};
    const { instances } = await one.list({ flow: 'test.workflow' });
    const moments = ((lastAt ?? 0) - since) / 40;
    const soFar = instances.filter(({ createdAt }) => createdAt <= (lastAt ?? 0));
    expect(await one.schedules.list()).toHaveLength(1);
    expect(soFar.length).toBeLessThanOrEqual(moments);
    expect(Number.isInteger(moments)).toBe(true);
  });

  test('start one instance for each event, from before they were there too [SD-08]', async () => {
    const file = path();
    const flow = on('{ one: { with: { type: a } } }');
    const first = await open(file, flow);
    await first.close();
    const outside = await createEngine({ store: sqlite(file), worker: false });
    engines.push(outside);
    for (let n = 0; n < 5; n += 1) await outside.publish(eventOf('a', n));
    const over = ended(outside, 10);
    const [one, other] = await Promise.all([open(file, flow), open(file, flow)]);
    for (let n = 5; n < 10; n += 1) await (n % 2 === 0 ? one : other).publish(eventOf('a', n));
    await over;
    const given = (await givenTo(one)).flat() as number[];
    expect(given.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
