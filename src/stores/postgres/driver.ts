/**
 * The only file that knows how `pg` is called. Statements go out together and are answered in order
 * (its pipeline), so that what needs no answer in between costs one round trip.
 *
 * Statements are prepared under a name made of their text. Where a pooler hands every transaction
 * to another connection, a name may mean nothing there: that shows as an error of its own before
 * anything is done, and from then on nothing is prepared.
 */
import {
  type ClientConfig,
  type CustomTypesConfig,
  Pool,
  type PoolClient,
  type PoolOptions,
  type QueryConfig,
} from 'pg';
import { assert } from '../../base/assert.ts';
import { EngineError } from '../../base/engine-error.ts';
import { sha256 } from '../../base/hash.ts';
import type { Tx } from '../../model/tx.ts';
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import { interrupt } from './interrupt.ts';
import { errorOf, isDisconnected, isUnprepared } from './trouble.ts';

/** A statement and its parameters. */
export type Ask = readonly [text: string, ...values: readonly unknown[]];

/** Longer than this nobody waits for the server to accept a connection. */
const CONNECT_MS_MAX = 5_000;
/** Without an answer for this long the connection is taken for dead. */
const ANSWER_MS_MAX = 30_000;
/** Of a pool, connections that handlers in a transaction leave to the engine itself. */
const RESERVED = 2;

/** By their numbers in Postgres: int8, int2, int4. Our numbers are all well below 2^53. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23]);

const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number) => (NUMBERS.has(oid) ? Number : withNulls),
};

export interface DriverOptions {
  readonly schema: string;
  readonly poolSize: number;
}

export class Driver {
  /** The database as people know it, without the password. */
  readonly where: string;
  readonly #pool: Pool;
  readonly #isOurs: boolean;
  readonly #schema: string;
  readonly #texts = new Map<string, { readonly text: string; readonly name: string }>();
  #prepares = true;
  /** What is under way. */
  readonly #asked = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;
  /** Transactions of handlers: open, and waiting to be. */
  #open = 0;
  readonly #queue: (() => void)[] = [];
  readonly #lent = new Set<(broken: Error) => void>();

  constructor(from: string | Pool, { schema, poolSize }: DriverOptions) {
    this.#isOurs = typeof from === 'string';
    this.#pool =
      typeof from === 'string'
        ? new Pool({
            connectionString: from,
            max: poolSize,
            pipeline: true,
            keepAlive: true,
            connectionTimeoutMillis: CONNECT_MS_MAX,
            query_timeout: ANSWER_MS_MAX,
            // A program that has nothing left to do may end without closing its store.
            allowExitOnIdle: true,
          })
        : from;
    this.#schema = schema;
    this.where = placeOf(this.#pool.options);
    // One that breaks while nobody uses it is simply gone; without a listener it ends the process.
    if (this.#isOurs) this.#pool.on('error', () => {});
  }

  /** How another connection to the same database is made: also with what a pool keeps hidden. */
  get config(): ClientConfig {
    const { password, ssl } = this.#pool.options;
    const key = typeof ssl === 'object' ? { ssl: { ...ssl, key: ssl.key } } : {};
    return { ...this.#pool.options, password, ...key };
  }

  get schema(): string {
    return this.#schema;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Answers first: a pool that is ended forgets those who still wait for a connection. */
  async #end(): Promise<void> {
    // What handlers still hold is undone: nobody waits for them any more.
    for (const giveBack of this.#lent) giveBack(new Error('the store was closed'));
    for (const next of this.#queue.splice(0)) next();
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked);
    if (this.#isOurs) await this.#pool.end();
  }

  /** Each on its own, and all of them at once. */
  async all(...asks: readonly Ask[]): Promise<readonly (readonly Row[])[]> {
    return this.#connected((client) => this.#ask(client, asks));
  }

  async one(...ask: Ask): Promise<readonly Row[]> {
    const [rows] = await this.all(ask);
    assert(rows !== undefined, 'every statement has its rows');
    return rows;
  }

  /** On one connection from beginning to end. */
  async session<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
    return this.#connected((client) => work({ ask: (...asks) => this.#ask(client, asks) }));
  }

  /** On a connection of someone else's, who has begun a transaction and will end it. */
  guest(tx: Tx): Session {
    const ask = async (...asks: readonly Ask[]): Promise<readonly (readonly Row[])[]> => {
      const answers: (readonly Row[])[] = [];
      for (const [text, ...values] of asks) {
        const { rows } = await tx.query(
          this.#textOf(text).text,
          values.map((value) => withoutNulls(value)),
        );
        answers.push(rows.map(readable));
      }
      return answers;
    };
    return { ask };
  }

  /** A connection for a handler, for as long as it likes: there are always some left for us. */
  async lend(): Promise<Loan> {
    const most = Math.max(1, (this.#pool.options.max ?? 10) - RESERVED);
    if (this.#open >= most) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#open += 1;
    try {
      this.#assertOpen();
      return this.#loanOf(await this.#waitFor(this.#pool.connect()));
    } catch (thrown) {
      this.#letNext();
      throw errorOf(thrown, this.where);
    }
  }

  #loanOf(client: PoolClient): Loan {
    client.on('error', ignore);
    const giveBack = (broken?: Error): void => {
      if (!this.#lent.delete(giveBack)) return;
      client.release(broken);
      if (broken === undefined) client.off('error', ignore);
      else hangUp(client);
      this.#letNext();
    };
    this.#lent.add(giveBack);
    // Nothing is prepared: the transaction may be the only one a pooler lets this connection have.
    const ask: Session['ask'] = (...asks) => this.#ask(client, asks, false);
    return { client, isOurs: this.#isOurs, session: { ask }, giveBack };
  }

  #letNext(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#open -= 1;
    else next();
  }

  #assertOpen(): void {
    if (this.#closing === null) return;
    throw new EngineError('store.unreachable', `the database "${this.where}" is closed`);
  }

  async #connected<Value>(work: (client: PoolClient) => Promise<Value>): Promise<Value> {
    this.#assertOpen();
    return this.#waitFor(this.#try(work));
  }

  /** Closing waits for it, too. */
  async #waitFor<Value>(answer: Promise<Value>): Promise<Value> {
    this.#asked.add(answer);
    try {
      return await answer;
    } finally {
      this.#asked.delete(answer);
    }
  }

  async #try<Value>(work: (client: PoolClient) => Promise<Value>): Promise<Value> {
    for (;;) {
      const client = await this.#pool.connect().catch((thrown: unknown) => {
        throw errorOf(thrown, this.where);
      });
      client.on('error', ignore);
      // Another that is under way may find out first that nothing can be prepared.
      const prepared = this.#prepares;
      let broken: Error | undefined;
      try {
        return await work(client);
      } catch (thrown) {
        // Whatever state it is in, nobody else gets it: a transaction may be open.
        broken = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (!isUnprepared(thrown) || !prepared) throw thrown;
        this.#prepares = false;
      } finally {
        client.off('error', ignore);
        client.release(broken !== undefined && mustGo(client, broken) ? broken : undefined);
      }
    }
  }

  async #ask(
    client: PoolClient,
    asks: readonly Ask[],
    prepares: boolean = this.#prepares,
  ): Promise<readonly (readonly Row[])[]> {
    if (!client.pipeline) return this.#askInTurn(client, asks, prepares);
    const answers = await Promise.allSettled(asks.map((ask) => this.#send(client, ask, prepares)));
    return answers.map((answer) => {
      // The first that failed is the reason; those behind it only followed.
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  async #askInTurn(
    client: PoolClient,
    asks: readonly Ask[],
    prepares: boolean,
  ): Promise<readonly (readonly Row[])[]> {
    const answers: (readonly Row[])[] = [];
    for (const ask of asks) answers.push(await this.#send(client, ask, prepares));
    return answers;
  }

  async #send(
    client: PoolClient,
    [sql, ...values]: Ask,
    prepares: boolean,
  ): Promise<readonly Row[]> {
    const { text, name } = this.#textOf(sql);
    const prepared = prepares && values.length > 0 ? { name } : {};
    const query: QueryConfig & { query_timeout: number } = {
      text,
      values: values.map((value) => withoutNulls(value)),
      types: TYPES,
      // Of a pool of the program's, too, nobody waits for an answer for ever.
      query_timeout: ANSWER_MS_MAX,
      ...prepared,
    };
    return (await client.query(query)).rows as readonly Row[];
  }

  #textOf(sql: string): { readonly text: string; readonly name: string } {
    let known = this.#texts.get(sql);
    if (known === undefined) {
      const text = inSchema(sql, this.#schema);
      known = { text, name: `perdure_${sha256(text).slice(0, 24)}` };
      this.#texts.set(sql, known);
    }
    return known;
  }
}

export interface Session {
  ask(...asks: readonly Ask[]): Promise<readonly (readonly Row[])[]>;
}

/** A connection that a handler has for as long as it likes. */
export interface Loan {
  readonly client: PoolClient;
  /** Whether we made it, and not the program. */
  readonly isOurs: boolean;
  /** For what the store itself has to say on it. */
  readonly session: Session;
  /** Once. A broken one is closed at once, whatever is under way on it. */
  giveBack(broken?: Error): void;
}

function ignore(): void {}

/** A pool would wait for the answers first, and one of them may never come. */
function hangUp(client: PoolClient): void {
  const { stream } = client.connection;
  if (stream.destroyed) return;
  interrupt(client);
  stream.destroy();
}

/** A connection that was lost, or has a transaction open that its owner could not end. */
function mustGo(client: PoolClient, thrown: Error): boolean {
  return isDisconnected(thrown) || client.getTransactionStatus() !== 'I';
}

/** The statements name a schema of their own; the one that is meant is put in here. */
export function inSchema(sql: string, schema: string): string {
  return sql.replaceAll(/\bperdure\.(schema\b|bell\b)?/g, (_, word: string | undefined) =>
    word === 'schema' ? `"${schema}"` : word === 'bell' ? `"${schema}.bell"` : `"${schema}".`,
  );
}

/** One column of many rows, as Postgres reads an array. */
export function column(cells: readonly Cell[]): string {
  let text = '';
  for (const cell of cells) {
    const written = typeof cell === 'string' ? quoted(cell) : cell === null ? 'NULL' : `${cell}`;
    text += text === '' ? written : `,${written}`;
  }
  return `{${text}}`;
}

function quoted(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}

/**
 * Postgres keeps any character in a text but U+0000, and a name may have even that. It is kept as
 * two others, and the first of these as two of itself.
 */
export function withoutNulls<Value>(value: Value): Value | string {
  if (typeof value !== 'string') return value;
  if (!value.includes('\0') && !value.includes('\u2400')) return value;
  return value.replaceAll('\u2400', '\u2400\u2400').replaceAll('\0', '\u24000');
}

function withNulls(text: string): string {
  if (!text.includes('\u2400')) return text;
  return text.replaceAll(/\u2400([\u24000])/g, (_, second) => (second === '0' ? '\0' : '\u2400'));
}

/** What a connection of someone else's answers, as ours would. */
function readable(row: Row): Row {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === 'string' ? withNulls(cell) : cell,
  ]);
  return Object.fromEntries(cells) as Row;
}

/** Rows as the parameters of a statement that takes columns. */
export function columns(rows: readonly (readonly Cell[])[]): readonly string[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, at) => column(rows.map((row) => row[at] ?? null)));
}

function placeOf(options: PoolOptions): string {
  const { connectionString, host, port, database } = options;
  if (connectionString === undefined) {
    return `${host ?? 'localhost'}:${port ?? 5432}/${database ?? ''}`;
  }
  if (!URL.canParse(connectionString)) throw notADatabase();
  const url = new URL(connectionString);
  return `${url.host}${url.pathname}`;
}

export function notADatabase(): EngineError {
  return new EngineError(
    'engine.option-invalid',
    'a Postgres store is given a URL such as "postgres://user:password@host:5432/database", ' +
      'or a Pool of pg',
  );
}
