/**
 * Does an item of a map cost the same among ten thousand as among one thousand? A parallel map with
 * a step that does nothing, all items at the same time in one instance, from start to result, on
 * each database with full durability.
 *
 * In every round as many items are done ten times a thousand as once ten thousand, and the ratio is
 * that of the times of the round: what slows the machine slows both. Beside it stands how many
 * commits had to be done again because another one of the same instance was first, and what the
 * heap came to.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, flow, type Store } from '../src/index.ts';
import { postgres } from '../src/postgres.ts';
import { sqlite } from '../src/sqlite.ts';
import { PostgresServer } from '../src/testing/postgres-server.ts';
import { guardedStore } from '../src/testing/wrapped-store.ts';
import { type Findings, type Pace, showSpread, spreadOf } from './measure.ts';

const FEW = 1_000;
const MANY = 10_000;
const ROUNDS = 5;
const ROUNDS_QUICK = 3;
const LOOK_MS = 20;

interface Input {
  readonly count: number;
}

const fan = flow<Input>('fan')
  .map('each', { over: ({ input }) => Array.from({ length: input.count }, (_, at) => at) }, (b) =>
    b.step('work', ({ item }) => item),
  )
  .end(({ results }) => results.each.length);

/** What the store was asked to commit, and how much of it somebody else was before. */
interface Commits {
  all: number;
  again: number;
}

interface Base {
  readonly name: string;
  readonly engine: Engine;
  readonly commits: Commits;
  close(): Promise<void>;
}

export async function fanout(pace: Pace): Promise<Findings> {
  const ratios: Record<string, number> = {};
  const rates: Record<string, number> = {};
  const rows = [['store', 'µs per item of 1,000', 'of 10,000', 'ratio', 'again', 'heap, MB']];
  for (const open of [openSqlite, openPostgres]) {
    const base = await open();
    const found = await measure(base, pace.quick ? ROUNDS_QUICK : ROUNDS);
    await base.close();
    const { few, many, ratio, heapMb, again } = found;
    ratios[base.name] = Number(ratio.median.toPrecision(3));
    rates[`${base.name}_items_per_s`] = Math.round(1_000_000 / many.median);
    rates[`${base.name}_commits_again`] = Number(again.toPrecision(3));
    rates[`${base.name}_heap_mb`] = Math.round(heapMb);
    const spreads = [few, many, ratio].map(showSpread);
    rows.push([base.name, ...spreads, `${(100 * again).toFixed(2)} %`, heapMb.toFixed(0)]);
  }
  return { ratios, rates, cpuRatios: {}, tables: [{ rows }], notes };
}

const notes = [
  'A parallel map without a limit in one instance, of a step that does nothing; one process.',
  'Ratio: time per item of 10,000 by that of 1,000 in the same round; asked: at most 1.5.',
  'Again: commits that had to be computed anew, of all; asked: at most 1 %.',
  'Heap: the most that was in use while the 10,000 were done.',
];

type Measured = Readonly<Record<'few' | 'many' | 'ratio', ReturnType<typeof spreadOf>>> & {
  readonly again: number;
  readonly heapMb: number;
};

async function measure({ name, engine, commits }: Base, rounds: number): Promise<Measured> {
  const few: number[] = [];
  const many: number[] = [];
  let heapMb = 0;
  await itemUs(engine, FEW);
  for (let round = 0; round < rounds; round += 1) {
    let total = 0;
    for (let at = 0; at < MANY / FEW; at += 1) total += await itemUs(engine, FEW);
    few.push((total * FEW) / MANY);
    const heap = new HeapWatch();
    many.push(await itemUs(engine, MANY));
    heapMb = Math.max(heapMb, heap.end());
    const told = [few.at(-1) ?? 0, many.at(-1) ?? 0].map((us) => us.toFixed(0));
    console.error(`${name}: ${told[0]} µs per item of 1,000, ${told[1]} µs of 10,000`);
  }
  const ratio = spreadOf(many.map((us, round) => us / (few[round] ?? us)));
  const again = commits.again / commits.all;
  return { few: spreadOf(few), many: spreadOf(many), ratio, again, heapMb };
}

async function itemUs(engine: Engine, count: number): Promise<number> {
  const since = performance.now();
  const run = await engine.start(fan, { count });
  const done = await run.result();
  if (done !== count) throw new Error(`${done} of ${count} items are done`);
  return ((performance.now() - since) * 1_000) / count;
}

/** The most that was in use, as often as it is looked. */
class HeapWatch {
  #most = 0;
  readonly #timer = setInterval(() => this.#look(), LOOK_MS);

  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#most;
  }

  #look(): void {
    this.#most = Math.max(this.#most, process.memoryUsage().heapUsed / 1_000_000);
  }
}

async function openPostgres(): Promise<Base> {
  const server = await PostgresServer.start();
  return opened('postgres', postgres(server.url()), () => server.stop());
}

async function openSqlite(): Promise<Base> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  return opened('sqlite', sqlite(join(folder, 'bench.db')), async () => {
    rmSync(folder, { recursive: true });
  });
}

async function opened(name: string, store: Store, clean: () => Promise<void>): Promise<Base> {
  const commits: Commits = { all: 0, again: 0 };
  const counted = guardedStore(store, async (verb, call) => {
    const answer = await call();
    if (verb !== 'commit') return answer;
    const outcomes = answer as readonly { readonly outcome: string }[];
    commits.all += outcomes.length;
    commits.again += outcomes.filter(({ outcome }) => outcome !== 'committed').length;
    return answer;
  });
  const engine = await createEngine({ store: counted, flows: [fan] });
  const close = async (): Promise<void> => {
    await engine.close();
    await clean();
  };
  return { name, engine, commits, close };
}
