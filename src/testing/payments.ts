/** Flows that wait for messages, and what they wait for. */
import { event, type EventType } from '../frontends/builder/event-type.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Json } from '../base/json.ts';
import type { Flow } from '../model/definition.ts';
import type { Publication } from '../runtime/messages.ts';

const paid: EventType<{ amount: number }> = event('paid');

/** Its output is what was paid within the hour. */
export const payment: Flow<Json, number | string> = flow('payment')
  .waitFor('paid', { event: paid, timeout: '1h' })
  .end(({ results }) => results.paid?.amount ?? 'never');

/** All of its instances wait for the same. */
export const shared: Flow<Json> = flow('shared')
  .waitFor('gong', { event: 'gong', key: 'all' })
  .end(({ results }) => results.gong);

export function pay(key: string, amount: number, more: Partial<Publication> = {}): Publication {
  return { type: 'paid', key, data: { amount }, ...more };
}
