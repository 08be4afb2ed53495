/**
 * Watch an instance as it goes on, in lines for a page: what is next, what failed and is tried
 * again, what it waits for, what is done. `engine.subscribe` tells every commit, of whichever
 * process, once and in order. A page that lost its connection says which commit it had last, and
 * misses nothing. Of an instance that is over, `run.history()` gives the same commits.
 *
 * Prints:
 *
 *     1 next is reserve
 *     2 reserve is done, next is charge
 *     3 charge failed, as the bank is busy, and is tried again
 *     4 charge is done, waits for parcel.delivered
 *     (the page is loaded anew)
 *     5 delivered is done, completed
 *     in the history: 5 commits
 */
import { type Change, createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const order = flow<{ sku: string }>('order')
  .step('reserve', ({ input }) => `${input.sku} reserved`)
  .step('charge', charge, { retry: { maxAttempts: 3, delay: '10ms' } })
  .waitFor('delivered', { event: 'parcel.delivered' })
  .end();

function charge({ attempt }: { attempt: number }): string {
  if (attempt === 1) throw new Error('the bank is busy');
  return 'paid';
}

/** What a change means to whoever looks at the page; most of them mean nothing to them. */
function lineOf(change: Change): string {
  if (change.did === 'birth-token')
    return change.token.handler ? `next is ${change.token.node}` : '';
  if (change.did === 'write') return change.space === 'results' ? `${change.name} is done` : '';
  if (change.did === 'finish') return change.as;
  if (change.did === 'park-token')
    return 'type' in change.wait ? `waits for ${change.wait.type}` : '';
  if (change.did !== 'retry-token') return '';
  return `${change.error.node} failed, as ${change.error.message}, and is tried again`;
}

const engine = await createEngine({ store: sqlite('orders.db'), flows: [order] });
const run = await engine.start(order, { sku: 'A1' }, { key: 'order-1' });
let last = 0; // in the page, or where it keeps such things
async function watch(isEnough: (line: string) => boolean): Promise<void> {
  for await (const { n, changes } of engine.subscribe({ id: run.id, after: last })) {
    const line = changes.map(lineOf).filter(Boolean).join(', ');
    if (line !== '') console.log(n, line);
    last = n;
    if (isEnough(line)) return;
  }
}
await watch((line) => line.includes('waits for'));
console.log('(the page is loaded anew)');
await engine.publish({ type: 'parcel.delivered', key: 'order-1' });
await watch(() => false); // until it is over
console.log('in the history:', (await run.history()).length, 'commits');
await engine.close();
