/** What an operator does to an instance that failed (see docs/operating.md). */
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

let isDown = true;
const order = flow<{ sku: string }>('order')
  .step('reserve', ({ input }) => (console.log('reserving'), `${input.sku} reserved`))
  .step('charge', () => {
    if (isDown) throw new Error('the bank is down');
    return 'paid';
  })
  .step('ship', ({ results }) => `${results.reserve}, ${results.charge}, sent`)
  .end(({ results }) => results.ship);

const engine = await createEngine({
  store: sqlite(process.argv[2] ?? 'operating.db'),
  flows: [order],
});
const run = await engine.start(order, { sku: 'A1' });
await run.result().catch((error: Error) => console.log(error.message));

isDown = false;
const planned = await run.preview({ do: 'revive' }); // what it would do; nothing is written
console.log('it would go on at', planned.after.tokens[0]?.node);
await run.revive({ actor: 'ada', reason: 'the bank is back' }); // what is reserved stays reserved
console.log(await run.result());

const copy = await run.rerun('ship', { copy: true, actor: 'ada' }); // a new instance, from there on
console.log(await copy.result());

const many = await engine.bulk(
  { flow: 'order', status: 'completed' }, // as in engine.list
  { do: 'rerun', from: 'ship' },
  { actor: 'ada', reason: 'send them all again', dryRun: true },
);
console.log(many.matched, 'would be sent again, and', many.refused, 'could not');
await engine.close();
