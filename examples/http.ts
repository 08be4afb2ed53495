/**
 * Orders over HTTP (see docs/http.md): serves until it is told to end. `PORT=0` takes any port that
 * is free; the first line it prints says where it is.
 */
import { createEngine, flow, memory } from 'perdure';
import { api } from 'perdure/server';

interface Order {
  sku: string;
  price: number;
}

const order = flow<Order>('order')
  .approve('release', { approvers: ['sales'], data: ({ input }) => input })
  .waitFor('paid', { event: 'paid' })
  .step('ship', ({ input }) => `${input.sku} is on its way`)
  .emit('tell', { type: 'order.sent', data: ({ input }) => input.sku }, { outbox: true })
  .end(({ results }) => ({ ship: results.ship, paid: results.paid }));

const charge = flow<{ amount: number }>('charge')
  .step('bank', ({ input }) => {
    if (input.amount > 100) throw new Error('the bank is closed');
    return `${input.amount} charged`;
  })
  .end(({ results }) => results.bank);

const engine = await createEngine({
  store: memory(),
  flows: [order, charge],
  outbox: () => Promise.reject(new Error('nobody listens yet')),
});

const server = api(engine);
const { url } = await server.listen({ port: Number(process.env['PORT'] ?? 8080) });
console.log(url);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close().then(() => engine.close());
  });
}
