/**
 * Receipts that leave by the outbox: a shop tells an accountant, by webhook, what was paid. The
 * accountant is closed at first. Run it with the name of a database.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createEngine, flow, webhook } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const [, , file = 'receipts.db'] = process.argv;
const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

const order = flow<{ amount: number }>('order')
  .step('charge', ({ input }) => ({ paid: input.amount }))
  .emit('tell', { type: 'order.paid', data: ({ results }) => results.charge }, { outbox: true })
  .end();

function isGenuine(headers: Record<string, unknown>, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1_000 - Number(at)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const ours = createHmac('sha256', key).update([id, at, body].join('.')).digest();
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((theirs) => theirs.length === ours.length && timingSafeEqual(theirs, ours));
}

let isOpen = false;
const accountant = createServer((asked, answer) => void receive(asked, answer));
accountant.listen(0, '127.0.0.1');
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (!isOpen || !isGenuine(request.headers, body)) return void response.writeHead(410).end('shut');
  const { type, subject, data } = JSON.parse(body);
  console.log(`booked ${type} of ${subject}: ${JSON.stringify(data)}`);
  response.writeHead(204).end();
}
await once(accountant, 'listening');
const { port } = accountant.address() as AddressInfo;

const engine = await createEngine({
  store: sqlite(file),
  flows: [order],
  outbox: webhook({ url: `http://127.0.0.1:${port}/receipts`, secret }),
});
await (await engine.start(order, { amount: 12 }, { key: 'order-1' })).result();
const dead = async () => (await engine.outbox.list({ status: 'dead' })).letters;
while ((await dead()).length === 0) await new Promise(setImmediate);
for (const { type, lastError } of await dead()) {
  console.log(`${type} was given up: ${lastError?.replace(/^.*answered/, 'it said')}`);
}
isOpen = true;
await engine.outbox.requeue((await dead()).map(({ id }) => id));
await engine.close();
accountant.close();
