/**
 * graphile-worker, with the settings of its own page on performance: jobs fetched into a local
 * queue, completions gathered for as long as a turn of the event loop, 24 jobs at a time. Its local
 * queue is 1,000 for the drain; a message is timed without one, which it would only wait in.
 */
import { importPackage } from '../../packages.ts';
import { Arrival, type Contender, type Setup } from '../contender.ts';

interface Graphile {
  run(options: object): Promise<{ stop(): Promise<void> }>;
  makeWorkerUtils(options: object): Promise<WorkerUtils>;
  readonly Logger: new (factory: () => () => void) => object;
}

interface WorkerUtils {
  migrate(): Promise<void>;
  addJob(task: string, payload: object): Promise<unknown>;
  addJobs(
    jobs: readonly { readonly identifier: string; readonly payload: object }[],
  ): Promise<void>;
  release(): Promise<void>;
}

const JOBS_AT_A_TIME = 24;
const LOCAL_QUEUE = 1_000;
/** Its statement takes any number; this many are a second's work for the database. */
const ADDED_AT_A_TIME = 10_000;

export async function openGraphile({ place, lanes, works, onStep }: Setup): Promise<Contender> {
  const graphile = await importPackage<Graphile>('graphile-worker');
  const logger = new graphile.Logger(() => () => {});
  const tools = await graphile.makeWorkerUtils({ connectionString: place, logger });
  await tools.migrate();
  const told = new Arrival();
  const batches = {
    localQueue: { size: LOCAL_QUEUE },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  };
  const worker = {
    connectionString: place,
    concurrentJobs: JOBS_AT_A_TIME,
    maxPoolSize: JOBS_AT_A_TIME + 1,
    ...(lanes === 1 ? {} : batches),
  };
  const taskList = { step: onStep, told: told.note };
  const parts = { taskList, noHandleSignals: true, logger, parsedCronItems: [] };
  const runner = works ? await graphile.run({ preset: { worker }, ...parts }) : null;
  return {
    enqueue: async (count) => {
      for (let added = 0; added < count; added += ADDED_AT_A_TIME) {
        const length = Math.min(ADDED_AT_A_TIME, count - added);
        await tools.addJobs(Array.from({ length }, () => ({ identifier: 'step', payload: {} })));
      }
    },
    message: async () => {
      const arrival = told.expect();
      const before = performance.now();
      await tools.addJob('told', {});
      return (await arrival) - before;
    },
    close: async () => {
      await runner?.stop();
      await tools.release();
    },
  };
}
