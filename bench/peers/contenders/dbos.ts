/**
 * DBOS Transact on Postgres. A workflow is started directly and its result awaited in the process
 * that runs it, which is its fastest way; steps are `runStep`. From outside, work comes by its
 * queue, which is told to look often. Its logger is quiet.
 */
import { importPackage } from '../../packages.ts';
import { Arrival, type Contender, type FlowName, inLanes, type Setup } from '../contender.ts';

interface Sdk {
  readonly DBOS: {
    setConfig(config: object): void;
    launch(): Promise<void>;
    migrate(url: string): Promise<void>;
    shutdown(): Promise<void>;
    registerWorkflow<Run>(run: Run, options: { readonly name: string }): Run;
    runStep<T>(step: () => Promise<T>, options: { readonly name: string }): Promise<T>;
    registerQueue(name: string, options: object): Promise<unknown>;
    startWorkflow(workflow: Workflow, options?: object): () => Promise<Handle>;
    recv(topic: string, timeoutSeconds: number): Promise<unknown>;
    send(workflow: string, message: unknown, topic: string): Promise<void>;
  };
  readonly DBOSClient: { create(options: object): Promise<Client> };
}

interface Client {
  enqueue(options: object): Promise<unknown>;
  destroy(): Promise<void>;
}

interface Handle {
  readonly workflowID: string;
  getResult(): Promise<unknown>;
}

type Workflow = () => Promise<unknown>;

const QUEUE = 'bench';
/** Its default. With 20 and 40 it did no better, and the database had more to do for each flow. */
const POOL_SIZE = 10;
/** Ten times as often as its default. */
const QUEUE_POLL_MS = 100;

let registered: Promise<Registered> | undefined;

interface Registered {
  readonly sdk: Sdk;
  readonly workflows: Readonly<Partial<Record<FlowName, Workflow>>>;
  readonly told: Workflow;
  readonly arrival: Arrival;
  onStep: () => void;
}

/** Workflows are registered once per process, before the first launch. */
async function register(): Promise<Registered> {
  const sdk = await importPackage<Sdk>('@dbos-inc/dbos-sdk');
  const { DBOS } = sdk;
  const named = (name: string, run: Workflow): Workflow => DBOS.registerWorkflow(run, { name });
  const step = (name: string): Promise<null> => DBOS.runStep(async () => null, { name });
  const line = (length: number) => async (): Promise<void> => {
    for (let n = 1; n <= length; n += 1) await step(`step${n}`);
  };
  const arrival = new Arrival();
  const all: Registered = {
    sdk,
    workflows: {
      steps1: named('steps1', async () => {
        await step('step1');
        // All of a queue may run at once: what has run and is not durable is no measure.
        all.onStep();
      }),
      steps5: named('steps5', line(5)),
      steps10: named('steps10', line(10)),
      saga5: named('saga5', sagaOf(sdk)),
    },
    told: named('told', async () => {
      await DBOS.recv('go', 60);
      await DBOS.runStep(async () => arrival.note(), { name: 'arrived' });
    }),
    arrival,
    onStep: () => {},
  };
  return all;
}

/** There is no compensation in it: one catches, and undoes by steps what was done by steps. */
function sagaOf({ DBOS }: Sdk): Workflow {
  return async () => {
    const done: string[] = [];
    try {
      for (const name of ['step1', 'step2', 'step3', 'step4']) {
        await DBOS.runStep(async () => null, { name });
        done.push(name);
      }
      await DBOS.runStep(async () => Promise.reject(new Error('the last step fails')), {
        name: 'step5',
      });
    } catch {
      for (const name of done.toReversed()) {
        await DBOS.runStep(async () => null, { name: `undo-${name}` });
      }
    }
  };
}

export async function openDbos({ place, lanes, works, onStep }: Setup): Promise<Contender> {
  registered ??= register();
  const all = await registered;
  all.onStep = onStep;
  const { DBOS, DBOSClient } = all.sdk;
  if (!works) {
    await DBOS.migrate(place);
    return enqueuer(await DBOSClient.create({ systemDatabaseUrl: place }), lanes);
  }
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: place,
    systemDatabasePoolSize: POOL_SIZE,
    logLevel: 'error',
    applicationVersion: 'bench',
  });
  await DBOS.launch();
  await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: QUEUE_POLL_MS });
  return {
    run: async (name) => {
      const workflow = all.workflows[name];
      if (workflow === undefined) throw new Error(`DBOS has no "${name}" here`);
      return (await DBOS.startWorkflow(workflow)()).getResult();
    },
    message: async () => {
      const handle = await DBOS.startWorkflow(all.told)();
      const arrival = all.arrival.expect();
      const before = performance.now();
      await DBOS.send(handle.workflowID, 'go', 'go');
      const ms = (await arrival) - before;
      await handle.getResult();
      return ms;
    },
    close: () => DBOS.shutdown(),
  };
}

function enqueuer(client: Client, lanes: number): Contender {
  const options = { workflowName: 'steps1', queueName: QUEUE, appVersion: 'bench' };
  return {
    enqueue: (count) => inLanes(count, lanes, () => client.enqueue(options)),
    close: () => client.destroy(),
  };
}
