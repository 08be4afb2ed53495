/**
 * A worker: claims what it has handlers for, runs it, keeps its leases alive, and does the sweeps
 * that make everything durable come true in the end.
 *
 * The loop asks the store for nothing while it can work by hand-over alone; when it is idle it asks
 * once when something will next be due and sleeps until then, at most for the poll interval. It
 * never claims more than can start now. Closing stops the claiming, lets what runs come to its end,
 * and gives back what does not in time.
 */
import type { InstanceId, TokenId } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Claim, Held, Store } from '../stores/store.ts';
import { type Alarm, Bell } from './alarm.ts';
import type { HandlerSupport, Work } from './handlers.ts';
import type { Library } from './library.ts';
import { Line } from './line.ts';
import type { Logger } from './logger.ts';
import type { Strides, Taker } from './strides.ts';
import { Sweeps } from './sweeps.ts';

export interface WorkerOptions {
  readonly id: string;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly pollMs: number;
}

/** After an error of the store the loop waits this long, doubling up to the cap. */
const BACKOFF_MS = 100;
const BACKOFF_MS_MAX = 10_000;
/** A handler this process turned out not to serve is not asked for again for so long. */
const SHUN_MS = 30_000;

export class Worker {
  /** Takes over work from a stride that used no slot of ours: a start, a sweep, a message. */
  readonly fresh: Taker;
  /** Takes over work from a stride that ends work of ours: the first one has its slot. */
  readonly own: Taker;
  /** What handlers need of the worker that runs them. */
  readonly support: HandlerSupport;
  readonly #options: WorkerOptions;
  readonly #house: WorkerHouse;
  readonly #sweeps: Sweeps;
  readonly #bell = new Bell();
  readonly #seats = new Set<Seat>();
  readonly #shunned = new Map<string, number>();
  /** Handlers that run now and have a time limit. */
  limited = 0;
  #used = 0;
  #waiting = false;
  #closing = false;
  #dead = false;
  #errors = 0;
  /** Looks in a row that found nothing. */
  #misses = 0;
  #stopHeartbeat: (() => void) | null = null;
  #onQuiet: (() => void)[] = [];
  /** The last claim found as much as it asked for: others are waiting for a slot. */
  #crowded = false;

  constructor(house: WorkerHouse, options: WorkerOptions) {
    this.#house = house;
    this.#options = options;
    this.support = {
      limits: house.limits,
      logger: house.logger,
      heartbeat: () => this.#renew(),
    };
    this.fresh = this.#taker(0);
    this.own = this.#taker(1);
    this.#sweeps = new Sweeps(house, this, options.pollMs);
  }

  start(): void {
    void this.#run();
  }

  /** There may be something to do. */
  ring(): void {
    this.#bell.ring();
  }

  /** A message may have found its waiter, or a waiter its message. */
  ringMessages(): void {
    this.#sweeps.lookForMessages();
    this.#bell.ring();
  }

  /** Something is to be carried to another instance. */
  ringPosts(): void {
    this.#sweeps.lookForPosts();
    this.#bell.ring();
  }

  /** Resolves when nothing runs and nothing is due. */
  quiet(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#onQuiet.push(resolve));
  }

  /** Whatever runs is a handler that its time limit will end, if nothing else does. */
  get onlyTimeHelps(): boolean {
    return this.limited > 0 && this.limited === this.#used;
  }

  /** Every work holds one slot from the moment it is accepted until it is done. */
  #taker(reused: 0 | 1): Taker {
    const needs = (count: number): number => Math.max(count - reused, 0);
    return {
      worker: this.#options.id,
      leaseMs: this.#options.leaseMs,
      accept: (hints) => {
        const tokens: TokenId[] = [];
        if (this.#closing) return tokens;
        const free = this.#options.concurrency - this.#used + reused;
        for (const hint of hints) {
          if (hint.do !== 'offer' || tokens.length >= free) continue;
          if (this.#house.library.handler(hint.handler) !== undefined) tokens.push(hint.token);
        }
        this.#used += needs(tokens.length);
        return tokens;
      },
      giveBack: (count) => {
        this.#used -= needs(count);
        this.#bell.ring();
      },
    };
  }

  /** Others are waiting for a slot. */
  get crowded(): boolean {
    return this.#crowded;
  }

  /** Runs work whose slot is already taken. */
  dispatch(work: Work): void {
    if (this.#dead) return;
    const seat: Seat = { claim: work.claim, abort: null, undoable: false, stopLimit: null };
    this.#seats.add(seat);
    this.#startHeartbeat();
    new Line(this.#house, this, seat, work).start();
  }

  /** A line of work came to its end. */
  leave(seat: Seat): void {
    this.#seats.delete(seat);
    // Without a queue there is nothing to claim: what becomes ready rings by itself.
    if (this.#crowded || this.#used >= this.#options.concurrency) this.#bell.ring();
    this.#used -= 1;
    this.#tellQuiet();
  }

  /** The token is gone or the lease is lost: whoever works on it may stop. */
  abort(instance: InstanceId, token: TokenId, reason: string): void {
    for (const seat of this.#seats) {
      if (seat.claim.token !== token || seat.claim.instance !== instance) continue;
      // Whoever asks for the signal only later must find it aborted.
      seat.abort ??= new AbortController();
      seat.abort.abort(new Error(reason));
    }
  }

  /** This process cannot go on with that flow's instances after all (D19). */
  shun(handler: string): void {
    this.#shunned.set(handler, this.#house.store.now() + SHUN_MS);
    const details = { handler };
    this.#house.logger.warn(details, 'a stored plan needs code this process does not have');
  }

  /** Drains, then gives back what has not come to its end in time. */
  async close(timeoutMs: number): Promise<void> {
    this.#closing = true;
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#house.alarm.set(timeoutMs, resolve);
    });
    this.#bell.ring();
    await Promise.race([late, this.quiet()]);
    cancel();
    this.#stopHeartbeat?.();
    const left = [...this.#seats];
    for (const { claim } of left) this.abort(claim.instance, claim.token, 'the engine closes');
    for (const seat of left) seat.stopLimit?.();
    // What can be undone may have been done: that it has no answer shows by its lease running out.
    const given = left.filter(({ undoable }) => !undoable).map(({ claim }) => claim);
    if (given.length > 0) await this.#house.store.release(given);
  }

  /** Stops at once and gives nothing back, as a killed process would. For the test kit. */
  abandon(): void {
    this.#closing = true;
    this.#dead = true;
    for (const seat of this.#seats) seat.stopLimit?.();
    this.#stopHeartbeat?.();
    this.#bell.ring();
    this.#tellQuiet();
  }

  /** Abandoned: whatever its handlers still return is lost. */
  get dead(): boolean {
    return this.#dead;
  }

  async #run(): Promise<void> {
    while (!this.#closing) {
      const sleepMs = await this.#turn();
      if (sleepMs <= 0 || this.#closing) continue;
      this.#waiting = true;
      this.#tellQuiet();
      await this.#bell.wait(this.#house.alarm, sleepMs);
      this.#waiting = false;
    }
    this.#waiting = true;
    this.#tellQuiet();
  }

  /** One look at the store; how long to sleep after it. */
  async #turn(): Promise<number> {
    try {
      const swept = await this.#sweeps.sweep();
      const claimed = await this.#claim();
      this.#errors = 0;
      this.#misses = swept || claimed > 0 ? 0 : this.#misses + 1;
      if (this.#misses === 0) return 0;
      if (this.#used >= this.#options.concurrency) return this.#options.pollMs;
      const next = await this.#house.store.nextDue(this.#handlers());
      const ms = next === undefined ? this.#options.pollMs : next - this.#house.store.now();
      // Due and yet not found: it came just now, or it is set aside and looking again won't help.
      if (ms <= 0) return this.#misses === 1 ? 0 : this.#options.pollMs;
      return Math.min(ms, this.#options.pollMs);
    } catch (thrown) {
      this.#errors += 1;
      this.#house.logger.warn({ error: String(thrown) }, 'the store did not answer; trying again');
      return Math.min(BACKOFF_MS * 2 ** (this.#errors - 1), BACKOFF_MS_MAX);
    }
  }

  async #claim(): Promise<number> {
    const free = this.#options.concurrency - this.#used;
    const handlers = this.#handlers();
    // Whether others wait cannot be told without a slot to claim for; it must be assumed.
    if (free <= 0) this.#crowded = true;
    if (this.#closing || free <= 0 || handlers.length === 0) return 0;
    // What is claimed for cannot be handed over to meanwhile, and hand-over is the cheaper way.
    const limit = this.#crowded ? free : Math.ceil(free / 2);
    this.#used += limit;
    let claims: readonly Claim[] = [];
    let works: readonly Work[] = [];
    try {
      const { id: worker, leaseMs } = this.#options;
      claims = await this.#house.store.claim({ worker, handlers, limit, leaseMs });
      works = await this.#house.strides.worksFor(claims, ({ instance }, error) => {
        const details = { instance, error: String(error) };
        this.#house.logger.error(details, 'an instance could not be read and is left as it is');
      });
    } finally {
      this.#used -= limit - works.length;
    }
    this.#crowded = claims.length >= limit;
    for (const work of works) this.dispatch(work);
    return claims.length;
  }

  #handlers(): readonly string[] {
    const all = this.#house.library.claimable();
    if (this.#shunned.size === 0) return all;
    const now = this.#house.store.now();
    for (const [name, until] of this.#shunned) if (until <= now) this.#shunned.delete(name);
    return all.filter((name) => !this.#shunned.has(name));
  }

  #startHeartbeat(): void {
    if (this.#stopHeartbeat !== null) return;
    this.#stopHeartbeat = this.#house.alarm.set(this.#options.leaseMs / 3, () => {
      this.#stopHeartbeat = null;
      if (this.#seats.size === 0) return;
      this.#startHeartbeat();
      void this.#renew();
    });
  }

  /** Never rejects: nobody waits for it, and the next one may find the store again. */
  async #renew(): Promise<void> {
    try {
      const held = Array.from(this.#seats, ({ claim }) => claim);
      const lost: readonly Held[] = await this.#house.store.renew(held, this.#options.leaseMs);
      for (const { instance, token } of lost) this.abort(instance, token, 'the lease is lost');
    } catch (thrown) {
      this.#house.logger.warn({ error: String(thrown) }, 'a heartbeat failed');
    }
  }

  #isQuiet(): boolean {
    // Once the loop has ended, nobody hears the bell any more.
    const rung = this.#bell.rung && !this.#closing;
    return this.#dead || (this.#waiting && this.#used === 0 && !rung);
  }

  #tellQuiet(): void {
    if (!this.#isQuiet()) return;
    const waiting = this.#onQuiet;
    this.#onQuiet = [];
    for (const resolve of waiting) resolve();
  }
}

/** What a worker needs of the house. */
export interface WorkerHouse {
  readonly store: Store;
  readonly strides: Strides;
  readonly library: Library;
  readonly alarm: Alarm;
  readonly logger: Logger;
  readonly limits: Limits;
}

/** The slot of one line of work: the claim it holds now, which hand-over replaces. */
export interface Seat {
  claim: Claim;
  /** Made when the handler asks for its signal. */
  abort: AbortController | null;
  /** A handler has begun whose step can be undone. */
  undoable: boolean;
  /** Ends the time limit of the handler that runs, if it has one. */
  stopLimit: (() => void) | null;
}
