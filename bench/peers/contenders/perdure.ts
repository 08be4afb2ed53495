/**
 * Perdure on either database, as its documentation sets it up: full durability, the pool and the
 * polls of its defaults, and a worker in the process that starts the flows. The worker may run as
 * many handlers at a time as there are lanes; that is all that is set.
 */
import { createEngine, type Engine, EngineError, type Store } from '../../../src/index.ts';
import { postgres } from '../../../src/postgres.ts';
import { sqlite } from '../../../src/sqlite.ts';
import { countCalls } from '../../commits.ts';
import { Arrival, type Contender, type FlowName, inLanes, type Setup } from '../contender.ts';
import { flowsOf, links, sleeping, toldFlow, waiting } from './perdure-flows.ts';

export function openOnPostgres(setup: Setup): Promise<Contender> {
  return open(postgres(setup.place), setup);
}

export async function openOnSqlite(setup: Setup): Promise<Contender> {
  const { store, writes, calls } = countCalls(sqlite(setup.place));
  return { ...(await open(store, setup)), commits: writes, calls };
}

async function open(store: Store, { lanes, works, onStep }: Setup): Promise<Contender> {
  const told = new Arrival();
  const flows = flowsOf(onStep);
  const message = toldFlow(told.note);
  const engine = await createEngine({
    store,
    flows: [...Object.values(flows), message, waiting, sleeping],
    handlers: links,
    worker: works ? { concurrency: lanes } : false,
  });
  const run = async (name: FlowName): Promise<unknown> => {
    const started = await engine.start(flows[name], null);
    return name === 'saga5' ? failure(started.result()) : started.result();
  };
  return {
    run,
    enqueue: (count) => inLanes(count, lanes, () => engine.start(flows.steps1, null)),
    enqueueWaiting: (count) => enqueueWaiting(engine, count, lanes),
    message: async () => {
      const key = crypto.randomUUID();
      const started = await engine.start(message, { key });
      const arrival = told.expect();
      const before = performance.now();
      await engine.publish({ type: 'go', key });
      const ms = (await arrival) - before;
      await started.result();
      return ms;
    },
    close: () => engine.close(),
  };
}

function enqueueWaiting(engine: Engine, count: number, lanes: number): Promise<void> {
  let started = 0;
  return inLanes(count, lanes, () => {
    started += 1;
    if (started % 2 === 0) return engine.start(sleeping, null);
    return engine.start(waiting, { key: `nobody-${started}` });
  });
}

/** A saga that ends as it is meant to: failed, with everything undone before. */
async function failure(result: Promise<unknown>): Promise<void> {
  try {
    await result;
  } catch (thrown) {
    if (thrown instanceof EngineError && thrown.code === 'instance.failed') return;
    throw thrown;
  }
  throw new Error('a saga whose last step fails has failed');
}
