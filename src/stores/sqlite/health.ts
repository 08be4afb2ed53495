/** The health of a SQLite file, on the caller's side. */
import { statSync } from 'node:fs';
import { EngineError } from '../../base/engine-error.ts';
import type { Instant } from '../../model/ids.ts';
import {
  COUNTED_MAX,
  type DiagnoseRequest,
  fail,
  type Health,
  lyingOf,
  type Migrations,
  ok,
  OVERDUE_MS,
  type Symptom,
  symptomsOfWork,
  warn,
} from '../health.ts';
import { type Backlog, readBacklog } from '../backlog.ts';
import type { Connection } from './connection.ts';
import { migrationsIn } from './migrate.ts';

/** A larger file is read through only if that was asked for. */
const QUICK_BYTES_MAX = 256 * 2 ** 20;
/** Pages that are free and of no use to anybody: below this many nobody minds. */
const FREE_BYTES_MAX = 64 * 2 ** 20;
const FREE_PART_MAX = 0.5;
/** A log that is never written back: somebody reads for ever, or nobody ever closes. */
const LOG_BYTES_MAX = 256 * 2 ** 20;
/** What `pragma synchronous` answers where nothing confirmed can be lost. */
const FULL = 2;

export class SqliteHealth implements Health {
  readonly #path: string;
  readonly #database: () => Connection;

  constructor(path: string, database: () => Connection) {
    this.#path = path;
    this.#database = database;
  }

  async migrations(): Promise<Migrations> {
    return migrationsIn(this.#path);
  }

  async diagnose({ full, crashes }: DiagnoseRequest): Promise<readonly Symptom[]> {
    const database = this.#database();
    const { now, incidents, crashed, overdue } = await database.call(
      'health.lying',
      ...([crashes, OVERDUE_MS, COUNTED_MAX] as const),
    );
    const file = await database.call('health.file');
    const bytes = Number(file['page_size']) * Number(file['page_count']);
    const checked = full || bytes <= QUICK_BYTES_MAX;
    return [
      durable(file),
      ...(checked ? [await sound(database)] : []),
      loose(bytes, Number(file['page_size']) * Number(file['freelist_count'])),
      log(sizeOf(`${this.#path}-wal`)),
      ...symptomsOfWork(lyingOf(now as Instant, incidents, crashed, overdue)),
    ];
  }

  async backlog(): Promise<Backlog> {
    const { now, row } = await this.#database().call('health.backlog', COUNTED_MAX);
    return readBacklog(row, now as Instant);
  }
}

function durable(file: Readonly<Record<string, unknown>>): Symptom {
  const { journal_mode: mode, synchronous } = file;
  const found = `journal_mode ${String(mode)}, synchronous ${String(synchronous)}`;
  const isDurable = mode === 'wal' && synchronous === FULL;
  const advice = 'what is confirmed may be lost: open it with durability full, on a local disk';
  return isDurable ? ok('durability', found) : fail('durability', found, advice);
}

/** A file that is damaged enough cannot even be looked through. */
async function sound(database: Connection): Promise<Symptom> {
  const advice = 'restore the file from a backup';
  try {
    const wrong = await database.call('health.quickCheck');
    if (wrong.length === 0) return ok('file', 'every page is what it should be');
    return fail('file', wrong.join('; '), advice);
  } catch (thrown) {
    if (!(thrown instanceof EngineError) || thrown.code !== 'store.corrupt') throw thrown;
    return fail('file', thrown.message, advice);
  }
}

function loose(bytes: number, free: number): Symptom {
  const found = `${megabytes(free)} of ${megabytes(bytes)} are free`;
  const isLoose = free > FREE_BYTES_MAX && free > bytes * FREE_PART_MAX;
  const advice = 'give the room back with VACUUM, while no worker runs';
  return isLoose ? warn('bloat', found, advice) : ok('bloat', found);
}

function log(bytes: number): Symptom {
  const found = `${megabytes(bytes)} not yet written back`;
  const advice = 'look for a process that keeps a transaction open, or restart the workers';
  return bytes > LOG_BYTES_MAX ? warn('log', found, advice) : ok('log', found);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
