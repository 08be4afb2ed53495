/**
 * An order whose steps are done elsewhere: one by `remote-worker.ts`, one by `remote_worker.py`.
 * This program has the flow, the database and the API, and prints what a worker needs to know.
 *
 *     node examples/remote.ts orders.db 4100
 */
import { createEngine, flow, remote } from 'perdure';
import { api, createApiKey } from 'perdure/server';
import { sqlite } from 'perdure/sqlite';

const [, , file = 'orders.db', port = '0'] = process.argv;

const order = flow<{ sku: string; price: number }>('order')
  .step('charge', remote<{ receipt: string }>(), { retry: { maxAttempts: 5, delay: '1s' } })
  .step('label', remote<{ tracking: string }>(), { retry: { maxAttempts: 5, delay: '1s' } })
  .end(({ results }) => ({ ...results.charge, ...results.label }));

const engine = await createEngine({ store: sqlite(file), flows: [order] });

// The text of the key is for the workers, and shown once; the record is for the API.
const { key, record } = createApiKey({ id: 'workers', role: 'worker' });
const server = api(engine, { access: { keys: [record] } });
const { url } = await server.listen({ port: Number(port) });
console.log(`PERDURE_URL=${url} PERDURE_KEY=${key}`);

const run = await engine.start(order, { sku: 'A1', price: 42 });
const { receipt, tracking } = await run.result();
console.log(`done: receipt ${receipt}, tracking ${tracking}`);

// The engine first: whoever waits for work is told that there is none.
await engine.close();
await server.close();
