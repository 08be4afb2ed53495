/**
 * Prisma: an order is inserted and its flow started in one transaction. Prisma has connections of
 * its own and cannot use that of a step, so the step that has it paid says what it wants in SQL.
 *
 *     node examples/with-prisma.ts postgres://user:password@localhost/database order-1
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { createEngine, flow, type Tx } from 'perdure';
import { postgres } from 'perdure/postgres';
import { Pool } from 'pg';
import { type Prisma, PrismaClient } from './prisma-client/client.ts';

/** A transaction of Prisma's, as Perdure wants it. */
function prismaTx(tx: Prisma.TransactionClient): Tx {
  return {
    query: async (text, values = []) => ({ rows: await tx.$queryRawUnsafe(text, ...values) }),
  };
}

const order = flow<string>('order')
  .step(
    'pay',
    async ({ tx, input }) => {
      const pay = `update orders set state = 'paid' where id = $1 returning state`;
      const { rows } = await tx.query(pay, [input]);
      return String(rows[0]?.['state']);
    },
    { transactional: true },
  )
  .end(({ results }) => results.pay);

const [, , url, id = crypto.randomUUID()] = process.argv;
const pool = new Pool({ connectionString: url });
await pool.query('create table if not exists orders (id text primary key, state text not null)');
const engine = await createEngine({ store: postgres(pool), flows: [order] });
const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

const run = await prisma.$transaction(async (tx) => {
  await tx.order.create({ data: { id, state: 'new' } });
  return engine.start(order, id, { key: id, tx: prismaTx(tx) });
});
console.log(`${id} is ${await run.result()}`);
await engine.close();
await prisma.$disconnect();
await pool.end();
