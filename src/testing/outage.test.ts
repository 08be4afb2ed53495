/**
 * Engines whose Postgres server goes away under load, for real: killed and started again, cut off,
 * or answering into the void. Nothing that was begun is lost or done twice.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { createEngine, type Engine } from '../runtime/engine.ts';
import type { EngineWorker } from '../runtime/options.ts';
import { postgres } from '../stores/postgres/postgres.ts';
import { Dice } from './dice.ts';
import { answer, checkErrands, errandOf, type Started, start } from './errands.ts';
import { fleetFlows, type LedgerLine } from './fleet-flows.ts';
import { PoolingProxy } from './pooling-proxy.ts';
import { freshSchema } from './postgres-schema.ts';
import { PostgresServer } from './postgres-server.ts';
import { type CommitLoss, TcpProxy } from './tcp-proxy.ts';
import type { TokenRun } from './token-runs.ts';
import { Notebook } from './world.ts';

const INSTANCES = 300;
/** So many are being started at any time. */
const STARTERS = 10;
/** Outages, evenly over the load. */
const OUTAGES = 3;
/** Of the starts, before how many all connections are cut; of the commits, how many are lost. */
const CUT_ONE_IN = 10;
const LOST_ONE_IN = 3;
/** How many of either there are surely, whatever the moments are. */
const LEAST = 5;
const SEED = 20_261_117;

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function proxied(): Promise<TcpProxy> {
  const proxy = await TcpProxy.start({ host: '127.0.0.1', port: server.port });
  opened.push(proxy);
  return proxy;
}

/** An engine under load, and what its handlers did. */
class Load {
  readonly engine: Engine;
  readonly ledger: readonly LedgerLine[];
  readonly dice: Dice = new Dice(SEED);
  readonly started: Started[] = [];
  /** Starts and answers that were refused and asked for again. */
  refusals = 0;

  private constructor(engine: Engine, ledger: readonly LedgerLine[]) {
    this.engine = engine;
    this.ledger = ledger;
  }

  static async open(url: string, worker: Partial<EngineWorker>): Promise<Load> {
    const ledger: LedgerLine[] = [];
    const engine = await createEngine({
      store: postgres(url, { schema: freshSchema() }),
      flows: fleetFlows((line) => void ledger.push(line)),
      worker,
      logger: new Notebook(),
    });
    opened.push(engine);
    return new Load(engine, ledger);
  }

  /** Until all has ended; `meanwhile` is called before each one is started, with its number. */
  async run(meanwhile: (number: number) => Promise<void> | void): Promise<void> {
    let next = 0;
    const starter = async (): Promise<void> => {
      while (next < INSTANCES) {
        const number = next;
        next += 1;
        await meanwhile(number);
        const errand = errandOf(number, this.dice);
        this.started.push(await this.#insist(() => start(this.engine, errand)));
        if (errand.flow === 'message') await this.#insist(() => answer(this.engine, errand.key));
      }
    };
    await Promise.all(Array.from({ length: STARTERS }, starter));
    await Promise.allSettled(this.started.map(({ run }) => run.result()));
  }

  /** What a caller does that is told to come back later. */
  async #insist<Value>(act: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await act();
      } catch (thrown) {
        if (!(thrown instanceof EngineError) || thrown.code !== 'store.unreachable') throw thrown;
        this.refusals += 1;
        await new Promise((resolve) => void setTimeout(resolve, this.dice.roll(200)));
      }
    }
  }
}

/**
 * All ended as it must; and since the process was there all the time, nothing ran twice. A claim
 * whose answer was lost is found by its lease (ADR 17), and so is one that could not be given back
 * when its instance could no longer be read: those are recoveries of what never began.
 */
async function expectUndisturbed({ engine, started, ledger }: Load): Promise<readonly TokenRun[]> {
  const runs = await checkErrands(engine, started, ledger);
  expect(runs.filter(({ dropped }) => dropped.length > 0)).toEqual([]);
  expect(ledger.length).toBe(runs.length);
  return runs;
}

/** Every so many numbers, and not at the very beginning. */
function isTurn(number: number): boolean {
  return number % Math.floor(INSTANCES / OUTAGES) === Math.floor(INSTANCES / OUTAGES / 2);
}

describe(`an engine under load (seed ${SEED})`, () => {
  test('goes on after its server was killed and started again, three times', async () => {
    const load = await Load.open(server.url(), { lease: '2s', poll: '200ms' });
    let outages = 0;
    await load.run(async (number) => {
      if (!isTurn(number)) return;
      await server.stopImmediately();
      outages += 1;
      await server.startAgain();
    });
    await expectUndisturbed(load);
    expect(outages).toBe(OUTAGES);
  });

  test('goes on after its connections were cut, again and again', async () => {
    const proxy = await proxied();
    const load = await Load.open(proxy.url(server.url()), { lease: '2s', poll: '200ms' });
    let cuts = 0;
    await load.run((number) => {
      if (number === 0 || load.dice.roll(CUT_ONE_IN) > 0) return;
      proxy.cut();
      cuts += 1;
    });
    await expectUndisturbed(load);
    expect(cuts).toBeGreaterThan(LEAST);
  });

  test.each<CommitLoss>(['lose-reply', 'lose-request'])(
    'finds out about commits that %s: nothing is refused, dropped or run twice',
    async (loss) => {
      const proxy = await proxied();
      const load = await Load.open(proxy.url(server.url()), { poll: '200ms' });
      proxy.armCommitLoss(loss, () => load.dice.roll(LOST_ONE_IN) === 0);
      await load.run(() => {});
      proxy.disarm();
      const runs = await expectUndisturbed(load);
      expect(runs.filter(({ recoveries }) => recoveries > 0)).toEqual([]);
      expect(proxy.lost).toBeGreaterThan(LEAST);
      expect(load.refusals).toBe(0);
    },
  );
});

test('behind a pooler and without bells, work is found within the poll interval', async () => {
  const pooler = await PoolingProxy.start(server.url(), { size: 3 });
  opened.push(pooler);
  const schema = freshSchema();
  const job = flow<number>('job')
    .step('work', ({ input }) => input + 1)
    .end(({ results }) => results.work);
  const open = async (worker: Partial<EngineWorker> | false): Promise<Engine> => {
    const store = postgres(pooler.url(server.url()), { schema, listen: false });
    const engine = await createEngine({ store, flows: [job], worker, logger: new Notebook() });
    opened.push(engine);
    return engine;
  };
  const pollMs = 1_000;
  const office = await open(false);
  await open({ poll: pollMs });
  for (let number = 0; number < 3; number += 1) {
    const run = await office.start(job, number);
    expect(await run.result()).toBe(number + 1);
    const [birth, end] = await run.history();
    const claim = end?.changes.find((change) => change.did === 'claim-token');
    expect((claim?.at ?? Number.NaN) - (birth?.at ?? Number.NaN)).toBeLessThan(3 * pollMs);
  }
  expect(await office.check()).toMatchObject({ ok: true, instances: 3 });
});
