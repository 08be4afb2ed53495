/**
 * Does step 100,000 of one instance cost what step 1 cost? The time of the last tenth by the time
 * of the first, seen from inside the handler. Instances run before those that count, so that the
 * compiler's warming up does not make the first tenth look dear.
 */
import { createEngine, memory } from '../src/index.ts';
import { type Pace, type Spread, spreadOf } from './measure.ts';
import { loopOf } from './ours.ts';

export const STEPS = 100_000;
const TENTH = STEPS / 10;

export interface Flatness {
  /** Last tenth by first tenth. */
  readonly ratio: Spread;
  /** Steps per second over the whole instance. */
  readonly rate: Spread;
}

export async function measureFlatness(pace: Pace): Promise<Flatness> {
  await runInstance();
  const runs: Tenths[] = [];
  for (let n = 0; n < pace.instances; n += 1) runs.push(await runInstance());
  return {
    ratio: spreadOf(runs.map(({ firstMs, lastMs }) => lastMs / firstMs)),
    rate: spreadOf(runs.map(({ totalMs }) => (STEPS * 1_000) / totalMs)),
  };
}

interface Tenths {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly totalMs: number;
}

async function runInstance(): Promise<Tenths> {
  const marks: number[] = [];
  let step = 0;
  const loop = loopOf(STEPS, () => {
    if (step % TENTH === 0) marks.push(performance.now());
    step += 1;
  });
  const engine = await createEngine({ store: memory(), flows: [loop] });
  await (await engine.start(loop, null)).result();
  marks.push(performance.now());
  await engine.close();
  const at = (index: number): number => marks.at(index) ?? Number.NaN;
  return {
    firstMs: at(1) - at(0),
    lastMs: at(-1) - at(-2),
    totalMs: at(-1) - at(0),
  };
}
