/**
 * A shipment for the command line: nothing is started here, the flow is only defined.
 *
 *     perdure run examples/shipment.ts --input '{"sku":"A1","parcels":3}' --skip-time
 *     perdure graph examples/shipment.ts
 */
import { flow } from 'perdure';

interface Shipment {
  readonly sku: string;
  readonly parcels: number;
}

export const shipment = flow<Shipment>('shipment')
  .step('reserve', async ({ input }) => ({ shelf: `${input.sku}-7` }), {
    undo: async () => {},
  })
  .choose(
    'size',
    {
      many: { when: ({ input }) => input.parcels > 2, do: (b) => b.step('truck', async () => 'T') },
    },
    { otherwise: (b) => b.step('bike', async () => 'B') },
  )
  .parallel('fulfil', {
    goods: (b) =>
      b.step(
        'load',
        async ({ attempt }) => {
          if (attempt < 2) throw new Error('the ramp is taken');
          return { ramp: 4 };
        },
        { retry: { maxAttempts: 3, delay: '1m' } },
      ),
    paper: (b) =>
      b.sleep('cool-off', '1d').step('invoice', async ({ input }) => input.parcels * 12),
  })
  .repeat('track', { times: 3 }, (b) =>
    b.sleep('pause', '1h').step('ask', async ({ index }) => (index < 2 ? 'on its way' : 'arrived')),
  )
  .end(({ results }) => ({ shelf: results.reserve.shelf, total: results.invoice }));
