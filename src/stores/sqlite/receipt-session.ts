/** The verbs about what was asked under a key, over an open database: what the thread does. */
import { assert } from '../../base/assert.ts';
import { CLEARED_MAX } from '../receipts.ts';
import type { Row } from '../rows.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';
import { writingAt } from './transaction.ts';

type Told = number | null;

export class ReceiptSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  take(told: Told, key: string, body: string, ttlMs: number): Row {
    return writingAt(this.#driver, told, (now) => {
      this.#driver.run(queries.clearReceipts, now, CLEARED_MAX);
      const row = this.#driver.get(queries.takeReceipt, key, body, now, ttlMs);
      assert(row !== undefined, 'what was taken is there');
      return row;
    });
  }

  find(told: Told, key: string): Row | undefined {
    return this.#driver.get(queries.findReceipt, key, told ?? Date.now());
  }

  /** `was` is null if it does not matter. */
  put(told: Told, key: string, body: string, was: string | null): boolean {
    return writingAt(
      this.#driver,
      told,
      (now) => this.#driver.run(queries.putReceipt, key, body, was, now) > 0,
    );
  }

  walk(told: Told, after: string, limit: number): readonly Row[] {
    return this.#driver.all(queries.receiptsAfter, after, limit, told ?? Date.now());
  }

  /** `keys` is JSON text. */
  remove(told: Told, keys: string): number {
    return writingAt(this.#driver, told, (now) =>
      this.#driver.run(queries.removeReceipts, keys, now),
    );
  }
}
