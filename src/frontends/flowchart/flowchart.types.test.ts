/** What TypeScript knows of a flowchart. The compiler is the test: `tsc` fails where it lies. */
import { expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { OutcomeResult } from '../../model/activity.ts';
import type { ActivityContext, ActivityHandler } from '../../runtime/activities.ts';
import { createEngine } from '../../runtime/engine.ts';
import type { ChainHandler } from '../../runtime/links.ts';
import type { Run } from '../../runtime/run.ts';
import { memory } from '../../stores/memory/memory.ts';
import { chain } from '../chain/chain.ts';
import { completed, dead, retry, waiting } from '../chain/results.ts';
import type { FlowchartBody, FlowchartDefinition } from './definition.ts';
import { flowchart } from './flowchart.ts';
import { outcome, outcomes } from './results.ts';

interface Order {
  readonly total: number;
}

test('API.md §4 needs no cast', async () => {
  const store = memory();
  const approval = flowchart({
    id: 'approval',
    version: 1,
    start: 'check',
    activities: [
      { id: 'check', type: 'check', config: { limit: 100 } },
      { id: 'ask', type: 'ask', canStart: false },
      { id: 'book', type: 'book', mergeMode: 'race', retry: { maxAttempts: 3, delay: '1s' } },
    ],
    connections: [
      { from: 'check', outcome: 'True', to: 'book' },
      { from: 'check', outcome: 'False', to: 'ask' },
      { from: 'ask', to: 'book' },
    ],
  });
  const engine = await createEngine({
    store,
    worker: false,
    flows: [approval],
    handlers: {
      check: async ({ config, input }) =>
        outcome(input.total < config.limit ? 'True' : 'False', { checked: true }),
      ask: ({ wake }) => (wake.reason === 'event' ? { by: 'anna' } : waiting('answer', '7d')),
      'approval/book': () => outcomes(['Done', 'Booked']),
    },
  });
  const run = await engine.start(approval, { total: 5 });
  expectTypeOf(run).toEqualTypeOf<Run<Readonly<Record<string, Json>>>>();
  await engine.close();
});

test('a flowchart says what it begins with, and may say what it ends with', async () => {
  const body: FlowchartBody = { activities: [{ id: 'weigh', type: 'weigh' }] };
  const definition: FlowchartDefinition = {
    ...{ id: 'parcel', version: 1, onFailure: 'incident', limit: { concurrency: 2 } },
    activities: [
      { id: 'pack', type: 'flowchart', config: body },
      { id: 'each', type: 'forEach', config: { items: 'input.lines', ...body } },
    ],
    connections: [{ from: 'pack', to: 'each' }],
  };
  const parcels = flowchart<Order, { pack: { weigh: number } }>(definition);
  const engine = await createEngine({ store: memory(), worker: false, flows: [parcels] });
  const run = await engine.start(parcels, { total: 5 });
  expectTypeOf(run).toEqualTypeOf<Run<{ pack: { weigh: number } }>>();
  // @ts-expect-error an order has a total
  const wrong = (): unknown => engine.start(parcels, {});
  expectTypeOf(wrong).toBeFunction();
  await engine.close();
});

test('handlers of chains and of activities stand side by side', async () => {
  const PAY: ChainHandler<{ paid?: boolean }> = (step) => {
    step.context.paid = true;
    return completed();
  };
  const rest: ActivityHandler<object, Order> = ({ input, results, item }) => {
    expectTypeOf(input).toEqualTypeOf<Order>();
    return [input.total, results['weigh'].grams, item];
  };
  const weigh: ActivityHandler<{ grams: number }> = ({ config, activity, type, instance, key }) => {
    expectTypeOf(config).toEqualTypeOf<{ grams: number }>();
    expectTypeOf([activity, type, instance]).toEqualTypeOf<string[]>();
    expectTypeOf(key).toEqualTypeOf<string | null>();
    return { grams: config.grams };
  };
  const engine = await createEngine({
    store: memory(),
    worker: false,
    flows: [chain('orders', 1, ['PAY'])],
    handlers: {
      PAY,
      weigh,
      rest,
      either: (step) => (step.stepType === 'x' ? completed() : { ok: step.config.anything }),
    },
  });
  await engine.close();
});

test('a handler of an activity is told what there is to know, and may return anything', () => {
  const seen = ({
    config,
    input,
    results,
    vars,
    wake,
    attempt,
    signal,
  }: ActivityContext): unknown => {
    expectTypeOf(wake.reason).toBeString();
    expectTypeOf(attempt).toBeNumber();
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    return [config['anything'], input, results, vars];
  };
  expectTypeOf(seen).toExtend<ActivityHandler>();
  expectTypeOf(outcome('True', 1)).toEqualTypeOf<OutcomeResult>();
  expectTypeOf(() => retry('1s', 'busy')).toExtend<ActivityHandler>();
  expectTypeOf(async () => dead('gone')).toExtend<ActivityHandler>();
  expectTypeOf(() => {}).toExtend<ActivityHandler>();
});

test('definitions and answers are held to their types', () => {
  // @ts-expect-error a flowchart has activities
  flowchart({ id: 'a', version: 1 });
  // @ts-expect-error there is no such mode
  flowchart({ id: 'a', version: 1, activities: [{ id: 'A', type: 'x', mergeMode: 'all' }] });
  // @ts-expect-error there is no such field
  flowchart({ id: 'a', version: 1, activities: [{ id: 'A', type: 'x', mode: 'race' }] });
  // @ts-expect-error a connection leads somewhere
  flowchart({ id: 'a', version: 1, activities: [], connections: [{ from: 'A' }] });
  // @ts-expect-error outcomes are a list
  outcomes('True');
});
