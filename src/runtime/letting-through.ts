/**
 * Lets through who waits in lanes, when somebody came or left or a moment has come. What it lets
 * through any worker may claim, this one among them.
 */
import { tenantLane } from '../stores/lanes.ts';
import type { Work } from './handlers.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** While another process looks, this one asks again so soon: it may have read before we wrote. */
const BUSY_MS = 25;

export class LettingThrough {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  /** Lanes of tenants from which some were claimed: others may stand in the queue instead. */
  readonly #claimed = new Set<string>();
  #cancelBusy: (() => void) | null = null;

  constructor(house: WorkerHouse, worker: Worker) {
    this.#house = house;
    this.#worker = worker;
  }

  noteClaimed(works: readonly Work[]): void {
    const before = this.#claimed.size;
    for (const { head, token } of works) {
      if (head.tenant === null || token.handler === null) continue;
      this.#claimed.add(tenantLane(head.tenant, token.handler));
    }
    if (this.#claimed.size > before) this.#worker.ringFor('lanes');
  }

  /** True if there was anything to look at. */
  async letThrough(): Promise<boolean> {
    const { store, library } = this.#house;
    const lanes = [...this.#claimed];
    const request = { handlers: library.claimable(), lanes };
    const { tokens, looked, more, isBusy } = await store.lanes.letThrough(request);
    if (isBusy) return this.#askAgain();
    // If the store did not answer, or somebody else looks, they are told of once more.
    for (const lane of lanes) this.#claimed.delete(lane);
    if (more) this.#worker.ringFor('lanes');
    if (tokens === 0) return looked > 0;
    this.#worker.ringWork();
    this.#house.onThrough();
    store.ring();
    return true;
  }

  #askAgain(): boolean {
    this.#cancelBusy ??= this.#house.alarm.set(BUSY_MS, () => {
      this.#cancelBusy = null;
      this.#worker.ringFor('lanes');
    });
    return false;
  }

  /** The worker ends. */
  close(): void {
    this.#cancelBusy?.();
  }
}
