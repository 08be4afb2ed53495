/**
 * One claimed token, from handler to commit, and on with whatever the commit hands over.
 *
 * The handler runs outside every transaction and may take hours: nothing is locked meanwhile. What
 * it returns is committed once or not at all: if the lease was lost, someone else runs the token
 * again and this result is noted as dropped.
 */
import { EngineError } from '../base/engine-error.ts';
import { unreachable } from '../base/assert.ts';
import type { Instant } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Claim } from '../stores/store.ts';
import { runHandler, type Work } from './handlers.ts';
import type { Applied } from './strides.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** Hand-overs in a row while other due work waits (D5). */
const HANDOVER_MAX = 16;
/** A commit that failed for the store's reasons is tried again while the lease may still hold. */
const RETRY_MS = 200;

export async function workToken(house: WorkerHouse, worker: Worker, first: Work): Promise<void> {
  let work: Work | undefined = first;
  for (let handovers = 0; work !== undefined; handovers += 1) {
    const yields = handovers >= HANDOVER_MAX && worker.crowded;
    const next: Work | undefined = await workOnce(house, worker, work, yields);
    if (next !== undefined) worker.replace(work.claim, next.claim);
    work = next;
  }
}

/** The work that takes over this one's slot, if any; what else was handed over has its own. */
async function workOnce(
  house: WorkerHouse,
  worker: Worker,
  work: Work,
  yields: boolean,
): Promise<Work | undefined> {
  const { claim } = work;
  const machine = house.library.find(work.plan) ?? (await house.library.load(work.plan, house.store));
  if (machine.code === null) {
    worker.shun(claim.handler);
    await house.store.release([claim]);
    return undefined;
  }
  const handler = house.library.handler(claim.handler);
  const outcome = handler === undefined ? null : await runHandler(handler, work, worker.support());
  if (worker.dead) return undefined;

  const applied = await commit(house, worker, claim, outcome, yields);
  if (applied.outcome !== 'committed') {
    await noteDropped(house, claim, applied);
    return undefined;
  }
  const [next, ...others] = applied.works;
  for (const other of others) worker.dispatch(other);
  return next;
}

/** Tries for as long as the claim may stand: the result exists only here until it is committed. */
async function commit(
  house: WorkerHouse,
  worker: Worker,
  claim: Claim,
  outcome: Outcome | null,
  yields: boolean,
): Promise<Applied> {
  const { token, version, worker: holder, at: claimedAt } = claim;
  const fact = { worker: holder, version, at: claimedAt };
  const input = (at: Instant): Input =>
    outcome === null
      ? { type: 'continue', at, token, claim: fact }
      : { type: 'result', at, token, claim: fact, outcome };
  for (;;) {
    try {
      return await house.strides.apply({
        instance: claim.instance,
        input,
        fence: { ...claim, expired: false },
        ...(yields ? {} : { taker: worker.own }),
      });
    } catch (thrown) {
      if (!(thrown instanceof EngineError) || !thrown.retryable || worker.dead) throw thrown;
      house.logger.warn({ error: String(thrown), token }, 'a result could not be committed yet');
      await new Promise<void>((resolve) => house.alarm.set(RETRY_MS, resolve));
    }
  }
}

/** A result that nobody waits for any more is shown, never numbered history (D3). */
async function noteDropped(house: WorkerHouse, claim: Claim, applied: Applied): Promise<void> {
  const at = house.store.now();
  const { instance, token, version, worker } = claim;
  await house.store.drop({ instance, token, version, worker, reason: reasonOf(applied), at });
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
