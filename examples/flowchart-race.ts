/**
 * A flowchart with a race: two suppliers are asked, the order goes to whoever answers first, and
 * the other is cancelled: its handler is told so (`signal`), and what it still brings is dropped.
 * A crash while both are asked has both asked again; once one answer is committed, that is the one.
 *
 * Prints:
 *
 *     { south: 38, order: 'A1 from south' }
 *     north was told to stop
 */
import { EventEmitter, once } from 'node:events';
import { createEngine } from 'perdure';
import { type ActivityHandler, flowchart } from 'perdure/flowchart';
import { sqlite } from 'perdure/sqlite';

const purchase = flowchart<{ sku: string }>({
  id: 'purchase',
  version: 1,
  activities: [
    { id: 'begin', type: 'start' },
    { id: 'north', type: 'ask', timeout: '1m', retry: { maxAttempts: 3, delay: '5s' } },
    { id: 'south', type: 'ask', timeout: '1m', retry: { maxAttempts: 3, delay: '5s' } },
    { id: 'order', type: 'order', mergeMode: 'race' }, // runs for the first to come
  ],
  connections: [
    { from: 'begin', to: 'north' },
    { from: 'begin', to: 'south' },
    { from: 'north', to: 'order' },
    { from: 'south', to: 'order' },
  ],
});

// Stands for the suppliers: south answers, while north takes its time until it is told to stop.
const suppliers = new EventEmitter();
const isAsked = once(suppliers, 'north is asked');
const isStopped = once(suppliers, 'north was told to stop');
async function priceOf(supplier: string, signal: AbortSignal): Promise<number> {
  if (supplier === 'south') return isAsked.then(() => 38); // not before north is asked, too
  suppliers.emit('north is asked');
  await once(signal, 'abort');
  suppliers.emit('north was told to stop');
  throw signal.reason;
}

const ask: ActivityHandler = ({ activity, signal }) => priceOf(activity, signal);
const order: ActivityHandler = ({ input, results }) =>
  results['south'] ? `${input.sku} from south` : `${input.sku} from north`;
const handlers = { ask, order }; // `order` passes its idempotencyKey on, when there is a real one
const engine = await createEngine({ store: sqlite('purchases.db'), flows: [purchase], handlers });
const run = await engine.start(purchase, { sku: 'A1' }, { key: 'purchase-7' });
console.log(await run.result());
await isStopped;
console.log('north was told to stop');
await engine.close();
