/** An engine tells what it does, and this adds some of it up (see docs/observing.md). */
import { createEngine, flow, memory, type Measurement } from 'perdure';

const order = flow<{ sku: string }>('order')
  .step('reserve', ({ input }) => `${input.sku} reserved`)
  .step('charge', () => Promise.reject(new Error('the bank is down')), {
    retry: { maxAttempts: 2, delay: '10ms' },
  })
  .end();

const engine = await createEngine({ store: memory(), flows: [order] });

const steps: Record<string, number> = {};
const stop = engine.observe((measurement: Measurement) => {
  if (measurement.what === 'step') {
    const name = `${measurement.node} ${measurement.outcome}`;
    steps[name] = (steps[name] ?? 0) + 1;
  }
  if (measurement.what === 'instance-ended') console.log('an order', measurement.status);
});

const run = await engine.start(order, { sku: 'A1' });
await run.result().catch(() => {});
stop(); // nothing more is told, and nothing more is measured
console.log(steps);
await engine.close();
