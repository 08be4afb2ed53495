/**
 * The only file that knows how `pg` is called. Statements go out together and are answered in order
 * (its pipeline), so that what needs no answer in between costs one round trip.
 *
 * Statements are prepared under a name made of their text. Where a pooler hands every transaction
 * to another connection, a name may mean nothing there: that shows as an error of its own before
 * anything is done, and from then on nothing is prepared.
 */
import pg from 'pg';
import { assert } from '../../base/assert.ts';
import { EngineError } from '../../base/engine-error.ts';
import { sha256 } from '../../base/hash.ts';
import type { Tx } from '../../model/tx.ts';
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import { errorOf, isDisconnected, isUnprepared } from './trouble.ts';

/** A statement and its parameters. */
export type Ask = readonly [text: string, ...values: readonly unknown[]];

/** Longer than this nobody waits for the server to accept a connection. */
const CONNECT_MS_MAX = 5_000;
/** Without an answer for this long the connection is taken for dead. */
const ANSWER_MS_MAX = 30_000;
/** Of a pool, connections that handlers in a transaction leave to the engine itself. */
const RESERVED = 2;

const INT8 = 20;
const TEXT = 25;

/** Our numbers are all well below 2^53. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8
      ? Number
      : oid === TEXT
        ? withNulls
        : pg.types.getTypeParser(oid, format as 'text')) as never,
};

export interface DriverOptions {
  readonly schema: string;
  readonly poolSize: number;
}

export class Driver {
  /** The database as people know it, without the password. */
  readonly where: string;
  readonly #pool: pg.Pool;
  readonly #isOurs: boolean;
  readonly #schema: string;
  readonly #texts = new Map<string, { readonly text: string; readonly name: string }>();
  #prepares = true;
  /** Transactions of handlers: open, and waiting to be. */
  #open = 0;
  readonly #queue: (() => void)[] = [];

  constructor(from: string | pg.Pool, { schema, poolSize }: DriverOptions) {
    this.#isOurs = typeof from === 'string';
    this.#pool =
      typeof from === 'string'
        ? new pg.Pool({
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

  /** How another connection to the same database is made. */
  get config(): pg.ClientConfig {
    return this.#pool.options;
  }

  get schema(): string {
    return this.#schema;
  }

  async close(): Promise<void> {
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
        const { rows } = await tx.query(this.#textOf(text).text, values.map(withoutNulls));
        answers.push(rows);
      }
      return answers;
    };
    return { ask };
  }

  /** A connection for a handler, for as long as it likes: there are always some left for us. */
  async lend(): Promise<{ client: pg.PoolClient; giveBack: (broken?: Error) => void }> {
    const most = Math.max(1, (this.#pool.options.max ?? 10) - RESERVED);
    if (this.#open >= most) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#open += 1;
    const leave = (): void => {
      const next = this.#queue.shift();
      if (next === undefined) this.#open -= 1;
      else next();
    };
    try {
      const client = await this.#pool.connect();
      client.on('error', ignore);
      const giveBack = (broken?: Error): void => {
        client.off('error', ignore);
        client.release(broken);
        leave();
      };
      return { client, giveBack };
    } catch (thrown) {
      leave();
      throw errorOf(thrown, this.where);
    }
  }

  async #connected<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
    for (;;) {
      const client = await this.#pool.connect().catch((thrown: unknown) => {
        throw errorOf(thrown, this.where);
      });
      client.on('error', ignore);
      let broken: Error | undefined;
      try {
        return await work(client);
      } catch (thrown) {
        // Whatever state it is in, nobody else gets it: a transaction may be open.
        broken = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (!isUnprepared(thrown) || !this.#prepares) throw thrown;
        this.#prepares = false;
      } finally {
        client.off('error', ignore);
        client.release(broken !== undefined && mustGo(client, broken) ? broken : undefined);
      }
    }
  }

  async #ask(client: pg.PoolClient, asks: readonly Ask[]): Promise<readonly (readonly Row[])[]> {
    if (!client.pipeline) return this.#askInTurn(client, asks);
    const answers = await Promise.allSettled(asks.map((ask) => this.#send(client, ask)));
    return answers.map((answer) => {
      // The first that failed is the reason; those behind it only followed.
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  async #askInTurn(
    client: pg.PoolClient,
    asks: readonly Ask[],
  ): Promise<readonly (readonly Row[])[]> {
    const answers: (readonly Row[])[] = [];
    for (const ask of asks) answers.push(await this.#send(client, ask));
    return answers;
  }

  async #send(client: pg.PoolClient, [sql, ...values]: Ask): Promise<readonly Row[]> {
    const { text, name } = this.#textOf(sql);
    const prepared = this.#prepares && values.length > 0 ? { name } : {};
    const result = await client.query({
      text,
      values: values.map(withoutNulls),
      types: TYPES,
      ...prepared,
    });
    return result.rows as readonly Row[];
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

function ignore(): void {}

/** A connection that was lost, or has a transaction open that its owner could not end. */
function mustGo(client: pg.PoolClient, thrown: Error): boolean {
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
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'string' || !/[\0\u2400]/.test(value)) return value;
  return value.replaceAll('\u2400', '\u2400\u2400').replaceAll('\0', '\u24000');
}

function withNulls(text: string): string {
  if (!text.includes('\u2400')) return text;
  return text.replaceAll(/\u2400([\u24000])/g, (_, second) => (second === '0' ? '\0' : '\u2400'));
}

/** Rows as the parameters of a statement that takes columns. */
export function columns(rows: readonly (readonly Cell[])[]): readonly string[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, at) => column(rows.map((row) => row[at] ?? null)));
}

function placeOf(options: pg.PoolOptions): string {
  const { connectionString, host, port, database } = options;
  if (connectionString === undefined) {
    return `${host ?? 'localhost'}:${port ?? 5432}/${database ?? ''}`;
  }
  if (!URL.canParse(connectionString)) {
    throw new EngineError(
      'engine.option-invalid',
      'a Postgres store is given a URL such as "postgres://user:password@host:5432/database"',
    );
  }
  const url = new URL(connectionString);
  return `${url.host}${url.pathname}`;
}
