/**
 * Where questions are asked that people wait for, about instances and about tasks: planned for the
 * tables as they are now, and by indexes, whatever the server has counted by then.
 */
import type { Row } from '../rows.ts';
import type { Ask, Driver, Session } from './driver.ts';
import * as queries from './queries.ts';
import { errorOf } from './trouble.ts';

export class Desk {
  readonly #driver: () => Driver;

  constructor(driver: () => Driver) {
    this.#driver = driver;
  }

  async ask(...ask: Ask): Promise<readonly Row[]> {
    const [, rows = []] = await this.#known((driver) =>
      driver.all([queries.own.beginSearch], ask, [queries.commit]),
    );
    return rows;
  }

  /** By its key: there is nothing to plan, and whoever starts an instance waits for it. */
  askOne(...ask: Ask): Promise<readonly Row[]> {
    return this.#known((driver) => driver.one(...ask));
  }

  /** All of the work, or nothing of it. */
  transact<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
    return this.#known((driver) =>
      driver.session(async (session) => {
        await session.ask([queries.begin]);
        try {
          const value = await work(session);
          await session.ask([queries.commit]);
          return value;
        } catch (thrown) {
          // If even that fails, the connection is given up, and the transaction with it.
          await Promise.allSettled([session.ask([queries.rollback])]);
          throw thrown;
        }
      }),
    );
  }

  async #known<Value>(work: (driver: Driver) => Promise<Value>): Promise<Value> {
    const driver = this.#driver();
    try {
      return await work(driver);
    } catch (thrown) {
      throw errorOf(thrown, driver.where);
    }
  }
}
