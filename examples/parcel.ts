/**
 * A parcel as a chain: checked, paid for, shipped. The payment is asked for through the outbox and
 * comes as a message; the carrier is busy at first and is asked again.
 *
 * Kill it at any moment and run it again, as with the order. The database is named first on the
 * command line, and the parcel second.
 */
import { chain, type ChainHandler, completed, createEngine, dead, retry, waiting } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const [, , file = 'parcels.db', name = 'parcel-1'] = process.argv;
const say = (line: string): void => console.log(`${name}  ${line}`);

interface Parcel {
  price: number;
  paid?: number;
}

const parcels = chain<Parcel>('parcel', 1, ['VALIDATE', 'PAY', 'SHIP'], {
  maxAttempts: 5,
  backoff: { base: '100ms', max: '1m' },
});

const pay: ChainHandler<Parcel> = async ({ context, wake, event, taskType }) => {
  if (taskType === 'WAITING_TIMEOUT') return dead('nobody paid');
  if (wake.reason !== 'event') {
    const request = { type: 'payment.requested', data: { amount: context.price } };
    return waiting('payment.received', '15m', [request]);
  }
  context.paid = (event as { amount: number }).amount;
  return completed();
};

const engine = await createEngine({
  store: sqlite(file),
  flows: [parcels],
  handlers: {
    VALIDATE: ({ context }) => (context.price > 0 ? completed() : dead('a parcel has a price')),
    PAY: pay,
    'parcel/SHIP': ({ attempt }) => (attempt < 3 ? retry(null, 'carrier busy') : completed()),
  },
  // Stands for the world outside: whoever is asked for a payment makes it.
  outbox: async ({ id, type, key, data }) => {
    say(`sent ${type} ${JSON.stringify(data)}`);
    const paid = { type: 'payment.received', key: key ?? '', id: `answer to ${id}`, data };
    await engine.publish(paid);
  },
});
const options = { key: name, id: name, onConflict: 'existing' } as const;
const run = await engine.start(parcels, { price: 12 }, options);
say(`done: ${JSON.stringify(await run.result())}`);
for (const { seq, node, status, attempts } of await run.tokens()) {
  say(`${seq} ${node} ${status}, ${attempts} failed`);
}
await engine.close();
