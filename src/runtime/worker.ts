/**
 * A worker: claims what it has handlers for, runs it, keeps its leases alive, and does the sweeps
 * that make everything durable come true in the end.
 *
 * The loop asks the store for nothing while it can work by hand-over alone; when it is idle it asks
 * once when something will next be due and sleeps until then, at most for the poll interval. Every
 * turn first renews what may be running out, then sweeps, then claims. Closing stops the claiming,
 * lets what runs come to its end, and gives back what does not in time.
 */
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Tx } from '../model/tx.ts';
import type { Bell as StoreBell, Claim, Held, Store, TokenRef } from '../stores/store.ts';
import { type Alarm, Bell } from './alarm.ts';
import { pauseMs } from './backoff.ts';
import { Claims } from './claims.ts';
import type { HandlerSupport, Work } from './handlers.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Library } from './library.ts';
import { Line } from './line.ts';
import type { Logger } from './logger.ts';
import type { RelayOptions } from './outbox-options.ts';
import { Relay } from './relay.ts';
import type { Strides, Taker } from './strides.ts';
import { Sweeps } from './sweeps.ts';

export interface WorkerOptions {
  readonly id: string;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly pollMs: number;
}

/** After an error of the store the loop waits up to this long, doubling up to the cap. */
const BACKOFF = { baseMs: 100, maxMs: 10_000 } as const;

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
  readonly #claims: Claims;
  readonly #heartbeat: Heartbeat;
  /** Null where letters have no target. */
  readonly #relay: Relay | null;
  readonly #bell = new Bell();
  readonly #seats = new Set<Seat>();
  /** Handlers that run now and have a time limit. */
  limited = 0;
  #waiting = false;
  #dead = false;
  #closed = false;
  /** Turns in a row that failed, and all that ever did. */
  #errors = 0;
  #failures = 0;
  /** Looks in a row that found nothing. */
  #misses = 0;
  #onQuiet: (() => void)[] = [];

  constructor(house: WorkerHouse, options: WorkerOptions) {
    this.#house = house;
    this.#options = options;
    const { store, alarm, logger, limits } = house;
    const { leaseMs, pollMs } = options;
    this.#heartbeat = new Heartbeat({
      ...{ store, alarm, logger, leaseMs, seats: this.#seats },
      onLost: (instance, token) => this.abort(instance, token, 'the lease is lost'),
    });
    this.support = { limits, logger, heartbeat: () => this.#heartbeat.beat() };
    this.#claims = new Claims(
      {
        ...house,
        ring: () => this.#bell.ring(),
        holds: (claim) => this.#holds(claim),
        dispatch: (work, isLone) => this.#dispatch(work, isLone),
      },
      options,
    );
    this.fresh = this.#claims.fresh;
    this.own = this.#claims.own;
    this.#sweeps = new Sweeps(house, this, pollMs);
    const sending = { store, alarm, logger, pollMs, worker: options.id };
    const onQuiet = (): void => this.#tellQuiet();
    this.#relay = house.outbox && new Relay({ ...sending, onQuiet }, house.outbox);
  }

  start(): void {
    void this.#run();
    this.#relay?.start();
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

  /** A token waits for a message, which may be there already. */
  ringWait(ref: TokenRef): void {
    this.#sweeps.lookForMessagesTo(ref);
    this.#bell.ring();
  }

  /** Something is to be carried to another instance. */
  ringPosts(): void {
    this.#sweeps.lookForPosts();
    this.#bell.ring();
  }

  /** Something is to be sent outside. */
  ringLetters(): void {
    this.#relay?.ring();
  }

  /** A schedule was made or altered. */
  ringSchedules(): void {
    this.#sweeps.lookForSchedules();
    this.#bell.ring();
  }

  /** Another process may have left something to do, of whatever kind. */
  ringAll(bell: StoreBell): void {
    this.#sweeps.lookForSchedules();
    this.ringLetters();
    this.ringPosts();
    if (bell === 'all') this.ringMessages();
  }

  /** The store did not answer someone. */
  noteAway(): void {
    this.#heartbeat.noteAway();
  }

  /** False while others may not have come back yet to what they hold (D11). */
  get mayRecover(): boolean {
    return this.#heartbeat.patienceMs === 0;
  }

  /** Whether this very claim is at work here. */
  holds({ instance, token, version, worker }: Held): boolean {
    if (worker !== this.#options.id) return false;
    for (const { claim } of this.#seats) {
      if (claim.token !== token || claim.instance !== instance) continue;
      if (claim.version === version) return true;
    }
    return false;
  }

  /** Resolves when nothing runs and nothing is due. */
  quiet(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#onQuiet.push(resolve));
  }

  /** Whatever runs is a handler or a send that its time limit will end, if nothing else does. */
  get onlyTimeHelps(): boolean {
    if (this.limited !== this.#claims.used) return false;
    if (this.#relay === null || this.#relay.isQuiet) return this.limited > 0;
    return this.#relay.onlyTimeHelps && (this.limited > 0 || this.#isIdle());
  }

  /** The next moment at which there may be something to do, by what a store says. */
  async nextDue(store: Store): Promise<Instant | undefined> {
    const moments = await Promise.all([
      store.nextDue(this.#house.library.claimable()),
      this.#relay?.nextDue(store),
      this.#sweeps.nextSchedule(store),
    ]);
    const known = moments.filter((at) => at !== undefined);
    return known.length === 0 ? undefined : (Math.min(...known) as Instant);
  }

  /** Others are waiting for a slot. */
  get crowded(): boolean {
    return this.#claims.crowded;
  }

  /** Runs work whose slot is already taken. */
  dispatch(work: Work): void {
    this.#dispatch(work, false);
  }

  #dispatch(work: Work, isLone: boolean): void {
    const { claim } = work;
    if (this.#dead) return this.#house.store.letGo([claim]);
    const seat: Seat = { claim, abort: null, undoable: false, stopLimit: null, isLone, tx: null };
    this.#seats.add(seat);
    this.#heartbeat.start();
    new Line(this.#house, this, seat, work).start();
  }

  #holds({ instance, token }: Claim): boolean {
    for (const { claim } of this.#seats) {
      if (claim.token === token && claim.instance === instance) return true;
    }
    return false;
  }

  /** A line of work came to its end. */
  leave(seat: Seat): void {
    this.#seats.delete(seat);
    this.#claims.leave(seat.isLone);
    this.#tellQuiet();
  }

  /** A lone token came to its end, and its line goes on with others. */
  leaveAlone(seat: Seat): void {
    seat.isLone = false;
    this.#claims.leaveAlone();
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
    this.#claims.shun(handler);
  }

  /** Drains, then gives back what has not come to its end in time. */
  async close(timeoutMs: number): Promise<void> {
    this.#claims.isClosed = true;
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#house.alarm.set(timeoutMs, resolve);
    });
    this.#bell.ring();
    this.#relay?.stop();
    await Promise.race([late, this.quiet()]);
    cancel();
    this.#closed = true;
    this.#heartbeat.stop();
    await this.#relay?.giveBack();
    const left = [...this.#seats];
    for (const { claim } of left) this.abort(claim.instance, claim.token, 'the engine closes');
    for (const seat of left) seat.stopLimit?.();
    // What can be undone may have been done: that it has no answer shows by its lease running out.
    const doubtful = left.filter(({ undoable }) => undoable).map(({ claim }) => claim);
    if (doubtful.length > 0) this.#house.store.letGo(doubtful);
    const given = left.filter(({ undoable }) => !undoable).map(({ claim }) => claim);
    if (given.length > 0) await this.#release(given);
  }

  /** What a store that is away does not take back runs out by itself: no reason to stay open. */
  async #release(given: readonly Claim[]): Promise<void> {
    try {
      await this.#house.store.release(given);
    } catch (thrown) {
      this.#house.logger.warn({ error: String(thrown) }, 'claims could not be given back');
    }
  }

  /** Stops at once and gives nothing back, as a killed process would. For the test kit. */
  abandon(): void {
    this.#claims.isClosed = true;
    this.#dead = true;
    this.#relay?.abandon();
    for (const seat of this.#seats) seat.stopLimit?.();
    this.#heartbeat.stop();
    this.#house.store.letGo(Array.from(this.#seats, ({ claim }) => claim));
    this.#bell.ring();
    this.#tellQuiet();
  }

  /** Abandoned: whatever its handlers still return is lost. */
  get dead(): boolean {
    return this.#dead;
  }

  /** Abandoned or closed: what the store does not take at once is not tried again. */
  get over(): boolean {
    return this.#dead || this.#closed;
  }

  async #run(): Promise<void> {
    while (!this.#claims.isClosed) {
      const sleepMs = await this.#turn();
      if (sleepMs <= 0 || this.#claims.isClosed) continue;
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
      if (this.#heartbeat.isLate) await this.#heartbeat.comeBack();
      const swept = await this.#sweeps.sweep();
      const claimed = await this.#claims.claim();
      this.#errors = 0;
      this.#heartbeat.noteAnswer();
      this.#misses = swept || claimed > 0 ? 0 : this.#misses + 1;
      return this.#misses === 0 ? 0 : await this.#sleepMs();
    } catch (thrown) {
      this.#errors += 1;
      this.#failures += 1;
      this.#heartbeat.noteAway();
      this.#house.logger.warn({ error: String(thrown) }, 'the store did not answer; trying again');
      return pauseMs(BACKOFF, this.#errors, `${this.#options.id} ${this.#failures}`);
    }
  }

  /** Nothing was found: until when there is nothing to look for, by what the store says. */
  async #sleepMs(): Promise<number> {
    const ms = await this.#idleMs();
    const { scheduleDue } = this.#sweeps;
    if (scheduleDue === undefined) return ms;
    return Math.min(ms, Math.max(0, scheduleDue - this.#house.store.now()));
  }

  async #idleMs(): Promise<number> {
    const { pollMs } = this.#options;
    if (this.#claims.isFull) return pollMs;
    const next = await this.#house.store.nextDue(this.#claims.handlers());
    const ms = next === undefined ? pollMs : next - this.#house.store.now();
    if (ms > 0) return Math.min(ms, pollMs);
    // Due and yet not found: it came just now, or it is set aside and looking again won't help.
    if (this.#misses === 1) return 0;
    // What others hold is not taken back yet; then it is.
    const { patienceMs } = this.#heartbeat;
    return patienceMs === 0 ? pollMs : Math.min(patienceMs, pollMs);
  }

  #isQuiet(): boolean {
    return this.#dead || (this.#isIdle() && this.#relay?.isQuiet !== false);
  }

  #isIdle(): boolean {
    // Once the loop has ended, nobody hears the bell any more.
    const rung = this.#bell.rung && !this.#claims.isClosed;
    return this.#waiting && this.#claims.used === 0 && !rung;
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
  /** Null where letters have no target. */
  readonly outbox: RelayOptions | null;
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
  /** What it holds is a lone token: nothing else is at work here. */
  isLone: boolean;
  /** That of the handler that runs, if its step has one. */
  tx: Tx | null;
}
