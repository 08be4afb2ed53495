/**
 * The heartbeat: renews what a worker holds, and knows when that has not been possible.
 *
 * A lease that is over is not lost as long as nobody has taken the work back. So when the store was
 * away, or the process was busy with something else, what is held is renewed before anything is
 * taken back from others: they may come back only now as well (D11).
 */
import type { Held, Store } from '../stores/store.ts';
import type { Alarm } from './alarm.ts';
import type { Logger } from './logger.ts';
import type { Seat } from './seat.ts';

/** Beats per lease: two may fail before it is over. */
const BEATS_PER_LEASE = 3;
/** A beat that is late by so much of a lease: the process was blocked, and leases may be over. */
const LATE_LEASES = 1 / 2;

export interface HeartbeatHouse {
  readonly store: Store;
  readonly alarm: Alarm;
  readonly logger: Logger;
  readonly leaseMs: number;
  readonly seats: ReadonlySet<Seat>;
  readonly onLost: (held: Held) => void;
}

export class Heartbeat {
  readonly #house: HeartbeatHouse;
  #stop: (() => void) | null = null;
  #renewing: Promise<void> | null = null;
  /** When what was held was last known to be renewed, by the store's clock. */
  #renewedAt = 0;
  /** The store did not answer, this or anything else, and nothing has been renewed since. */
  #isAway = false;
  /** When it last did, as far as this worker knows. */
  #answeredAt = 0;
  /** Everyone who holds something has had the time to renew it since the store was away. */
  #recoverAt = 0;

  constructor(house: HeartbeatHouse) {
    this.#house = house;
  }

  /** Something is held from now on. */
  start(): void {
    if (this.#stop !== null) return;
    this.#renewedAt = this.#house.store.now();
    this.#arm();
  }

  stop(): void {
    this.#stop?.();
  }

  /** The store did not answer someone: leases may be over by the time it does again. */
  noteAway(): void {
    this.#isAway = true;
  }

  /** Until the worker has come back, how long the store was away still counts. */
  noteAnswer(): void {
    if (!this.#isAway) this.#answeredAt = this.#house.store.now();
  }

  /** Whether leases may be over that are held here. */
  get isLate(): boolean {
    if (this.#isAway) return true;
    const { seats, store, leaseMs } = this.#house;
    const most = leaseMs * (1 / BEATS_PER_LEASE + LATE_LEASES);
    return seats.size > 0 && store.now() - this.#renewedAt > most;
  }

  /** For how long nothing is to be taken back from others: 0 if it may be now. */
  get patienceMs(): number {
    if (this.#isAway) return this.#house.leaseMs;
    return Math.max(this.#recoverAt - this.#house.store.now(), 0);
  }

  /** Before anything else is asked of a store that was away. Rejects if it still is. */
  async comeBack(): Promise<void> {
    const { store, leaseMs } = this.#house;
    const [wasAway, answeredAt] = [this.#isAway, this.#answeredAt];
    this.#isAway = false;
    await this.renew();
    // No lease runs out for want of a single beat: a store that stumbles now and then is not away.
    const wasLong = store.now() - answeredAt >= leaseMs / BEATS_PER_LEASE;
    if (wasAway && wasLong) this.#recoverAt = store.now() + leaseMs;
  }

  /** Never rejects: nobody waits for it, and the next one may find the store again. */
  async beat(): Promise<void> {
    try {
      await this.renew();
    } catch (thrown) {
      this.noteAway();
      this.#house.logger.warn({ error: String(thrown) }, 'a heartbeat failed');
    }
  }

  /** One at a time: whoever asks while one is under way waits for that. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewAll().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  #arm(): void {
    const { alarm, leaseMs, seats } = this.#house;
    this.#stop = alarm.set(leaseMs / BEATS_PER_LEASE, () => {
      this.#stop = null;
      if (seats.size === 0) return;
      this.#arm();
      void this.beat();
    });
  }

  async #renewAll(): Promise<void> {
    const { store, seats, leaseMs, onLost } = this.#house;
    const at = store.now();
    const held = Array.from(seats, ({ claim }) => claim);
    const lost = held.length === 0 ? [] : await store.renew(held, leaseMs);
    this.#renewedAt = at;
    if (held.length > 0) this.noteAnswer();
    for (const claim of lost) onLost(claim);
  }
}
