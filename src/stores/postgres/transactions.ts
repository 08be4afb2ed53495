/**
 * Commits in a transaction of the user's: of a program that starts an instance together with rows
 * of its own, or of a step whose effects are in the same database (P4).
 */
import pg from 'pg';
import { EngineError } from '../../base/engine-error.ts';
import type { Tx } from '../../model/tx.ts';
import { encodeUnlessLost, outcomeOf } from '../outcomes.ts';
import { Missed } from '../payload.ts';
import type { Commit, CommitOutcome, Guest, NewMessage, Transaction } from '../store.ts';
import { messageCells } from '../writes.ts';
import type { StoreClock } from './clock.ts';
import { commitWithin, unsure } from './commits.ts';
import type { Driver, Session } from './driver.ts';
import * as queries from './queries.ts';
import { shardOf } from './shard.ts';
import { errorOf, isDisconnected } from './trouble.ts';

export function guestOf(driver: Driver, clock: StoreClock, tx: Tx): Guest {
  if (typeof (tx as Partial<Tx> | null)?.query !== 'function') throw notATransaction();
  return new Visitor(driver, clock, driver.guest(tx));
}

function notATransaction(): EngineError {
  return new EngineError(
    'engine.option-invalid',
    'tx is a client of pg with a transaction begun, or anything with its `query(text, values)`',
  );
}

/** The `tx` of a transactional step as the client of `pg` that it is, for who wants one. */
export function clientOf(tx: Tx): pg.PoolClient {
  if (tx instanceof pg.Client) return tx as pg.PoolClient;
  throw notATransaction();
}

class Visitor implements Guest {
  readonly #driver: Driver;
  readonly #clock: StoreClock;
  readonly #session: Session;

  constructor(driver: Driver, clock: StoreClock, session: Session) {
    this.#driver = driver;
    this.#clock = clock;
    this.#session = session;
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    const row = encodeUnlessLost(commit, new Missed());
    if ('outcome' in row) return row;
    const answer = await this.#known(() => commitWithin(this.#session, this.#clock, row));
    if (answer.outcome === 'committed') await this.#announce();
    return outcomeOf(commit, answer);
  }

  async publish(message: NewMessage): Promise<boolean> {
    const cells = [shardOf(message.id), ...messageCells(message), this.#clock.told, message.ttlMs];
    const [rows] = await this.#known(() => this.#session.ask([queries.publish, ...cells]));
    if (rows === undefined || rows.length === 0) return false;
    await this.#announce();
    return true;
  }

  /** Heard when the transaction commits, and not before; we do not hear of that ourselves (D15). */
  async #announce(): Promise<void> {
    const channel = `${this.#driver.schema}.bell`;
    await this.#known(() => this.#session.ask([queries.own.notify, channel, '']));
  }

  async #known<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (thrown) {
      throw errorOf(thrown, this.#driver.where);
    }
  }
}

/** Begun on a connection of its own, which goes back to the pool at the end. */
export async function beginTransaction(driver: Driver, clock: StoreClock): Promise<Transaction> {
  const { client, giveBack } = await driver.lend();
  const session = driver.guest(client);
  const guest = guestOf(driver, clock, client);
  let isOver = false;
  const leave = (broken?: Error): void => {
    if (!isOver) giveBack(broken);
    isOver = true;
  };
  const run = async (query: string): Promise<void> => {
    try {
      await session.ask([query]);
    } catch (thrown) {
      const error = errorOf(thrown, driver.where);
      leave(error);
      throw query === queries.commit && isDisconnected(thrown) ? unsure(error) : error;
    }
  };
  await run(queries.begin);
  return {
    tx: client,
    commit: (commit) => guest.commit(commit),
    publish: (message) => guest.publish(message),
    end: async () => {
      await run(queries.commit);
      leave();
    },
    cancel: async () => {
      if (isOver) return;
      await run(queries.rollback);
      leave();
    },
  };
}
