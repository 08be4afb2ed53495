/**
 * A subscription that is billed by cron: on the first of each month at six in the morning where the
 * customer lives. A card that is refused is charged again after three days, twice; if that does not
 * help, the subscription is cancelled. The schedule is in the database and starts one instance a
 * month, whatever the number of processes; the first that is back after a downtime catches up.
 *
 * Months pass at once here, by the clock of the test kit. In a program it is `createEngine` with a
 * database, and real time.
 *
 * Prints:
 *
 *     2026-02-01T05:00 ann paid 9
 *     2026-03-01T05:00 ann paid 9
 *     2026-04-01T04:00 refused, 1 of 3: ann is told
 *     2026-04-04T04:00 refused, 2 of 3: ann is told
 *     2026-04-07T04:00 refused, 3 of 3: ann is told
 *     2026-04-07T04:00 the subscription of ann is cancelled
 *     schedules left: 0
 */
import { flow } from 'perdure';
import { createTestEngine } from 'perdure/testing';

const say = (line: string) => console.log(new Date(test.now).toISOString().slice(0, 16), line);
// Stands for a bank, to which the same key twice is one charge.
let isCovered = true;
const charge = async (_amount: number, _key: string) => (isCovered ? 'paid' : 'refused');

const isDone = ({ index, results }: { index: number; results: { charge: string } }) =>
  results.charge === 'paid' || index === 2;
const billing = flow<{ customer: string; price: number }>('billing')
  .repeat('collect', { until: isDone }, (b) =>
    b
      .sleep('grace', ({ index }) => (index === 0 ? 0 : '3d'))
      // Each pass has a key of its own: this is another charge, and not the refused one again.
      .step('charge', ({ input, idempotencyKey }) => charge(input.price, idempotencyKey))
      .step('tell', ({ input: { customer, price }, index, results }) => {
        const refused = `refused, ${index + 1} of 3: ${customer} is told`;
        say(results.charge === 'paid' ? `${customer} paid ${price}` : refused);
      }),
  )
  .step('close', async ({ input, results }) => {
    if (results.charge === 'paid') return;
    say(`the subscription of ${input.customer} is cancelled`);
    await (await test.engine.schedules.get(`billing of ${input.customer}`))?.remove();
  })
  .end();

const test = createTestEngine({ flows: [billing], now: Date.UTC(2026, 0, 15) });
const input = { customer: 'ann', price: 9 };
const monthly = { cron: '0 6 1 * *', timezone: 'Europe/Berlin' };
await test.engine.schedule('billing of ann', { ...monthly, flow: billing, input });
await test.advance('60d');
isCovered = false;
await test.advance('60d');
console.log('schedules left:', (await test.engine.schedules.list()).length);
await test.close();
