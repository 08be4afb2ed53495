/**
 * An order: reserve, then ship while the invoice waits out a cooling-off period, then ask the
 * carrier until the parcel has arrived.
 *
 * Kill it at any moment and run it again: the same order goes on where it was. What lies behind it
 * is in the file named first on the command line, the order's number comes second.
 */
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

interface Order {
  readonly sku: string;
  readonly price: number;
}

const [, , file = 'orders.db', number = 'order-1'] = process.argv;
const say = (line: string): void => console.log(`${number}  ${line}`);

const order = flow<Order>('order')
  .step('reserve', async ({ input }) => {
    say(`reserved ${input.sku}`);
    return { shelf: `${input.sku}-7` };
  })
  .parallel('fulfil', {
    goods: (b) =>
      b.step('ship', async ({ results, idempotencyKey }) => {
        say(`shipped from shelf ${results.reserve.shelf} (idempotency key ${idempotencyKey})`);
        return { tracking: `T-${results.reserve.shelf}` };
      }),
    paper: (b) =>
      b.sleep('cool-off', '1s').step('invoice', async ({ input }) => {
        say(`invoiced ${input.price}`);
        return { total: input.price };
      }),
  })
  .repeat('track', { until: ({ results }) => results.ask === 'arrived' }, (b) =>
    b.sleep('pause', '100ms').step('ask', async ({ index }) => {
      const answer = index < 2 ? 'on its way' : 'arrived';
      say(`the carrier says it is ${answer}`);
      return answer;
    }),
  )
  .end(({ results }) => ({ tracking: results.ship.tracking, total: results.invoice.total }));

const engine = await createEngine({
  store: sqlite(file),
  flows: [order],
  worker: { lease: '2s' },
});
const input = { sku: 'A1', price: 42 };
const run = await engine.start(order, input, { id: number, onConflict: 'existing' });
const { tracking, total } = await run.result();
say(`done: tracking ${tracking}, total ${total}, ${(await run.history()).length} commits`);
await engine.close();
