/**
 * What does a limit cost? Flows of one step with a handler that does nothing, from start to result,
 * on each database with full durability: without a limit, with one that is never reached, with one
 * that holds most of them back, and of instances that have a tenant. A step under a limit is never
 * handed over: it waits in its lane, is let through and is claimed.
 *
 * And how long does one customer wait behind a flood of another's? As many instances of one as the
 * pace says, five of which may be at work, and then one of another: the time from its start to its
 * handler. Laps of the kinds take turns, so that what slows the machine slows all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, flow, type Store } from '../src/index.ts';
import { postgres } from '../src/postgres.ts';
import { sqlite } from '../src/sqlite.ts';
import { PostgresServer } from '../src/testing/postgres-server.ts';
import {
  type Findings,
  type Pace,
  runInLanes,
  showSpread,
  type Spread,
  spreadOf,
} from './measure.ts';

/** Runs under way at a time. */
const MANY = 256;
/** Far fewer than are under way. */
const FEW = 16;
const FLOOD = 200_000;
const FLOOD_QUICK = 20_000;
const AT_ONCE = 500;

interface Input {
  readonly customer: string;
}

const free = flow<Input>('free')
  .step('work', () => null)
  .end();
const wide = flow<Input>('wide', { limit: { concurrency: 2 * MANY } })
  .step('work', () => null)
  .end();
const narrow = flow<Input>('narrow', { limit: { concurrency: FEW } })
  .step('work', () => null)
  .end();

/** What the one that comes after the flood is waited for by. */
const arrived: { at: (now: number) => void } = { at: () => {} };
const calls = flow<Input>('calls', { limit: { concurrency: 5, by: 'input.customer' } })
  .step('call', async ({ input }) => {
    if (input.customer === 'other') arrived.at(performance.now());
  })
  .end();

const KINDS = [
  { name: 'free', of: free, tenant: null },
  { name: 'wide', of: wide, tenant: null },
  { name: 'narrow', of: narrow, tenant: null },
  { name: 'tenant', of: free, tenant: 'acme' },
] as const;

interface Base {
  readonly name: string;
  readonly engine: Engine;
  close(): Promise<void>;
}

export async function limits(pace: Pace): Promise<Findings> {
  const ratios: Record<string, number> = {};
  const rates: Record<string, number> = {};
  const speeds = [['store', 'kind', 'flows/s', 'of those without a limit']];
  const floods = [['store', 'waiting when it came', 'waited, ms']];
  for (const open of [openPostgres, openSqlite]) {
    const base = await open();
    for (const [kind, { rate, ratio }] of await race(base, pace)) {
      const name = `${base.name}_${kind}`;
      rates[name] = Math.round(rate.median);
      if (kind !== 'free') ratios[name] = Number(ratio.median.toPrecision(3));
      speeds.push([base.name, kind, showSpread(rate), showSpread(ratio)]);
    }
    const { waiting, ms } = await flood(base, pace.quick ? FLOOD_QUICK : FLOOD);
    rates[`${base.name}_flood_wait_ms`] = Number(ms.toPrecision(3));
    floods.push([base.name, `${waiting}`, ms.toPrecision(3)]);
    await base.close();
  }
  return { ratios, rates, cpuRatios: {}, tables: [{ rows: speeds }, { rows: floods }], notes };
}

const notes = [
  `Flows of one step that does nothing, ${MANY} at a time, from start to result, in one process.`,
  `wide: a limit of ${2 * MANY} at a time, which is never reached. narrow: of ${FEW}.`,
  'tenant: no limit, but all instances are of one tenant. Ratios are those of one round.',
  'The flood: instances of one customer, of which 5 may be at work, and one of another.',
];

interface Speed {
  readonly rate: Spread;
  readonly ratio: Spread;
}

async function race({ engine, name }: Base, pace: Pace): Promise<ReadonlyMap<string, Speed>> {
  const samples = new Map<string, number[]>(KINDS.map((kind) => [kind.name, []]));
  const lap = async ({ of, tenant }: (typeof KINDS)[number], ms: number): Promise<number> => {
    const options = tenant === null ? {} : { tenant };
    const one = async (): Promise<unknown> =>
      (await engine.start(of, { customer: 'one' }, options)).result();
    const since = performance.now();
    const done = await runInLanes(MANY, ms, one);
    return (done * 1_000) / (performance.now() - since);
  };
  for (const kind of KINDS) await lap(kind, pace.warmMs / 2);
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const kind of KINDS) {
      const rate = await lap(kind, pace.lapMs);
      samples.get(kind.name)?.push(rate);
      console.error(`${name} ${kind.name}: ${Math.round(rate)} flows/s`);
    }
  }
  const base = samples.get('free') ?? [];
  return new Map(
    [...samples].map(([kind, all]) => {
      const ratio = spreadOf(all.map((rate, round) => rate / (base[round] ?? rate)));
      return [kind, { rate: spreadOf(all), ratio }];
    }),
  );
}

async function flood(
  { engine, name }: Base,
  count: number,
): Promise<{ readonly waiting: number; readonly ms: number }> {
  for (let started = 0; started < count; started += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, () => engine.start(calls, { customer: 'flood' }));
    await Promise.all(some);
    if (started % (count / 10) === 0) console.error(`${name} flood: ${started} started`);
  }
  const lane = (await engine.lanes.list()).find((one) => one.name === 'flow:calls=flood');
  const came = new Promise<number>((resolve) => {
    arrived.at = resolve;
  });
  const since = performance.now();
  await engine.start(calls, { customer: 'other' });
  return { waiting: lane?.waiting ?? 0, ms: (await came) - since };
}

async function openPostgres(): Promise<Base> {
  const server = await PostgresServer.start();
  const base = await opened('postgres', postgres(server.url()));
  const close = async (): Promise<void> => {
    await base.close();
    await server.stop();
  };
  return { ...base, close };
}

async function openSqlite(): Promise<Base> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  const base = await opened('sqlite', sqlite(join(folder, 'bench.db')));
  const close = async (): Promise<void> => {
    await base.close();
    rmSync(folder, { recursive: true });
  };
  return { ...base, close };
}

async function opened(name: string, store: Store): Promise<Base> {
  const flows = [free, wide, narrow, calls];
  const engine = await createEngine({ store, flows, worker: { concurrency: MANY } });
  // What is left of the flood is nobody's loss.
  return { name, engine, close: () => engine.close({ timeout: 0 }) };
}
