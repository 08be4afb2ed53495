/** Finding tasks, over an open database: what the thread does. */
import type { Row } from '../rows.ts';
import type { TaskQuestion } from '../task-finding.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';
import { reading } from './transaction.ts';

export class TaskSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** The same of each of these, at one moment. */
  find(
    _told: number | null,
    query: TaskQuestion['query'],
    asked: readonly (readonly Cell[])[],
  ): readonly Row[] {
    return reading(this.#driver, () =>
      asked.flatMap((cells) => this.#driver.all(queries[query], ...cells)),
    );
  }
}
