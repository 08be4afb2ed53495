/** Instances that the worker begins by itself: it goes on with them at once if it has room. */
import type { Machine } from '../kernel/machine.ts';
import type { Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { birthOf } from './births.ts';
import type { Registered } from './library.ts';
import type { Applied } from './strides.ts';
import type { Worker, WorkerHouse } from './worker.ts';

export async function begin(
  { strides, library, halting }: WorkerHouse,
  worker: Worker,
  { plan }: Registered,
  birth: ReturnType<typeof birthOf>,
): Promise<Applied> {
  const isHalted = await halting.confirmed(plan.name, plan.version);
  const halted = isHalted ? { halted: true as const } : {};
  const input = (at: Instant): Input => ({ type: 'start', at, birth, ...halted });
  const request = { instance: birth.id, input, taker: worker.fresh };
  const applied = await strides.start(request, library.find(plan.hash) as Machine);
  if (applied.outcome === 'committed') for (const work of applied.works) worker.dispatch(work);
  return applied;
}
