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
import { unreachable } from '../base/assert.ts';
import type { Offer } from '../kernel/kind.ts';
import { asleep } from '../kernel/pauses.ts';
import type { Instant } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Claim, Transaction } from '../stores/store.ts';
import { activityOf } from './activities.ts';
import { callOf } from './serverless/handler.ts';
import { type Doing, failedWith, type Handler, runHandler, type Work } from './handlers.ts';
import { isRetryable } from './move.ts';
import type { Applied, Reply, Request } from './strides.ts';
import { type Brought, Transactional } from './transactional.ts';
import { abortSeat, type Seat } from './seat.ts';
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
    logger.warn({ error: String(thrown) }, 'a result could not be committed yet');
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
    const { library } = this.#house;
    const { plan, token } = this.#work;
    const known = library.find(plan)?.plan;
    const activity =
      activityOf(known?.nodes.get(token.node)) ??
      callOf(known, token.node, this.#house.store.now());
    const outcome = runHandler(doing, this.#work, this.#seat, this.#worker.support, activity);
    if (!(outcome instanceof Promise)) return this.#bring(outcome);
    if (limit === null) this.#await(outcome, (settled) => this.#bring(settled));
    else this.#awaitWithin(outcome, limit, doing.ask);
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
      logger.warn({ error: String(thrown) }, 'a step whose time is over may be suspended');
      return 0;
    }
  }

  #bring(outcome: Outcome | null): void {
    if (this.#transaction !== null) return this.#bringWithin(this.#transaction, outcome);
    if (this.#worker.dead) return this.#end();
    const yields = this.#handovers >= HANDOVER_MAX && this.#worker.crowded;
    this.#request = requestOf(this.#worker, this.#work.claim, outcome, yields);
    this.#submit();
  }

  /** What failed leaves nothing in its transaction; what was done commits with it. */
  #bringWithin(transaction: Transaction, outcome: Outcome | null): void {
    const { claim, plan } = this.#work;
    this.#transaction = null;
    this.#seat.tx = null;
    this.#transactional ??= new Transactional(this.#house);
    const isKept = outcome?.outcome === 'done' && !this.#worker.dead;
    const request = requestOf(this.#worker, claim, outcome, true);
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
    logger.warn({ error: String(thrown) }, 'a step in a transaction is run again');
    alarm.set(RETRY_MS, () => this.start());
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
    this.#await(noteDropped(this.#house, claim, applied), () => this.#end());
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
    this.#worker.shun(claim.handler);
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
    store.letGo([claim]);
    logger.error({ error: String(thrown), claim }, 'work was lost');
    this.#end();
  }
}

/** How long this execution may take. */
interface TimeLimit {
  readonly ms: number;
  readonly reason: string;
  /** What comes of it if it takes longer, or was not begun in time. */
  giveUp(ask: Handler | undefined, inDoubt: boolean): Outcome;
}

const NO_OFFER: Offer = {};

function offerOf({ library }: WorkerHouse, { plan, token }: Work): Offer {
  return library.find(plan)?.spots.get(token.node)?.offer ?? NO_OFFER;
}

function isUndoable(house: WorkerHouse, work: Work): boolean {
  return work.undo === null && offerOf(house, work).undoAttempts !== undefined;
}

/** That of one attempt, or what is left of the time for all of them (D11). */
function limitOf(house: WorkerHouse, work: Work): TimeLimit | null {
  const { token } = work;
  const offer = offerOf(house, work);
  const isUndo = token.mode === 'compensation';
  const timeoutMs = isUndo ? offer.undoTimeoutMs : offer.timeoutMs;
  const deadlineMs = isUndo ? undefined : offer.deadlineMs;
  if (timeoutMs === undefined && deadlineMs === undefined) return null;
  const [since, now] = [token.wake?.since ?? token.createdAt, house.store.now()];
  const age = now - since - asleep(work.head, since, now);
  const left = deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - age;
  const isLast = timeoutMs === undefined || left < timeoutMs;
  const code = isLast ? 'step.deadline' : 'step.timeout';
  const reason = isLast
    ? `"${token.node}" was not done within ${deadlineMs} ms of its first attempt (deadline)`
    : `an attempt of "${token.node}" took longer than ${timeoutMs} ms (timeout)`;
  const giveUp = (ask: Handler | undefined, inDoubt: boolean): Outcome => ({
    ...failedWith(Object.assign(new Error(reason), { code }), ask, house),
    // Past the deadline there is no next attempt.
    ...(isLast ? { final: true } : {}),
    ...(inDoubt ? { inDoubt: true } : {}),
  });
  return { ms: isLast ? left : timeoutMs, reason, giveUp };
}

function requestOf(
  worker: Worker,
  claim: Claim,
  outcome: Outcome | null,
  yields: boolean,
): Request {
  const { instance, token, version, worker: holder } = claim;
  const input = (at: Instant): Input =>
    outcome === null
      ? { type: 'continue', at, token, claim }
      : { type: 'result', at, token, claim, outcome };
  const fence = { instance, token, version, worker: holder, expired: false };
  return yields ? { instance, input, fence } : { instance, input, fence, taker: worker.own };
}

/** A result that nobody waits for any more is shown, never numbered history (D3). */
async function noteDropped(house: WorkerHouse, claim: Claim, applied: Applied): Promise<void> {
  const at = house.store.now();
  const { instance, token, version, worker } = claim;
  const note = { instance, token, version, worker, reason: reasonOf(applied), at };
  // Of an instance that was removed nothing is to be left, and nobody could be shown it.
  if (applied.outcome !== 'missing') await house.store.drop(note);
  house.logger.info({ instance, token, worker }, 'a result came too late and was dropped');
}

function reasonOf(applied: Applied): string {
  switch (applied.outcome) {
    case 'fenced':
      return 'lease lost';
    case 'nothing':
      return 'token gone';
    case 'missing':
      return 'instance gone';
    case 'committed':
    case 'delivered':
    case 'exists':
      return applied.outcome;
    default:
      return unreachable(applied);
  }
}
