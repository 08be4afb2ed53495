/**
 * What does it take? For whoever plans a Postgres server: how much CPU a step costs in the process
 * and in the database, and how much write-ahead log it makes, with few and with many instances at a
 * time; and how much of an instance stays on the disk once it has ended, or while it waits.
 *
 * Rates are not told: how fast it is on a machine of its own is what `steps` and `peers` measure.
 * Bytes are counted after a vacuum. What stays are the rows that an instance leaves behind; what is
 * left of the tables of running work is room for the next.
 */
import { Client } from 'pg';
import { createEngine, type Flow, flow } from '../src/index.ts';
import { postgres } from '../src/postgres.ts';
import { PostgresServer } from '../src/testing/postgres-server.ts';
import { five, STEPS } from './five.ts';
import {
  type Findings,
  type Pace,
  runInLanes,
  shortened,
  showSpread,
  spreadOf,
} from './measure.ts';
import { postmasterOf, serverCpuMs } from './peers/server-cpu.ts';

const LANES = [1, 4, 16, 64, 256] as const;
/** Enough that pages that are not full count for nothing. */
const INSTANCES = { full: 4_000, quick: 1_000 } as const;
const AT_A_TIME = 200;
/** What is left of an instance when it is over. */
const LASTING: ReadonlySet<string> = new Set(['instance', 'instance_input', 'history', 'snapshot']);

interface Cost {
  readonly nodeUs: number;
  readonly serverUs: number;
  readonly walBytes: number;
}

interface Left {
  readonly lasting: number;
  readonly work: number;
}

export async function sizing(pace: Pace): Promise<Findings> {
  const server = await PostgresServer.start();
  const client = new Client(server.url());
  await client.connect();
  try {
    const costs = await costsOf(server.url(), client, pace);
    const left: (readonly [string, Left])[] = [];
    const count = pace.quick ? INSTANCES.quick : INSTANCES.full;
    for (const [name, of] of KINDS) {
      left.push([name, await leftOf(server.url(), client, of, count)]);
    }
    return findingsOf(costs, left);
  } finally {
    await client.end();
    await server.stop();
  }
}

const nothing = (): null => null;
const waits = flow('waits').waitFor('word', { event: 'word', key: 'k' }).end();
const one = flow('one').step('a', nothing).end();
const ten = flow('ten')
  .step('zero', nothing)
  .step('one', nothing)
  .step('two', nothing)
  .step('three', nothing)
  .step('four', nothing)
  .step('five', nothing)
  .step('six', nothing)
  .step('seven', nothing)
  .step('eight', nothing)
  .step('nine', nothing)
  .end();

const KINDS: readonly (readonly [string, Flow])[] = [
  ['ended, of 1 step', one],
  ['ended, of 5 steps', five],
  ['ended, of 10 steps', ten],
  ['waiting for a message', waits],
];

type Costs = ReadonlyMap<number, readonly Cost[]>;

async function costsOf(url: string, client: Client, pace: Pace): Promise<Costs> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = postmasterOf(rows[0]?.pid ?? Number.NaN);
  const worker = { concurrency: Math.max(...LANES) };
  const engine = await createEngine({ store: postgres(url), flows: [five], worker });
  const run = async (): Promise<unknown> => (await engine.start(five, null)).result();
  const costs = new Map<number, Cost[]>(LANES.map((lanes) => [lanes, []]));
  await runInLanes(Math.max(...LANES), pace.warmMs, run);
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const lanes of LANES) {
      await runInLanes(lanes, pace.lapMs / 5, run);
      const before = await readings(client, postmaster);
      const done = STEPS * (await runInLanes(lanes, pace.lapMs, run));
      const after = await readings(client, postmaster);
      const cost = {
        nodeUs: (after.nodeUs - before.nodeUs) / done,
        serverUs: (after.serverUs - before.serverUs) / done,
        walBytes: (after.walBytes - before.walBytes) / done,
      };
      costs.get(lanes)?.push(cost);
      console.error(`${lanes} at a time: ${Math.round(cost.serverUs)} µs of the server per step`);
    }
  }
  await engine.close();
  return costs;
}

async function readings(client: Client, postmaster: number | null): Promise<Cost> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`,
  );
  const { user, system } = process.cpuUsage();
  const serverMs = serverCpuMs(postmaster) ?? Number.NaN;
  return {
    nodeUs: user + system,
    serverUs: serverMs * 1_000,
    walBytes: Number(rows[0]?.bytes),
  };
}

/** Bytes per instance, of a schema of its own. */
async function leftOf(url: string, client: Client, of: Flow, count: number): Promise<Left> {
  const schema = 'sizing';
  const engine = await createEngine({ store: postgres(url, { schema }), flows: [of] });
  const before = await sizesOf(client, schema);
  for (let begun = 0; begun < count; begun += AT_A_TIME) {
    const some = Array.from({ length: AT_A_TIME }, () => engine.start(of, null as never));
    const runs = await Promise.all(some);
    if (of !== waits) await Promise.all(runs.map((run) => run.result()));
  }
  await engine.close();
  const after = await sizesOf(client, schema);
  await client.query(`drop schema ${schema} cascade`);
  const grown = (isLasting: boolean): number => {
    const names = [...after.keys()].filter((name) => LASTING.has(name) === isLasting);
    const bytes = names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
    return bytes.reduce((sum, each) => sum + each, 0) / count;
  };
  return { lasting: grown(true), work: grown(false) };
}

/** Tables with their indexes. */
async function sizesOf(client: Client, schema: string): Promise<ReadonlyMap<string, number>> {
  await client.query('vacuum');
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

function findingsOf(costs: Costs, left: readonly (readonly [string, Left])[]): Findings {
  const rates: Record<string, number> = {};
  const table = [['instances at a time', 'Node CPU µs', 'server CPU µs', 'log, bytes']];
  for (const [lanes, samples] of costs) {
    const of = (name: keyof Cost) => spreadOf(samples.map((sample) => sample[name]));
    rates[`serverUs_${lanes}`] = Math.round(of('serverUs').median);
    table.push([
      String(lanes),
      ...(['nodeUs', 'serverUs', 'walBytes'] as const).map((name) => showSpread(of(name))),
    ]);
  }
  const sizes = left.map(([name, { lasting, work }]) => {
    return [name, shortened(lasting), shortened(work)];
  });
  return {
    ratios: {},
    rates,
    cpuRatios: {},
    tables: [
      { title: 'What a step costs on Postgres', rows: table },
      {
        title: 'What an instance leaves on the disk',
        rows: [['instance', 'bytes that stay', 'bytes of work tables'], ...sizes],
      },
    ],
    notes: NOTES,
  };
}

const NOTES = [
  `Flows of ${STEPS} steps with handlers that do nothing, from start to result, in one process.`,
  'Postgres 18.4 with its defaults, fsync and synchronous_commit on, on the same machine.',
  'Server CPU is that of all its processes, housekeeping included. Log is write-ahead log.',
  'Bytes with indexes, after a vacuum, without inputs and results, which come on top of it.',
  'Work tables are emptied as instances end, and what they keep is used again.',
];
