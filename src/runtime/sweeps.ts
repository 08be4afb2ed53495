/**
 * The sweeps: what turns rows into inputs, each kind when it is due. Timers whose time has come,
 * leases that ran out, messages and waiters that have not met, posts that nobody has carried. Each
 * is found by a query and applied as one input; finding it twice, here or in another process,
 * changes nothing the second time.
 *
 * An instance that cannot take its input is set aside for a while: one bad instance must not stop
 * the others (P12).
 */
import type { InstanceId } from '../model/ids.ts';
import type { Claim, Delivery, OutlookRequest, TokenRef } from '../stores/store.ts';
import type { Kind } from './agenda.ts';
import { Carrier } from './carrier.ts';
import { Firing } from './firing.ts';
import { LettingThrough } from './letting-through.ts';
import { deliver } from './messages.ts';
import { move } from './move.ts';
import type { Request } from './strides.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** Rows a sweep takes at once; what is left is found by the next look. */
const SWEEP_MAX = 200;
/** How long an instance that could not take its input is left alone. */
const ASIDE_MS = 60_000;
/** How often a worker asks whether there are chains it has not heard of. */
const CHAINS_EVERY_MS = 10_000;

export class Sweeps {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  /** Tokens that have begun to wait since the last look. */
  readonly #waits: TokenRef[] = [];
  #chainsAt = 0;
  readonly #aside = new Map<InstanceId, number>();
  readonly #carrier: Carrier;
  readonly #firing: Firing;
  readonly lanes: LettingThrough;

  constructor(house: WorkerHouse, worker: Worker) {
    this.#house = house;
    this.#worker = worker;
    this.#carrier = new Carrier(house, worker);
    this.#firing = new Firing(house, worker);
    this.lanes = new LettingThrough(house, worker);
  }

  /** The next sweep looks whether what this token waits for is there. */
  lookForMessagesTo(ref: TokenRef): void {
    this.#waits.push(ref);
  }

  /** Whether there are such tokens. */
  get hasWaits(): boolean {
    return this.#waits.length > 0;
  }

  /** What of posts and schedules can be dealt with here. */
  request(): Pick<OutlookRequest, 'schedules' | 'withoutPosts'> {
    return { schedules: this.#firing.among(), withoutPosts: this.#carrier.aside() };
  }

  /** True if it found anything of the kinds that are due. */
  async sweep(due: ReadonlySet<Kind>): Promise<boolean> {
    const recovered = due.has('leases') && (await this.#recover());
    const fired = due.has('timers') && (await this.#fireTimers());
    const begun = due.has('schedules') && (await this.#firing.fire());
    const met = await this.#deliverToWaits();
    const delivered = due.has('messages') && (await this.#deliver());
    const carried = due.has('posts') && (await this.#carrier.carry());
    const passed = due.has('lanes') && (await this.lanes.letThrough());
    return recovered || fired || begun || met || delivered || carried || passed;
  }

  /** Chains that others have stored since: their steps may be for handlers that are here. */
  async meetChains(): Promise<void> {
    const { library, store } = this.#house;
    const now = store.now();
    if (!library.servesUnknownChains || now < this.#chainsAt) return;
    this.#chainsAt = now + CHAINS_EVERY_MS;
    library.learn(await store.links());
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
    const delivered = await this.#deliverAll(await this.#house.store.deliverable(SWEEP_MAX));
    // Whoever had one may wait for the next.
    if (delivered > 0) this.#worker.ringFor('messages');
    return delivered > 0;
  }

  /** What has begun to wait here since the last look. All that is kept need not be looked at. */
  async #deliverToWaits(): Promise<boolean> {
    const waits = this.#waits.splice(0, SWEEP_MAX);
    if (waits.length === 0) return false;
    const found = await this.#house.store.deliverableTo(waits);
    await this.#deliverAll(found);
    if (found.length === 0) return false;
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
