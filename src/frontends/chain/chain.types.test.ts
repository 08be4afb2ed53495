/** What TypeScript knows of a chain. The compiler is the test: `tsc` fails where this is wrong. */
import { expectTypeOf, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { StepResult } from '../../model/chain.ts';
import { createEngine } from '../../runtime/engine.ts';
import type { ChainHandler, ChainHandlers, ChainStep } from '../../runtime/links.ts';
import type { Run } from '../../runtime/run.ts';
import { memory } from '../../stores/memory/memory.ts';
import { chain } from './chain.ts';
import { completed, dead, retry, waiting } from './results.ts';

interface OrderContext {
  sku: string;
  total: number;
  paid?: boolean;
}

const carrier = { busy: false, knows: (address: string) => address !== '' };
const address = 'Main Street 1';
const data = { total: 5 };

test('API.md §3 needs no cast', async () => {
  const store = memory();
  const orders = chain('order.process', 1, ['VALIDATE', 'PAY', 'SHIP'], {
    maxAttempts: 3,
    waitingTimeouts: true,
  });
  const engine = await createEngine({
    store,
    worker: false,
    flows: [orders],
    handlers: {
      VALIDATE: async (_step) => completed(),
      PAY: async (step) =>
        step.wake.reason === 'event'
          ? completed()
          : waiting('payment.received', '15m', [{ type: 'payment.requested', data }]),
      'order.process/SHIP': async (_step) =>
        carrier.busy
          ? retry('5s', 'carrier busy')
          : carrier.knows(address)
            ? completed()
            : dead('no such address'),
    },
  });
  const run = await engine.start(orders, { sku: 'A1' });
  expectTypeOf(await run.status()).toBeString();
  await engine.close();
});

test('a handler has a context of its own, and stands among others', async () => {
  const pay: ChainHandler<OrderContext> = async (step) => {
    expectTypeOf(step.context).toEqualTypeOf<OrderContext>();
    step.context.paid = true;
    step.context = { ...step.context, total: 0 };
    // @ts-expect-error it is about no such thing
    step.context.color = 'red';
    return completed();
  };
  const handlers: ChainHandlers = { PAY: pay, ANY: ({ context }) => dead(context['anything']) };
  const orders = chain<OrderContext>('orders', 1, ['PAY']);
  const engine = await createEngine({
    store: memory(),
    flows: [orders],
    handlers: { ...handlers, pay },
  });
  const run = await engine.start(orders, { sku: 'A1', total: 5 });
  expectTypeOf(run).toEqualTypeOf<Run<OrderContext>>();
  // @ts-expect-error an order has a total
  const wrong = (): unknown => engine.start(orders, { sku: 'A1' });
  expectTypeOf(wrong).toBeFunction();
  await engine.close();
});

test('a handler is told everything there is to know, and returns one of four', () => {
  const seen = (step: ChainStep): StepResult => {
    expectTypeOf(step.taskType).toEqualTypeOf<'READY_STEP' | 'WAITING_TIMEOUT'>();
    expectTypeOf(step.stepType).toEqualTypeOf<string>();
    expectTypeOf(step.stepSeq).toEqualTypeOf<number>();
    expectTypeOf(step.event).toEqualTypeOf<Json>();
    expectTypeOf(step.key).toEqualTypeOf<string | null>();
    expectTypeOf(step.signal).toEqualTypeOf<AbortSignal>();
    // @ts-expect-error its place in the chain is not for it to choose
    step.stepSeq = 3;
    return completed();
  };
  expectTypeOf(seen).toExtend<ChainHandler>();
  expectTypeOf(() => ({ done: true })).not.toExtend<ChainHandler>();
  expectTypeOf(() => {}).not.toExtend<ChainHandler>();
  expectTypeOf(async () => retry(null, 'busy')).toExtend<ChainHandler>();
});

test('definitions and answers are held to their types', () => {
  // @ts-expect-error the steps are a list
  chain('a', 1, 'A');
  // @ts-expect-error there is no such option
  chain('a', 1, ['A'], { attempts: 3 });
  // @ts-expect-error a time is a duration
  waiting('a', new Date());
  // @ts-expect-error it says what went wrong
  retry('5s');
});
