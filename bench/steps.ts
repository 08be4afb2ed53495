/**
 * How many steps a second, and how many durable commits does a step cost? Flows of five steps with
 * handlers that do nothing, from start to result, on each database with full durability: many at a
 * time, where commits are grouped, and one at a time, where each step waits for its own.
 *
 * A durable commit is a transaction that writes, whatever it was for. Postgres counts them itself,
 * by their transaction ids; on SQLite they are the calls of the store that had something to write.
 * Laps on the two databases alternate, so that what slows the machine slows both.
 *
 * Rates say little from one day to the next, so the ratio to a loop written by hand (the ceiling of
 * `bench -- peers`) is measured too, and compared with the one that was last recorded.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createEngine, type Engine } from '../src/index.ts';
import { postgres } from '../src/postgres.ts';
import { sqlite } from '../src/sqlite.ts';
import { PostgresServer } from '../src/testing/postgres-server.ts';
import { countCalls } from './commits.ts';
import { five, STEPS } from './five.ts';
import {
  type Findings,
  type Pace,
  runInLanes,
  showSpread,
  type Spread,
  spreadOf,
} from './measure.ts';
import type { ContenderName } from './peers/contenders.ts';
import { endAll } from './peers/crew.ts';
import { Databases } from './peers/databases.ts';
import { House, ratioOf } from './peers/house.ts';
import { Report } from './peers/report.ts';
import { FULL, QUICK } from './peers/sizes.ts';
import { laps, rateOf } from './peers/workloads/saturation.ts';
import { againstRecorded, hasFallen, record } from './recorded.ts';

/** Runs under way at a time. */
const MANY = 256;

interface Base {
  readonly name: string;
  readonly engine: Engine;
  /** Durable commits so far. */
  commits(): Promise<number>;
  close(): Promise<void>;
}

interface Sample {
  /** Steps per second. */
  readonly rate: number;
  readonly commitsPerStep: number;
  readonly cpuUs: number;
}

export async function steps(pace: Pace): Promise<Findings> {
  const bases = [await openPostgres(), await openSqlite()];
  const cases = bases.flatMap((base) => [
    { name: base.name, base, lanes: MANY, samples: [] as Sample[] },
    { name: `${base.name}Alone`, base, lanes: 1, samples: [] as Sample[] },
  ]);
  for (const { base } of cases) await lap(base, MANY, pace.warmMs / 2);
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const { name, base, lanes, samples } of cases) {
      const sample = await lap(base, lanes, pace.lapMs);
      samples.push(sample);
      console.error(`${name}: ${Math.round(sample.rate)} steps/s`);
    }
  }
  for (const base of bases) await base.close();
  const ceilings = await againstCeilings(pace);
  const parts = againstRecorded(medians(ceilings));
  if (!pace.quick) {
    if (hasFallen(parts)) process.exitCode = 1;
    else record(medians(ceilings));
  }
  return findingsOf(cases, ceilings, parts);
}

const RACES: readonly (readonly [string, ContenderName, ContenderName])[] = [
  ['postgres_vs_ceiling', 'perdure-postgres', 'ceiling-postgres'],
  ['sqlite_vs_ceiling', 'perdure-sqlite', 'ceiling-sqlite'],
];

/** Each in a process of its own, in laps that take turns. */
async function againstCeilings(pace: Pace): Promise<ReadonlyMap<string, Spread>> {
  const databases = await Databases.open();
  try {
    const house = new House(databases, pace.quick ? QUICK : FULL, new Report());
    const found = new Map<string, Spread>();
    for (const [name, ours, theirs] of RACES) {
      const sides = [await house.side(ours), await house.side(theirs)];
      const rates = await laps(house, sides, 'steps5', pace.rounds);
      const [mine = [], other = []] = [rates.get(ours), rates.get(theirs)];
      found.set(name, ratioOf(mine.map(rateOf), other.map(rateOf)));
      await house.leave(...sides);
    }
    return found;
  } finally {
    endAll();
    await databases.close();
  }
}

function medians(spreads: ReadonlyMap<string, Spread>): Record<string, number> {
  const entries = [...spreads].map(([name, { median }]) => [name, Number(median.toPrecision(3))]);
  return Object.fromEntries(entries) as Record<string, number>;
}

async function lap(base: Base, lanes: number, ms: number): Promise<Sample> {
  const { engine } = base;
  const one = async (): Promise<unknown> => (await engine.start(five, null)).result();
  await runInLanes(lanes, ms / 5, one);
  const [before, cpu, since] = [await base.commits(), process.cpuUsage(), performance.now()];
  const done = STEPS * (await runInLanes(lanes, ms, one));
  const seconds = (performance.now() - since) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    rate: done / seconds,
    commitsPerStep: ((await base.commits()) - before) / done,
    cpuUs: (user + system) / done,
  };
}

async function openPostgres(): Promise<Base> {
  const server = await PostgresServer.start();
  const client = new Client(server.url());
  await client.connect();
  const engine = await createEngine({ store: postgres(server.url()), flows: [five], worker });
  return {
    name: 'postgres',
    engine,
    commits: async () => {
      const { rows } = await client.query('select pg_snapshot_xmax(pg_current_snapshot())::text');
      return Number(Object.values(rows[0] ?? {})[0]);
    },
    close: async () => {
      await engine.close();
      await client.end();
      await server.stop();
    },
  };
}

async function openSqlite(): Promise<Base> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  const counted = countCalls(sqlite(join(folder, 'bench.db')));
  const engine = await createEngine({ store: counted.store, flows: [five], worker });
  return {
    name: 'sqlite',
    engine,
    commits: async () => counted.writes(),
    close: async () => {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const worker = { concurrency: MANY };

interface Case {
  readonly name: string;
  readonly lanes: number;
  readonly samples: readonly Sample[];
}

function findingsOf(
  cases: readonly Case[],
  ceilings: ReadonlyMap<string, Spread>,
  parts: Readonly<Record<string, number>>,
): Findings {
  const ratios: Record<string, number> = { ...medians(ceilings), ...parts };
  const rates: Record<string, number> = {};
  const table = [
    ['store', 'runs at a time', 'steps/s', 'durable commits per step', 'CPU µs per step'],
  ];
  for (const { name, lanes, samples } of cases) {
    const rate = spreadOf(samples.map((sample) => sample.rate));
    const commits = spreadOf(samples.map((sample) => sample.commitsPerStep));
    const cpu = spreadOf(samples.map((sample) => sample.cpuUs));
    rates[name] = Math.round(rate.median);
    ratios[`${name}CommitsPerStep`] = Number(commits.median.toPrecision(3));
    table.push([name, `${lanes}`, showSpread(rate), showSpread(commits), showSpread(cpu)]);
  }
  const compared = [...ceilings].map(([name, spread]) => {
    const part = parts[`${name}_vs_recorded`];
    return [name, showSpread(spread), part === undefined ? '' : `${part}`];
  });
  const against = [['ratio', 'now', 'by the one recorded before'], ...compared];
  return {
    ratios,
    rates,
    cpuRatios: {},
    tables: [{ rows: table }, { rows: against }],
    notes: NOTES,
  };
}

const NOTES = [
  `Flows of ${STEPS} steps with handlers that do nothing, from start to result, in one process.`,
  'Full durability on both: fsync and synchronous_commit on, synchronous=FULL.',
  'A durable commit is a transaction that writes, claims and heartbeats included.',
  'CPU is that of the Node process, with its threads; the Postgres server is not in it.',
];
