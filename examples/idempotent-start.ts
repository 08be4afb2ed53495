/**
 * A start that can be repeated. A shop sends an order, has no answer in time, and sends it again,
 * to another process and perhaps at the same moment. With the order's number as business key and
 * `onConflict: 'existing'` both get the same instance: the key is taken by the commit that starts
 * it. A key is free again when its instance has ended; an `id` is taken for ever. Over HTTP there
 * is also the `Idempotency-Key`: for a day, whoever repeats a request gets the first answer.
 *
 * Prints:
 *
 *     two starts at the same moment, one instance: true
 *     without onConflict: instance.exists
 *     shipped: A1
 *     after its end, with the same key: a new one
 *     over HTTP: 201, and the same again: 201, replayed
 */
import { createEngine, type EngineError, flow } from 'perdure';
import { api } from 'perdure/server';
import { sqlite } from 'perdure/sqlite';

const shipped: string[] = [];
const order = flow<{ sku: string }>('order')
  .waitFor('paid', { event: 'order.paid' })
  .step('ship', ({ input }) => void shipped.push(input.sku))
  .end();

// Two engines on one database stand for two processes behind a load balancer.
const north = await createEngine({ store: sqlite('orders.db'), flows: [order] });
const south = await createEngine({ store: sqlite('orders.db'), flows: [order] });

const options = { key: 'order-42', onConflict: 'existing' } as const;
const [one, other] = await Promise.all([
  north.start(order, { sku: 'A1' }, options),
  south.start(order, { sku: 'A1' }, options),
]);
console.log('two starts at the same moment, one instance:', one.id === other.id);
await north.start(order, { sku: 'A1' }, { key: 'order-42' }).catch((error: EngineError) => {
  console.log('without onConflict:', error.code); // error.details.instance is the one that has it
});

await south.publish({ type: 'order.paid', key: 'order-42', id: 'payment-7' });
await Promise.all([one.result(), other.result()]);
console.log('shipped:', shipped.join());
const later = await north.start(order, { sku: 'A1' }, options);
console.log('after its end, with the same key:', later.existing ? 'the same' : 'a new one');

const server = api(south);
const { url } = await server.listen();
async function post(): Promise<string> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'cart-7' };
  const body = JSON.stringify({ flow: 'order', key: 'order-43', input: { sku: 'B2' } });
  const answer = await fetch(`${url}/instances`, { method: 'POST', headers, body });
  return `${answer.status}${answer.headers.has('idempotency-replayed') ? ', replayed' : ''}`;
}
console.log(`over HTTP: ${await post()}, and the same again: ${await post()}`);
await server.close();
await Promise.all([north.close(), south.close()]);
