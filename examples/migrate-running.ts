/**
 * Migration of running instances: version 1 of an order ships whatever was paid, even too little.
 * That is found in production, while orders wait for their payment. So version 1 is held, version 2
 * is released beside it, and a dry run says who has no place there and why: a node was renamed.
 * Once that is mapped all of them move, each in one commit, with who did it and why in its history.
 * A crash in between leaves some moved and some not; the same bulk again moves the rest.
 *
 * Prints:
 *
 *     held: 2
 *     could be moved: 0 of 2, as "paid" is not in version 2 of "order": map it to a node that is
 *     could be moved: 2 of 2
 *     moved: 2 of 2
 *     instance order-1 failed at "check": paid 5 of 40 (handler.fatal)
 *     sent
 */
import { createEngine, event, Fatal, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const paid = event<{ amount: number }>('order.paid');
const order1 = flow<{ price: number }>('order', { version: 1 })
  .waitFor('paid', { event: paid })
  .step('ship', () => 'sent')
  .end(({ results }) => results.ship);

const order2 = flow<{ price: number }>('order', { version: 2 })
  .waitFor('payment', { event: paid })
  .step('check', ({ input: { price }, results: { payment } }) => {
    if (payment.amount < price) throw new Fatal(`paid ${payment.amount} of ${price}`);
  })
  .step('ship', () => 'sent')
  .end(({ results }) => results.ship);

// The release with the mistake: two orders wait, and as soon as it is found nothing goes on.
const old = await createEngine({ store: sqlite('orders.db'), flows: [order1] });
for (const id of ['order-1', 'order-2']) await old.start(order1, { price: 40 }, { id, key: id });
const who = { actor: 'ada', reason: 'version 1 ships what is not paid' };
console.log('held:', (await old.flows.suspend('order', 1, who)).suspended);
await old.close();

// The next release has both: version 1 is needed for as long as an instance runs by it.
const engine = await createEngine({ store: sqlite('orders.db'), flows: [order1, order2] });
async function move(nodes: Record<string, string>, dryRun: boolean): Promise<void> {
  const action = { do: 'migrate', version: 2, nodes } as const;
  const all = await engine.bulk({ flow: 'order', version: 1 }, action, { ...who, dryRun });
  const why = all.items[0]?.error?.message.replace(/^.*?: /, ', as ') ?? '';
  console.log(`${dryRun ? 'could be moved' : 'moved'}: ${all.done} of ${all.matched}${why}`);
}
await move({}, true);
const { mapping } = await engine.flows.diff('order', 1, 2); // what probably is the same node
await move(mapping, true);
await move(mapping, false);
await engine.flows.resume('order', 2, who); // version 1 stays held
for (const [id, amount] of Object.entries({ 'order-1': 5, 'order-2': 40 })) {
  await engine.publish({ type: paid.type, key: id, data: { amount } });
  const run = await engine.get(id);
  console.log(await run?.result().catch((error: Error) => error.message));
}
await engine.close();
