/**
 * Lone tokens (D11): what has cost several workers their lives is run by itself, so that it takes
 * nobody else's work with it if it does so again.
 *
 * A worker that has nothing else to do simply asks for one. A worker that is never without work
 * makes room when one has waited for long: it takes on nothing more until nothing is at work here,
 * and then asks for it. If some of its work does not come to its end soon, it gives that up for a
 * while: others may have more luck, and many are not to wait for one.
 */
import type { Instant } from '../model/ids.ts';
import type { Store } from '../stores/store.ts';

/** In leases. So long an idle worker has had the time to come for it: a poll is much shorter. */
const LONE_PATIENCE_LEASES = 1;
/** In leases. Most steps end within one; whatever takes longer than a few may take hours. */
const LONE_DRAIN_LEASES = 3;

export interface LoneHouse {
  readonly store: Store;
  readonly leaseMs: number;
}

export class Lone {
  /** One is at work, or is being asked for: nothing else is taken on. */
  isAtWork = false;
  /** Room is being made for one. */
  isDraining = false;
  readonly #house: LoneHouse;
  #drainUntil = 0;
  #drainAgainAt = 0;
  /** Since when one has been due, and whether anybody has thought about it. */
  #since: Instant | undefined;
  #isNews = false;

  constructor(house: LoneHouse) {
    this.#house = house;
  }

  /** What the store told: since when one has been due, or when it will be. */
  note(since: Instant | undefined): void {
    this.#since = since;
    this.#isNews = true;
  }

  /** Whether to take on nothing more, for one that has waited for too long. */
  isUrgent(): boolean {
    const { store, leaseMs } = this.#house;
    const now = store.now();
    if (this.#isNews) {
      this.#isNews = false;
      const since = this.#since;
      const isLate = since !== undefined && now - since > LONE_PATIENCE_LEASES * leaseMs;
      if (!isLate) this.isDraining = false;
      else if (!this.isDraining && now >= this.#drainAgainAt) {
        this.isDraining = true;
        this.#drainUntil = now + LONE_DRAIN_LEASES * leaseMs;
      }
    }
    if (this.isDraining && now > this.#drainUntil) {
      this.isDraining = false;
      this.#drainAgainAt = now + LONE_DRAIN_LEASES * leaseMs;
    }
    return this.isDraining;
  }

  /** There is room: one is asked for. */
  begin(): void {
    this.isAtWork = true;
    this.isDraining = false;
  }

  end(): void {
    this.isAtWork = false;
  }
}
