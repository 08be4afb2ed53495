/**
 * A flow that calls other flows: one for each article of an order, and one to bill it. Each call is
 * an instance of its own, with its own history and retries. What it returns is the result of the
 * call; if it fails, the call fails with the same code, and a `.try` can catch that. A crash loses
 * nothing: a child is started once, by the commit that calls it, and its end wakes the parent once.
 *
 * Prints:
 *
 *     order-1: from shelf-A, shelf-B, paid 24
 *     order-2: from shelf-C, by invoice: the card was refused
 *     order-2 has called bill (failed), pick (completed)
 */
import { createEngine, Fatal, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const pick = flow<string>('pick')
  .step('fetch', ({ input }) => ({ shelf: `shelf-${input}`, price: 12 }))
  .end(({ results }) => results.fetch);

// Stands for a bank, to which the same key twice is one charge.
function charge(card: string, amount: number, _key: string): number {
  if (card === 'expired') throw new Fatal('the card was refused', { code: 'card.refused' });
  return amount;
}
const bill = flow<{ card: string; total: number }>('bill')
  .step('pay', ({ input, idempotencyKey }) => charge(input.card, input.total, idempotencyKey))
  .end(({ results }) => `paid ${results.pay}`);

const order = flow<{ card: string; skus: string[] }>('order')
  .map('picked', { over: ({ input }) => input.skus, limit: 10 }, (b) =>
    b.call('pick', pick, ({ item }) => item),
  )
  .set('sum', ({ results }) => results.picked.reduce((sum, { price }) => sum + price, 0))
  .try(
    'billing',
    (b) => b.call('bill', bill, ({ input, results }) => ({ card: input.card, total: results.sum })),
    {
      catch: { errors: ['card.refused'] },
      do: (b) => b.step('mail', ({ results }) => `by invoice: ${results.billing.message}`),
    },
  )
  .end(({ results: { picked, bill, mail } }) => {
    const shelves = picked.map(({ shelf }) => shelf).join(', ');
    return `from ${shelves}, ${bill ?? mail}`;
  });

// Flows that are called come along with those that call them.
const engine = await createEngine({ store: sqlite('orders.db'), flows: [order] });
const start = (id: string, card: string, skus: string[]) =>
  engine.start(order, { card, skus }, { id, onConflict: 'existing' });
const runs = [await start('order-1', 'good', ['A', 'B']), await start('order-2', 'expired', ['C'])];
for (const run of runs) console.log(`${run.id}: ${await run.result()}`);

const { instances } = await engine.list({ parent: 'order-2' });
const called = instances.map(({ flow, status }) => `${flow} (${status})`).toSorted();
console.log(`order-2 has called ${called.join(', ')}`);
await engine.close();
