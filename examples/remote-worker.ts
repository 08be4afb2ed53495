/**
 * A worker that is no part of the program with the engine: it charges cards for `remote.ts`.
 *
 *     PERDURE_URL=http://127.0.0.1:4100 PERDURE_KEY=pdr_… node examples/remote-worker.ts
 */
import { type RemoteStep, remoteWorker } from 'perdure/client';

interface Order {
  readonly sku: string;
  readonly price: number;
}

const { PERDURE_URL: url = 'http://127.0.0.1:4100', PERDURE_KEY: key = '' } = process.env;

const worker = remoteWorker({
  url,
  key,
  concurrency: 20,
  lease: '30s',
  handlers: {
    'order/charge': async ({ input, idempotencyKey, signal }: RemoteStep<Order>) => {
      if (input.price > 1_000) {
        throw Object.assign(new Error('too much for one card'), {
          code: 'card.limit',
          fatal: true,
        });
      }
      // Whoever charges the card has the key, and charges it once, however often this is run.
      signal.throwIfAborted();
      console.log(`charged ${input.price} (idempotency key ${idempotencyKey})`);
      return { receipt: `R-${input.sku}` };
    },
  },
});

process.once('SIGTERM', () => void worker.stop({ timeout: '10s' }));
await worker.done;
console.log('stopped');
