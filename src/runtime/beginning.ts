/** Instances that the worker begins by itself: it goes on with them at once if it has room. */
import type { Machine } from '../kernel/machine.ts';
import { inTrace } from '../kernel/traces.ts';
import type { Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { birthOf } from './births.ts';
import type { Registered } from './library.ts';
import type { Applied } from './strides.ts';
import { keptIn } from './tracing.ts';
import type { Worker, WorkerHouse } from './worker.ts';

type Beginning = ReturnType<typeof birthOf>;

/** As part of a trace, if somebody hands one on; else it is the first of its own. */
export async function begin(
  house: WorkerHouse,
  worker: Worker,
  registered: Registered,
  birth: Beginning,
  kept?: string,
): Promise<Applied> {
  const { tracing } = house;
  if (tracing === null) return beginIn(house, worker, registered, birth, inTrace(kept));
  const attributes = startAttributes(registered, birth);
  return tracing.run('perdure.start', keptIn(kept), attributes, ({ trace }) =>
    beginIn(house, worker, registered, birth, { trace }),
  );
}

/** What the span of a start says. */
export function startAttributes(
  { plan }: Registered,
  { id, tenant }: Pick<Beginning, 'id' | 'tenant'>,
): Record<string, string | number> {
  return {
    'perdure.flow': plan.name,
    'perdure.flow.version': plan.version,
    'perdure.instance': id,
    ...(tenant === undefined ? {} : { 'perdure.tenant': tenant }),
  };
}

async function beginIn(
  { strides, library, halting }: WorkerHouse,
  worker: Worker,
  { plan }: Registered,
  birth: Beginning,
  traced: { readonly trace?: string },
): Promise<Applied> {
  const isHalted = await halting.confirmed(plan.name, plan.version);
  const halted = isHalted ? { halted: true as const } : {};
  const input = (at: Instant): Input => ({ type: 'start', at, birth, ...halted, ...traced });
  const request = { instance: birth.id, input, taker: worker.fresh };
  const applied = await strides.start(request, library.find(plan.hash) as Machine);
  if (applied.outcome === 'committed') for (const work of applied.works) worker.dispatch(work);
  return applied;
}
