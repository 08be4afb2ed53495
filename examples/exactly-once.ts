/**
 * Exactly once, with tables of your own. In three places a crash could leave half of something, and
 * in each the two halves are one transaction of Postgres: the row of an order and the instance that
 * serves it; a message from a queue that delivers twice and the row it leads to; and what a step
 * writes and that the step is done. The last one crashes here between the two, and runs again.
 *
 * Prints:
 *
 *     the queue delivers payment-7: taken
 *     attempt 1 has written a shipment
 *     attempt 2 has written a shipment
 *     the queue delivers payment-7: known already
 *     { payments: 1, shipments: 1 }
 */
import { createEngine, flow } from 'perdure';
import { postgres } from 'perdure/postgres';
import { Pool } from 'pg';

const order = flow<{ number: string }>('order')
  .waitFor('paid', { event: 'order.paid', timeout: '3d' })
  .step(
    'ship',
    async ({ tx, input, attempt }) => {
      await tx.query('insert into shipment values ($1)', [input.number]);
      console.log(`attempt ${attempt} has written a shipment`);
      if (attempt === 1) throw new Error('crashed before its result was committed');
    },
    { transactional: true, retry: { maxAttempts: 3, delay: '10ms' } },
  )
  .end();

const connectionString = process.env['DATABASE_URL'] ?? 'postgres://localhost/app';
const pool = new Pool({ connectionString });
for (const table of ['orders', 'payment', 'shipment']) {
  await pool.query(`create table if not exists ${table} (number text)`);
}
const engine = await createEngine({ store: postgres(pool), flows: [order] });

const client = await pool.connect();
await client.query('begin');
await client.query('insert into orders values ($1)', ['order-1']);
const run = await engine.start(order, { number: 'order-1' }, { key: 'order-1', tx: client });
await client.query('commit'); // now both are there, or neither

for (const id of ['payment-7', 'payment-7']) {
  await client.query('begin');
  const message = { type: 'order.paid', key: 'order-1', id };
  const isNew = (await engine.publish(message, { tx: client })).outcome !== 'duplicate';
  if (isNew) await client.query('insert into payment values ($1)', ['order-1']);
  console.log(`the queue delivers ${id}: ${isNew ? 'taken' : 'known already'}`);
  await client.query('commit');
  await run.result();
}
client.release();
const { rows } = await pool.query(`select (select count(*)::int from payment) as payments,
  (select count(*)::int from shipment) as shipments`);
console.log(rows[0]);
await engine.close();
await pool.end();
