/** Two versions of a flow side by side, and instances that go from one to the other. */
import { createEngine, type EngineError, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const order = flow<{ sku: string }>('order')
  .step('reserve', ({ input }) => `${input.sku} reserved`)
  .waitFor('paid', { event: 'order.paid', key: ({ input }) => input.sku })
  .end(({ results }) => results.reserve);

/** The wait has another name, and what was paid for is approved before it is sent. */
const order2 = flow<{ sku: string }>('order', { version: 2 })
  .step('reserve', ({ input }) => `${input.sku} reserved`)
  .waitFor('payment', { event: 'order.paid', key: ({ input }) => input.sku })
  .step('approve', () => 'approved')
  .end(({ results }) => `${results.reserve}, ${results.approve}`);

const store = sqlite(process.argv[2] ?? 'versions.db');
const engine = await createEngine({ store, flows: [order, order2] });
const run = await engine.start(order, { sku: 'A1' }); // by version 1, as asked for
await engine.start('order', { sku: 'B2' }); // by the newest
while ((await run.status()) !== 'waiting') await new Promise(setImmediate);

for (const { version, open, servedBy } of await engine.flows.list('order')) {
  console.log(`version ${version}: ${open} open, served by the code of ${servedBy}`);
}

const { differences, mapping } = await engine.flows.diff('order', 1, 2);
for (const { message, impact } of differences) console.log(`${impact}: ${message}`);

await run.migrate({ version: 2 }).catch((error: EngineError) => {
  for (const { message } of error.details['reasons'] as Error[]) console.log('refused:', message);
});
await run.migrate({ version: 2, nodes: mapping }, { actor: 'ada', reason: 'approvals' });

await engine.publish({ type: 'order.paid', key: 'A1' });
console.log(await run.result());
await engine.close();
