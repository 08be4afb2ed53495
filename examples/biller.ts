/** A step that is done elsewhere; this program plays the worker, too (docs/remote-workers.md). */
import { createEngine, flow, memory, remote } from 'perdure';

interface Receipt {
  readonly id: string;
}

const order = flow<{ amount: number }>('order')
  .step('charge', remote<Receipt>(), { retry: { maxAttempts: 5, delay: '10s' }, timeout: '5m' })
  .end(({ results }) => results.charge.id);

const engine = await createEngine({ store: memory(), flows: [order] });
const run = await engine.start(order, { amount: 12 });

const worker = 'biller-1';
const [assignment] = await engine.work.fetch({ worker, handlers: ['order/charge'], wait: '20s' });
if (assignment !== undefined) {
  const { amount } = assignment.input as { amount: number };
  console.log(`charge ${amount}, once for ${assignment.idempotencyKey}`);
  await engine.work.complete(assignment.id, { worker, result: { id: 'r-1' } });
}
console.log(await run.result());
await engine.close();
