/**
 * Kysely: an order is inserted and its flow started in one transaction, and the step that has it
 * paid writes with Kysely, in one transaction with its result.
 *
 *     node examples/with-kysely.ts postgres://user:password@localhost/database order-1
 */
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import { createEngine, flow, type Tx } from 'perdure';
import { clientOf, postgres } from 'perdure/postgres';
import { Pool } from 'pg';

interface Tables {
  orders: { id: string; state: string };
}

/** A transaction of Kysely's, as Perdure wants it. */
function kyselyTx(tx: Transaction<Tables>): Tx {
  return { query: (text, values) => tx.executeQuery(CompiledQuery.raw(text, values)) };
}

/** The transaction of a step, as Kysely wants it: a pool of one connection. */
function kyselyOver(tx: Tx): Kysely<Tables> {
  const pool = { connect: async () => clientOf(tx), end: async () => {}, options: {} };
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

const order = flow<string>('order')
  .step(
    'pay',
    async ({ tx, input }) => {
      const paid = await kyselyOver(tx)
        .updateTable('orders')
        .set({ state: 'paid' })
        .where('id', '=', input)
        .returning('state')
        .executeTakeFirstOrThrow();
      return paid.state;
    },
    { transactional: true },
  )
  .end(({ results }) => results.pay);

const [, , url, id = crypto.randomUUID()] = process.argv;
const pool = new Pool({ connectionString: url });
await pool.query('create table if not exists orders (id text primary key, state text not null)');
const engine = await createEngine({ store: postgres(pool), flows: [order] });
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

const run = await db.transaction().execute(async (tx) => {
  await tx.insertInto('orders').values({ id, state: 'new' }).execute();
  return engine.start(order, id, { key: id, tx: kyselyTx(tx) });
});
console.log(`${id} is ${await run.result()}`);
await engine.close();
await db.destroy();
