/**
 * Orders behind Hono, with progress as it happens. An order is an instance with its number as key:
 * whoever posts it again gets the same one. `/orders/:number/progress` tells by server-sent events
 * what is done, until the order is over; a page that lost its connection says what it had last
 * (`Last-Event-ID`) and goes on there, whichever process it comes to.
 *
 * Prints:
 *
 *     POST /orders 201 {"id":"order-1"}
 *     POST /orders 200 {"id":"order-1"}
 *     POST /perdure/messages 202 {"outcome":"woken",…}
 *     GET /orders/order-1/progress 200 data: paid id: 2 data: ship id: 3
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { createEngine, flow } from 'perdure';
import { api } from 'perdure/server';
import { sqlite } from 'perdure/sqlite';
import { ask } from './shop.ts';

const order = flow<{ sku: string }>('order')
  .waitFor('paid', { event: 'order.paid' })
  .step('ship', ({ input }) => `${input.sku} sent`)
  .end();
const engine = await createEngine({ store: sqlite('orders.db'), flows: [order] });
const app = new Hono();
app.route('/perdure', api(engine).hono); // Perdure's own API, for this machine alone
app.post('/orders', async (c) => {
  const { number, sku } = await c.req.json<{ number: string; sku: string }>();
  const ids = { id: number, key: number }; // one instance per number, for ever
  const run = await engine.start(order, { sku }, { ...ids, onConflict: 'existing' });
  return c.json({ id: run.id }, run.existing ? 200 : 201);
});
app.get('/orders/:number/progress', (c) =>
  streamSSE(c, async (stream) => {
    const after = Number(c.req.header('last-event-id') ?? 0);
    const news = engine.subscribe({ id: c.req.param('number'), after, signal: c.req.raw.signal });
    for await (const { n, changes } of news) {
      const names = changes.map((c) => (c.did === 'write' && c.space === 'results' ? c.name : ''));
      const data = names.filter(Boolean).join(' and ');
      if (data !== '') await stream.writeSSE({ id: String(n), data });
    }
  }),
);
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

// Stands for a shop that had no answer and asks again, a page, and a payment provider.
console.log(await ask(`${url}/orders`, { number: 'order-1', sku: 'A1' }));
console.log(await ask(`${url}/orders`, { number: 'order-1', sku: 'A1' }));
const page = ask(`${url}/orders/order-1/progress`);
console.log(await ask(`${url}/perdure/messages`, { type: 'order.paid', key: 'order-1' }));
console.log(await page);
server.close();
await engine.close();
