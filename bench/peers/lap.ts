/**
 * Timing in a contender's own process.
 *
 * A lap is flows in lanes, each lane starting the next flow as one ends, with a run-in that does
 * not count. The clock starts and stops with the end of a flow: a batch of ends then counts for the
 * lap it began in, and the clock does not wait for what is under way when the time is over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AloneAnswer, LapAnswer } from './commands.ts';
import type { Contender, FlowName } from './contender.ts';
import { serverCpuMs } from './server-cpu.ts';

/** The part of a lap that is run before the clock starts. */
const RUN_IN = 0.4;
/** Whoever is measured alone is given time to become idle in between. */
const PAUSE_MS = 20;
/** What is measured one by one warms up for so long, and so often at least, as laps do. */
const WARM_MS = 2_000;
const WARM_TIMES = 3;

export interface LapPlan {
  readonly flow: FlowName;
  readonly lanes: number;
  readonly ms: number;
  readonly postmaster: number | null;
}

interface Mark {
  readonly at: number;
  readonly cpuMs: number;
  readonly serverCpuMs: number | null;
  readonly commits: number | null;
}

export async function lap(contender: Contender, plan: LapPlan): Promise<LapAnswer> {
  const run = verbOf(contender, 'run');
  const from = performance.now() + plan.ms * RUN_IN;
  let first: Mark | undefined;
  let last: Mark | undefined;
  let ended = 0;
  const lane = async (): Promise<void> => {
    while (last === undefined) {
      await run(plan.flow);
      const now = performance.now();
      if (first === undefined) {
        if (now >= from) first = markNow(contender, plan);
      } else if (last === undefined) {
        ended += 1;
        if (now >= first.at + plan.ms) last = markNow(contender, plan);
      }
    }
  };
  await Promise.all(Array.from({ length: plan.lanes }, lane));
  if (first === undefined || last === undefined)
    throw new Error('a lap has a beginning and an end');
  return answerOf(first, last, ended);
}

function markNow(contender: Contender, { postmaster }: LapPlan): Mark {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now(),
    cpuMs: (user + system) / 1_000,
    serverCpuMs: serverCpuMs(postmaster),
    commits: contender.commits?.() ?? null,
  };
}

function answerOf(first: Mark, last: Mark, flows: number): LapAnswer {
  const perFlow = (part: 'serverCpuMs' | 'commits'): number | null => {
    const [before, after] = [first[part], last[part]];
    return before === null || after === null ? null : (after - before) / flows;
  };
  return {
    flowsPerSecond: (flows * 1_000) / (last.at - first.at),
    flows,
    cpuMs: (last.cpuMs - first.cpuMs) / flows,
    serverCpuMs: perFlow('serverCpuMs'),
    commits: perFlow('commits'),
  };
}

/** One at a time, with a pause after each. */
export async function alone(times: number, one: () => Promise<number>): Promise<AloneAnswer> {
  const warmUntil = performance.now() + WARM_MS;
  for (let n = 0; n < WARM_TIMES || performance.now() < warmUntil; n += 1) await one();
  const ms: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < times; n += 1) {
    await sleep(PAUSE_MS);
    ms.push(await one());
  }
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1_000 / times };
}

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await act();
  return performance.now() - before;
}

export function verbOf<Verb extends keyof Contender>(
  contender: Contender,
  verb: Verb,
): NonNullable<Contender[Verb]> {
  const found = contender[verb];
  if (found === undefined) throw new Error(`this contender has no "${verb}"`);
  return found;
}
