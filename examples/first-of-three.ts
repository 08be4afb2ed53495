/**
 * Whatever comes first of three: a payment, a cancellation by the customer, or the end of a quarter
 * of an hour. One token waits for all of them, so that exactly one decides, whatever comes at the
 * same moment and whenever a process dies. A message that comes before anyone waits for it is kept,
 * and one that is published twice under the same id counts once.
 *
 * Minutes pass at once here, by the clock of the test kit. In a program it is `createEngine` with a
 * database, and real time.
 *
 * Prints:
 *
 *     the same payment again: duplicate
 *     a payment after 16 minutes: buffered
 *     order-1: shipped for 42
 *     order-2: cancelled, found it cheaper
 *     order-3: nobody paid in time
 */
import { event, flow } from 'perdure';
import { createTestEngine } from 'perdure/testing';

const payment = event<{ amount: number }>('payment.received');
const cancellation = event<{ why: string }>('order.cancelled');

const order = flow<{ sku: string }>('order')
  .firstOf('answer', {
    paid: { event: payment },
    cancelled: { event: cancellation },
    late: { after: '15m' },
  })
  .step('settle', ({ results: { answer } }) => {
    if (answer.arm === 'paid') return `shipped for ${answer.data.amount}`;
    if (answer.arm === 'cancelled') return `cancelled, ${answer.data.why}`;
    return 'nobody paid in time';
  })
  .end(({ results }) => results.settle);

const test = createTestEngine({ flows: [order] });
/** Finds the order by its business key. The id is the sender's own: of the bank's transfer, say. */
const pay = async (key: string) =>
  test.engine.publish({ type: payment.type, key, id: `for ${key}`, data: { amount: 42 } });

await pay('order-1'); // nobody waits for it yet
const keys = ['order-1', 'order-2', 'order-3'];
const runs = await Promise.all(keys.map((key) => test.start(order, { sku: 'A1' }, { key })));
await test.advance('5m');
console.log('the same payment again:', (await pay('order-1')).outcome);
const data = { why: 'found it cheaper' };
await test.engine.publish({ type: cancellation.type, key: 'order-2', data });
await test.advance('11m');
console.log('a payment after 16 minutes:', (await pay('order-3')).outcome); // engine.inbox has it
for (const [n, run] of runs.entries()) console.log(`${keys[n]}: ${await run.result()}`);
await test.close();
