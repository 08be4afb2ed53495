/**
 * Inbox from webhook: an order waits until the payment provider calls. The provider signs what it
 * sends (as Stripe does; GitHub and Standard Webhooks are known, too) and repeats it until it is
 * answered, and anybody can call the same URL. So the signature is checked over the bytes that
 * came, an event's id makes it count once, and it is in the database before it is answered.
 *
 * Prints:
 *
 *     signed: 202, woken
 *     the same again: 409, webhook.repeated
 *     signed by somebody else: 401, webhook.forged
 *     { paid: 42, by: 'pi_7' }
 */
import { createHmac } from 'node:crypto';
import { createEngine, event, flow } from 'perdure';
import { api, type WebhookSource } from 'perdure/server';
import { sqlite } from 'perdure/sqlite';

const succeeded = event<{ id: string; amount: number }>('payment.succeeded');
const order = flow<{ amount: number }>('order')
  .waitFor('payment', { event: succeeded, timeout: '3d' }) // by the order's key; null if late
  .end(({ results: { payment } }) => payment && { paid: payment.amount / 100, by: payment.id });

type Payment = { id: string; amount: number; metadata: { order: string } };
type StripeEvent = { id: string; type: string; data: { object: Payment } };
const secret = process.env['STRIPE_SECRET'] ?? 'whsec_only_for_this_example';
const stripe: WebhookSource = {
  scheme: 'stripe',
  secret,
  message: ({ data }) => {
    const came = data as StripeEvent;
    if (came.type !== 'payment_intent.succeeded') return null; // nothing is published
    const { id, amount, metadata } = came.data.object;
    return { type: 'payment.succeeded', key: metadata.order, data: { id, amount } };
  },
};

const engine = await createEngine({ store: sqlite('orders.db'), flows: [order] });
// What is signed needs no key. Everything else of the API does, and here nobody has one.
const server = api(engine, { access: { keys: [] }, webhooks: { stripe } });
const { url } = await server.listen(); // `hosts` are further names by which it is called
const run = await engine.start(order, { amount: 42 }, { key: 'order-1' });

/** Stands for the provider. */
async function send(what: string, event: StripeEvent, key: string): Promise<void> {
  const [body, t] = [JSON.stringify(event), Math.floor(Date.now() / 1_000)];
  const v1 = createHmac('sha256', key).update(`${t}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` };
  const answer = await fetch(`${url}/hooks/stripe`, { method: 'POST', headers, body });
  const { outcome, code } = (await answer.json()) as { outcome?: string; code?: string };
  console.log(`${what}: ${answer.status}, ${outcome ?? code}`);
}
const object = { id: 'pi_7', amount: 4_200, metadata: { order: 'order-1' } };
const paid = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object } };
await send('signed', paid, secret);
await send('the same again', paid, secret);
await send('signed by somebody else', { ...paid, id: 'evt_2' }, 'whsec_another_secret');
console.log(await run.result());
await server.close().then(() => engine.close());
