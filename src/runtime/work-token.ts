/**
 * One claimed token, from handler to commit, and on with whatever the commit hands over.
 *
 * The handler runs outside every transaction and may take hours: nothing is locked meanwhile. What
 * it returns is committed once or not at all: if the lease was lost, someone else runs the token
 * again and this result is noted as dropped.
 */
import { setImmediate } from 'node:timers/promises';
import { unreachable } from '../base/assert.ts';
import type { Instant } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Claim } from '../stores/store.ts';
import { runHandler, type Work } from './handlers.ts';
import { isRetryable } from './move.ts';
import type { Applied, Request } from './strides.ts';
import type { Seat, Worker, WorkerHouse } from './worker.ts';

/** Hand-overs in a row while other due work waits (D5). */
const HANDOVER_MAX = 16;
/** Handlers that await nothing, on a store that is memory, would else keep the event loop to us. */
const YIELD_EVERY = 64;
/** A commit that failed for the store's reasons is tried again while the lease may still hold. */
const RETRY_MS = 200;

/** Ends when nothing more is handed over. */
export async function workToken(
  house: WorkerHouse,
  worker: Worker,
  seat: Seat,
  first: Work,
): Promise<void> {
  let work = first;
  for (let handovers = 0; ; handovers += 1) {
    const { claim } = work;
    const served = serves(house, worker, work);
    if (served !== true && !(await served)) return;
    const handler = house.library.handler(claim.handler);
    let outcome = handler === undefined ? null : runHandler(handler, work, seat, worker.support);
    // Without a handler the kernel alone goes on, perhaps for long: others have their turn first.
    if (outcome === null) await setImmediate();
    else if (outcome instanceof Promise) outcome = await outcome;
    if (worker.dead) return;
    const yields = handovers >= HANDOVER_MAX && worker.crowded;
    const request = requestOf(worker, claim, outcome, yields);
    let applied: Applied | null = null;
    while (applied === null) {
      try {
        applied = await house.strides.apply(request);
      } catch (thrown) {
        await pause(house, worker, thrown);
      }
    }
    if (applied.outcome !== 'committed') {
      await noteDropped(house, claim, applied);
      return;
    }
    // The first goes on in the slot of the one that ended; each of the others has its own.
    const next = applied.works[0];
    for (let i = 1; i < applied.works.length; i += 1) worker.dispatch(applied.works[i] as Work);
    if (next === undefined) return;
    seat.claim = next.claim;
    seat.abort = null;
    if (handovers % YIELD_EVERY === YIELD_EVERY - 1) await setImmediate();
    work = next;
  }
}

/** Whether this process has the code of the plan; if not, the claim goes back. */
function serves(house: WorkerHouse, worker: Worker, work: Work): boolean | Promise<boolean> {
  const machine = house.library.find(work.plan);
  if (machine !== undefined && machine.code !== null) return true;
  return servesAfterAll(house, worker, work);
}

async function servesAfterAll(house: WorkerHouse, worker: Worker, work: Work): Promise<boolean> {
  const { library, store } = house;
  const machine = library.find(work.plan) ?? (await library.load(work.plan, store));
  if (machine.code !== null) return true;
  worker.shun(work.claim.handler);
  await store.release([work.claim]);
  return false;
}

function requestOf(
  worker: Worker,
  claim: Claim,
  outcome: Outcome | null,
  yields: boolean,
): Request {
  const { instance, token, version, worker: holder, at: claimedAt } = claim;
  const fact = { worker: holder, version, at: claimedAt };
  const input = (at: Instant): Input =>
    outcome === null
      ? { type: 'continue', at, token, claim: fact }
      : { type: 'result', at, token, claim: fact, outcome };
  const fence = { instance, token, version, worker: holder, expired: false };
  return yields ? { instance, input, fence } : { instance, input, fence, taker: worker.own };
}

/** Tries for as long as the claim may stand: the result exists only here until it is committed. */
async function pause(house: WorkerHouse, worker: Worker, thrown: unknown): Promise<void> {
  if (!isRetryable(thrown) || worker.dead) throw thrown;
  house.logger.warn({ error: String(thrown) }, 'a result could not be committed yet');
  await new Promise<void>((resolve) => house.alarm.set(RETRY_MS, resolve));
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
