/** What the examples promise of other libraries: their transactions are as good as those of pg. */
import { PrismaPg } from '@prisma/adapter-pg';
import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { createEngine, type Engine, flow, type Tx } from 'perdure';
import { postgres } from 'perdure/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { dropSchemas, freshSchema } from '../src/testing/postgres-schema.ts';
import { PrismaClient } from './prisma-client/client.ts';

const url = inject('postgres');
const wait = flow<null>('wait').waitFor('go', { event: 'go' }).end();
const undo = new Error('never mind');

let pool: Pool;
let engine: Engine;
let prisma: PrismaClient;
let kysely: Kysely<object>;
let db: NodePgDatabase;
beforeAll(async () => {
  pool = new Pool({ connectionString: url });
  engine = await createEngine({ store: postgres(pool, { schema: freshSchema() }), flows: [wait] });
  prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
  db = drizzle(pool);
});
afterAll(async () => {
  await engine.close();
  await prisma.$disconnect();
  await pool.end();
  await dropSchemas(url);
});

const overDrizzle = (tx: Pick<NodePgDatabase, 'execute'>): Tx => ({
  query: (text, values = []) =>
    tx.execute(
      sql.join(
        text
          .split(/\$(\d+)/)
          .map((part, at) => (at % 2 === 0 ? sql.raw(part) : sql.param(values[Number(part) - 1]))),
      ),
    ),
});
const overKysely = (tx: Pick<Kysely<object>, 'executeQuery'>): Tx => ({
  query: (text, values) => tx.executeQuery(CompiledQuery.raw(text, values)),
});
const overPrisma = (tx: Pick<PrismaClient, '$queryRawUnsafe'>): Tx => ({
  query: async (text, values = []) => ({ rows: await tx.$queryRawUnsafe(text, ...values) }),
});

interface Library {
  readonly transact: (work: (tx: Tx) => Promise<void>) => Promise<void>;
  /** Where no transaction is open. */
  readonly outside: () => Tx;
}

const LIBRARIES: Readonly<Record<string, Library>> = {
  Drizzle: {
    transact: (work) => db.transaction((tx) => work(overDrizzle(tx))),
    outside: () => overDrizzle(db),
  },
  Kysely: {
    transact: (work) => kysely.transaction().execute((tx) => work(overKysely(tx))),
    outside: () => overKysely(kysely),
  },
  Prisma: {
    transact: (work) => prisma.$transaction((tx) => work(overPrisma(tx))),
    outside: () => overPrisma(prisma),
  },
};

describe.each(Object.entries(LIBRARIES))('a transaction of %s', (name, { transact, outside }) => {
  const key = `${name}'s`;

  test('that is rolled back takes what was started and published in it along', async () => {
    const asked = transact(async (tx) => {
      await engine.start(wait, null, { tx, key, id: `${name} 0` });
      await engine.publish({ type: 'go', key, id: `${name} 0` }, { tx });
      throw undo;
    });
    await expect(asked).rejects.toThrow(undo.message);
    expect(await engine.get(`${name} 0`)).toBeUndefined();
  });

  test('is still good when a key is taken, and when a statement of ours fails', async () => {
    const { id } = await engine.start(wait, null, { key, id: `${name} 1` });
    const held = await pool.connect();
    await held.query('begin');
    await engine.start(wait, null, { tx: held, key: `${key} own` });
    await transact(async (tx) => {
      await expect(engine.start(wait, null, { tx, key })).rejects.toMatchObject({
        code: 'instance.exists',
        details: { instance: id },
      });
      await tx.query(`set local lock_timeout = '10ms'`);
      await expect(engine.start(wait, null, { tx, key: `${key} own` })).rejects.toMatchObject({
        code: 'store.unreachable',
        details: { state: '55P03' },
      });
      await engine.start(wait, null, { tx, key: 'other', id: `${name} 2` });
      await engine.publish({ type: 'go', key: 'other', id: `${name} 2`, data: name }, { tx });
    });
    await held.query('rollback');
    held.release();
    const run = await engine.get(`${name} 2`);
    expect(await run?.result()).toEqual({ go: name });
  });

  test('is wanted, and nothing else', async () => {
    const refused = {
      code: 'engine.option-invalid',
      message: expect.stringContaining('begin one'),
    };
    await expect(engine.start(wait, null, { tx: outside() })).rejects.toMatchObject(refused);
  });
});
