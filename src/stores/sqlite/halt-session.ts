/** The verbs about whole flows that are suspended, over an open database: what the thread does. */
import { assert } from '../../base/assert.ts';
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';

type Told = number | null;

export class HaltSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  list(): readonly Row[] {
    return this.#driver.all(queries.haltsNow);
  }

  put(told: Told, cells: readonly Cell[]): Row {
    const row = this.#driver.get(queries.putHalt, ...cells, told ?? Date.now());
    assert(row !== undefined, 'what is said is there');
    return row;
  }

  remove(_told: Told, key: readonly Cell[]): boolean {
    return this.#driver.run(queries.dropHalt, ...key) > 0;
  }

  held(_told: Told, after: string, limit: number): readonly Row[] {
    return this.#driver.all(queries.heldInstances, after, limit);
  }
}
