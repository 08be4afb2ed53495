/**
 * Orders behind Express. An order is an instance with its number as key: a shop that had no answer
 * and posts again gets the same one, and the payment provider may call several times, too.
 * Perdure's own API lies below /perdure. SIGTERM lets requests and handlers come to their end.
 *
 * Prints:
 *
 *     POST /orders 201 {"id":"order-1"}
 *     POST /orders 200 {"id":"order-1"}
 *     GET /orders/order-1 200 {"status":"waiting","output":null}
 *     POST /orders/order-1/payment 200 {"outcome":"woken"}
 *     POST /orders/order-1/payment 200 {"outcome":"duplicate"}
 *     GET /perdure/instances/order-1/result 200 {"id":"order-1",…"output":"A1 sent",…}
 *     GET /orders/order-2 404 {"error":"there is no such order"}
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createEngine, flow } from 'perdure';
import { api } from 'perdure/server';
import { sqlite } from 'perdure/sqlite';
import { visit } from './shop.ts';

const order = flow<{ sku: string }>('order')
  .waitFor('paid', { event: 'order.paid' })
  .step('ship', ({ input }) => `${input.sku} sent`)
  .end(({ results }) => results.ship);
const engine = await createEngine({ store: sqlite('orders.db'), flows: [order] });
const perdure = api(engine); // for this machine alone, unless you say who may come in: `access`
const app = express();
app.use('/perdure', perdure.express); // first, as it reads bodies itself
app.use(express.json());
app.post('/orders', async ({ body: { number, sku } }, response) => {
  const ids = { id: number, key: number }; // one instance per number, for ever
  const run = await engine.start(order, { sku }, { ...ids, onConflict: 'existing' });
  response.status(run.existing ? 200 : 201).json({ id: run.id });
});
app.get('/orders/:number', async ({ params: { number } }, response) => {
  const run = await engine.get(number);
  if (run === undefined) return void response.status(404).json({ error: 'there is no such order' });
  const { status, output } = await run.inspect();
  response.json({ status, output });
});
app.post('/orders/:number/payment', async ({ params, body: { payment, amount } }, response) => {
  const message = { type: 'order.paid', key: params.number, id: payment, data: { amount } };
  response.json({ outcome: (await engine.publish(message)).outcome });
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
async function shutDown(): Promise<void> {
  await perdure.close(); // ends its streams of events
  await new Promise((resolve) => server.close(resolve));
  await engine.close({ timeout: '10s' });
}
process.once('SIGTERM', () => void shutDown());

await visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // a shop calls
await shutDown();
