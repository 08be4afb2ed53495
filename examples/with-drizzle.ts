/**
 * Drizzle: an order is inserted and its flow started in one transaction, and the step that has it
 * paid writes with Drizzle, in one transaction with its result.
 *
 *     node examples/with-drizzle.ts postgres://user:password@localhost/database order-1
 */
import { eq, type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { createEngine, flow, type Tx } from 'perdure';
import { clientOf, postgres } from 'perdure/postgres';
import { Pool } from 'pg';

const orders = pgTable('orders', { id: text().primaryKey(), state: text().notNull() });

/** A transaction of Drizzle's, as Perdure wants it. */
function drizzleTx(tx: { execute: (query: SQLWrapper) => ReturnType<Tx['query']> }): Tx {
  return {
    query: (text, values = []) => {
      // Every second part is the number of a parameter: "… where id = $1".
      const parts = text.split(/\$(\d+)/).map((part, at) => {
        return at % 2 === 0 ? sql.raw(part) : sql.param(values[Number(part) - 1]);
      });
      return tx.execute(sql.join(parts));
    },
  };
}

const order = flow<string>('order')
  .step(
    'pay',
    async ({ tx, input }) => {
      const db = drizzle(clientOf(tx));
      const [paid] = await db
        .update(orders)
        .set({ state: 'paid' })
        .where(eq(orders.id, input))
        .returning();
      return paid?.state ?? 'unknown';
    },
    { transactional: true },
  )
  .end(({ results }) => results.pay);

const [, , url, id = crypto.randomUUID()] = process.argv;
const pool = new Pool({ connectionString: url });
await pool.query('create table if not exists orders (id text primary key, state text not null)');
const engine = await createEngine({ store: postgres(pool), flows: [order] });

const run = await drizzle(pool).transaction(async (tx) => {
  await tx.insert(orders).values({ id, state: 'new' });
  return engine.start(order, id, { key: id, tx: drizzleTx(tx) });
});
console.log(`${id} is ${await run.result()}`);
await engine.close();
await pool.end();
