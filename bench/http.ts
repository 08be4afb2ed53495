/**
 * What does HTTP cost? Starts of an instance that ends with its first commit, on SQLite with full
 * durability: by a call in the same process, and by a request from another process, at the same
 * number at a time. The same engine serves both, lap by lap in turns. A ratio says how much of the
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
  spreadOf,
} from './measure.ts';

/** Starts under way at a time. */
const LANES = 64;
const TARGET = 0.5;
const START = postOf('/instances', { flow: 'start', input: { n: 1 } });
const CREATED = 201;

export async function http(pace: Pace): Promise<Findings> {
  const child = fork(join(import.meta.dirname, 'http-host.ts'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const opening = Array.from({ length: LANES }, () => Connection.open(port));
  const connections = await Promise.all(opening);
  try {
    return await measured(pace, child, connections);
  } finally {
    for (const connection of connections) connection.close();
    child.disconnect();
  }
}

async function measured(
  pace: Pace,
  child: ChildProcess,
  connections: readonly Connection[],
): Promise<Findings> {
  const inside: Sample[] = [];
  const outside: Sample[] = [];
  const warm = Math.ceil(pace.warmMs / pace.lapMs);
  for (let round = 0; round < warm + pace.rounds; round += 1) {
    const within = await lapInside(child, pace.lapMs);
    const over = await lapOutside(child, connections, pace.lapMs);
    const rates = `${rounded(within.rate)} inside, ${rounded(over.rate)} over HTTP`;
    const cpu = `${rounded(within.cpuUs)} and ${rounded(over.cpuUs)} µs of CPU each`;
    console.error(`${round < warm ? 'warming up' : `round ${round - warm + 1}`}: ${rates}, ${cpu}`);
    if (round < warm) continue;
    inside.push(within);
    outside.push(over);
  }
  return findingsOf(inside, outside);
}

interface Told extends Sample {
  readonly runs: number;
}

async function ask(child: ChildProcess, lanes: number, ms: number): Promise<Told> {
  child.send({ lanes, ms });
  const [told] = (await once(child, 'message')) as [Told];
  return told;
}

async function lapInside(child: ChildProcess, ms: number): Promise<Sample> {
  const before = await ask(child, 0, 0);
  const { runs, rate, cpuUs } = await ask(child, LANES, ms);
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

function findingsOf(inside: readonly Sample[], outside: readonly Sample[]): Findings {
  const rateIn = spreadOf(inside.map(({ rate }) => rate));
  const rateOut = spreadOf(outside.map(({ rate }) => rate));
  const [cpuIn, cpuOut] = [inside, outside].map((all) => spreadOf(all.map(({ cpuUs }) => cpuUs)));
  const ratio = spreadOf(outside.map(({ rate }, at) => rate / (inside[at]?.rate ?? rate)));
  const cpu = spreadOf(outside.map(({ cpuUs }, at) => (inside[at]?.cpuUs ?? cpuUs) / cpuUs));
  return {
    ratios: { starts: rounded(ratio.median) },
    rates: { inside: rounded(rateIn.median), http: rounded(rateOut.median) },
    cpuRatios: { starts: rounded(cpu.median) },
    tables: [
      {
        rows: [
          ['starts', 'starts/s', 'of the rate inside', 'CPU µs of the server per start'],
          ['in the process', showSpread(rateIn), '1', showSpread(cpuIn ?? rateIn)],
          ['over HTTP', showSpread(rateOut), showSpread(ratio), showSpread(cpuOut ?? rateOut)],
        ],
      },
    ],
    notes: [
      `At least ${TARGET} is asked for.`,
      `${LANES} starts at a time on both sides, SQLite with synchronous=FULL; over HTTP as many ` +
        'connections that stay open, from another process on the same cores.',
      'Laps of the two sides take turns on one engine, and each round has a ratio of its own; ' +
        'medians, with the least and the most in parentheses.',
    ],
  };
}
