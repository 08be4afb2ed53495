/** The verbs about messages, over an open database: what the thread does. */
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';
import { reading, writing, writingAt } from './transaction.ts';

type Cells = readonly Cell[];
type Told = number | null;

export class MessageSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  publish(told: Told, cells: Cells, ttlMs: number): boolean {
    const [id = null] = cells;
    return writingAt(this.#driver, told, (now) => {
      const isNew = this.#driver.run(queries.publish, ...cells, now, ttlMs) > 0;
      if (isNew) this.#driver.run(queries.own.tell, id);
      return isNew;
    });
  }

  deliverable(told: Told, limit: number, message?: string): readonly Row[] {
    const now = told ?? Date.now();
    const driver = this.#driver;
    if (message !== undefined) return driver.all(queries.deliverable, message, now, limit);
    return reading(driver, () => {
      const found: Row[] = [];
      for (const { id } of driver.all(queries.awaited, now)) {
        if (found.length >= limit) break;
        const left = limit - found.length;
        found.push(...driver.all(queries.deliverable, id as string, now, left));
      }
      return found;
    });
  }

  /** Of each instance one: whoever has one message moves on. */
  deliverableTo(told: Told, tokens: readonly Cells[]): readonly Row[] {
    const now = told ?? Date.now();
    const found = new Map<unknown, Row>();
    reading(this.#driver, () => {
      for (const cells of tokens) {
        if (found.has(cells[0])) continue;
        const row = this.#driver.get(queries.deliverableTo, ...cells, now);
        if (row !== undefined) found.set(cells[0], row);
      }
    });
    return [...found.values()];
  }

  knows(_told: Told, message: string): boolean {
    return this.#driver.get(queries.knows, message) !== undefined;
  }

  /** Those that some instance had. */
  consume(_told: Told, messages: readonly string[]): readonly string[] {
    return writing(this.#driver, () =>
      messages.filter((message) => this.#driver.run(queries.consume, message) > 0),
    );
  }

  pending(told: Told, cells: Cells, limit: number): readonly Row[] {
    return this.#driver.all(queries.pending, told ?? Date.now(), ...cells, limit);
  }
}
