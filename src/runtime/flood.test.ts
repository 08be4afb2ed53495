/**
 * A flood of one customer's, and one instance of another's: as it would be, with real time and real
 * databases. `npm run bench -- limits` does the same with ten times as many.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { TENANT_READY_MAX } from '../model/limits.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';
import { Booths } from '../testing/booths.ts';
import { onEveryStore } from '../testing/lab.ts';
import { PostgresStores } from '../testing/postgres-stores.ts';
import { Gate, settled } from '../testing/stage.ts';
import { createEngine, type Engine } from './engine.ts';

const FLOOD = 20_000;
const AT_ONCE = 500;
const CONCURRENCY = 5;

interface Call {
  readonly customer: string;
}

/** Handlers stay at work for a turn of the event loop, and are counted. */
class Calls {
  readonly other: Gate<number> = new Gate<number>();
  atWork = 0;
  most = 0;

  readonly flow: Flow<Call> = flow<Call>('calls', {
    limit: { concurrency: CONCURRENCY, by: 'input.customer' },
  })
    .step('call', ({ input }) => this.#call(input.customer))
    .end();

  async #call(customer: string): Promise<void> {
    if (customer === 'other') return this.other.open(performance.now());
    this.atWork += 1;
    this.most = Math.max(this.most, this.atWork);
    await settled(2);
    this.atWork -= 1;
  }
}

describe('a flood of one customer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-flood-'));
  const stores = new PostgresStores();
  const engines: Engine[] = [];
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close({ timeout: 0 });
    await stores.close();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await stores.drop();
  });

  const databases: readonly (readonly [string, () => Store])[] = [
    ['SQLite', () => sqlite(join(folder, `${performance.now()}.db`))],
    ['Postgres', () => stores.make()],
  ];

  test.each(databases)('lets another begin within a second, on %s', async (_name, make) => {
    const calls = new Calls();
    const engine = await createEngine({ store: make(), flows: [calls.flow] });
    engines.push(engine);
    for (let started = 0; started < FLOOD; started += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, () => {
        return engine.start(calls.flow, { customer: 'flood' });
      });
      await Promise.all(some);
    }
    const [lane] = await engine.lanes.list();
    expect(lane).toMatchObject({ name: 'flow:calls=flood' });
    expect(lane?.waiting).toBeGreaterThan(FLOOD / 10);
    const since = performance.now();
    await engine.start(calls.flow, { customer: 'other' });
    expect((await calls.other.opened) - since).toBeLessThan(1_000);
    expect(calls.most).toBe(CONCURRENCY);
  });

  test.each(databases)('that goes on does not keep another waiting, on %s', async (_name, make) => {
    const [starters, most] = [20, 5_000];
    const begun: string[] = [];
    const job = flow<{ name: string }>('job')
      .step('work', async ({ input }) => {
        begun.push(input.name);
        await settled(2);
      })
      .end();
    // Nobody is handed over what is under a limit: it is claimed.
    const claimed = flow('claimed')
      .step('work', () => void begun.push('other'), { limit: { concurrency: 1 } })
      .end();
    const [flows, worker] = [[job, claimed], { concurrency: 4 }];
    const engine = await createEngine({ store: make(), flows, worker });
    engines.push(engine);
    let started = 0;
    // Every slot that is free could be taken by what is just being started here.
    const flood = async (): Promise<void> => {
      for (; started < most && !begun.includes('other'); started += 1) {
        await engine.start(job, { name: 'flood' }, { tenant: 'flood' });
      }
    };
    const flooding = Array.from({ length: starters }, flood);
    await until(() => begun.length > 10);
    const before = begun.length;
    await engine.start(claimed, null, { tenant: 'other' });
    await Promise.all(flooding);
    const after = begun.indexOf('other') - before;
    expect(after).toBeGreaterThanOrEqual(0);
    expect(after).toBeLessThan(TENANT_READY_MAX * 5);
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await settled(1);
}

onEveryStore('a flood of one tenant', (open) => {
  const MANY = 5_000;
  const SLOTS = 8;

  test('has another tenant begin after as many as may stand before it', async () => {
    const booths = new Booths();
    const job = flow<{ name: string }>('job')
      .step('work', ({ input }) => booths.sit(input.name))
      .end();
    const lab = await open([job], { concurrency: SLOTS });
    for (let started = 0; started < MANY; started += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, n) => {
        return lab.engine.start(job, { name: `${started + n}` }, { tenant: 'a' });
      });
      await Promise.all(some);
    }
    await lab.tick('1ms');
    expect(booths.atWork).toHaveLength(SLOTS);
    await lab.engine.start(job, { name: 'other' }, { tenant: 'b' });
    await lab.tick(0);
    const before = booths.begun.length;
    while (!booths.begun.includes('other') && booths.begun.length < before + 200) {
      booths.letAllGo();
      await lab.tick('1ms');
    }
    const after = booths.begun.indexOf('other') - before;
    expect(after).toBeGreaterThanOrEqual(0);
    expect(after).toBeLessThanOrEqual(TENANT_READY_MAX + SLOTS);
  });
});
