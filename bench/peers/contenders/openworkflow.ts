/**
 * OpenWorkflow on either database. Its Postgres pool is set by the URL, its SQLite file is in WAL
 * with the driver's own `synchronous`, which is FULL: the same durability as ours.
 *
 * A run counts when its function has returned, and not when `result()` says so: that looks once a
 * second, which cannot be set, and would cost it queries that its own work is better off without.
 * Where one run alone is timed, `result()` is what is timed, as a user would see it.
 */
import { importPackage } from '../../packages.ts';
import { type Contender, type FlowName, inLanes, type Setup } from '../contender.ts';

interface Backend {
  stop(): Promise<void>;
}

interface Step {
  run<T>(options: StepOptions, step: () => Promise<T> | T): Promise<T>;
}

interface StepOptions {
  readonly name: string;
  readonly retryPolicy?: { readonly maximumAttempts: number };
}

interface Call {
  readonly input: { readonly id: number };
  readonly step: Step;
}

interface OpenWorkflow {
  defineWorkflow(spec: { readonly name: string }, run: (call: Call) => Promise<unknown>): Runnable;
  newWorker(options: { readonly concurrency: number }): Worker;
}

interface Runnable {
  run(input: Call['input']): Promise<{ result(): Promise<unknown> }>;
}

interface Worker {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Twice its default: of 10, 20 and 40 none stood out from the noise. */
const POOL_SIZE = 20;

const nothing = (): null => null;

export async function openOnPostgres(setup: Setup): Promise<Contender> {
  const { BackendPostgres } = await importPackage<{
    BackendPostgres: { connect(url: string): Promise<Backend> };
  }>('openworkflow/postgres');
  const url = new URL(setup.place);
  url.searchParams.set('max', String(POOL_SIZE));
  return open(await BackendPostgres.connect(url.href), setup);
}

export async function openOnSqlite(setup: Setup): Promise<Contender> {
  const { BackendSqlite } = await importPackage<{
    BackendSqlite: { connect(file: string): Backend };
  }>('openworkflow/sqlite');
  return open(BackendSqlite.connect(setup.place), setup);
}

async function open(backend: Backend, { lanes, works, onStep }: Setup): Promise<Contender> {
  const { OpenWorkflow } = await importPackage<{
    OpenWorkflow: new (options: { readonly backend: Backend }) => OpenWorkflow;
  }>('openworkflow');
  const client = new OpenWorkflow({ backend });
  const ends = new Map<number, () => void>();
  const define = (name: string, body: (step: Step) => Promise<void>): Runnable =>
    client.defineWorkflow({ name }, async ({ input, step }) => {
      await body(step);
      ends.get(input.id)?.();
    });
  const flows: Partial<Record<FlowName, Runnable>> = {
    steps1: define('steps1', async (step) => {
      await step.run({ name: 'step1' }, nothing);
      onStep();
    }),
    steps5: define('steps5', lineOf(5)),
    steps10: define('steps10', lineOf(10)),
    saga5: define('saga5', saga),
  };
  const worker = works ? client.newWorker({ concurrency: lanes }) : null;
  await worker?.start();
  let started = 0;
  const run = async (name: FlowName): Promise<void> => {
    started += 1;
    const id = started;
    // Alone, whoever waits sees what `result()` shows; among many, the end of the function counts.
    const ended = new Promise<void>((resolve) => ends.set(id, resolve));
    const handle = await runnable(flows, name).run({ id });
    await (lanes === 1 ? handle.result() : ended);
    ends.delete(id);
  };
  return {
    run,
    enqueue: (count) => inLanes(count, lanes, () => runnable(flows, 'steps1').run({ id: 0 })),
    close: async () => {
      await worker?.stop();
      await backend.stop();
    },
  };
}

function runnable(flows: Partial<Record<FlowName, Runnable>>, name: FlowName): Runnable {
  const found = flows[name];
  if (found === undefined) throw new Error(`OpenWorkflow has no "${name}" here`);
  return found;
}

function lineOf(length: number): (step: Step) => Promise<void> {
  return async (step) => {
    for (let n = 1; n <= length; n += 1) await step.run({ name: `step${n}` }, nothing);
  };
}

/** There is no compensation in it: one catches, and undoes by steps what was done by steps. */
async function saga(step: Step): Promise<void> {
  const undos: string[] = [];
  try {
    for (let n = 1; n < 5; n += 1) {
      await step.run({ name: `step${n}` }, nothing);
      undos.unshift(`undo${n}`);
    }
    const fails = (): never => {
      throw new Error('the last step fails');
    };
    await step.run({ name: 'step5', retryPolicy: { maximumAttempts: 1 } }, fails);
  } catch {
    for (const name of undos) await step.run({ name }, nothing);
  }
}
