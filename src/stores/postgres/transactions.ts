/**
 * Commits in a transaction of the user's: of a program that starts an instance together with rows
 * of its own, or of a step whose effects are in the same database (P4).
 */
import type pg from 'pg';
import { assert } from '../../base/assert.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { Tx } from '../../model/tx.ts';
import { type CommitAnswer, commitBy } from '../outcomes.ts';
import type { Row } from '../rows.ts';
import type { Commit, CommitOutcome, Guest, Held, NewMessage, Transaction } from '../store.ts';
import { messageCells } from '../message-writes.ts';
import type { CommitRow } from '../writes.ts';
import type { StoreClock } from './clock.ts';
import { commitWithin, unsure } from './commits.ts';
import { type Ask, column, type Driver, type Loan, type Session } from './driver.ts';
import { lentClient } from './lent-client.ts';
import * as queries from './queries.ts';
import { payloadOf } from './belfry.ts';
import { ALL_SHARDS, shardOf } from './shard.ts';
import { errorOf, isDisconnected, sqlState } from './trouble.ts';

/** How long a handler's last statement may keep its transaction from being given up. */
const CANCEL_MS_MAX = 1_000;

/** What Postgres says to a savepoint outside of a transaction. */
const NO_TRANSACTION = '25P01';
/** And to anything in one that has failed. */
const FAILED_TRANSACTION = '25P02';

export function guestOf(driver: Driver, clock: StoreClock, tx: Tx): Guest {
  if (typeof (tx as Partial<Tx> | null)?.query !== 'function') {
    const what = 'a client of pg with a transaction begun, or anything with its';
    throw notATransaction(`tx is ${what} \`query(text, values)\``);
  }
  return new Visitor(driver, clock, tx);
}

function notATransaction(message: string, cause?: unknown): EngineError {
  return new EngineError('engine.option-invalid', message, { cause });
}

function notBegun(cause?: unknown): EngineError {
  return notATransaction('tx is not in a transaction: begin one first', cause);
}

function notWhole(): EngineError {
  return new EngineError(
    'store.refused',
    'a statement of the transaction has failed, or it was ended, and so nothing of it is kept: ' +
      'let the error through, and leave the end to the engine',
  );
}

/** The `tx` of a transactional step as the client of `pg` that it is, for who wants one. */
export function clientOf(tx: Tx): pg.PoolClient {
  if (isClient(tx)) return tx;
  throw notATransaction('this tx is no client of pg: that of a step on the Postgres store is one');
}

/** By its shape: a program may have another copy of pg than we do. */
function isClient(tx: Tx): tx is pg.PoolClient {
  return 'getTransactionStatus' in tx;
}

/** Who is at work in a transaction: savepoints of two at once would be taken for each other. */
const turns = new WeakMap<Tx, Promise<unknown>>();

class Visitor implements Guest {
  readonly #driver: Driver;
  readonly #clock: StoreClock;
  readonly #tx: Tx;
  readonly #session: Session;

  constructor(driver: Driver, clock: StoreClock, tx: Tx) {
    this.#driver = driver;
    this.#clock = clock;
    this.#tx = tx;
    this.#session = driver.guest(tx);
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    return commitOne(commit, (row) =>
      this.#inTurn(async () => {
        const answer = await commitWithin(this.#session, this.#clock, row);
        if (answer.outcome === 'committed') await this.#announce();
        return answer;
      }),
    );
  }

  async publish(message: NewMessage): Promise<boolean> {
    return this.#inTurn(async () => {
      const isNew = wasKept(await this.#session.ask(publishing(message, this.#clock)));
      if (isNew) await this.#announce();
      return isNew;
    });
  }

  /** Heard when the transaction commits, and not before; we do not hear of that ourselves (D15). */
  async #announce(): Promise<void> {
    await this.#session.ask(announcing(this.#driver));
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const before = turns.get(this.#tx);
    const own = Promise.allSettled([before]).then(() => this.#inSavepoint(work));
    turns.set(this.#tx, own);
    return own;
  }

  /** All of it or nothing, and whatever fails, the transaction is still good. */
  async #inSavepoint<Value>(work: () => Promise<Value>): Promise<Value> {
    const { savepoint, releaseSavepoint, rollbackToSavepoint } = queries.own;
    try {
      await this.#session.ask([savepoint]);
    } catch (thrown) {
      throw sqlState(thrown) === NO_TRANSACTION
        ? notBegun(thrown)
        : errorOf(thrown, this.#driver.where);
    }
    try {
      const value = await work();
      await this.#session.ask([releaseSavepoint]);
      return value;
    } catch (thrown) {
      // If even that fails there is no transaction left to be good.
      await Promise.allSettled([this.#session.ask([rollbackToSavepoint], [releaseSavepoint])]);
      throw errorOf(thrown, this.#driver.where);
    }
  }
}

async function commitOne(
  commit: Commit,
  send: (row: CommitRow) => Promise<CommitAnswer>,
): Promise<CommitOutcome> {
  const [outcome] = await commitBy([commit], (rows) => Promise.all(rows.map(send)));
  assert(outcome !== undefined, 'one commit has one outcome');
  return outcome;
}

/** In a transaction of its own. */
export async function publishAlone(
  driver: Driver,
  clock: StoreClock,
  message: NewMessage,
): Promise<boolean> {
  try {
    return (await driver.one(...publishing(message, clock))).length > 0;
  } catch (thrown) {
    const error = errorOf(thrown, driver.where);
    throw isDisconnected(thrown) ? unsure(error) : error;
  }
}

/** Whoever listens lies in any shard. */
function publishing(message: NewMessage, { told }: StoreClock): Ask {
  const cells = [shardOf(message.id), ...messageCells(message), told, message.ttlMs];
  return [queries.publish, ...cells, column(ALL_SHARDS)];
}

function wasKept([rows]: readonly (readonly Row[])[]): boolean {
  return rows !== undefined && rows.length > 0;
}

function announcing({ schema }: Driver): Ask {
  return [queries.own.notify, `${schema}.bell`, payloadOf('all', '')];
}

/** Begun on a connection of its own, which goes back to the pool at the end. */
export async function beginTransaction(
  driver: Driver,
  clock: StoreClock,
  onSettled: (claims: readonly Held[]) => void,
): Promise<Transaction> {
  const transaction = new OwnTransaction(driver, clock, await driver.lend(), onSettled);
  await transaction.begin();
  return transaction;
}

/** Nothing needs a savepoint here: what fails takes the whole of it along. */
class OwnTransaction implements Transaction {
  readonly tx: pg.PoolClient;
  readonly #driver: Driver;
  readonly #clock: StoreClock;
  readonly #loan: Loan;
  readonly #onSettled: (claims: readonly Held[]) => void;
  readonly #claims: Held[] = [];
  #isOver = false;

  constructor(
    driver: Driver,
    clock: StoreClock,
    loan: Loan,
    onSettled: (claims: readonly Held[]) => void,
  ) {
    this.#driver = driver;
    this.#clock = clock;
    this.#loan = loan;
    this.#onSettled = onSettled;
    this.tx = lentClient(loan, () => this.#isOver);
  }

  async begin(): Promise<void> {
    await this.#run(queries.own.beginWork);
  }

  /** Nobody is told here: whoever ends it hears of it first, and tells the others. */
  async commit(commit: Commit): Promise<CommitOutcome> {
    const { session } = this.#loan;
    const outcome = await commitOne(commit, (row) =>
      this.#known(() => commitWithin(session, this.#clock, row, [[queries.own.endWork]])),
    );
    if (commit.fence !== null && outcome.outcome === 'committed') this.#claims.push(commit.fence);
    return outcome;
  }

  async publish(message: NewMessage): Promise<boolean> {
    const asks = [publishing(message, this.#clock), announcing(this.#driver)];
    return wasKept(await this.#known(() => this.#loan.session.ask(...asks)));
  }

  async end(): Promise<void> {
    const wasEnded = this.#status === 'I';
    const did = await this.#run(queries.commit);
    this.#leave();
    // One that has failed is undone instead, and that is no error to the server.
    if (wasEnded || did !== 'COMMIT') throw notWhole();
    this.#onSettled(this.#claims);
  }

  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    let isGivenUp = false;
    // A statement that never ends keeps the connection: it goes, and takes its transaction along.
    const late = setTimeout(() => {
      isGivenUp = true;
      this.#leave(new Error('a transaction was given up'));
    }, CANCEL_MS_MAX);
    try {
      await this.#run(queries.rollback);
      this.#leave();
    } catch (thrown) {
      if (!isGivenUp) throw thrown;
    } finally {
      clearTimeout(late);
    }
  }

  /** `T` in a transaction, `E` in one that has failed, `I` in none. */
  get #status(): string | null {
    return this.#loan.client.getTransactionStatus();
  }

  #leave(broken?: Error): void {
    this.#isOver = true;
    this.#loan.giveBack(broken);
  }

  /** What the server says it did. */
  async #run(query: string): Promise<string> {
    try {
      return (await this.#loan.client.query(query)).command;
    } catch (thrown) {
      const error = errorOf(thrown, this.#driver.where);
      const isLost = isDisconnected(thrown);
      this.#leave(isLost ? error : undefined);
      throw query === queries.commit && isLost ? unsure(error) : error;
    }
  }

  async #known<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#isOver || this.#status === 'I') throw notBegun();
    if (this.#status === 'E') throw notWhole();
    try {
      return await work();
    } catch (thrown) {
      // The word that it has failed comes after the error itself, and may not have been here yet.
      throw sqlState(thrown) === FAILED_TRANSACTION
        ? notWhole()
        : errorOf(thrown, this.#driver.where);
    }
  }
}
