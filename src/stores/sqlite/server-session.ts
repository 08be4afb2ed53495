/** The verbs about which handlers processes have, over an open database: what the thread does. */
import type { Row } from '../rows.ts';
import { HOLDS_MAX, SERVED_AFTER_MS } from '../servers.ts';
import type { Cell } from '../writes.ts';
import type { Driver } from './driver.ts';
import * as queries from './queries.ts';
import { writingAt } from './transaction.ts';

type Told = number | null;

export class ServerSession {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  put(told: Told, cells: readonly Cell[], forMs: number): void {
    writingAt(this.#driver, told, (now) => {
      this.#driver.run(queries.putServer, ...cells, now + forMs);
      this.#driver.run(queries.own.dropServersGone, now);
    });
  }

  remove(_told: Told, worker: string): void {
    this.#driver.run(queries.dropServer, worker);
  }

  /** Who is there, and what is claimed. */
  list(told: Told): readonly [servers: readonly Row[], held: readonly Row[]] {
    const servers = this.#driver.all(queries.serversNow, told ?? Date.now());
    return [servers, this.#driver.all(queries.holdsNow, HOLDS_MAX)];
  }

  /** `instances` is JSON text. */
  unserved(told: Told, instances: string): readonly Row[] {
    const now = told ?? Date.now();
    return this.#driver.all(queries.unserved, instances, now - SERVED_AFTER_MS, now);
  }
}
