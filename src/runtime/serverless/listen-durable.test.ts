/** Listeners whose process comes and goes, on a SQLite file: LI-20, LI-22. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Flow } from '../../model/definition.ts';
import { sqlite } from '../../stores/sqlite/sqlite.ts';
import { eventOf, type Event } from '../../testing/listeners.ts';
import { workflow } from '../../testing/workflows.ts';
import { createEngine, type Engine } from '../engine.ts';
import type { EngineOptions } from '../engine-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-listening-'));
const engines: Engine[] = [];
let files = 0;

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file, and each time another engine on it. */
function database(): (flows: readonly Flow[], more?: Partial<EngineOptions>) => Promise<Engine> {
  files += 1;
  const path = join(folder, `${files}.db`);
  return async (flows, more = {}) => {
    const engine = await createEngine({ store: sqlite(path), flows, ...more });
    engines.push(engine);
    return engine;
  };
}

const count = (n: number): string => `
  do:
    - hear: { listen: { to: { any: [{ with: { type: a } }], until: '\${ length == ${n} }' } } }
`;

describe('events that come while no process is there', () => {
  test('are heard by the next one, each once and in order [LI-20]', async () => {
    const open = database();
    const flow = workflow(count(6));
    const first = await open([flow]);
    const { id } = await first.start(flow, {});
    await first.publish(eventOf('a', 0));
    await first.close();
    // Somebody who knows nothing of the workflow.
    const outside = await open([], { worker: false });
    for (const n of [1, 2, 3]) await outside.publish(eventOf('a', n));
    const last = eventOf('a', 4);
    await outside.publish(last);
    await outside.publish(last);
    await outside.close();
    const second = await open([flow]);
    const run = await second.get(id);
    await second.publish(eventOf('a', 5));
    expect(await run?.result()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('are heard before those that come after it is back [LI-20]', async () => {
    const open = database();
    const flow = workflow(`
      do:
        - hear:
            listen: { to: { any: [{ with: { type: a } }], until: '\${ length == 40 }' } }
            foreach:
              do: [{ tell: { emit: { event: { with: { type: told, data: '\${ $item }' } } } } }]
              output: { as: .data }
    `);
    const first = await open([flow]);
    const { id } = await first.start(flow, {});
    await first.close();
    const outside = await open([], { worker: false });
    for (let n = 0; n < 20; n += 1) await outside.publish(eventOf('a', n));
    const second = await open([flow]);
    for (let n = 20; n < 40; n += 1) await outside.publish(eventOf('a', n));
    const heard = await (await second.get(id))?.result();
    expect(heard).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });
});

describe('a process that dies', () => {
  test('after each event hears the next one in another [LI-20]', async () => {
    const open = database();
    const flow = workflow(count(4));
    let engine = await open([flow]);
    const { id } = await engine.start(flow, {});
    for (const n of [1, 2, 3, 4]) {
      await engine.publish(eventOf('a', n));
      // Nothing is given back, and nobody is told.
      engine.parts.worker?.abandon();
      await engine.close({ timeout: 0 });
      engine = await open([flow]);
    }
    expect(await (await engine.get(id))?.result()).toEqual([1, 2, 3, 4]);
  });
});

describe('two processes', () => {
  test('wake all that listen, each once [LI-22]', async () => {
    const open = database();
    const flow = workflow(count(2));
    const [one, other] = [await open([flow]), await open([flow])];
    const started = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? one : other).start(flow, {})),
    );
    const events: readonly Event[] = [eventOf('a', 1), eventOf('a', 2)];
    await one.publish(events[0] as Event);
    await other.publish(events[1] as Event);
    const results = await Promise.all(started.map((run) => run.result()));
    expect(results).toEqual(started.map(() => [1, 2]));
  });
});
