/** A flow that runs in this process: on a store, or in memory on a clock of its own. */
import {
  createEngine,
  type Engine,
  EngineError,
  type Flow,
  type InstanceView,
  type Logger,
  type Run,
  type StartOptions,
} from '../index.ts';
import { createTestEngine } from '../testing.ts';
import type { Desk } from './desk.ts';
import { HeardStore, keptOpen, pause, type Source, sourceOf } from './following.ts';
import type { Hosted } from './host.ts';
import type { Defined } from './modules.ts';
import { isWorkflow, type Naming, namingIn } from './naming.ts';
import { hurry } from './skipping.ts';
import {
  canMove,
  type Standstill,
  standstillsOf,
  type Surroundings,
  whyForEver,
} from './standing-still.ts';
import { Stopwatch } from './stopwatch.ts';
import { type Place, talkLogger } from './stores.ts';
import { LOOK_MS, VirtualClock } from './virtual-clock.ts';

/** What is to be run, and how. */
export interface Errand {
  readonly defined: Defined;
  readonly flow: Flow;
  readonly input: unknown;
  readonly start: StartOptions;
  readonly skipTime: boolean;
  /** What a workflow is given and allowed. */
  readonly host?: Hosted;
  /** How often the clock is set forward; past this a flow wakes itself for ever. */
  readonly turnsMax?: number;
}

export interface Running {
  readonly run: Run;
  /** What it was like when it was found; null if it has been started now. */
  readonly found: InstanceView | null;
  readonly source: Source;
  readonly stopwatch: Stopwatch;
  /** What its nodes are called, if it is a workflow. */
  readonly naming: Naming | null;
  /**
   * Where it runs on a clock that is set forward: how much of the time between two moments nobody
   * waited for. Null where time is real.
   */
  readonly skippedMs: ((since: number, until: number) => number) | null;
  /** What somebody must do, so that it goes on. */
  readonly standstills: (view: InstanceView) => Promise<readonly Standstill[]>;
  /**
   * Called when everything that was committed has been shown: until there may be more. Why there
   * will be nothing more, if nothing will move it.
   */
  readonly next: (view: InstanceView, signal: AbortSignal) => Promise<readonly Standstill[] | null>;
  /** Waits for what is at work, begins nothing else, and gives the rest back. */
  readonly drain: () => Promise<void>;
  /** Lets go of the store, which can be read until then. */
  readonly close: () => Promise<void>;
}

/** As long as a handler may take to end once it is told to. */
export const DRAIN_MS = 10_000;
/** More than a year of hours. */
const TURNS_MAX = 10_000;

export async function runOn(desk: Desk, place: Place, errand: Errand): Promise<Running> {
  const stopwatch = new Stopwatch();
  const timed = { ...errand, defined: stopwatch.around(errand.defined) };
  return place.kind === 'memory' && errand.skipTime && !racesTime(errand.flow)
    ? runInMemory(desk, timed, stopwatch)
    : runOnStore(desk, place, timed, stopwatch);
}

/**
 * A workflow that calls others and has timeouts: how long a call takes is real time, and so is what
 * it may take. There the clock is the real one, and whoever only sleeps is woken.
 */
function racesTime({ definition }: Flow): boolean {
  const { draft, linking } = definition;
  const kinds = new Set(draft.nodes.map(({ kind }) => kind));
  const calls = kinds.has('sw-call') || kinds.has('sw-fetch') || linking !== undefined;
  return kinds.has('sw-deadline') && calls;
}

async function runOnStore(
  desk: Desk,
  place: Place,
  errand: Errand,
  stopwatch: Stopwatch,
): Promise<Running> {
  const { defined, flow, input, start, skipTime } = errand;
  const { terminal } = desk;
  const heard = new HeardStore(keptOpen(place.store));
  const logger = calm(talkLogger(terminal));
  const engine = await createEngine({ store: heard.store, logger, ...partsOf(errand) });
  const isAlone = place.kind === 'memory';
  const drain = (): Promise<void> => engine.close({ timeout: DRAIN_MS });
  const close = (): Promise<void> => place.store.close();
  try {
    const found = await findRun(engine, flow, start);
    const run = found?.run ?? (await engine.start(flow as Flow<unknown>, input, start));
    const source = heard.source(run.id);
    // Not asked for of others: their own code may already be doing anything by now.
    const naming = isWorkflow(flow) ? await namingIn(heard.store, run) : null;
    const around = { engine, defined, isAlone, naming };
    const next: Running['next'] = async (view, signal) => {
      if (skipTime) await hurry(engine, run.id, terminal.user);
      if (around.isAlone && (await isStuck(around, run, view))) return whyForEver(around, view);
      await source.pause(signal);
      return null;
    };
    // Where nobody else can come, it is said when it is all there is left.
    const standstills: Running['standstills'] = async (view) =>
      around.isAlone ? [] : standstillsOf(around, view);
    const known = { run, found: found?.view ?? null, source, stopwatch, naming, skippedMs: null };
    return { ...known, standstills, next, drain, close };
  } catch (thrown) {
    await drain();
    await close();
    throw thrown;
  }
}

/** That the store is away is said by whoever watches the run, once and not with every attempt. */
function calm(logger: Logger): Logger {
  const warn: Logger['warn'] = (details, message) => {
    if (message !== STORE_AWAY) logger.warn(details, message);
  };
  return { ...logger, warn };
}

/** What a worker says then. */
const STORE_AWAY = 'the store did not answer; trying again';

function partsOf({ defined, host = {} }: Errand): Hosted & {
  flows: readonly Flow[];
  handlers: Defined['handlers'];
  outbox?: NonNullable<Defined['outbox']>;
} {
  const { flows, handlers, outbox } = defined;
  return { flows, handlers, ...host, ...(outbox === undefined ? {} : { outbox }) };
}

/** The one that has the id, or the open one that has the key: it is gone on with. */
async function findRun(
  engine: Engine,
  { name }: Flow,
  { id, key }: StartOptions,
): Promise<{ run: Run; view: InstanceView } | undefined> {
  const run =
    (id === undefined ? undefined : await engine.get(id)) ??
    (key === undefined ? undefined : await keyHolder(engine, name, key));
  if (run === undefined) return undefined;
  const view = await run.inspect();
  if (view.flow === name) return { run, view };
  // An id that somebody else's instance has is no way to go on with this one.
  const message = `instance ${run.id} is one of "${view.flow}", and not of "${name}"`;
  const details = { instance: run.id, flow: view.flow };
  throw new EngineError('instance.exists', message, { details });
}

async function keyHolder(engine: Engine, flow: string, key: string): Promise<Run | undefined> {
  const status = ['running', 'waiting', 'suspended', 'compensating'] as const;
  const { instances } = await engine.list({ flow, key, status, limit: 1 });
  const id = instances[0]?.id;
  return id === undefined ? undefined : engine.get(id);
}

/** What is on its way to it between instances is no standstill: the worker carries that first. */
async function isStuck(around: Surroundings, run: Run, view: InstanceView): Promise<boolean> {
  if (await canMove(around, view)) return false;
  await around.engine.parts.worker?.quiet();
  return !(await canMove(around, await run.inspect()));
}

async function runInMemory(desk: Desk, errand: Errand, stopwatch: Stopwatch): Promise<Running> {
  const { defined, flow, input, start, turnsMax = TURNS_MAX } = errand;
  const logger = talkLogger(desk.terminal);
  const kit = createTestEngine({ ...partsOf(errand), logger, now: Date.now() });
  const run = await kit.start(flow as Flow<unknown>, input, start);
  const naming = isWorkflow(flow) ? await namingIn(kit.store, run) : null;
  const around = { engine: kit.engine, defined, isAlone: true, naming };
  const clock = new VirtualClock(kit, run, around, turnsMax);
  const { read } = sourceOf(kit.store, run.id);
  return {
    ...{ run, found: null, stopwatch, naming },
    skippedMs: (since, until) => clock.skippedMs(since, until),
    source: { read, pause: (signal) => pause(signal, LOOK_MS) },
    standstills: async () => [],
    next: (_, signal) => clock.next(signal),
    // By its own clock, which stands still by then, it would wait for ever.
    drain: async () => {
      const over = new AbortController();
      await Promise.race([kit.close(), pause(over.signal, DRAIN_MS)]);
      over.abort();
    },
    close: async () => {},
  };
}
