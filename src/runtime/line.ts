/**
 * A line of work: a claimed token, from handler to commit, and on with what the commit hands over.
 *
 * The handler runs outside every transaction and may take hours: nothing is locked meanwhile. What
 * it returns is committed once or not at all: if someone else has taken the token back, it is run
 * again there and this result is noted as dropped. A lease that is over and that nobody noticed is
 * renewed instead: no work is thrown away because this process was busy, or the store away.
 *
 * A line is called back instead of awaited: a step takes no promise unless its handler makes one.
 */
import { setImmediate } from 'node:timers/promises';
import { asleep } from '../kernel/pauses.ts';
import type { Outcome } from '../model/input.ts';
import type { Transaction } from '../stores/store.ts';
import { activityOf } from './activities.ts';
import { answerTo, noteDropped } from './answering.ts';
import { beginExecution, type Execution } from './executing.ts';
import { callOf } from './serverless/handler.ts';
import { type Where, whereOf } from './handler-log.ts';
import { type Doing, type Handler, runHandler, type Work } from './handlers.ts';
import { isRetryable } from './move.ts';
import type { Applied, Reply, Request } from './strides.ts';
import { type Brought, Transactional } from './transactional.ts';
import { abortSeat, type Seat } from './seat.ts';
import { lackingOf } from './shunned.ts';
import { limitOf, offerOf, type TimeLimit } from './time-limit.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** Hand-overs in a row while other due work waits (D5). */
const HANDOVER_MAX = 16;
/** Handlers that await nothing, on a store that is memory, would else keep the event loop to us. */
const YIELD_EVERY = 64;
/** A commit that failed for the store's reasons is tried again while the lease may still hold. */
const RETRY_MS = 200;
/** While an instance is suspended, a time limit of what it is at is looked at so often. */
const STILL_MS = 1_000;

/** Ends when nothing more is handed over, and tells its worker. */
export class Line implements Reply {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  readonly #seat: Seat;
  #work: Work;
  #request: Request | null = null;
  /** The claim was over once already, and was renewed. */
  #revived = false;
  #handovers = 0;
  /** The step is in a transaction, and this is the one that is open. */
  #transactional: Transactional | null = null;
  #transaction: Transaction | null = null;
  /** What is shown of the handler that runs, or has run; null if nobody looks. */
  #execution: Execution | null = null;

  constructor(house: WorkerHouse, worker: Worker, seat: Seat, work: Work) {
    this.#house = house;
    this.#worker = worker;
    this.#seat = seat;
    this.#work = work;
  }

  start(): void {
    try {
      const machine = this.#house.library.find(this.#work.plan);
      if (machine !== undefined && machine.code !== null) this.#handle();
      else this.#await(this.#serves(), (serves) => (serves ? this.#handle() : this.#end()));
    } catch (thrown) {
      this.#lose(thrown);
    }
  }

  /** What was brought is committed, or will not be. */
  done(applied: Applied): void {
    try {
      if (applied.outcome === 'committed') this.#goOn(applied.works);
      else if (applied.outcome === 'fenced' && !this.#revived && !this.dead) this.#revive(applied);
      else this.#drop(applied);
    } catch (thrown) {
      this.#lose(thrown);
    }
  }

  /** Until it is committed the result exists only here: tries while the claim may stand. */
  failed(thrown: unknown): void {
    if (this.#request === null || !isRetryable(thrown) || this.#worker.over) {
      return this.#lose(thrown);
    }
    const { logger, alarm } = this.#house;
    logger.warn({ ...this.#where, error: String(thrown) }, 'a result could not be committed yet');
    alarm.set(RETRY_MS, () => this.#submit());
  }

  /** Whatever its handlers still return is lost. */
  get dead(): boolean {
    return this.#worker.dead;
  }

  #handle(): void {
    const { library } = this.#house;
    const { claim, plan, unwanted } = this.#work;
    const doing = library.doing(claim.handler, plan);
    // Without a handler the kernel alone goes on, perhaps for long: others have their turn first.
    if (doing === undefined) return this.#await(setImmediate(), () => this.#bring(null));
    if (unwanted) return this.#bring({ outcome: 'unrun' });
    if (this.#worker.over) return this.#hold(this.#work);
    const limit = limitOf(this.#house, this.#work);
    // Not begun: but what was begun before may have had no answer.
    const { lastError } = this.#work.token;
    const doubt = lastError?.unanswered === true;
    if (limit !== null && limit.ms <= 0) return this.#bring(limit.giveUp(doing.ask, doubt));
    if (offerOf(this.#house, this.#work).transactional === true) this.#begin(doing);
    else this.#run(doing, limit);
  }

  /** It may have to wait for a connection: that is not the handler's time. */
  #begin(doing: Doing): void {
    const begun = this.#house.store.begin().then(
      (transaction) => {
        this.#transaction = transaction;
        this.#seat.tx = transaction.tx;
        const limit = limitOf(this.#house, this.#work);
        if (this.#worker.dead) this.#bring(null);
        else if (limit !== null && limit.ms <= 0) this.#bring(limit.giveUp(doing.ask, false));
        else this.#run(doing, limit);
      },
      (thrown: unknown) => this.#runAgain(thrown),
    );
    this.#await(begun, () => {});
  }

  #run(doing: Doing, limit: TimeLimit | null): void {
    // Past its time nobody waits for it, and the claim must not be kept for it.
    if (limit !== null) this.#house.store.letGo([this.#work.claim], limit.ms);
    this.#seat.undoable = isUndoable(this.#house, this.#work);
    const execution = beginExecution(this.#house, this.#work);
    this.#execution = execution;
    const outcome =
      execution === null ? this.#execute(doing) : execution.in(() => this.#execute(doing));
    if (!(outcome instanceof Promise)) return this.#bring(outcome);
    if (limit === null) this.#await(outcome, (settled) => this.#bring(settled));
    else this.#awaitWithin(outcome, limit, doing.ask);
  }

  #execute(doing: Doing): Outcome | Promise<Outcome> {
    const { library, store } = this.#house;
    const { plan, token } = this.#work;
    const known = library.find(plan)?.plan;
    const activity =
      activityOf(known?.nodes.get(token.node)) ?? callOf(known, token.node, store.now());
    return runHandler(doing, this.#work, this.#seat, this.#worker.support, activity);
  }

  /** Whichever comes first; what the handler does after its time is nobody's business. */
  #awaitWithin(outcome: Promise<Outcome>, limit: TimeLimit, ask: Handler | undefined): void {
    const { alarm, store } = this.#house;
    const begun = store.now();
    let until = begun + limit.ms;
    let isOver = false;
    const stop = (): void => {
      isOver = true;
      this.#seat.stopLimit = null;
    };
    const giveUp = (): void => {
      stop();
      abortSeat(this.#seat, limit.reason);
      this.#bring(limit.giveUp(ask, true));
    };
    const ring = (): void => {
      // While the store is asked, it is not time that is waited for.
      this.#worker.limited -= 1;
      const left = until - store.now();
      // An alarm may ring before a moment that is far away.
      if (left > 0) return arm(left);
      this.#seat.stopLimit = stop;
      this.#await(this.#stoodStill(begun), (ms) => {
        if (isOver) return;
        until = begun + limit.ms + ms;
        const more = until - store.now();
        if (more > 0) arm(Math.max(more, STILL_MS));
        else giveUp();
      });
    };
    const arm = (ms: number): void => {
      this.#worker.limited += 1;
      const cancel = alarm.set(ms, ring);
      this.#seat.stopLimit = (): void => {
        cancel();
        this.#worker.limited -= 1;
        stop();
      };
    };
    arm(limit.ms);
    this.#await(outcome, (settled) => {
      if (isOver) return;
      this.#seat.stopLimit?.();
      this.#bring(settled);
    });
  }

  /** For how long the instance has been suspended since then: no time limit ran meanwhile. */
  async #stoodStill(since: number): Promise<number> {
    const { store, logger } = this.#house;
    try {
      const [rows] = await store.load([this.#work.claim.instance]);
      return rows === undefined ? 0 : asleep(rows.head, since, store.now());
    } catch (thrown) {
      // What cannot be known does not prolong it.
      const details = { ...this.#where, error: String(thrown) };
      logger.warn(details, 'a step whose time is over may be suspended');
      return 0;
    }
  }

  #bring(outcome: Outcome | null): void {
    this.#execution?.end(outcome);
    if (this.#transaction !== null) return this.#bringWithin(this.#transaction, outcome);
    if (this.#worker.dead) return this.#end();
    const yields = this.#handovers >= HANDOVER_MAX && this.#worker.crowded;
    this.#request = this.#requestFor(outcome, yields);
    this.#submit();
  }

  /** What failed leaves nothing in its transaction; what was done commits with it. */
  #bringWithin(transaction: Transaction, outcome: Outcome | null): void {
    const { claim, plan } = this.#work;
    this.#transaction = null;
    this.#seat.tx = null;
    this.#transactional ??= new Transactional(this.#house);
    const isKept = outcome?.outcome === 'done' && !this.#worker.dead;
    const request = this.#requestFor(outcome, true);
    const ask = this.#house.library.doing(claim.handler, plan)?.ask;
    const bringing = isKept
      ? this.#transactional.bring(transaction, request, ask)
      : this.#transactional.takeBack(transaction, outcome);
    this.#await(bringing, (brought) => this.#brought(brought));
  }

  #brought(brought: Brought): void {
    if (brought.came === 'failed') this.#bring(brought.outcome);
    else if (brought.came === 'undone') this.#runAgain(brought.error);
    else if (brought.applied.outcome === 'committed') this.#goOn(brought.applied.works);
    else this.#drop(brought.applied);
  }

  /** Nothing of what it did is left: while the claim may stand it is simply done again. */
  #runAgain(thrown: unknown): void {
    if (!isRetryable(thrown) || this.#worker.over) return this.#lose(thrown);
    const { logger, alarm } = this.#house;
    logger.warn({ ...this.#where, error: String(thrown) }, 'a step in a transaction is run again');
    alarm.set(RETRY_MS, () => this.start());
  }

  /** Goes on with what the commit makes ready, unless others are to have their turn. */
  #requestFor(outcome: Outcome | null, yields: boolean): Request {
    const answer = answerTo(this.#work.claim, outcome);
    const trace = this.#execution?.trace;
    const request = trace === undefined ? answer : { ...answer, trace };
    return yields ? request : { ...request, taker: this.#worker.own };
  }

  /** For lines that are about this work. */
  get #where(): Where {
    return whereOf(this.#work);
  }

  #submit(): void {
    if (this.#request !== null) this.#house.strides.submit(this.#request, this);
  }

  /** If nobody has taken the token back, only its lease is over: then it counts after all. */
  #revive(applied: Applied): void {
    const { claim } = this.#work;
    this.#house.store.renew([claim], this.#worker.own.leaseMs).then(
      (lost) => {
        this.#revived = true;
        if (lost.length === 0) this.#submit();
        else this.#drop(applied);
      },
      (thrown: unknown) => this.failed(thrown),
    );
  }

  #drop(applied: Applied): void {
    const { claim } = this.#work;
    this.#house.store.letGo([claim]);
    this.#await(noteDropped(this.#house, claim, applied, this.#where), () => this.#end());
  }

  /** The first goes on in the slot of the one that ended; each of the others has its own. */
  #goOn(works: readonly Work[]): void {
    for (let i = 1; i < works.length; i += 1) this.#worker.dispatch(works[i] as Work);
    const next = works[0];
    if (next === undefined) return this.#end();
    if (this.#worker.over) return this.#hold(next);
    if (this.#seat.isLone) this.#worker.leaveAlone(this.#seat);
    this.#seat.claim = next.claim;
    this.#seat.abort = null;
    this.#seat.undoable = false;
    this.#work = next;
    this.#revived = false;
    this.#transactional = null;
    this.#execution = null;
    this.#handovers += 1;
    if (this.#handovers % YIELD_EVERY === 0) this.#await(setImmediate(), () => this.start());
    else this.start();
  }

  /** The worker takes on nothing more. */
  #hold({ claim }: Work): void {
    this.#worker.turnAway(claim);
    this.#end();
  }

  /** Whether this process has the code of the plan after all; if not, the claim goes back. */
  async #serves(): Promise<boolean> {
    const { library, store } = this.#house;
    const { plan, claim } = this.#work;
    const machine = library.find(plan) ?? (await library.load(plan, store));
    if (machine.code !== null) return true;
    this.#worker.shun(claim.handler, lackingOf(library, machine.plan));
    await store.release([claim]);
    return false;
  }

  #await<Value>(promise: Promise<Value>, next: (value: Value) => void): void {
    promise.then(next).catch((thrown: unknown) => this.#lose(thrown));
  }

  #end(): void {
    this.#worker.leave(this.#seat);
  }

  #lose(thrown: unknown): void {
    const { claim } = this.#seat;
    const { store, logger } = this.#house;
    this.#execution?.end(null);
    store.letGo([claim]);
    logger.error({ ...this.#where, error: String(thrown), claim }, 'work was lost');
    this.#end();
  }
}

function isUndoable(house: WorkerHouse, work: Work): boolean {
  return work.undo === null && offerOf(house, work).undoAttempts !== undefined;
}
