/**
 * One Postgres schema for all tests of a file, emptied whenever a test opens it: making a schema
 * takes longer than most tests do. Time is what the test that opened it says.
 */
import { Client, type Pool } from 'pg';
import { inject } from 'vitest';
import { postgres } from '../stores/postgres/postgres.ts';
import type { Store } from '../stores/store.ts';
import { dropSchemas, emptySchema, everyRowOf, freshSchema } from './postgres-schema.ts';
import { wrappedStore } from './wrapped-store.ts';

/** By their numbers in Postgres: int8 and int4 are numbers here, and whatever else is text. */
const TYPES = { getTypeParser: (oid: number) => (oid === 20 || oid === 23 ? Number : String) };

export class SharedPostgres {
  readonly #url: string = inject('postgres');
  readonly #schema: string = freshSchema();
  readonly #store: Store;
  readonly #client: Client;
  #opened: Promise<void> | null = null;
  #clock: () => number = Date.now;

  /** By way of a pool of the test's own, if it has one. */
  constructor(pool?: Pool) {
    this.#store = postgres(pool ?? this.#url, {
      schema: this.#schema,
      clock: () => this.#clock(),
      listen: false,
    });
    this.#client = new Client(this.#url);
  }

  /** The store as new, for one test at a time. Closing it is nothing: the next test has it. */
  storeFor(clock: () => number): Store {
    const open = async (): Promise<void> => {
      this.#clock = clock;
      await this.#empty();
    };
    return wrappedStore(this.#store, { open, close: async () => {} });
  }

  /** Everything a table or a view shows, as any other program would see it. */
  async rowsOf(table: string): Promise<readonly object[]> {
    const text = everyRowOf(`${this.#schema}.${table}`);
    return (await this.#client.query<object>({ text, types: TYPES })).rows;
  }

  async close(): Promise<void> {
    if (this.#opened === null) return;
    await this.#opened;
    await this.#store.close();
    await this.#client.end();
    await dropSchemas(this.#url);
  }

  async #empty(): Promise<void> {
    this.#opened ??= this.#open();
    await this.#opened;
    await emptySchema(this.#client, this.#schema);
  }

  async #open(): Promise<void> {
    await this.#client.connect();
    await this.#store.open();
  }
}
