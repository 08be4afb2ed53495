/**
 * What does HTTP cost? Starts of a flow of five steps, which are for workers elsewhere, on SQLite
 * with full durability: by a call in the same process, and by a request from another process, as
 * many at a time. The same engine serves both, lap by lap in turns. A ratio says how much of the
 * rate inside is left outside; the client shares the machine's cores with the server.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Connection, postOf } from './http-client.ts';
import {
  type Findings,
  type Pace,
  rounded,
  runInLanes,
  type Sample,
  showSpread,
  type Spread,
  spreadOf,
} from './measure.ts';

/** Starts under way at a time: as a service has them on two cores, and a crowd. */
const LANES = { starts: 16, crowded: 64 } as const;
const TARGET = 0.5;
const START = postOf('/instances', { flow: 'five', input: null });
const CREATED = 201;

type Crowd = keyof typeof LANES;

interface Side {
  readonly inside: Sample[];
  readonly outside: Sample[];
}

export async function http(pace: Pace): Promise<Findings> {
  const child = fork(join(import.meta.dirname, 'http-host.ts'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const opening = Array.from({ length: LANES.crowded }, () => Connection.open(port));
  const connections = await Promise.all(opening);
  const sides: Record<Crowd, Side> = {
    starts: { inside: [], outside: [] },
    crowded: { inside: [], outside: [] },
  };
  try {
    for (const crowd of ['starts', 'crowded'] as const) {
      await measure(pace, child, connections.slice(0, LANES[crowd]), sides[crowd]);
    }
    return findingsOf(sides);
  } finally {
    for (const connection of connections) connection.close();
    child.disconnect();
  }
}

async function measure(
  pace: Pace,
  child: ChildProcess,
  connections: readonly Connection[],
  { inside, outside }: Side,
): Promise<void> {
  const warm = Math.ceil(pace.warmMs / pace.lapMs);
  for (let round = 0; round < warm + pace.rounds; round += 1) {
    const within = await lapInside(child, connections.length, pace.lapMs);
    const over = await lapOutside(child, connections, pace.lapMs);
    const rates = `${rounded(within.rate)} inside, ${rounded(over.rate)} over HTTP`;
    const cpu = `${rounded(within.cpuUs)} and ${rounded(over.cpuUs)} µs of CPU each`;
    const which = round < warm ? 'warming up' : `round ${round - warm + 1}`;
    console.error(`${connections.length} at a time, ${which}: ${rates}, ${cpu}`);
    if (round < warm) continue;
    inside.push(within);
    outside.push(over);
  }
}

interface Told extends Sample {
  readonly runs: number;
}

async function ask(child: ChildProcess, lanes: number, ms: number): Promise<Told> {
  child.send({ lanes, ms });
  const [told] = (await once(child, 'message')) as [Told];
  return told;
}

async function lapInside(child: ChildProcess, lanes: number, ms: number): Promise<Sample> {
  const before = await ask(child, 0, 0);
  const { runs, rate, cpuUs } = await ask(child, lanes, ms);
  return { rate, cpuUs: (cpuUs - before.cpuUs) / runs };
}

async function lapOutside(
  child: ChildProcess,
  connections: readonly Connection[],
  ms: number,
): Promise<Sample> {
  const before = await ask(child, 0, 0);
  const free = [...connections];
  const begun = performance.now();
  const runs = await runInLanes(connections.length, ms, async () => {
    const connection = free.pop();
    if (connection === undefined) throw new Error('there is a connection for each lane');
    const status = await connection.ask(START);
    if (status !== CREATED) throw new Error(`a start was answered with ${status}`);
    free.push(connection);
  });
  const seconds = (performance.now() - begun) / 1_000;
  const after = await ask(child, 0, 0);
  return { rate: runs / seconds, cpuUs: (after.cpuUs - before.cpuUs) / runs };
}

interface Compared {
  readonly ratio: Spread;
  readonly cpuRatio: Spread;
}

function compare({ inside, outside }: Side): Compared {
  const ratio = outside.map(({ rate }, at) => rate / (inside[at]?.rate ?? rate));
  const cpuRatio = outside.map(({ cpuUs }, at) => (inside[at]?.cpuUs ?? cpuUs) / cpuUs);
  return { ratio: spreadOf(ratio), cpuRatio: spreadOf(cpuRatio) };
}

function rowsOf(crowd: Crowd, { inside, outside }: Side, { ratio }: Compared): string[][] {
  const cells = (samples: readonly Sample[]): readonly [string, string] => [
    showSpread(spreadOf(samples.map(({ rate }) => rate))),
    showSpread(spreadOf(samples.map(({ cpuUs }) => cpuUs))),
  ];
  const [rateIn, cpuIn] = cells(inside);
  const [rateOut, cpuOut] = cells(outside);
  return [
    [String(LANES[crowd]), 'in the process', rateIn, '1', cpuIn],
    [String(LANES[crowd]), 'over HTTP', rateOut, showSpread(ratio), cpuOut],
  ];
}

function findingsOf(sides: Record<Crowd, Side>): Findings {
  const [usual, crowded] = [compare(sides.starts), compare(sides.crowded)];
  const rate = (samples: readonly Sample[]): number =>
    rounded(spreadOf(samples.map((sample) => sample.rate)).median);
  return {
    ratios: { starts: rounded(usual.ratio.median), crowded: rounded(crowded.ratio.median) },
    rates: { inside: rate(sides.starts.inside), http: rate(sides.starts.outside) },
    cpuRatios: { starts: rounded(usual.cpuRatio.median) },
    tables: [
      {
        rows: [
          ['at a time', 'starts', 'starts/s', 'of the rate inside', 'CPU µs of the server'],
          ...rowsOf('starts', sides.starts, usual),
          ...rowsOf('crowded', sides.crowded, crowded),
        ],
      },
    ],
    notes: [
      `At least ${TARGET} is asked for (\`starts\`, ${LANES.starts} at a time).`,
      'SQLite with synchronous=FULL; over HTTP as many connections that stay open, from another ' +
        'process on the same cores. Nobody does the steps.',
      'Laps of the two sides take turns on one engine, and each round has a ratio of its own; ' +
        'medians, with the least and the most in parentheses.',
      'A crowd in the process comes back all at once and commits 32 at a time; over HTTP it ' +
        'comes one by one, and the batches are smaller.',
    ],
  };
}
