/** The verbs about letters, over an open database: what the thread does. */
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';
import { writingAt } from './transaction.ts';

type Cells = readonly Cell[];
type Told = number | null;

export class LetterSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  claim(told: Told, cells: Cells): readonly Row[] {
    return writingAt(this.#driver, told, (now) =>
      this.#driver.all(queries.claimLetters, now, ...cells),
    );
  }

  sent(told: Told, held: readonly Cells[]): void {
    writingAt(this.#driver, told, (now) => {
      for (const cells of held) this.#driver.run(queries.sentLetters, ...cells, now);
    });
  }

  failed(told: Told, failures: readonly Cells[]): void {
    writingAt(this.#driver, told, (now) => {
      for (const cells of failures) {
        const row = this.#driver.get(queries.failedLetters, ...cells, now);
        if (row === undefined || cells.at(-1) === null) continue;
        const { instance_id: instance, n, available_at: at } = row;
        this.#driver.run(queries.own.pauseLetters, String(instance), Number(n), Number(at));
      }
    });
  }

  release(told: Told, held: readonly Cells[]): void {
    writingAt(this.#driver, told, (now) => {
      for (const cells of held) this.#driver.run(queries.releaseLetters, ...cells, now);
    });
  }

  expired(told: Told, limit: number): readonly Row[] {
    return this.#driver.all(queries.expiredLetters, told ?? Date.now(), limit);
  }

  list(_told: Told, cells: Cells): readonly Row[] {
    return this.#driver.all(queries.letters, ...cells);
  }

  requeue(told: Told, ids: string): readonly Row[] {
    return writingAt(this.#driver, told, (now) =>
      this.#driver.all(queries.requeueLetters, ids, now),
    );
  }
}
