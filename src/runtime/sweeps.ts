/**
 * The sweeps: what turns rows into inputs when no bell was heard. Timers that are due, leases that
 * ran out, messages and waiters that have not met, posts that nobody has carried. Each is found by
 * a query and applied as one input; finding it twice, here or in another process, changes nothing
 * the second time.
 *
 * An instance that cannot take its input is set aside for a while: one bad instance must not stop
 * the others (P12).
 */
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Claim, Delivery, Store, TokenRef } from '../stores/store.ts';
import { Carrier } from './carrier.ts';
import { Firing } from './firing.ts';
import { deliver } from './messages.ts';
import { move } from './move.ts';
import type { Request } from './strides.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** Rows a sweep takes at once; it comes back at once if there were as many. */
const SWEEP_MAX = 200;
/** How long an instance that could not take its input is left alone. */
const ASIDE_MS = 60_000;

/** How often a worker asks whether there are chains it has not heard of. */
const CHAINS_EVERY_MS = 10_000;

const NEVER = Number.POSITIVE_INFINITY as Instant;

export class Sweeps {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  readonly #everyMs: number;
  #messagesAt = 0;
  /** Tokens that have begun to wait since the last look. */
  readonly #waits: TokenRef[] = [];
  #postsAt = 0;
  #chainsAt = 0;
  readonly #aside = new Map<InstanceId, number>();
  readonly #carrier: Carrier;
  readonly #firing: Firing;
  /** When to look at schedules again, and the next moment of one, as far as is known. */
  #schedulesAt = 0;
  #scheduleDue: Instant | undefined;

  constructor(house: WorkerHouse, worker: Worker, everyMs: number) {
    this.#house = house;
    this.#worker = worker;
    this.#everyMs = everyMs;
    this.#carrier = new Carrier(house, worker);
    this.#firing = new Firing(house, worker);
  }

  /** The next sweep looks at messages too, whenever the last one was. */
  lookForMessages(): void {
    this.#messagesAt = 0;
  }

  /** The next sweep looks whether what this token waits for is there. */
  lookForMessagesTo(ref: TokenRef): void {
    this.#waits.push(ref);
  }

  /** The next sweep looks for posts too. */
  lookForPosts(): void {
    this.#postsAt = 0;
  }

  /** The next sweep looks at schedules too. */
  lookForSchedules(): void {
    this.#schedulesAt = 0;
  }

  /** The next moment of a schedule, if one is known that had not come when it was looked at. */
  get scheduleDue(): Instant | undefined {
    return this.#scheduleDue;
  }

  /** The next moment of a schedule that can be fired here, by what a store says. */
  nextSchedule(store: Store): Promise<Instant | undefined> {
    return this.#firing.nextIn(store);
  }

  /** True if it found anything, so that looking again at once is worth it. */
  async sweep(): Promise<boolean> {
    const recovered = await this.#recover();
    const fired = await this.#fireTimers();
    const begun = await this.#fireSchedules();
    const delivered = await this.#deliver();
    const carried = await this.#carry();
    await this.#meetChains();
    return fired || begun || recovered || delivered || carried;
  }

  /** Chains that others have stored since: their steps may be for handlers that are here. */
  async #meetChains(): Promise<void> {
    const { library, store } = this.#house;
    const now = store.now();
    if (!library.servesUnknownChains || now < this.#chainsAt) return;
    this.#chainsAt = now + CHAINS_EVERY_MS;
    library.learn(await store.links());
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
    const { store } = this.#house;
    const due = await store.due(SWEEP_MAX);
    if (due.length === 0) return false;
    // A message that is there came before its timeout did anything: nobody was here to bring it.
    await this.#deliverAll(await store.deliverableTo(due));
    const fired = due.map(({ instance, token }) =>
      this.#apply({
        instance,
        input: (at) => ({ type: 'time', at, token }),
        taker: this.#worker.fresh,
      }),
    );
    return (await Promise.all(fired)).includes(true);
  }

  async #fireSchedules(): Promise<boolean> {
    const { store } = this.#house;
    const now = store.now();
    if (now < this.#schedulesAt) return false;
    // One that another process makes is noticed within the poll; what rings meanwhile is heard.
    this.#schedulesAt = now + this.#everyMs;
    const next = (await this.#firing.next()) ?? NEVER;
    const isDue = next <= store.now();
    const fired = isDue && (await this.#firing.fire());
    // What is due and was left alone comes again with the next look, and wakes nobody for it.
    this.#scheduleDue = isDue || next === NEVER ? undefined : next;
    if (fired) this.lookForSchedules();
    else if (!isDue) this.#schedulesAt = Math.min(this.#schedulesAt, next);
    return fired;
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
    const toNewWaits = await this.#deliverToWaits();
    const { store } = this.#house;
    const now = store.now();
    if (now < this.#messagesAt) return toNewWaits;
    this.#messagesAt = now + this.#everyMs;
    const found = await store.deliverable(SWEEP_MAX);
    if (found.length === 0) return toNewWaits;
    const delivered = await this.#deliverAll(found);
    this.lookForMessages();
    return delivered > 0 || toNewWaits;
  }

  /** What has begun to wait here since the last look. All that is kept need not be looked at. */
  async #deliverToWaits(): Promise<boolean> {
    const waits = this.#waits.splice(0, SWEEP_MAX);
    if (waits.length === 0) return false;
    let found: readonly Delivery[];
    try {
      found = await this.#house.store.deliverableTo(waits);
      await this.#deliverAll(found);
    } catch (thrown) {
      // They are found among all that wait.
      this.lookForMessages();
      throw thrown;
    }
    if (found.length === 0) return this.#waits.length > 0;
    // An instance has one at a time, and another of its tokens may wait for the next.
    const met = new Set(found.map(({ instance }) => instance));
    const isDone = ({ instance, token }: TokenRef): boolean =>
      found.some((each) => each.instance === instance && each.token === token);
    this.#waits.push(...waits.filter((ref) => met.has(ref.instance) && !isDone(ref)));
    return true;
  }

  async #deliverAll(found: readonly Delivery[]): Promise<number> {
    const delivered = await deliver(this.#house, found, (request) =>
      this.#apply({ ...request, taker: this.#worker.fresh }),
    );
    return delivered.length;
  }
}
