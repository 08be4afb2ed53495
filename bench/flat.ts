/**
 * Does step 100,000 of one instance cost what step 1 cost? The cost of the last tenth by the cost
 * of the first, seen from inside the handler. An instance runs before those that count, so that the
 * compiler's warming up does not make the first tenth look dear.
 *
 * The cost is CPU time, the collector's threads included: there is nothing to race here, and on a
 * machine that does other things the clock says more about those (ratios from 0.3 to 3 were seen
 * for the same instance). The ratio by the clock is told as well.
 */
import { createEngine, memory } from '../src/index.ts';
import { type Pace, type Spread, spreadOf } from './measure.ts';
import { loopOf } from './ours.ts';

export const STEPS = 100_000;
const TENTH = STEPS / 10;

export interface Flatness {
  /** Last tenth by first tenth, in CPU time. */
  readonly ratio: Spread;
  readonly clockRatio: Spread;
  /** Steps per second over the whole instance. */
  readonly rate: Spread;
}

interface Mark {
  readonly cpuMs: number;
  readonly clockMs: number;
}

export async function measureFlatness(pace: Pace): Promise<Flatness> {
  await runInstance();
  const runs: (readonly Mark[])[] = [];
  for (let n = 0; n < pace.instances; n += 1) runs.push(await runInstance());
  return {
    ratio: spreadOf(runs.map((marks) => lastByFirst(marks.map(({ cpuMs }) => cpuMs)))),
    clockRatio: spreadOf(runs.map((marks) => lastByFirst(marks.map(({ clockMs }) => clockMs)))),
    rate: spreadOf(runs.map(rateOf)),
  };
}

/** A mark at every tenth, the first before anything and the last after everything. */
async function runInstance(): Promise<readonly Mark[]> {
  const marks: Mark[] = [];
  let step = 0;
  const loop = loopOf(STEPS, () => {
    if (step % TENTH === 0) marks.push(markNow());
    step += 1;
  });
  const engine = await createEngine({ store: memory(), flows: [loop] });
  await (await engine.start(loop, null)).result();
  marks.push(markNow());
  await engine.close();
  return marks;
}

function markNow(): Mark {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1_000, clockMs: performance.now() };
}

function lastByFirst(times: readonly number[]): number {
  const at = (index: number): number => times.at(index) ?? Number.NaN;
  return (at(-1) - at(-2)) / (at(1) - at(0));
}

function rateOf(marks: readonly Mark[]): number {
  const ms = (marks.at(-1)?.clockMs ?? Number.NaN) - (marks[0]?.clockMs ?? Number.NaN);
  return (STEPS * 1_000) / ms;
}
