/**
 * Calls of an API that allows each customer ten per second, and two at a time. The limit stands at
 * the step. It holds for all processes on the database together, through crashes and restarts; what
 * waits for its turn takes no worker meanwhile, and a customer with much to do keeps no other
 * waiting. A call that is tried again is a call like any other, and waits for its turn.
 *
 * The clock is the one of the test kit, so that the counting is exact. In a program it is
 * `createEngine` with a database, and real time.
 *
 * Prints:
 *
 *     second 0: 10 of acme, 3 of bolt
 *     second 1: 10 of acme, 0 of bolt
 *     second 2: 5 of acme, 0 of bolt
 *     never more than 2 at a time
 */
import { setImmediate as thinking } from 'node:timers/promises';
import { flow } from 'perdure';
import { createTestEngine } from 'perdure/testing';

// Stands for the API. It fails once, and keeps a record of who called when.
const calls: { customer: string; second: number }[] = [];
const atWork = new Map<string, number>();
let most = 0;
async function call(customer: string): Promise<void> {
  const count = (by: number): number => {
    const now = (atWork.get(customer) ?? 0) + by;
    atWork.set(customer, now);
    return now;
  };
  const number = calls.push({ customer, second: Math.floor((test.now - begin) / 1000) });
  most = Math.max(most, count(1));
  await thinking();
  count(-1);
  if (number === 1) throw new Error('503');
}

const lookup = flow<{ customer: string }>('lookup')
  .step('call', ({ input }) => call(input.customer), {
    limit: { concurrency: 2, rate: { max: 10, per: '1s' }, by: 'input.customer' },
    retry: { maxAttempts: 5, delay: '100ms', backoff: 'exponential' },
  })
  .end();

const test = createTestEngine({ flows: [lookup] });
const begin = test.now;
for (let n = 0; n < 24; n += 1) await test.start(lookup, { customer: 'acme' });
for (let n = 0; n < 3; n += 1) await test.start(lookup, { customer: 'bolt' });
await test.advance('5s');

for (const second of [0, 1, 2]) {
  const of = (one: string) =>
    calls.filter((each) => each.second === second && each.customer === one).length;
  console.log(`second ${second}: ${of('acme')} of acme, ${of('bolt')} of bolt`);
}
console.log(`never more than ${most} at a time`);
await test.close();
