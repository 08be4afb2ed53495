/**
 * The three time limits. `timeout` is for one attempt of a step and aborts its `signal`; `deadline`
 * is for all attempts together, with the pauses between them; the `timeout` of a `waitFor` ends the
 * wait with null, and a choice behind it says what to do then. The deadline and the end of the
 * wait are moments in the database: a crash makes neither of them later.
 *
 * The clock is that of the test kit. In a program it is `createEngine`, a database and real time.
 *
 * Prints:
 *
 *     minute 0: what does it cost? attempt 1
 *     minute 1: what does it cost? attempt 2
 *     minute 1: no room, attempt 1
 *     minute 3: no room, attempt 2
 *     minute 7: no room, attempt 3
 *     minute 7: reserved elsewhere
 *     minute 22: not paid, cancelled
 */
import { setTimeout as silence } from 'node:timers/promises';
import { flow, type HandlerTools } from 'perdure';
import { createTestEngine } from 'perdure/testing';

const say = (line: string) => console.log(`minute ${(test.now - begin) / 60_000}: ${line}`);
// Stand for others: one that answers only when asked again, and one that has no room at all.
async function askPrice({ attempt, signal }: HandlerTools): Promise<number> {
  say(`what does it cost? attempt ${attempt}`);
  if (attempt === 1) await silence(86_400_000, undefined, { signal }); // as fetch(…, { signal })
  return 42;
}
function reserve({ attempt }: HandlerTools): void {
  say(`no room, attempt ${attempt}`);
  throw new Error('no room');
}

const often = { maxAttempts: 100, delay: '2m', backoff: 'exponential' } as const;
const order = flow('order')
  .step('price', askPrice, { timeout: '30s', retry: { maxAttempts: 3, delay: '30s' } })
  // An attempt that would begin after the deadline is not waited for: it is given up before.
  .try('stock', (b) => b.step('reserve', reserve, { deadline: '10m', retry: often }), {
    do: (b) => b.step('elsewhere', () => say('reserved elsewhere')),
  })
  .waitFor('payment', { event: 'payment', timeout: '15m' })
  .choose(
    'paid',
    {
      yes: {
        when: ({ results }) => results.payment !== null,
        do: (b) => b.step('ship', () => say('sent')),
      },
    },
    { otherwise: (b) => b.step('cancel', () => say('not paid, cancelled')) },
  )
  .end();

const test = createTestEngine({ flows: [order] });
const begin = test.now;
await test.start(order, null, { key: 'order-1' });
await test.advance('1h');
await test.close();
