/**
 * Money goes from one account to another. The request and the flow that serves it come about in one
 * transaction of the program's own, and the money moves in one transaction with the step that moves
 * it: kill it at any moment, and it has moved once or not at all.
 *
 *     node examples/transfer.ts postgres://user:password@localhost/database 30
 */
import { createEngine, EngineError, flow } from 'perdure';
import { postgres } from 'perdure/postgres';
import { Pool } from 'pg';

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

const transfer = flow<Transfer>('transfer')
  .step(
    'move',
    async ({ tx, input }) => {
      const move = 'update account set balance = balance + $2 where name = $1 returning balance';
      const { rows } = await tx.query(move, [input.from, -input.amount]);
      await tx.query(move, [input.to, input.amount]);
      return { left: Number(rows[0]?.['balance']) };
    },
    { transactional: true },
  )
  .end(({ results }) => results.move);

const [, , url, amount = '30'] = process.argv;
const pool = new Pool({ connectionString: url });
await pool.query(`
  create table if not exists account (name text primary key, balance int check (balance >= 0));
  create table if not exists request (amount int);
  insert into account values ('ann', 100), ('bob', 0) on conflict do nothing`);

const engine = await createEngine({ store: postgres(pool), flows: [transfer] });
const client = await pool.connect();
await client.query('begin');
await client.query('insert into request values ($1)', [amount]);
const input = { from: 'ann', to: 'bob', amount: Number(amount) };
const run = await engine.start(transfer, input, { tx: client });
await client.query('commit');
client.release();

try {
  console.log(`ann has ${(await run.result()).left} left`);
} catch (thrown) {
  if (!(thrown instanceof EngineError)) throw thrown;
  console.log(`nothing moved: ${thrown.message.replace(/^instance \S+ /, '')}`);
}
await engine.close();
await pool.end();
