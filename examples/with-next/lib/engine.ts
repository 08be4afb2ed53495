/**
 * The engine of the application, opened once per process.
 *
 * Next bundles every route by itself, and in development it loads changed modules anew: a variable
 * of this module would be there several times, each with an engine and a worker of its own. What
 * hangs on `globalThis` is there once. In development, restart Next after you change a flow.
 */
import { createEngine, type Engine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

export const order = flow<{ number: string; sku: string }>('order')
  .waitFor('paid', { event: 'order.paid' })
  .sleep('pack', '2s')
  .step('ship', async ({ input }) => `${input.sku} for ${input.number} is on its way`)
  .end(({ results }) => results.ship);

declare global {
  var perdure: Promise<Engine> | undefined;
}

export function openEngine(): Promise<Engine> {
  globalThis.perdure ??= createEngine({
    store: sqlite(process.env['ORDERS_DB'] ?? 'orders.db'),
    flows: [order],
  });
  return globalThis.perdure;
}
