/**
 * A worker: claims what it has handlers for, runs it, keeps its leases alive, and does the sweeps
 * that make everything durable come true in the end.
 *
 * Every turn first renews what may be running out, then sweeps, then claims, and each of these only
 * where the agenda has something due: what rang, and what the store told of at the last look. When
 * nothing is, it sleeps until the next moment that is known, at most for the poll interval. Closing
 * stops the claiming, lets what runs come to its end, and gives back what does not in time.
 */
import type { Instant, TokenId } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import type {
  Bell as StoreBell,
  Claim,
  Held,
  OutlookRequest,
  Store,
  TokenRef,
} from '../stores/store.ts';
import { Agenda, type Kind, nextIn } from './agenda.ts';
import { type Alarm, Bell, orAfter } from './alarm.ts';
import { pauseMs } from './backoff.ts';
import { Claims } from './claims.ts';
import type { WatchHouse } from './commit-watch.ts';
import type { Halting } from './halting.ts';
import type { HandlerSupport, Work } from './handlers.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Library } from './library.ts';
import { Line } from './line.ts';
import type { Logger } from './logger.ts';
import type { RelayOptions } from './outbox-options.ts';
import { Relay } from './relay.ts';
import { abortLost, abortOlder, abortSeat, isAt, isAtOrAfter, type Seat } from './seat.ts';
import type { Lacking } from './shunned.ts';
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
/** What takes no slot. */
const SWEPT: Kind[] = ['leases', 'timers', 'schedules', 'messages', 'posts', 'lanes', 'letters'];

export class Worker {
  /** Takes over work from a stride that used no slot of ours: a start, a sweep, a message. */
  readonly fresh: Taker;
  /** Takes over work from a stride that ends work of ours: the first one has its slot. */
  readonly own: Taker;
  /** What handlers need of the worker that runs them. */
  readonly support: HandlerSupport;
  readonly #options: WorkerOptions;
  readonly #house: WorkerHouse;
  readonly #agenda: Agenda;
  readonly #sweeps: Sweeps;
  readonly #claims: Claims;
  readonly #heartbeat: Heartbeat;
  /** Null where letters have no target. */
  readonly #relay: Relay | null;
  readonly #bell = new Bell();
  readonly #seats = new Set<Seat>();
  /** Handlers that run now and that a time limit will end when it is over. */
  limited = 0;
  #waiting = false;
  #dead = false;
  #closed = false;
  /** Turns in a row that failed, and all that ever did. */
  #errors = 0;
  #failures = 0;
  #onQuiet: (() => void)[] = [];

  constructor(house: WorkerHouse, options: WorkerOptions) {
    this.#house = house;
    this.#options = options;
    const { store, alarm, logger, limits } = house;
    const { leaseMs, pollMs } = options;
    this.#heartbeat = new Heartbeat({
      ...{ store, alarm, logger, leaseMs, seats: this.#seats },
      onLost: (held) => {
        abortLost(this.#seats, held);
        house.measuring.tell({ what: 'lease-lost', where: 'renewing' });
      },
    });
    this.support = { limits, logger, heartbeat: () => this.#heartbeat.beat() };
    this.#claims = new Claims(
      {
        ...house,
        ring: () => this.#ring('work'),
        claimed: (works) => this.#sweeps.lanes.noteClaimed(works),
        holds: (claim) => isAtOrAfter(this.#seats, claim),
        dispatch: (work, isLone) => this.#dispatch(work, isLone),
      },
      options,
    );
    this.fresh = this.#claims.fresh;
    this.own = this.#claims.own;
    this.#sweeps = new Sweeps(house, this);
    this.#agenda = new Agenda({
      ...{ store, pollMs, request: () => this.#request() },
      patienceMs: () => this.#heartbeat.patienceMs,
    });
    const { measuring } = house;
    const sending = { store, alarm, logger, measuring, worker: options.id };
    const onQuiet = (): void => this.#tellQuiet();
    const look = (): void => this.ringAll('work');
    this.#relay = house.outbox && new Relay({ ...sending, look, onQuiet }, house.outbox);
  }

  start(): void {
    void this.#run();
    this.#relay?.start();
  }

  /** There may be something to do, of whatever kind. */
  ring(): void {
    this.ringAll('all');
  }

  /** Something became ready that nobody has taken yet. */
  ringWork(): void {
    this.#agenda.ring('lone');
    this.#ring('work');
  }

  /** Something will be due then. */
  ringAt(at: Instant): void {
    if (this.#agenda.ringAt(at)) this.#bell.ring();
  }

  /** There may be something of this kind. */
  ringFor(kind: 'messages' | 'posts' | 'lanes'): void {
    this.#ring(kind);
  }

  /** A token waits for a message, which may be there already. */
  ringWait(ref: TokenRef): void {
    this.#sweeps.lookForMessagesTo(ref);
    this.#bell.ring();
  }

  /** Something is to be sent outside. */
  ringLetters(): void {
    this.#relay?.ring();
  }

  /** Something was left to do, of whatever kind: by another process, say. */
  ringAll(bell: StoreBell): void {
    this.#agenda.ringAll(bell === 'all');
    this.#bell.ring();
  }

  #ring(kind: Kind): void {
    this.#agenda.ring(kind);
    this.#bell.ring();
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
  holds(held: Held): boolean {
    if (held.worker !== this.#options.id) return false;
    for (const seat of this.#seats) if (isAt(seat, held)) return true;
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
    const handlers = this.#house.library.claimable();
    return nextIn(await store.outlook({ ...this.#request(), handlers, messages: false }));
  }

  #request(): Omit<OutlookRequest, 'messages'> {
    const handlers = this.#claims.handlers();
    const letters = this.#relay === null ? {} : { letters: this.#relay.types };
    return { handlers, ...letters, ...this.#sweeps.request() };
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
    if (this.over) {
      this.#claims.leave(isLone);
      return this.turnAway(claim);
    }
    const seat: Seat = { claim, abort: null, undoable: false, stopLimit: null, isLone, tx: null };
    this.#seats.add(seat);
    this.#heartbeat.start();
    new Line(this.#house, this, seat, work).start();
  }

  /** Nothing more is begun here: whoever comes next need not wait for the lease. */
  turnAway(claim: Claim): void {
    this.#house.store.letGo([claim]);
    if (!this.#dead) void this.#release([claim]);
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

  /** The token is gone: whoever works on it may stop. */
  abort(head: Head, token: TokenId): void {
    abortOlder(this.#seats, head, token);
  }

  /** This process cannot go on with that flow's instances after all (D19). */
  shun(handler: string, lacking: Lacking): void {
    this.#claims.shun(handler, lacking);
  }

  /** A flow has come, and code with it. */
  noteDeployed(): void {
    this.#claims.forgetShunned();
    this.ringAll('all');
  }

  /** Drains, then gives back what has not come to its end in time. */
  async close(timeoutMs: number): Promise<void> {
    this.#claims.isClosed = true;
    this.#bell.ring();
    this.#relay?.stop();
    await orAfter(this.#house.alarm, timeoutMs, this.quiet());
    this.#closed = true;
    this.#sweeps.lanes.close();
    this.#heartbeat.stop();
    await this.#relay?.giveBack();
    const left = [...this.#seats];
    for (const seat of left) abortSeat(seat, 'the engine closes');
    for (const seat of left) seat.stopLimit?.();
    // What can be undone may have been done: that it has no answer shows by its lease running out.
    const doubtful = left.filter(({ undoable }) => undoable).map(({ claim }) => claim);
    if (doubtful.length > 0) this.#house.store.letGo(doubtful);
    const given = left.filter(({ undoable }) => !undoable).map(({ claim }) => claim);
    if (given.length > 0) await this.#release(given);
    await this.#claims.leaveForGood();
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
    this.#sweeps.lanes.close();
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

  /** What is due now; how long to sleep after it. */
  async #turn(): Promise<number> {
    try {
      if (this.#heartbeat.isLate) await this.#heartbeat.comeBack();
      if (this.#agenda.mustLook) await this.#look();
      // Whoever was abandoned meanwhile does nothing more.
      if (this.#claims.isClosed) return 0;
      const found = await this.#doWhatIsDue();
      this.#errors = 0;
      this.#agenda.note(found);
      return this.#sweeps.hasWaits ? 0 : this.#agenda.sleepMs([...SWEPT, ...this.#claims.open()]);
    } catch (thrown) {
      this.#errors += 1;
      this.#failures += 1;
      this.#heartbeat.noteAway();
      this.#agenda.ringAll(true);
      this.#house.logger.warn({ error: String(thrown) }, 'the store did not answer; trying again');
      return pauseMs(BACKOFF, this.#errors, `${this.#options.id} ${this.#failures}`);
    }
  }

  async #look(): Promise<void> {
    await this.#sweeps.meetChains();
    await this.#claims.present();
    const { lone, halts } = await this.#agenda.look();
    this.#claims.noteLone(lone);
    await this.#house.halting.note(halts);
    this.#heartbeat.noteAnswer();
  }

  /** True if there was any of it. */
  async #doWhatIsDue(): Promise<boolean> {
    const due = this.#agenda.take(SWEPT);
    if (due.has('letters')) this.ringLetters();
    const swept = await this.#sweeps.sweep(due);
    if (this.#agenda.isDue('work')) this.#claims.noteDue();
    const claimed = await this.#claims.claim(this.#agenda.take(this.#claims.open()));
    return swept || claimed > 0;
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
export interface WorkerHouse extends WatchHouse {
  readonly store: Store;
  readonly strides: Strides;
  readonly library: Library;
  readonly alarm: Alarm;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly halting: Halting;
  /** Null where letters have no target. */
  readonly outbox: RelayOptions | null;
  /** Some were let through that others in this process may wait for. */
  readonly onThrough: () => void;
}
