/**
 * Opens a database: durable as asked, and with the schema this program knows. Migrations go forward
 * only and run under the write lock, so that of several processes that start at once one migrates
 * and the others find it done.
 */
import { existsSync } from 'node:fs';
import { EngineError } from '../../base/engine-error.ts';
import { byHand, type Migrations } from '../health.ts';
import { BUSY, BUSY_MS, Driver, resultCode, troubleOf } from './driver.ts';
import { MIGRATIONS } from './migrations.gen.ts';
import * as queries from './queries.ts';
import { writing } from './transaction.ts';

export type Durability = 'full' | 'relaxed';

/** What `pragma synchronous` answers. */
const SYNCHRONOUS = { full: 2, relaxed: 1 } as const;

/** Changing to WAL does not wait for other processes as everything else does, so it is repeated. */
const WAL_PAUSE_MS = 20;

/** How a database is opened. */
export interface Opening {
  readonly durability: Durability;
  /** Nobody else has the file while this one has. */
  readonly exclusive?: boolean;
}

export function openDatabase(path: string, { durability, exclusive = false }: Opening): Driver {
  const driver = new Driver(path);
  try {
    // Before the first look at the file: the lock is taken with that, and kept until the end.
    if (exclusive) driver.exec(queries.own.setExclusive);
    setDurability(driver, path, durability);
    migrate(driver, path);
    return driver;
  } catch (thrown) {
    driver.close();
    throw thrown;
  }
}

/** Set, then read back: a setting that was not taken must not be found out by losing data (P1). */
function setDurability(driver: Driver, path: string, durability: Durability): void {
  setWal(driver);
  driver.exec(durability === 'full' ? queries.own.setFull : queries.own.setNormal);
  driver.exec(queries.own.setFullFsync);
  const mode = driver.get(queries.own.journalMode)?.journal_mode;
  const synchronous = driver.get(queries.own.synchronous)?.synchronous;
  if (mode === 'wal' && synchronous === SYNCHRONOUS[durability]) return;
  throw new EngineError(
    'store.not-durable',
    `the database "${path}" runs with journal_mode "${String(mode)}" and synchronous ` +
      `${String(synchronous)}, not with "wal" and ${SYNCHRONOUS[durability]}: ` +
      'use a file on a local disk, or memory() for what may be lost',
    { details: { path, mode, synchronous } },
  );
}

function setWal(driver: Driver): void {
  const until = Date.now() + BUSY_MS;
  for (;;) {
    try {
      return driver.exec(queries.own.setWal);
    } catch (thrown) {
      // By the clock: where another has the file to itself, a single try takes all of it.
      if (resultCode(thrown) !== BUSY || Date.now() >= until) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_PAUSE_MS);
    }
  }
}

function migrate(driver: Driver, path: string): void {
  // Also where a file that cannot be written shows, before anyone relies on it.
  writing(driver, () => {
    const found = numberOf(driver);
    const newest = MIGRATIONS.at(-1)?.number ?? 0;
    if (found > newest) throw tooNew(path, found, newest);
    for (const { number, name, sql } of MIGRATIONS) {
      if (number <= found) continue;
      driver.exec(sql);
      driver.run(queries.putMigration, number, name, Date.now());
    }
  });
}

/** What the file has and what it lacks; one that is not there lacks everything. */
export function migrationsIn(path: string): Migrations {
  const made = existsSync(path) ? madeIn(path) : 0;
  const missing = MIGRATIONS.filter(({ number }) => number > made);
  return { made, missing: missing.map((one) => byHand(one, queries.putMigration)) };
}

function madeIn(path: string): number {
  const driver = new Driver(path, { readOnly: true });
  try {
    return numberOf(driver);
  } catch (thrown) {
    throw troubleOf(thrown, path) ?? thrown;
  } finally {
    driver.close();
  }
}

function numberOf(driver: Driver): number {
  if (driver.get(queries.migrationTable) === undefined) return 0;
  return Number(driver.get(queries.newestMigration)?.number ?? 0);
}

function tooNew(path: string, found: number, newest: number): EngineError {
  return new EngineError(
    'store.too-new',
    `the database "${path}" has schema ${found}, and this program knows up to ${newest}: ` +
      'run the newer version of perdure that wrote it',
    { details: { path, found, newest } },
  );
}
