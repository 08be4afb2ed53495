/** Starting an instance because a program asks for it. */
import { inTrace } from '../kernel/traces.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Flow } from '../model/definition.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { startAttributes } from './beginning.ts';
import { admitInput, birthOf, checkUnused, conflictOf } from './births.ts';
import { newInstanceId } from './ids.ts';
import type { Registered } from './library.ts';
import type { StartOptions } from './options.ts';
import { validateInput } from './schema.ts';
import { findStored } from './stored-flows.ts';
import type { Applied, Request } from './strides.ts';
import { CALLER, type Traced } from './tracing.ts';
import { startWithin, type Within } from './within.ts';
import type { Worker, WorkerHouse } from './worker.ts';

export interface Starting {
  readonly house: WorkerHouse;
  /** The one that is at work now. */
  readonly worker: () => Worker | null;
  /** Throws if there is no such flow here. */
  readonly find: (flow: Flow | string) => Registered;
}

/** What is to be started, with what, and how. */
export interface Wanted {
  readonly flow: Flow | string;
  readonly input: unknown;
  readonly options: StartOptions;
}

/** The instance that was started; or the one that is there already, where that will do. */
export interface Begun {
  readonly id: InstanceId;
  readonly existing: boolean;
}

export async function start(starting: Starting, wanted: Wanted): Promise<Begun> {
  const { tracing } = starting.house;
  if (tracing === null) return startIn(starting, wanted, null);
  const { flow } = wanted;
  const attributes = { 'perdure.flow': typeof flow === 'string' ? flow : flow.name };
  return tracing.run('perdure.start', CALLER, attributes, (traced) =>
    startIn(starting, wanted, traced),
  );
}

async function startIn(
  { house, worker: find, ...known }: Starting,
  { flow, input, options }: Wanted,
  traced: Traced | null,
): Promise<Begun> {
  const { store, library, limits, halting } = house;
  const isHere = typeof flow !== 'string' || library.latest(flow) !== undefined;
  const stored = isHere ? undefined : await findStored(house, flow);
  const registered = stored ?? known.find(flow);
  const { schema } = registered.definition;
  const value = admitInput(
    schema === undefined ? input : await validateInput(schema, input),
    limits,
  );
  const id = (options.id ?? newInstanceId(store.now())) as InstanceId;
  if (options.id !== undefined) await checkUnused(store, id);
  const machine = library.find(registered.plan.hash) as Machine;
  const birth = birthOf(registered, id, value, options);
  traced?.set(startAttributes(registered, birth));
  const { name, version } = registered.plan;
  const halted = (await halting.confirmed(name, version)) ? { halted: true as const } : {};
  const trace = inTrace(traced?.trace);
  const first = (at: Instant): Input => ({ type: 'start', at, birth, ...halted, ...trace });
  const worker = find();
  const request = { instance: id, input: first };
  const applied = await apply(house, worker, { request, machine, options });
  if (applied.outcome === 'exists') {
    if (options.onConflict === 'existing') return { id: applied.instance, existing: true };
    throw conflictOf(applied.instance, id, options);
  }
  if (applied.outcome === 'committed') for (const work of applied.works) worker?.dispatch(work);
  return { id, existing: false };
}

interface First {
  readonly request: Request;
  readonly machine: Machine;
  readonly options: StartOptions;
}

async function apply(
  house: WorkerHouse,
  worker: Worker | null,
  { request, machine, options: { tx } }: First,
): Promise<Applied | Within> {
  if (tx === undefined) {
    const taker = worker === null ? {} : { taker: worker.fresh };
    return house.strides.start({ ...request, ...taker }, machine);
  }
  // What is started in a transaction is nobody's before that has committed.
  const within = await startWithin(house, house.store.within(tx), request, machine);
  // Whether the caller's transaction comes about nobody here is told.
  if (within.outcome === 'written') within.watch?.end('committed');
  return within;
}
