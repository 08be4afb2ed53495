/**
 * A table of the test's own in the database of the engines it opens: what steps and programs do in
 * a transaction shows there. Nothing in it keeps an entry from being there twice.
 */
import type { Client } from 'pg';
import { inject } from 'vitest';
import type { Flow } from '../model/definition.ts';
import { type Alarm, processAlarm } from '../runtime/alarm.ts';
import { Engine } from '../runtime/engine.ts';
import type { EngineOptions } from '../runtime/engine-options.ts';
import { postgres } from '../stores/postgres/postgres.ts';
import type { Store } from '../stores/store.ts';
import { PostgresClients } from './postgres-clients.ts';
import { dropSchemas, freshSchema } from './postgres-schema.ts';
import { addressOf } from './postgres-wire.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { Notebook } from './world.ts';

export interface TillOptions extends Omit<EngineOptions, 'store' | 'flows'> {
  /** By way of a proxy, say. */
  readonly url?: string;
  readonly poolSize?: number;
  readonly wrap?: (store: Store) => Store;
  /** Time as the test says, for the store and for the engine. */
  readonly clock?: () => number;
  readonly alarm?: Alarm;
}

export class Till {
  readonly url: string = inject('postgres');
  readonly #clients = new PostgresClients();
  readonly #proxies: TcpProxy[] = [];
  #engines: Engine[] = [];
  #schema = '';
  #witness: Promise<Client> | null = null;
  #log = new Notebook();

  get schema(): string {
    return this.#schema;
  }

  /** What the engines said. */
  get log(): Notebook {
    return this.#log;
  }

  /** For whoever has a transaction: puts an entry in. */
  get put(): string {
    return `insert into ${this.schema}.till (entry) values ($1)`;
  }

  /** For `beforeEach`: as new. */
  async open(): Promise<void> {
    this.#schema = freshSchema();
    this.#log = new Notebook();
    this.#witness = this.client();
    await this.#see(`create schema ${this.schema}`);
    await this.#see(`create table ${this.schema}.till (n serial, entry text)`);
  }

  async engine(flows: readonly Flow[], options: TillOptions = {}): Promise<Engine> {
    const { url = this.url, poolSize = 10, clock, alarm = processAlarm, wrap, ...rest } = options;
    const timed = clock === undefined ? {} : { clock };
    const store = postgres(url, { schema: this.schema, poolSize, ...timed });
    const logger = this.#log;
    const engine = new Engine({ store: wrap?.(store) ?? store, flows, logger, ...rest }, alarm);
    this.#engines.push(engine);
    await engine.open();
    return engine;
  }

  /** A way to the server that fails when the test says so. */
  async network(): Promise<TcpProxy> {
    const proxy = await TcpProxy.start(addressOf(this.url));
    this.#proxies.push(proxy);
    return proxy;
  }

  client(): Promise<Client> {
    return this.#clients.join(this.url);
  }

  async entries(): Promise<readonly string[]> {
    const rows = await this.#see(`select entry from ${this.schema}.till order by n`);
    return rows.map(({ entry }) => String(entry));
  }

  /** Resolves when a statement about our tables waits for somebody else's lock. */
  async contended(): Promise<void> {
    const waiting = `select 1 from pg_stat_activity
                      where wait_event_type = 'Lock' and query like '%${this.schema}%'`;
    while ((await this.#see(waiting)).length === 0) continue;
  }

  /** By a connection that is in nobody's transaction. */
  async #see(query: string): Promise<readonly Record<string, unknown>[]> {
    const client = await this.#witness;
    return (await client?.query(query))?.rows ?? [];
  }

  /** For `afterEach`. */
  async close(): Promise<void> {
    // Whoever waits for a lock of a client's is let through.
    await this.#clients.end();
    await Promise.all(this.#engines.map((engine) => engine.close({ timeout: '1s' })));
    this.#engines = [];
    await Promise.all(this.#proxies.splice(0).map((proxy) => proxy.close()));
  }

  /** For `afterAll`. */
  async drop(): Promise<void> {
    await dropSchemas(this.url);
  }
}
