/** What TypeScript knows of steps that fail, of what catches and what undoes. `tsc` is the test. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expectTypeOf, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { Flow } from '../../model/definition.ts';
import type { Caught } from './failure-types.ts';
import { flow } from './flow.ts';
import type { RetryOptions, Thrown } from './retry-options.ts';
import type { UndoTools } from './step-types.ts';

interface Order {
  sku: string;
  count: number;
}

const order = flow<Order, { left: number }>('order', { vars: { left: 3 } });

/** What the first program of the manual is about; nothing of it is called here. */
interface Shop {
  readonly schema: StandardSchemaV1<{ sku: string }>;
  readonly stock: {
    reserve(sku: string): Promise<{ id: number; price: number }>;
    release(id: number): Promise<void>;
  };
  readonly pay: (price: number, idempotencyKey: string) => Promise<string>;
  readonly ship: (context: { input: { sku: string } }) => Promise<{ tracking: string }>;
  readonly invoice: (context: { results: { charge: string } }) => Promise<void>;
}

test('the program of the manual needs no annotation', () => {
  const manual = ({ schema, stock, pay, ship, invoice }: Shop) =>
    flow('order', { version: 1, input: schema })
      .step('reserve', async ({ input }) => stock.reserve(input.sku), {
        undo: async ({ result }) => stock.release(result.id),
      })
      .step(
        'charge',
        async ({ results, idempotencyKey }) => pay(results.reserve.price, idempotencyKey),
        {
          retry: {
            maxAttempts: 5,
            delay: '1s',
            backoff: 'exponential',
            maxDelay: '1m',
            jitter: 0.2,
          },
          timeout: '30s',
        },
      )
      .parallel('fulfil', {
        goods: (b) => b.step('ship', ship),
        paper: (b) => b.sleep('cool-off', '1d').step('invoice', invoice),
      })
      .end(({ results }) => ({ tracking: results.ship.tracking }));
  expectTypeOf(manual).returns.toEqualTypeOf<
    Flow<{ sku: string }, { readonly tracking: string }>
  >();
});

test('an undo is typed by its own step', () => {
  order
    .step('before', () => 'x' as const)
    .step(
      'reserve',
      async ({ input }) => ({ id: input.sku, at: undefined as string | undefined }),
      {
        undo: async (context) => {
          const { result, results, input, vars, inDoubt, undoes, attempt, signal } = context;
          expectTypeOf(result).toEqualTypeOf<{ readonly id: string; readonly at?: string }>();
          expectTypeOf(results.reserve).toEqualTypeOf<typeof result>();
          expectTypeOf(results.before).toEqualTypeOf<'x'>();
          expectTypeOf(input.count).toEqualTypeOf<number>();
          expectTypeOf(vars.left).toEqualTypeOf<number>();
          expectTypeOf(inDoubt).toEqualTypeOf<boolean>();
          expectTypeOf(undoes).toEqualTypeOf<string>();
          expectTypeOf(attempt).toEqualTypeOf<number>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
          context.set('left', 4);
          // @ts-expect-error what comes later is not there yet
          return results.after;
        },
      },
    )
    .step('after', ({ results }) => expectTypeOf(results.reserve.id).toEqualTypeOf<string>());
});

test('an undo may have a retry and a timeout, and be written before its step is known', () => {
  const pay = async () => ({ receipt: 7 });
  const refund = ({ result, undoes }: UndoTools<{ receipt: number }>) => [result.receipt, undoes];
  order
    .step('a', pay, { undo: refund })
    .step('b', pay, { undo: { do: refund, retry: { maxAttempts: 3 }, timeout: '5s' } })
    .step('c', () => 3, { undo: ({ result }) => expectTypeOf(result).toEqualTypeOf<number>() })
    .step('d', () => {}, {
      undo: { do: ({ result }) => expectTypeOf(result).toEqualTypeOf<null>() },
    })
    .step('e', () => 3, { undo: () => 'nothing is asked for' })
    .step('f', ({ results }) => expectTypeOf(results.a.receipt).toEqualTypeOf<number>());
  // @ts-expect-error the step gives something else
  order.step('a', () => 'text', { undo: refund });
  // @ts-expect-error there must be something to do
  order.step('a', pay, { undo: { timeout: '5s' } });
});

test('a retry of a step sees what was thrown', () => {
  const options: RetryOptions = { maxAttempts: 2, when: (error) => error.code === 'busy' };
  order
    .step('a', () => 1, { retry: options, timeout: '30s', deadline: '1h', priority: 2 })
    .step('b', () => 1, {
      retry: {
        maxAttempts: 5,
        delay: '1s',
        backoff: 'exponential',
        maxDelay: '1m',
        jitter: 0.2,
        when: (error) => {
          expectTypeOf(error).toEqualTypeOf<Thrown>();
          expectTypeOf(error.code).toEqualTypeOf<string | undefined>();
          return !(error instanceof TypeError);
        },
      },
      onFailure: 'incident',
    });
  // @ts-expect-error how often must be said
  order.step('a', () => 1, { retry: { delay: '1s' } });
  // @ts-expect-error no such growth
  order.step('a', () => 1, { retry: { maxAttempts: 2, backoff: 'random' } });
  // @ts-expect-error a condition answers at once
  order.step('a', () => 1, { retry: { maxAttempts: 2, when: async () => true } });
  // @ts-expect-error failing is what it does anyway
  order.step('a', () => 1, { onFailure: 'fail' });
  // @ts-expect-error no such option
  order.step('a', () => 1, { retries: 3 });
});

test('a caught error is the result of its try', () => {
  order
    .step('before', () => 1)
    .try('pay', (b) => b.step('charge', ({ results }) => results.before).step('book', () => 'x'), {
      catch: {
        errors: ['card.declined'],
        when: (error, { results, input }) => {
          expectTypeOf(error).toEqualTypeOf<Caught>();
          expectTypeOf(results.before).toEqualTypeOf<number>();
          // @ts-expect-error the body did not come that far
          return input.count > 1 && results.charge;
        },
      },
      do: (b) =>
        b
          .step('tell', ({ results }) => {
            expectTypeOf(results.pay).toEqualTypeOf<Caught>();
            expectTypeOf(results.before).toEqualTypeOf<number>();
            expectTypeOf(results.pay.details).toEqualTypeOf<JsonObject | undefined>();
            // @ts-expect-error the body did not come that far
            return results.charge;
          })
          .step('told', () => true),
      retry: {
        maxAttempts: 3,
        when: (error) => {
          expectTypeOf(error).toEqualTypeOf<Caught>();
          return error.fatal !== true;
        },
      },
    })
    .step('after', ({ results }) => {
      expectTypeOf(results.before).toEqualTypeOf<number>();
      expectTypeOf(results.pay).toEqualTypeOf<Caught | undefined>();
      expectTypeOf(results.charge).toEqualTypeOf<number | undefined>();
      expectTypeOf(results.book).toEqualTypeOf<string | undefined>();
      expectTypeOf(results.told).toEqualTypeOf<boolean | undefined>();
    });
});

test('after a try that only tries again its body has surely run', () => {
  order
    .try('pay', (b) => b.step('charge', () => 1), { retry: { maxAttempts: 3 } })
    .step('after', ({ results }) => {
      expectTypeOf(results.charge).toEqualTypeOf<number>();
      // @ts-expect-error nothing is caught
      return results.pay;
    });
  // @ts-expect-error something is to happen
  order.try('pay', (b) => b.step('charge', () => 1), {});
  // @ts-expect-error something is to happen
  order.try('pay', (b) => b.step('charge', () => 1), { catch: { errors: ['x'] } });
  // @ts-expect-error something is to happen
  order.try('pay', (b) => b.step('charge', () => 1));
});

test('names are used once in a try too', () => {
  order.try('pay', (b) => b.step('x', () => 1), {
    // @ts-expect-error in the body and in what is done instead
    do: (b) => b.step('x', () => 1),
  });
  // @ts-expect-error the name of the try itself
  order.try('pay', (b) => b.step('pay', () => 1), { do: (b) => b });
  order.try('pay', (b) => b, {
    // @ts-expect-error the name of the try itself
    do: (b) => b.step('pay', () => 1),
  });
  const tried = order.try('pay', (b) => b.step('x', () => 1), { do: (b) => b.sleep('y', 5) });
  // @ts-expect-error a name from the body
  tried.step('x', () => 1);
  // @ts-expect-error a name from what is done instead
  tried.step('y', () => 1);
  // @ts-expect-error only the top of a flow ends it
  order.try('pay', (b) => b, { do: (b) => b.end() });
});

test('an error is raised by its parts, by its text, or again as it was caught', () => {
  const declined = { code: 'card.declined', details: { tries: 3 } };
  order.choose(
    'why',
    {
      a: { when: () => true, do: (b) => b.fail('f1', declined) },
      b: { when: () => true, do: (b) => b.fail('f2', 'not today') },
      c: { when: () => true, do: (b) => b.fail('f3', ({ input }) => `no ${input.sku}`) },
      d: {
        when: () => true,
        do: (b) => b.try('t', (b) => b, { do: (b) => b.fail('f4', ({ results }) => results.t) }),
      },
    },
    { otherwise: (b) => b },
  );
  // @ts-expect-error a code there must be
  order.fail('f', { message: 'x' });
  // @ts-expect-error no such part
  order.fail('f', { code: 'x', cause: 'y' });
  // @ts-expect-error details are JSON
  order.fail('f', { code: 'x', details: { at: new Date() } });
  // @ts-expect-error a closure answers at once
  order.fail('f', async () => 'x');
  const swallowed = order.try('t', (b) => b, { do: (b) => b });
  // @ts-expect-error there may have been no error
  swallowed.fail('f', ({ results }) => results.t);
});

test('nothing follows a fail, and it gives the flow no output', () => {
  expectTypeOf(order.fail('f', 'x')).not.toHaveProperty('step');
  // @ts-expect-error nothing follows a fail
  order.scope('s', (b) => b.fail('f', 'x').step('a', () => 1));
  expectTypeOf(order.fail('f', 'x').end()).toEqualTypeOf<Flow<Order, never>>();
  const refuses = order.try('t', (b) => b.terminate('u', () => 'done' as const), {
    do: (b) => b.fail('f', 'x'),
  });
  expectTypeOf(refuses.end(() => 1)).toEqualTypeOf<Flow<Order, number | 'done'>>();
});

test('how far an undo reaches is one of three words', () => {
  flow('a', { saga: 'scope', onUndoFailure: 'halt', onFailure: 'incident' })
    .scope('s', (b) => b.step('x', () => 1), { saga: 'none' })
    .step('after', ({ results }) => expectTypeOf(results.x).toEqualTypeOf<number>());
  // @ts-expect-error no such reach
  flow('a', { saga: 'flow' });
  // @ts-expect-error no such way
  flow('a', { onUndoFailure: 'stop' });
  // @ts-expect-error no such way
  flow('a', { onFailure: 'retry' });
  // @ts-expect-error no such reach
  order.scope('s', (b) => b, { saga: 'all' });
});
