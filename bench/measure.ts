/**
 * Racing two sides fairly on a machine that does other things too.
 *
 * Each side runs in a process of its own: in one process each would pay for what the other leaves
 * on the heap. Laps alternate, ours and theirs, and each round has a ratio of its own: what slows
 * the machine for a second slows both sides of that round. Medians over the rounds are what is
 * reported, with the least and the most beside them. Every lap has a run-in that is not timed. The
 * CPU that a run takes is measured too; on a busy machine it is the steadier number of the two.
 */
/** How long to measure. */
export interface Pace {
  readonly rounds: number;
  readonly lapMs: number;
  readonly warmMs: number;
  /** How many instances show whether a step costs the same early and late. */
  readonly instances: number;
  /** Whether a first impression is enough. */
  readonly quick: boolean;
}

/** One way of doing the work. */
export interface Contender {
  readonly name: string;
  /** Sets a lap up, untimed. */
  prepare(): Promise<Lap>;
}

export interface Lap {
  /** Does runs for about so long, at least one, and says how many came to their end. */
  go(ms: number): Promise<number>;
  close(): Promise<void>;
}

export interface Race {
  readonly ours: Side;
  /** The best of those that ran. */
  readonly peer: Side;
  /** Rates of ours by rates of the peer, round by round. */
  readonly ratio: Spread;
  /** CPU of the peer by CPU of ours, per run. */
  readonly cpuRatio: Spread;
}

export interface Side {
  readonly name: string;
  readonly rate: Spread;
  readonly cpuUs: Spread;
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** What a bench found out: for machines by name, for people as tables. */
export interface Findings {
  readonly ratios: Readonly<Record<string, number>>;
  readonly rates: Readonly<Record<string, number>>;
  readonly cpuRatios: Readonly<Record<string, number>>;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  /** How much was measured, where a quick run and a full one differ by more than rounds. */
  readonly sizes?: object;
}

/** The first row is its head. */
export interface Table {
  readonly title?: string;
  readonly rows: readonly (readonly string[])[];
}

/** How much of a lap is run before the clock is started. */
const RUN_IN = 0.2;

export interface Sample {
  readonly rate: number;
  readonly cpuUs: number;
}

/** A contender in a process of its own. */
export interface Runner {
  readonly name: string;
  lap(ms: number): Promise<Sample>;
}

/** Several peers may run, the same work done in several ways: the one that does best counts. */
export async function race(ours: Runner, peers: readonly Runner[], pace: Pace): Promise<Race> {
  const all = [ours, ...peers];
  // Warming up is laps that do not count: one long lap would leave a heap that no other lap has.
  for (const runner of all) {
    for (let ms = 0; ms < pace.warmMs; ms += pace.lapMs) await runner.lap(pace.lapMs);
  }
  const samples: Sample[][] = all.map(() => []);
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const [index, runner] of all.entries()) {
      samples[index]?.push(await runner.lap(pace.lapMs));
    }
  }
  const [mine = [], ...others] = samples;
  const best = bestOf(others);
  const theirs = others[best] ?? [];
  return {
    ours: sideOf(ours.name, mine),
    peer: sideOf(peers[best]?.name ?? '', theirs),
    ratio: spreadOf(mine.map(({ rate }, round) => rate / (theirs[round]?.rate ?? rate))),
    cpuRatio: spreadOf(mine.map(({ cpuUs }, round) => (theirs[round]?.cpuUs ?? cpuUs) / cpuUs)),
  };
}

export async function lap(contender: Contender, ms: number): Promise<Sample> {
  const prepared = await contender.prepare();
  await prepared.go(ms * RUN_IN);
  const cpu = process.cpuUsage();
  const before = performance.now();
  const runs = await prepared.go(ms);
  const elapsedMs = performance.now() - before;
  const { user, system } = process.cpuUsage(cpu);
  await prepared.close();
  return { rate: (runs * 1_000) / elapsedMs, cpuUs: (user + system) / runs };
}

/** So many at a time, each starting the next until the time is over. */
export async function runInLanes(
  lanes: number,
  ms: number,
  one: () => Promise<unknown>,
): Promise<number> {
  const until = performance.now() + ms;
  let runs = 0;
  const lane = async (): Promise<void> => {
    do {
      await one();
      runs += 1;
    } while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return runs;
}

/** The same for work that never waits. */
export function runInTurn(ms: number, one: () => void): number {
  const until = performance.now() + ms;
  let runs = 0;
  do {
    one();
    runs += 1;
  } while (performance.now() < until);
  return runs;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  return { median, least: at(0), most: at(sorted.length - 1) };
}

/** The median, and the least and the most beside it. */
export function showSpread({ median, least, most }: Spread): string {
  const [a, b, c] = [median, least, most].map((value) => Number(value.toPrecision(3)));
  return `${a} (${b}–${c})`;
}

export function shortened(value: number): string {
  return String(rounded(value));
}

/** Three digits are more than these numbers are worth. */
export function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function sideOf(name: string, samples: readonly Sample[]): Side {
  const rate = spreadOf(samples.map((sample) => sample.rate));
  return { name, rate, cpuUs: spreadOf(samples.map((sample) => sample.cpuUs)) };
}

function bestOf(sides: readonly (readonly Sample[])[]): number {
  const medians = sides.map((samples) => sideOf('', samples).rate.median);
  return medians.indexOf(Math.max(...medians));
}
