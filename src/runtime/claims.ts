/**
 * What a worker takes on: by claiming, and by hand-over from strides of this process (D5). It never
 * takes on more than can start now: every work holds a slot from the moment it is accepted until it
 * is done.
 */
import type { Instance } from '../kernel/instance.ts';
import type { Hint } from '../model/hint.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import { CRASHES_LONE } from '../model/limits.ts';
import type { Claim } from '../stores/store.ts';
import type { Kind } from './agenda.ts';
import type { Work } from './handlers.ts';
import { Lone } from './lone.ts';
import { Presence } from './presence.ts';
import { type Lacking, Shunned } from './shunned.ts';
import { giveBack, goingOn, loadWorks, mayBeAsleep, stillHeld, withoutWork } from './sifting.ts';
import type { Taker } from './strides.ts';
import type { WorkerHouse, WorkerOptions } from './worker.ts';

export interface ClaimsHouse extends WorkerHouse {
  /** There may be something to claim. */
  readonly ring: () => void;
  /** These were waiting in the queue, and are not any more. */
  readonly claimed: (works: readonly Work[]) => void;
  /** Whether a claim is at work here, or one of the same token that came after it. */
  readonly holds: (claim: Claim) => boolean;
  /** Runs work that has its slot. `isLone`: nothing else is at work meanwhile. */
  readonly dispatch: (work: Work, isLone: boolean) => void;
}

export class Claims {
  /** Takes over work from a stride that used no slot of ours: a start, a sweep, a message. */
  readonly fresh: Taker;
  /** Takes over work from a stride that ends work of ours: the first one has its slot. */
  readonly own: Taker;
  /** Nothing more is taken on. */
  isClosed = false;
  readonly #house: ClaimsHouse;
  readonly #options: WorkerOptions;
  readonly #lone: Lone;
  readonly #presence: Presence;
  readonly #shunned: Shunned;
  #used = 0;
  /** The last claim found as much as it asked for: others are waiting for a slot. */
  #crowded = false;
  /** The last claim found something. */
  #found = false;

  constructor(house: ClaimsHouse, options: WorkerOptions) {
    this.#house = house;
    this.#options = options;
    this.#lone = new Lone({ store: house.store, leaseMs: options.leaseMs });
    this.#presence = new Presence(house.store, options);
    this.#shunned = new Shunned(house);
    this.fresh = this.#taker(0);
    this.own = this.#taker(1);
  }

  /** How much is at work, or about to be. */
  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used >= this.#options.concurrency;
  }

  /** Others are waiting for a slot. */
  get crowded(): boolean {
    return this.#crowded;
  }

  /** A slot is free again. */
  leave(isLone: boolean): void {
    this.#used -= 1;
    if (isLone) return this.leaveAlone();
    // Without a queue there is nothing to claim: what becomes ready rings by itself.
    const isDrained = this.#lone.isDraining && this.#used === 0;
    if (this.#crowded || isDrained) this.#house.ring();
  }

  /** The lone token is over: whatever comes after it is work like any other. */
  leaveAlone(): void {
    this.#lone.end();
    this.#house.ring();
  }

  /** This process cannot go on with that flow's instances after all (D19). */
  shun(handler: string, lacking: Lacking): void {
    this.#shunned.add(handler, lacking);
  }

  /** Code has come: what could not be gone on with perhaps can be now. */
  forgetShunned(): void {
    this.#shunned.clear();
  }

  /** What can be claimed here. */
  handlers(): readonly string[] {
    return this.#shunned.without(this.#house.library.claimable());
  }

  /** Says what can be claimed here, if it is time to. */
  async present(): Promise<void> {
    await this.#presence.tell(this.handlers());
  }

  /** Nothing can be any more. What a store that is away does not hear it finds out in time. */
  async leaveForGood(): Promise<void> {
    try {
      await this.#presence.leave();
    } catch (thrown) {
      const details = { error: String(thrown) };
      this.#house.logger.warn(details, 'the store could not be told that this worker ends');
    }
  }

  /** Something is due: if there is no slot to claim it for, others are waiting. */
  noteDue(): void {
    if (this.isFull) this.#crowded = true;
  }

  /** What the store told: since when a lone token has been due, or when it will be. */
  noteLone(since: Instant | undefined): void {
    this.#lone.note(since);
  }

  /** What there is room for. */
  open(): readonly Kind[] {
    if (this.isClosed || this.#lone.isAtWork) return [];
    const isIdle = this.#used === 0;
    if (this.#makesRoom()) return isIdle ? ['lone'] : [];
    if (isIdle) return ['work', 'lone'];
    return this.isFull ? [] : ['work'];
  }

  /** One that has nothing to do asks for lone tokens anyway. */
  #makesRoom(): boolean {
    const isBusy = this.#used > 0 || this.#found || this.#lone.isDraining;
    return isBusy && this.#lone.isUrgent();
  }

  /** Claims what is due and open, and has it run; how much that was. */
  async claim(due: ReadonlySet<Kind>): Promise<number> {
    const handlers = this.handlers();
    if (this.isClosed || handlers.length === 0) return 0;
    const claimed = due.has('work') ? await this.#claimUsual(handlers) : 0;
    this.#found = claimed > 0;
    const isIdle = claimed === 0 && this.#used === 0 && !this.isClosed;
    return isIdle && due.has('lone') ? this.#claimLone(handlers) : claimed;
  }

  #claimUsual(handlers: readonly string[]): Promise<number> | number {
    const free = this.#options.concurrency - this.#used;
    if (free <= 0) return 0;
    // What is claimed for cannot be handed over to meanwhile, and hand-over is the cheaper way.
    return this.#claimFor(handlers, this.#crowded ? free : Math.ceil(free / 2), false);
  }

  /** Nothing is taken on from before it is asked for until it is done. */
  async #claimLone(handlers: readonly string[]): Promise<number> {
    this.#lone.begin();
    const { used } = this;
    try {
      return await this.#claimFor(handlers, 1, true);
    } finally {
      if (this.#used === used) this.#lone.end();
    }
  }

  async #claimFor(handlers: readonly string[], limit: number, lone: boolean): Promise<number> {
    const { store } = this.#house;
    const { id: worker, leaseMs } = this.#options;
    this.#used += limit;
    let claims: readonly Claim[] = [];
    try {
      const request = { worker, handlers, limit, leaseMs };
      claims = await store.claim(lone ? { ...request, lone } : request);
    } finally {
      this.#used -= limit - claims.length;
    }
    const works = await this.#sift(claims, () => loadWorks(this.#house, claims));
    this.#house.claimed(works);
    if (!lone) this.#crowded = claims.length >= limit;
    if (!lone && this.#crowded) this.#house.ring();
    // Those that are held back have a way of their own: the others neither wait nor fail with them.
    const awake = works.filter((work) => !mayBeAsleep(this.#house, work));
    const asleep = works.filter((work) => mayBeAsleep(this.#house, work));
    const ends = await Promise.allSettled([
      this.#run(awake, lone, () => stillHeld(this.#house, awake, leaseMs)),
      this.#run(asleep, lone, () => goingOn(this.#house, asleep, leaseMs)),
    ]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return claims.length;
  }

  async #run(
    works: readonly Work[],
    isLone: boolean,
    find: () => Promise<readonly Work[]>,
  ): Promise<void> {
    const claims = works.map(({ claim }) => claim);
    for (const work of await this.#sift(claims, find)) this.#house.dispatch(work, isLone);
  }

  /**
   * Those of the claims that there is work for here; the others have no slot any more. If it cannot
   * be found out, all are given back: nobody has begun with any, and none is to cost an attempt.
   */
  async #sift(
    claims: readonly Claim[],
    find: () => Promise<readonly Work[]>,
  ): Promise<readonly Work[]> {
    let works: readonly Work[] = [];
    try {
      works = await find();
    } catch (thrown) {
      await giveBack(this.#house, claims);
      throw thrown;
    } finally {
      this.#used -= claims.length - works.length;
      // What nobody works on is not to be renewed either.
      if (works.length < claims.length) this.#house.store.letGo(withoutWork(claims, works));
    }
    return works;
  }

  #taker(reused: 0 | 1): Taker {
    const needs = (count: number): number => Math.max(count - reused, 0);
    return {
      worker: this.#options.id,
      leaseMs: this.#options.leaseMs,
      accept: (hints, after) => {
        const tokens: TokenId[] = [];
        if (!this.#accepts(reused)) return tokens;
        // Starts without end would take every slot before those who wait for one.
        if (reused === 0 && this.#crowded) return tokens;
        const free = this.#options.concurrency - this.#used + reused;
        for (const hint of hints) {
          if (hint.do !== 'offer' || tokens.length >= free) continue;
          if (this.#isForUs(hint, after)) tokens.push(hint.token);
        }
        this.#used += needs(tokens.length);
        return tokens;
      },
      giveBack: (accepted, came) => {
        this.#used -= needs(accepted) - needs(came);
        this.#house.ring();
      },
      holds: (claim) => this.#house.holds(claim),
    };
  }

  /** While a lone token is at work, whatever ends work of ours is its own stride. */
  #accepts(reused: 0 | 1): boolean {
    if (this.isClosed || this.#lone.isDraining) return false;
    return !this.#lone.isAtWork || reused === 1;
  }

  #isForUs({ token, handler }: Extract<Hint, { do: 'offer' }>, after: Instance): boolean {
    // Whether it may go on is asked when it is claimed.
    if (this.#house.halting.isHalted(after.head.flow, after.head.flowVersion)) return false;
    if (this.#house.library.handler(handler) === undefined) return false;
    // What else happened in the same stride may have ended it, or held it back.
    const is = after.tokens.get(token);
    return is?.status === 'ready' && is.handler === handler && is.crashes < CRASHES_LONE;
  }
}
