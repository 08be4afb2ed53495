/**
 * The flow that testing.test.ts and testing-with-node.ts test: an order is reserved, released by
 * people, charged at a bank, and waits for its parcel. What talks to the world outside stands in
 * handlers and nowhere else, so that a test can put something in its place.
 */
import { event, Fatal, flow } from 'perdure';

/** Stands for your warehouse: what is reserved, by the key it was reserved with. */
export const shelf = new Map<string, string>();

/** Stands for the address of your bank, which a test points elsewhere. */
export const bank = { url: 'https://bank.example/charges' };

export const shipped = event<{ tracking: string }>('parcel.shipped');

export const order = flow<{ sku: string; price: number }>('order')
  .step(
    'reserve',
    ({ input, idempotencyKey }) => {
      shelf.set(idempotencyKey, input.sku); // the same key twice is one reservation
      return idempotencyKey;
    },
    { undo: ({ undoes }) => void shelf.delete(undoes) },
  )
  .approve('release', {
    approvers: ['finance'],
    timeout: '7d',
    onTimeout: 'reject',
    onReject: 'fail',
  })
  .step(
    'charge',
    async ({ input, idempotencyKey, signal }) => {
      const headers = { 'idempotency-key': idempotencyKey };
      const body = JSON.stringify({ amount: input.price });
      const response = await fetch(bank.url, { method: 'POST', headers, body, signal });
      if (response.status === 402) throw new Fatal('refused', { code: 'card.refused' });
      if (!response.ok) throw new Error(`the bank says ${response.status}`);
      return response.text();
    },
    { retry: { maxAttempts: 3, delay: '10s', backoff: 'exponential' }, timeout: '30s' },
  )
  .waitFor('parcel', { event: shipped, timeout: '3d' })
  .end(({ results }) => results.parcel?.tracking ?? 'lost');
