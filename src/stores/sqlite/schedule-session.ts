/** The verbs about schedules, over an open database: what the thread does. */
import type { Row } from '../rows.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';

type Cells = readonly Cell[];
type Told = number | null;

export class ScheduleSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  put(told: Told, cells: Cells, seen: number | null): boolean {
    const now = told ?? Date.now();
    const changed =
      seen === null
        ? this.#driver.run(queries.putSchedule, ...cells, now)
        : this.#driver.run(queries.alterSchedule, ...cells, now, seen);
    return changed > 0;
  }

  advance(told: Told, cells: Cells): boolean {
    return this.#driver.run(queries.moveSchedule, ...cells, told ?? Date.now()) > 0;
  }

  get(_told: Told, name: string): Row | undefined {
    return this.#driver.get(queries.findSchedule, name);
  }

  list(_told: Told, after: string, limit: number): readonly Row[] {
    return this.#driver.all(queries.schedulesAfter, after, limit);
  }

  due(told: Told, flows: string, without: string, limit: number): readonly Row[] {
    return this.#driver.all(queries.dueSchedules, flows, told ?? Date.now(), limit, without);
  }

  remove(_told: Told, name: string): boolean {
    return this.#driver.run(queries.removeSchedule, name) > 0;
  }
}
