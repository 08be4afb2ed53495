/**
 * Working off what others have put in: flows of one step, put in by a process without a worker, are
 * taken up by one or more fresh processes. The rate is that of the last nine tenths, so that the
 * opening of the engines is not in it. A flow counts when its handler has run, or, where any number
 * of them may run before any is durable, when its step is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Look, Stay } from './commands.ts';
import { CONTENDERS, type ContenderName } from './contenders.ts';
import type { Side } from './crew.ts';
import type { House } from './house.ts';

const LOOK_MS = 50;
/** A drain that makes no progress for so long is stuck. */
const STUCK_MS = 60_000;
/** What the clock does not count. */
const RUN_IN = 0.1;
/** How many starts are under way at a time while things are put in. */
const ENQUEUE_LANES = 1_000;
const ENQUEUED_AT_A_TIME = 20_000;

export interface DrainPlan {
  readonly count: number;
  readonly processes?: number;
  /** Where there is something already; without it, an empty place that is gone afterwards. */
  readonly place?: string;
}

export interface Drained {
  /** Flows per second. */
  readonly rate: number;
  readonly rssMb: number;
  /** How many cores the processes kept busy, and the database; null where it cannot be seen. */
  readonly cores: number;
  readonly serverCores: number | null;
}

export async function drain(
  house: House,
  contender: ContenderName,
  plan: DrainPlan,
): Promise<Drained> {
  // A tenth of it at most: a few large batches would be no rate.
  const best = CONTENDERS[contender].drainLanes ?? (await house.lanesOf(contender));
  const lanes = Math.min(best, Math.ceil(plan.count / 10));
  const filler = await house.side(contender, {
    ...(plan.place === undefined ? {} : { place: plan.place }),
    lanes: Math.min(ENQUEUE_LANES, lanes * 4),
    works: false,
  });
  const { place } = filler;
  for (let left = plan.count; left > 0; left -= ENQUEUED_AT_A_TIME) {
    await filler.ask({ do: 'enqueue', count: Math.min(left, ENQUEUED_AT_A_TIME) });
  }
  filler.end();
  const sides: Side[] = [];
  for (let n = 0; n < (plan.processes ?? 1); n += 1) {
    sides.push(await house.side(contender, { place, lanes }));
  }
  const drained = await workOff(house, sides, plan.count);
  for (const side of sides) side.end();
  if (plan.place === undefined) await house.databases.drop(place);
  house.tell(
    `${contender}: ${Math.round(drained.rate)} flows/s by ${sides.length}, ` +
      `${Math.round(drained.rssMb)} MB`,
  );
  return drained;
}

async function workOff(house: House, sides: readonly Side[], count: number): Promise<Drained> {
  await Promise.all(sides.map((side) => side.ask({ do: 'open', marks: true })));
  const began = performance.now();
  const serverBefore = house.databases.cpuMs();
  const before = await look(sides);
  let { steps: done, cpuMs } = before;
  let progressAt = began;
  while (done < count) {
    await sleep(LOOK_MS);
    const now = await look(sides);
    if (now.steps > done) progressAt = performance.now();
    ({ steps: done, cpuMs } = now);
    if (performance.now() - progressAt > STUCK_MS) {
      throw new Error(`${sides[0]?.contender} drained ${done} of ${count} flows and is stuck`);
    }
  }
  const serverAfter = house.databases.cpuMs();
  const ms = performance.now() - began;
  const stays = await Promise.all(sides.map((side) => side.ask({ do: 'close' })));
  return {
    rate: rateOf(stays, count),
    rssMb: Math.max(...stays.map(({ rssMbMax }) => rssMbMax)),
    cores: (cpuMs - before.cpuMs) / ms,
    serverCores:
      serverBefore === null || serverAfter === null ? null : (serverAfter - serverBefore) / ms,
  };
}

/** How far they are, all together. */
async function look(sides: readonly Side[]): Promise<Pick<Look, 'steps' | 'cpuMs'>> {
  const looks = await Promise.all(sides.map((side) => side.ask({ do: 'look' })));
  return {
    steps: looks.reduce((total, { steps }) => total + steps, 0),
    cpuMs: looks.reduce((total, { cpuMs }) => total + cpuMs, 0),
  };
}

/** Marks of all processes on one line of time: how many flows were done at which moment. */
function rateOf(stays: readonly Stay[], count: number): number {
  const gains = stays.flatMap(({ marks }) =>
    marks.map(([at, steps], index) => ({ at, gain: steps - (marks[index - 1]?.[1] ?? 0) })),
  );
  let done = 0;
  let first: { readonly at: number; readonly done: number } | undefined;
  let lastAt = 0;
  for (const { at, gain } of gains.toSorted((a, b) => a.at - b.at)) {
    done += gain;
    lastAt = at;
    if (first === undefined && done >= count * RUN_IN) first = { at, done };
    if (done >= count) break;
  }
  if (first === undefined) throw new Error('a drain that is over has begun');
  return ((done - first.done) * 1_000) / (lastAt - first.at);
}
