/**
 * A line of work: a claimed token, from handler to commit, and on with what the commit hands over.
 *
 * The handler runs outside every transaction and may take hours: nothing is locked meanwhile. What
 * it returns is committed once or not at all: if the lease was lost, someone else runs the token
 * again and this result is noted as dropped.
 *
 * A line is called back instead of awaited: a step takes no promise unless its handler makes one.
 */
import { setImmediate } from 'node:timers/promises';
import { unreachable } from '../base/assert.ts';
import type { Instant } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Claim } from '../stores/store.ts';
import { runHandler, type Work } from './handlers.ts';
import { isRetryable } from './move.ts';
import type { Applied, Reply, Request } from './strides.ts';
import type { Seat, Worker, WorkerHouse } from './worker.ts';

/** Hand-overs in a row while other due work waits (D5). */
const HANDOVER_MAX = 16;
/** Handlers that await nothing, on a store that is memory, would else keep the event loop to us. */
const YIELD_EVERY = 64;
/** A commit that failed for the store's reasons is tried again while the lease may still hold. */
const RETRY_MS = 200;

/** Ends when nothing more is handed over, and tells its worker. */
export class Line implements Reply {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  readonly #seat: Seat;
  #work: Work;
  #request: Request | null = null;
  #handovers = 0;

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
      else this.#await(noteDropped(this.#house, this.#work.claim, applied), () => this.#end());
    } catch (thrown) {
      this.#lose(thrown);
    }
  }

  /** Until it is committed the result exists only here: tries while the claim may stand. */
  failed(thrown: unknown): void {
    const request = this.#request;
    if (request === null || !isRetryable(thrown) || this.#worker.dead) return this.#lose(thrown);
    const { logger, alarm, strides } = this.#house;
    logger.warn({ error: String(thrown) }, 'a result could not be committed yet');
    alarm.set(RETRY_MS, () => strides.submit(request, this));
  }

  #handle(): void {
    const { library } = this.#house;
    const handler = library.handler(this.#work.claim.handler);
    // Without a handler the kernel alone goes on, perhaps for long: others have their turn first.
    if (handler === undefined) return this.#await(setImmediate(), () => this.#bring(null));
    const outcome = runHandler(handler, this.#work, this.#seat, this.#worker.support);
    if (outcome instanceof Promise) this.#await(outcome, (settled) => this.#bring(settled));
    else this.#bring(outcome);
  }

  #bring(outcome: Outcome | null): void {
    if (this.#worker.dead) return this.#end();
    const yields = this.#handovers >= HANDOVER_MAX && this.#worker.crowded;
    this.#request = requestOf(this.#worker, this.#work.claim, outcome, yields);
    this.#house.strides.submit(this.#request, this);
  }

  /** The first goes on in the slot of the one that ended; each of the others has its own. */
  #goOn(works: readonly Work[]): void {
    for (let i = 1; i < works.length; i += 1) this.#worker.dispatch(works[i] as Work);
    const next = works[0];
    if (next === undefined || this.#worker.dead) return this.#end();
    this.#seat.claim = next.claim;
    this.#seat.abort = null;
    this.#work = next;
    this.#handovers += 1;
    if (this.#handovers % YIELD_EVERY === 0) this.#await(setImmediate(), () => this.start());
    else this.start();
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
    this.#house.logger.error({ error: String(thrown), claim }, 'work was lost');
    this.#end();
  }
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
  if (applied.outcome === 'nothing' && (await cameAbout(house, claim))) return;
  const at = house.store.now();
  const { instance, token, version, worker } = claim;
  await house.store.drop({ instance, token, version, worker, reason: reasonOf(applied), at });
  house.logger.info({ instance, token, worker }, 'a result came too late and was dropped');
}

/** History is looked through in pages. */
const PAGE = 100;

/**
 * Whether the token is gone because of this very claim: the commit came about and its answer was
 * lost. History shows every run with the version of its claim.
 */
async function cameAbout({ store }: WorkerHouse, claim: Claim): Promise<boolean> {
  const { instance, token, version } = claim;
  for (let after = claim.instanceVersion; ; after += PAGE) {
    const rows = await store.history({ instance, after, limit: PAGE });
    const settled = rows.some(({ changes }) => {
      const mine = changes.some(
        (change) =>
          change.did === 'claim-token' && change.token === token && change.version === version,
      );
      // A lease that ran out shows the claim too, but the token goes on, or ends for that reason.
      const ended = changes.find((change) => change.did === 'end-token' && change.token === token);
      return mine && ended?.did === 'end-token' && ended.fault?.code !== 'LEASE_EXPIRED';
    });
    if (settled || rows.length < PAGE) return settled;
  }
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
