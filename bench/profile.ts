/**
 * Where the time goes: flows of five steps at saturation, and how many microseconds of CPU a step
 * costs in each layer, from the handler down to the database.
 *
 * The main thread is sampled by V8's own profiler, and what a sample was in is told by the file it
 * was in; samples are scaled to the CPU that the thread has really used. The other threads of the
 * process and the server's processes are counted by the system: the database thread of SQLite, the
 * threads that collect garbage, and the server of Postgres, as far as it can be seen from here.
 * Profiling costs something by itself (a tenth, about): read the shares, not the sum.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { createEngine, type Engine } from '../src/index.ts';
import { postgres } from '../src/postgres.ts';
import { sqlite } from '../src/sqlite.ts';
import { five, STEPS } from './five.ts';
import { type Findings, type Pace, runInLanes, spreadOf } from './measure.ts';
import { Databases } from './peers/databases.ts';

const LANES = 256;
const SAMPLE_US = 200;

/** In the order a step passes them. */
const LAYERS = [
  'handler',
  'runtime',
  'kernel',
  'encoding',
  'driver',
  'garbage',
  'database',
] as const;
type Layer = (typeof LAYERS)[number];
type Costs = Record<Layer, number>;

/** By the file a function is in; the first that fits. What is of Node and V8 serves the driver. */
const PLACES: readonly (readonly [RegExp, Layer])[] = [
  [/\/bench\//, 'handler'],
  [/\/src\/(kernel|nodes|compile|model|frontends)\//, 'kernel'],
  [/\/src\/stores\/(postgres\/driver|sqlite\/(connection|driver))\.ts/, 'driver'],
  [/\/src\/(stores|base)\//, 'encoding'],
  [/\/src\/runtime\//, 'runtime'],
];
/** Names that V8 gives to what is in no file. */
const IDLE = new Set(['(idle)', '(program)', '(root)']);
const GARBAGE = '(garbage collector)';

interface Base {
  readonly name: string;
  readonly engine: Engine;
  /** CPU of the server; null if it cannot be seen, or if there is none. */
  serverMs(): number | null;
}

export async function profile(pace: Pace): Promise<Findings> {
  const databases = await Databases.open();
  const worker = { concurrency: LANES };
  const open = (store: ReturnType<typeof sqlite>): Promise<Engine> =>
    createEngine({ store, flows: [five], worker });
  const bases: Base[] = [
    {
      name: 'postgres',
      engine: await open(postgres(await databases.make('postgres'))),
      serverMs: () => databases.cpuMs(),
    },
    {
      name: 'sqlite',
      engine: await open(sqlite(await databases.make('sqlite'))),
      serverMs: () => null,
    },
  ];
  const found = new Map<string, Costs[]>(bases.map(({ name }) => [name, []]));
  for (const base of bases) await run(base, pace.warmMs);
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const base of bases) {
      found.get(base.name)?.push(await sample(base, pace.lapMs));
      console.error(`${base.name}: round ${round + 1} of ${pace.rounds}`);
    }
  }
  for (const { engine } of bases) await engine.close();
  await databases.close();
  return findingsOf(found);
}

function run({ engine }: Base, ms: number): Promise<number> {
  return runInLanes(LANES, ms, async () => (await engine.start(five, null)).result());
}

async function sample(base: Base, ms: number): Promise<Costs> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  const before = spent(base);
  const steps = STEPS * (await run(base, ms));
  const after = spent(base);
  const { profile: sampled } = await session.post('Profiler.stop');
  session.disconnect();
  const mainUs = after.mainUs - before.mainUs;
  const costs = sharesOf(sampled);
  for (const layer of LAYERS) costs[layer] *= mainUs / steps;
  costs.garbage += (after.garbageUs - before.garbageUs) / steps;
  costs.database += (after.databaseUs - before.databaseUs) / steps;
  return costs;
}

interface Spent {
  readonly mainUs: number;
  readonly garbageUs: number;
  readonly databaseUs: number;
}

function spent(base: Base): Spent {
  const { user, system } = process.threadCpuUsage();
  const all = process.cpuUsage();
  const mainUs = user + system;
  const databaseUs = threadUs('perdure-sqlite');
  return {
    mainUs,
    // What is left in the process: V8's own threads.
    garbageUs: all.user + all.system - mainUs - databaseUs,
    databaseUs: databaseUs + (base.serverMs() ?? 0) * 1_000,
  };
}

/** CPU of the threads of that name so far, where the system tells. */
function threadUs(name: string): number {
  try {
    return readdirSync('/proc/self/task')
      .filter((id) => read(`/proc/self/task/${id}/comm`).startsWith(name.slice(0, 15)))
      .map((id) => Number(read(`/proc/self/task/${id}/schedstat`).split(' ')[0]) / 1_000)
      .reduce((sum, us) => sum + us, 0);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) return 0;
    throw thrown;
  }
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Of the time the thread was at work, the part of each layer. */
function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Costs {
  const layers = new Map(nodes.map(({ id, callFrame }) => [id, layerOf(callFrame)]));
  const costs = Object.fromEntries(LAYERS.map((layer) => [layer, 0])) as Costs;
  let total = 0;
  for (const [index, node] of samples.entries()) {
    const layer = layers.get(node);
    const us = timeDeltas[index] ?? 0;
    if (layer === undefined || layer === null || us < 0) continue;
    costs[layer] += us;
    total += us;
  }
  for (const layer of LAYERS) costs[layer] /= Math.max(total, 1);
  return costs;
}

function layerOf({ functionName, url }: { functionName: string; url: string }): Layer | null {
  if (IDLE.has(functionName)) return null;
  if (functionName === GARBAGE) return 'garbage';
  return PLACES.find(([place]) => place.test(url))?.[1] ?? 'driver';
}

function findingsOf(found: ReadonlyMap<string, readonly Costs[]>): Findings {
  const rates: Record<string, number> = {};
  const ratios: Record<string, number> = {};
  const rows = [['store', ...LAYERS, 'all, CPU µs per step']];
  for (const [name, samples] of found) {
    const medians = LAYERS.map((layer) => spreadOf(samples.map((costs) => costs[layer])).median);
    const all = medians.reduce((sum, us) => sum + us, 0);
    for (const [index, layer] of LAYERS.entries()) {
      const us = medians[index] ?? Number.NaN;
      rates[`${name}_${layer}_us`] = rounded(us);
      ratios[`${name}_${layer}`] = rounded(us / all);
    }
    const cells = medians.map((us) => `${rounded(us)} (${Math.round((us / all) * 100)} %)`);
    rows.push([name, ...cells, `${rounded(all)}`]);
  }
  return { ratios, rates, cpuRatios: {}, tables: [{ rows }], notes: NOTES };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

const NOTES = [
  `Flows of ${STEPS} steps that do nothing, ${LANES} at a time, from start to result.`,
  'handler: the functions of the flow and the program that starts it. kernel: what a step means.',
  'runtime: the worker, the cache, the committer. encoding: rows and JSON to and from text.',
  'driver: the client, its sockets, messages to the database thread, and what is of Node itself.',
  "garbage: V8's collector, on the main thread and on its own threads, and its compiler's.",
  "database: the server's processes, or the thread that SQLite runs in.",
  'The main thread is sampled, and its samples scaled to the CPU it used; medians of the rounds.',
];
