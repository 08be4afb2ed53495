/**
 * Postgres stores of a test, and plain clients beside them: closed after it, in whatever state they
 * are. Each has a schema of its own unless it is told to share one.
 */
import type { Client, ClientConfig } from 'pg';
import { inject } from 'vitest';
import type { PostgresOptions } from '../stores/postgres/options.ts';
import { postgres } from '../stores/postgres/postgres.ts';
import type { Store } from '../stores/store.ts';
import { PostgresClients } from './postgres-clients.ts';
import { dropSchemas, freshSchema } from './postgres-schema.ts';
import { Bench } from './store-bench.ts';
import { T0 } from './store-commits.ts';

/** By way of a proxy, say. */
export interface StoreOptions extends PostgresOptions {
  readonly url?: string;
}

export class PostgresStores {
  readonly url: string = inject('postgres');
  readonly #opened: Store[] = [];
  readonly #clients = new PostgresClients();

  /** Not open yet: that is for the test to try. */
  make({ url = this.url, schema = freshSchema(), ...options }: StoreOptions = {}): Store {
    const store = postgres(url, { schema, ...options });
    this.#opened.push(store);
    return store;
  }

  async open(options: StoreOptions = {}): Promise<Store> {
    const store = this.make(options);
    await store.open();
    return store;
  }

  /** With a clock that the test sets. */
  async bench(options: StoreOptions = {}): Promise<Bench> {
    const clock = { now: T0 };
    const store = await this.open({ listen: false, clock: () => clock.now, ...options });
    return new Bench(store, clock);
  }

  client(config: ClientConfig = {}): Promise<Client> {
    return this.#clients.join(this.url, config);
  }

  /** For `afterEach`. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#opened.splice(0).map((store) => store.close()));
    await this.#clients.end();
  }

  /** For `afterAll`. */
  async drop(): Promise<void> {
    await this.close();
    await dropSchemas(this.url);
  }
}
