/** What a doctor asks, over an open database: what the thread does. */
import { assert } from '../../base/assert.ts';
import type { Row } from '../rows.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';

type Told = number | null;

/** What is counted in the tokens, as rows. */
export interface LyingRows {
  readonly now: number;
  readonly incidents: Row | undefined;
  readonly crashed: Row | undefined;
  readonly overdue: readonly Row[];
}

export class HealthSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  lying(told: Told, crashes: number, overdueMs: number, most: number): LyingRows {
    const now = told ?? Date.now();
    return {
      now,
      incidents: this.#driver.get(queries.countIncidents, most),
      crashed: this.#driver.get(queries.countCrashed, crashes),
      overdue: this.#driver.all(queries.overdueWork, now - overdueMs, most),
    };
  }

  backlog(told: Told, most: number): { readonly now: number; readonly row: Row } {
    const now = told ?? Date.now();
    const row = this.#driver.get(queries.backlog, now, most);
    assert(row !== undefined, 'a backlog is always a row');
    return { now, row };
  }

  /** How the file is kept and what is in it, as far as it knows itself. */
  file(): Readonly<Record<string, unknown>> {
    const { journalMode, synchronous, pageSize, pageCount, freePages } = queries.own;
    const asked = [journalMode, synchronous, pageSize, pageCount, freePages];
    return Object.assign({}, ...asked.map((sql) => this.#driver.get(sql) ?? {}));
  }

  /** What is wrong with the file, line by line. */
  quickCheck(): readonly string[] {
    const rows = this.#driver.all(queries.own.quickCheck);
    const said = rows.map((row) => String(Object.values(row)[0]));
    return said.length === 1 && said[0] === 'ok' ? [] : said;
  }
}
