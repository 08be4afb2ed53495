/**
 * Outbox to webhook: tell another company what happened. The event is written in the same commit as
 * the progress that causes it, and sent after it: a crash can neither lose it nor invent it. But it
 * may arrive twice; here, because the accountant books it and breaks before it has answered. So an
 * event keeps its id on every attempt and is signed (Standard Webhooks); the receiver checks both.
 *
 * Prints:
 *
 *     booked order-1: 42
 *     the same id again: already booked
 *     a forged one is answered with 401
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createEngine, flow, webhook } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const order = flow<{ number: string; amount: number }>('order')
  .step('charge', ({ input }) => `${input.number}: ${input.amount}`)
  .emit('tell', { type: 'order.paid', data: ({ results }) => results.charge }, { outbox: true })
  .end();

// Stands for the accountant's server. What it has booked it keeps by id, in its own database.
const key = Buffer.from('thirty-two bytes, known to both.');
const booked = new Set<string>();
const accountant = createServer((request, response) => {
  void receive(request).then((status) => response.writeHead(status).end());
});
const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
async function receive(request: IncomingMessage): Promise<number> {
  const body = await text(request); // as it came: the signature is over the bytes
  const header = (name: string): string => String(request.headers[`webhook-${name}`]);
  const [id, at] = [header('id'), header('timestamp')];
  const ours = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest();
  const signatures = header('signature').split(' '); // "v1,…", several while a secret is changed
  const isGenuine = signatures.some((one) => isSame(ours, Buffer.from(one.slice(3), 'base64')));
  if (!isGenuine || Math.abs(Date.now() / 1_000 - Number(at)) > 300) return 401;
  const isNew = !booked.has(id);
  console.log(isNew ? `booked ${JSON.parse(body).data}` : 'the same id again: already booked');
  booked.add(id);
  if (!isNew) accountant.emit('repeated');
  return isNew ? 500 : 204; // booked, but whoever sent it does not hear of that
}

await once(accountant.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${(accountant.address() as AddressInfo).port}/events`;
const to = webhook({ url, secret: `whsec_${key.toString('base64')}` });
const outbox = { to, backoff: { base: '50ms' } } as const; // the first pause; 1 s if not said
const engine = await createEngine({ store: sqlite('orders.db'), flows: [order], outbox });
await engine.start(order, { number: 'order-1', amount: 42 });
await once(accountant, 'repeated');

const forged = await fetch(url, { method: 'POST', body: '{"data":"order-1: 9999"}' });
console.log(`a forged one is answered with ${forged.status}`);
await engine.close();
accountant.close();
