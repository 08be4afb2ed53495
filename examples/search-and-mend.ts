/**
 * Search and mend: the bank was down for an hour; find what failed because of that, and have it go
 * on. `tally` says what is wrong and how often, a filter means just those, and a dry run says what
 * would become of each, by the same rules. A revived instance goes on where it failed: what was
 * reserved stays reserved, and who did it and why stands in its history.
 *
 * Prints:
 *
 *     bank.down at charge: 3
 *     card.declined at charge: 1
 *     dry run: 2 of 2 would go on
 *     revived: 2 of 2
 *     500 paid, revived by ada: the bank is back
 *     300 paid, revived by ada: the bank is back
 */
import { createEngine, Fatal, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

// Stands for the bank. The code of what is thrown becomes the code of the fault.
let isDown = true;
function charge(total: number): string {
  if (total > 1_000) throw new Fatal('the card was declined', { code: 'card.declined' });
  if (isDown) throw Object.assign(new Error('no answer'), { code: 'bank.down' });
  return `${total} paid`;
}

const order = flow<{ customer: string; total: number }>('order', { search: ['customer', 'total'] })
  .step('reserve', () => 'on shelf 7')
  .step('charge', ({ input }) => charge(input.total), { retry: { maxAttempts: 2, delay: '10ms' } })
  .end(({ results }) => results.charge);

const engine = await createEngine({ store: sqlite('orders.db'), flows: [order] });
for (const total of [20, 300, 500, 5_000]) {
  const run = await engine.start(order, { customer: 'c-1', total });
  await run.result().catch(() => {});
}
isDown = false;

const { causes } = await engine.tally({ flow: 'order' });
for (const { code, node, count } of causes) console.log(`${code} at ${node}: ${count}`);

const large = { customer: 'c-1', total: { from: 100 } };
const filter = { flow: 'order', error: 'bank.*', attributes: large };
const { instances } = await engine.list(filter); // newest first
const who = { actor: 'ada', reason: 'the bank is back' };
const planned = await engine.bulk(filter, { do: 'revive' }, { ...who, dryRun: true });
console.log(`dry run: ${planned.done} of ${planned.matched} would go on`);
const { done, matched } = await engine.bulk(filter, { do: 'revive' }, who);
console.log(`revived: ${done} of ${matched}`);

for (const { id } of instances) {
  const run = await engine.get(id);
  const result = String(await run?.result());
  for (const change of (await run?.history())?.flatMap(({ changes }) => changes) ?? []) {
    if (change.did !== 'act') continue;
    console.log(`${result}, ${change.act.verb}d by ${change.act.by}: ${change.act.why}`);
  }
}
await engine.close();
