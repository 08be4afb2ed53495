/**
 * An order that takes back what it did when it cannot be finished: a saga. Goods are reserved, a
 * card is charged, and then the carrier does not answer. So the instance undoes its steps, the
 * newest first, and ends as failed with the outcome `compensated`. Kill it at any moment, also
 * while it undoes: the next process goes on from there, and nobody stays charged for nothing.
 *
 * Prints:
 *
 *     reserved A1
 *     charged 42 at attempt 2
 *     recalled whatever was sent under the key …
 *     refunded 42
 *     released A1
 *     failed at ship, step.timeout: compensated
 */
import { setTimeout as silence } from 'node:timers/promises';
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const order = flow<{ sku: string; price: number }>('order')
  .step('reserve', ({ input }) => (console.log(`reserved ${input.sku}`), input.sku), {
    undo: ({ result }) => console.log(`released ${result}`),
  })
  .step(
    'charge',
    ({ input, idempotencyKey, attempt }) => {
      if (attempt === 1) throw new Error('the bank is down');
      console.log(`charged ${input.price} at attempt ${attempt}`);
      // The key is the same in every attempt, and the undo has one, too: a bank acts once for each.
      return { payment: idempotencyKey, amount: input.price };
    },
    {
      retry: { maxAttempts: 5, delay: '50ms', backoff: 'exponential', jitter: 0.2 },
      undo: ({ result }) => console.log(`refunded ${result.amount}`),
    },
  )
  .step(
    'ship',
    async ({ signal }) => {
      await silence(60_000, undefined, { signal }); // as a fetch(url, { signal }) that hangs
      return { parcel: 'P-7' };
    },
    {
      timeout: '100ms',
      // In doubt means that no answer came: there may be a parcel, and there is no result. The
      // carrier finds it by `undoes`, the idempotency key that the step was executed with.
      undo: ({ inDoubt, result, undoes }) =>
        console.log('recalled', inDoubt ? `whatever was sent under the key ${undoes}` : result),
    },
  )
  .end();

const engine = await createEngine({ store: sqlite('order-saga.db'), flows: [order] });
const options = { key: 'order-7', onConflict: 'existing' } as const; // started again, it goes on
const run = await engine.start(order, { sku: 'A1', price: 42 }, options);
await run.result().catch(() => {});
const { status, outcome, fault } = await run.inspect();
console.log(`${status} at ${fault?.node}, ${fault?.code}: ${outcome}`);
await engine.close();
