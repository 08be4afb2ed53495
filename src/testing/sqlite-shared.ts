/**
 * One SQLite file and one thread for all tests of a file, emptied whenever a test opens it: to
 * start a thread takes longer than most tests do. Time is what the test that opened it says.
 *
 * Relaxed, since meaning is what is looked at here; durability has tests of its own.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';
import { everyRowOf } from './postgres-schema.ts';
import { wrappedStore } from './wrapped-store.ts';

export class SharedSqlite {
  readonly #folder: string = join(tmpdir(), `perdure-shared-${randomUUID()}`);
  readonly #path: string = join(this.#folder, 'shared.db');
  readonly #store: Store;
  #opened: Promise<Witness> | null = null;
  #clock: () => number = Date.now;

  constructor() {
    this.#store = sqlite(this.#path, { clock: () => this.#clock(), durability: 'relaxed' });
  }

  /** The store as new, for one test at a time. Closing it is nothing: the next test has it. */
  storeFor(clock: () => number): Store {
    const open = async (): Promise<void> => {
      this.#opened ??= this.#open();
      (await this.#opened).empty();
      this.#clock = clock;
    };
    // Where the time is told nobody rings, and who listened in a test that is over would be kept.
    return wrappedStore(this.#store, { open, close: async () => {}, listen: () => {} });
  }

  /** Everything a table or a view shows, as any other program would see it. */
  async rowsOf(table: string): Promise<readonly object[]> {
    return (await this.#opened)?.rowsOf(table) ?? [];
  }

  async close(): Promise<void> {
    if (this.#opened === null) return;
    const witness = await this.#opened;
    await this.#store.close();
    witness.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #open(): Promise<Witness> {
    mkdirSync(this.#folder);
    await this.#store.open();
    return new Witness(this.#path);
  }
}

/** Another connection to the file. */
class Witness {
  readonly #database: DatabaseSync;
  readonly #emptying: string;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    // What it deletes may be lost as well.
    this.#database.exec('pragma synchronous = normal');
    const tables = this.#database.prepare(`select name from sqlite_schema where type = 'table'`);
    const names = tables.all().map(({ name }) => String(name));
    const emptied = names.filter((name) => name !== 'migration');
    this.#emptying = emptied.map((name) => `delete from ${name};`).join('\n');
  }

  empty(): void {
    this.#database.exec(`begin immediate;\n${this.#emptying}\ncommit`);
  }

  rowsOf(table: string): readonly object[] {
    return this.#database.prepare(everyRowOf(table)).all();
  }

  close(): void {
    this.#database.close();
  }
}
