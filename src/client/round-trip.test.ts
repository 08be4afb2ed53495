/** The client, the API and the engine together: every kind of step, and every kind of answer. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { remote } from '../frontends/builder/remote.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, dead, retry, waiting } from '../frontends/chain/results.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import { outcome } from '../frontends/flowchart/results.ts';
import { createEngine, type Engine } from '../runtime/engine.ts';
import { api, createApiKey } from '../server.ts';
import { memory } from '../stores/memory/memory.ts';
import type { StepHandler } from './step.ts';
import { remoteWorker } from './worker.ts';

const order = chain<{ paid?: unknown; tries?: number }>('order', 1, ['CHARGE', 'SHIP'], {
  maxAttempts: 3,
});
const review = flowchart({
  ...{ id: 'review', version: 1 },
  activities: [
    { id: 'look', type: 'LOOK', config: { depth: 3 } },
    { id: 'over', type: 'end' },
    { id: 'never', type: 'NEVER' },
  ],
  connections: [
    { from: 'look', outcome: 'fine', to: 'over' },
    { from: 'look', outcome: 'poor', to: 'never' },
  ],
});
const trip = flow<{ nights: number }>('trip')
  .step('hotel', remote<{ room: number }>(), { undo: remote() })
  .step('flight', remote<string>())
  .end(({ results, vars }) => ({ room: results.hotel.room, seat: vars }));

async function elsewhere(
  handlers: Readonly<Record<string, StepHandler>>,
  work: (engine: Engine) => Promise<void>,
): Promise<void> {
  const flows = [order, review, trip];
  const engine = await createEngine({
    ...{ store: memory(), flows },
    handlers: { CHARGE: remote(), SHIP: remote(), LOOK: remote(), NEVER: remote() },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  const { key, record } = createApiKey({ id: 'w', role: 'worker' });
  const server = api(engine, { access: { keys: [record] } });
  const { url } = await server.listen();
  const worker = remoteWorker({ url, key, handlers });
  try {
    await work(engine);
  } finally {
    await worker.stop();
    await engine.close();
    await server.close();
  }
}

test('a chain waits, is tried again, and has its context kept', async () => {
  const asked: string[] = [];
  const charge: StepHandler = (step) => {
    asked.push(step.wake.reason);
    if (step.wake.reason === 'first') return waiting('paid', '1h', [{ type: 'bill', data: 12 }]);
    step.context = { paid: step.event };
    return completed();
  };
  const ship: StepHandler = (step) => {
    asked.push(`ship ${step.attempt}`);
    if (step.attempt === 1) return retry('1ms', 'the van is full');
    (step.context as { tries?: number }).tries = step.attempt;
    return undefined;
  };
  await elsewhere({ CHARGE: charge, 'order/SHIP': ship }, async (engine) => {
    const run = await engine.start(order, {}, { key: 'o-1' });
    await engine.publish({ type: 'paid', key: 'o-1', data: { by: 'card' } });
    expect(await run.result()).toEqual({ paid: { by: 'card' }, tries: 2 });
    expect(asked).toEqual(['first', 'event', 'ship 1', 'ship 2']);
  });
});

test('a chain that is dead fails, and says why', async () => {
  await elsewhere({ CHARGE: () => dead('no such card') }, async (engine) => {
    const run = await engine.start(order, {});
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
    const fault = { code: 'chain.dead', message: 'no such card' };
    expect((await run.inspect()).fault).toMatchObject(fault);
  });
});

test('an activity is told its config, and ends by an outcome', async () => {
  const told: unknown[] = [];
  const look: StepHandler = ({ config, activity }) => {
    told.push({ config, activity });
    return outcome('fine', { marks: 3 });
  };
  await elsewhere({ LOOK: look }, async (engine) => {
    const run = await engine.start(review, { id: 7 });
    await run.result();
    expect(told).toEqual([{ config: { depth: 3 }, activity: 'look' }]);
  });
});

test('a step sets variables; one that fails for good has the steps before it undone', async () => {
  const undone: unknown[] = [];
  const handlers: Readonly<Record<string, StepHandler>> = {
    'trip/hotel': ({ input, set }) => {
      set('seat', (input as { nights: number }).nights, { in: 'instance' });
      return { room: 7 };
    },
    'trip@1/flight': ({ vars }) => {
      if (vars['seat'] !== 0) return 'on board';
      throw Object.assign(new Error('nobody flies'), { code: 'sky.empty', fatal: true });
    },
    'trip/hotel/:undo': ({ undo }) => undone.push(undo?.result),
  };
  await elsewhere(handlers, async (engine) => {
    const good = await engine.start(trip, { nights: 2 });
    expect(await good.result()).toEqual({ room: 7, seat: { seat: 2 } });
    const bad = await engine.start(trip, { nights: 0 });
    await expect(bad.result()).rejects.toMatchObject({ code: 'instance.failed' });
    expect(await bad.inspect()).toMatchObject({
      ...{ outcome: 'compensated', fault: { code: 'sky.empty', message: 'nobody flies' } },
    });
    expect(undone).toEqual([{ room: 7 }]);
  });
});
