/**
 * Opens a database: as durable as asked, and with the schema this program knows. Migrations go
 * forward only, in one transaction under a lock, so that of several processes that start at once
 * one migrates and the others find it done.
 */
import { EngineError } from '../../base/engine-error.ts';
import { byHand, type Migrations } from '../health.ts';
import type { Migration } from '../migration.ts';
import { type Driver, inSchema, type Session } from './driver.ts';
import { MIGRATIONS } from './migrations.gen.ts';
import * as queries from './queries.ts';
import { errorOf } from './trouble.ts';

export type Durability = 'full' | 'relaxed';

export async function openDatabase(driver: Driver, durability: Durability): Promise<void> {
  try {
    await driver.session(async (session) => {
      await checkServer(session, driver.where, durability);
      await migrate(session, driver.where);
    });
  } catch (thrown) {
    throw errorOf(thrown, driver.where);
  }
}

/**
 * What the server was told to do without: it must not be found out by losing data (P1). And a
 * standby that has the schema is still no place to run on.
 */
async function checkServer(session: Session, where: string, durability: Durability): Promise<void> {
  const [rows] = await session.ask([queries.own.settings]);
  const { read_only: readOnly, ...settings } = rows?.[0] ?? {};
  if (readOnly === 'on') {
    const message = `the database "${where}" can only be read: connect to the primary`;
    throw new EngineError('store.read-only', message, { retryable: true, details: { where } });
  }
  const off = Object.keys(settings).filter((name) => settings[name] === 'off');
  if (durability === 'relaxed' || off.length === 0) return;
  throw new EngineError(
    'store.not-durable',
    `the database "${where}" runs with ${off.join(', ')} off, so that what it confirms can be ` +
      `lost: set it on, or say durability: 'relaxed'`,
    { details: { where, off } },
  );
}

/** What the database has and what it lacks. One that is newer than this program lacks nothing. */
export async function migrationsIn(driver: Driver): Promise<Migrations> {
  try {
    return await driver.session(async (session) => {
      const made = await numberOf(session);
      const missing = MIGRATIONS.filter(({ number }) => number > made);
      return { made, missing: missing.map((one) => inOurSchema(one, driver.schema)) };
    });
  } catch (thrown) {
    throw errorOf(thrown, driver.where);
  }
}

function inOurSchema(migration: Migration, schema: string): Migration {
  const { number, name, sql } = byHand(migration, queries.putMigration);
  const first = number === 1 ? `${queries.own.createSchema};\n` : '';
  return { number, name, sql: inSchema(`${first}${sql}`, schema) };
}

async function migrate(session: Session, where: string): Promise<void> {
  // Most often there is nothing to do, and then no right to create anything is needed either.
  if ((await missing(session, where)).length === 0) return;
  await session.ask([queries.own.beginMigrations], [queries.own.lockMigrations]);
  try {
    const migrations = await missing(session, where);
    for (const { number, name, sql } of migrations) {
      if (number === 1) await makeSchema(session);
      await session.ask([sql], [queries.putMigration, number, name, Date.now()]);
    }
    await session.ask([queries.commit]);
  } catch (thrown) {
    await Promise.allSettled([session.ask([queries.rollback])]);
    throw thrown;
  }
}

/** Asked for first: who may create tables in it but no schemas is refused even if it is there. */
async function makeSchema(session: Session): Promise<void> {
  const [found] = await session.ask([queries.own.findSchema]);
  if (found?.length === 0) await session.ask([queries.own.createSchema]);
}

/** The migrations that are still to be made. */
async function missing(session: Session, where: string): Promise<readonly Migration[]> {
  const found = await numberOf(session);
  const newest = MIGRATIONS.at(-1)?.number ?? 0;
  if (found > newest) throw tooNew(where, found, newest);
  return MIGRATIONS.filter(({ number }) => number > found);
}

async function numberOf(session: Session): Promise<number> {
  const [tables] = await session.ask([queries.migrationTable]);
  if (tables === undefined || tables.length === 0) return 0;
  const [rows] = await session.ask([queries.newestMigration]);
  return Number(rows?.[0]?.number ?? 0);
}

function tooNew(where: string, found: number, newest: number): EngineError {
  return new EngineError(
    'store.too-new',
    `the database "${where}" has schema ${found}, and this program knows up to ${newest}: ` +
      'run the newer version of perdure that wrote it',
    { details: { where, found, newest } },
  );
}
