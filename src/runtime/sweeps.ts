/**
 * The sweeps: what turns rows into inputs when no bell was heard. Timers that are due, leases that
 * ran out, messages and waiters that have not met, posts that nobody has carried. Each is found by
 * a query and applied as one input; finding it twice, here or in another process, changes nothing
 * the second time.
 *
 * An instance that cannot take its input is set aside for a while: one bad instance must not stop
 * the others (P12).
 */
import type { InstanceId } from '../model/ids.ts';
import type { Claim } from '../stores/store.ts';
import { Carrier } from './carrier.ts';
import { deliver } from './messages.ts';
import { move } from './move.ts';
import type { Request } from './strides.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** Rows a sweep takes at once; it comes back at once if there were as many. */
const SWEEP_MAX = 200;
/** How long an instance that could not take its input is left alone. */
const ASIDE_MS = 60_000;

export class Sweeps {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  readonly #everyMs: number;
  #messagesAt = 0;
  #postsAt = 0;
  readonly #aside = new Map<InstanceId, number>();
  readonly #carrier: Carrier;

  constructor(house: WorkerHouse, worker: Worker, everyMs: number) {
    this.#house = house;
    this.#worker = worker;
    this.#everyMs = everyMs;
    this.#carrier = new Carrier(house, worker);
  }

  /** The next sweep looks at messages too, whenever the last one was. */
  lookForMessages(): void {
    this.#messagesAt = 0;
  }

  /** The next sweep looks for posts too. */
  lookForPosts(): void {
    this.#postsAt = 0;
  }

  /** True if it found anything, so that looking again at once is worth it. */
  async sweep(): Promise<boolean> {
    const fired = await this.#fireTimers();
    const recovered = await this.#recover();
    const delivered = await this.#deliver();
    const carried = await this.#carry();
    return fired || recovered || delivered || carried;
  }

  async #carry(): Promise<boolean> {
    const now = this.#house.store.now();
    if (now < this.#postsAt) return false;
    this.#postsAt = now + this.#everyMs;
    const carried = await this.#carrier.carry();
    if (carried) this.lookForPosts();
    return carried;
  }

  async #fireTimers(): Promise<boolean> {
    const due = await this.#house.store.due(SWEEP_MAX);
    const fired = due.map(({ instance, token }) =>
      this.#apply({
        instance,
        input: (at) => ({ type: 'time', at, token }),
        taker: this.#worker.fresh,
      }),
    );
    return (await Promise.all(fired)).includes(true);
  }

  async #recover(): Promise<boolean> {
    if (!this.#worker.mayRecover) return false;
    const expired = await this.#house.store.expired(SWEEP_MAX);
    // What is at work here ran out while we looked: it is late, not lost, and the next look renews.
    const lost = expired.filter((claim) => !this.#worker.holds(claim));
    return (await Promise.all(lost.map((claim) => this.#expire(claim)))).includes(true);
  }

  #expire(claim: Claim): Promise<boolean> {
    const { instance, token, version, worker, at: claimedAt } = claim;
    const fact = { worker, version, at: claimedAt };
    // Not taken over at once: what cost one worker its life waits its turn like everyone else.
    return this.#apply({
      instance,
      input: (at) => ({ type: 'expire', at, token, claim: fact }),
      fence: { ...claim, expired: true },
    });
  }

  /** True if the instance moved. */
  async #apply(request: Request): Promise<boolean> {
    const now = this.#house.store.now();
    if ((this.#aside.get(request.instance) ?? 0) > now) return false;
    const came = await move(this.#house, this.#worker, request);
    if (came === 'broken') this.#aside.set(request.instance, now + ASIDE_MS);
    return came === 'moved';
  }

  async #deliver(): Promise<boolean> {
    const now = this.#house.store.now();
    if (now < this.#messagesAt) return false;
    this.#messagesAt = now + this.#everyMs;
    const found = await this.#house.store.deliverable(SWEEP_MAX);
    if (found.length === 0) return false;
    const delivered = await deliver(this.#house.store, found, (request) =>
      this.#apply({ ...request, taker: this.#worker.fresh }),
    );
    this.lookForMessages();
    return delivered.length > 0;
  }
}
