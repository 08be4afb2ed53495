/**
 * An order as a Serverless Workflow: stock that is asked for until it answers, an approval that is
 * waited for, and goods and paper side by side. `serverless-order.yaml` says all of it; the program
 * has the service it calls, here a server of its own, and whoever approves.
 *
 * Kill it and run it again: the same order goes on where it was, in the file that is named first.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEngine, type OutboxEvent } from 'perdure';
import { serverless } from 'perdure/serverless';
import { sqlite } from 'perdure/sqlite';

const [, , file = 'orders.db'] = process.argv;
let asked = 0;

const shop = createServer((request, response) => {
  const isBusy = request.url === '/stock/A1' && ++asked < 3;
  console.log(`${request.method} ${request.url} ${isBusy ? 503 : 200}`);
  response.writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ shelf: 'A1-7', tracking: 'T-7' }));
});
await once(shop.listen(0, '127.0.0.1'), 'listening');
const { port } = shop.address() as AddressInfo;

interface Order {
  readonly sku: string;
  readonly price: number;
}

const text = readFileSync(new URL('serverless-order.yaml', import.meta.url), 'utf8');
const order = serverless<Order, { tracking: string; due: number; approvedBy: string }>(text);

const engine = await createEngine({
  store: sqlite(file),
  flows: [order],
  http: { allow: ['127.0.0.1'] },
  serverless: { base: `http://127.0.0.1:${port}/`, lifecycle: 'none' },
  outbox: answer,
  worker: { lease: '2s' },
});

/** Whoever is asked for an approval: somebody's inbox, in the place of which Ann is quick. */
async function answer({ type, key, id }: OutboxEvent): Promise<void> {
  console.log(`${type} about ${key}`);
  const event = { specversion: '1.0', type: 'order.answer', source: '/ann', subject: key } as const;
  await engine.publish({ ...event, id, data: { approved: true, by: 'ann' } });
}

const options = { id: 'order-42', onConflict: 'existing' } as const;
const run = await engine.start(order, { sku: 'A1', price: 420 }, options);
console.log(JSON.stringify(await run.result()));
await engine.close();
shop.close();
