/**
 * What remote workers say of the work they have: that they are still at it, what came of it, or
 * that it failed. An answer is one commit under the fence of the claim, as that of a handler here.
 *
 * The reply to an answer may be lost, and the worker gives the answer again. The commit that keeps
 * an answer is named by it, and history knows which commit settled the claim: if that is this very
 * answer, it was ours, and nothing happens a second time. If it is another, or the claim was lost
 * to somebody else, the worker is told so and a note is left of it (D3).
 */
import { EngineError } from '../../base/engine-error.ts';
import type { InstanceId, Instant } from '../../model/ids.ts';
import type { Outcome } from '../../model/input.ts';
import type { Claim } from '../../stores/store.ts';
import { answerTo, noteDropped, reasonOf } from '../answering.ts';
import { showRemote } from '../executing.ts';
import type { Work } from '../handlers.ts';
import type { Applied, Request } from '../strides.ts';
import { answerId, completed, failed, type StepKind } from './answers.ts';
import { readAssignmentId } from './assignment-id.ts';
import type { RemoteHouse } from './house.ts';
import {
  checkComplete,
  checkFail,
  type CompleteOptions,
  type ExtendOptions,
  type FailOptions,
  readExtend,
} from './options.ts';
import type { Overtime } from './overtime.ts';

/** What was kept of an answer. */
export interface Settled {
  readonly instance: InstanceId;
  /** The commit that keeps it, by its number in the history of the instance. */
  readonly n: number;
  /** It was given before: nothing has happened now. */
  readonly repeated: boolean;
}

/** A lease that is over, of a claim that nobody took back, is renewed for as long as it takes. */
const REVIVE_MS = 10_000;
const PAGE = 200;

/** An answer, for a claim that it may still settle. */
interface Answer {
  readonly id: string;
  readonly claim: Claim;
  readonly tenant: string | undefined;
  readonly commitId: string;
  readonly outcome: (work: Work, kind: StepKind) => Outcome;
}

export class Settling {
  readonly #house: RemoteHouse;
  readonly #overtime: Overtime;

  constructor(house: RemoteHouse, overtime: Overtime) {
    this.#house = house;
    this.#overtime = overtime;
  }

  async extend(id: string, options: ExtendOptions): Promise<{ readonly until: Instant }> {
    const leaseMs = readExtend(options);
    const claim = claimOf(id, options.worker);
    const work = await this.#find(id, claim, options.tenant);
    if (work === undefined) throw this.#left(id, claim, 'token gone');
    const limit = await this.#overtime.left(work);
    if (limit !== null && limit.ms <= 0) {
      await this.#overtime.giveUp(work, limit);
      throw lost(id, claim, limit.reason);
    }
    const { store } = this.#house;
    const ms = Math.min(leaseMs, limit?.ms ?? leaseMs);
    const until = (store.now() + ms) as Instant;
    if ((await store.renew([claim], ms)).length > 0) throw this.#left(id, claim, 'lease lost');
    return { until };
  }

  /** It was to be renewed, and is the worker's no more. */
  #left(id: string, claim: Claim, why: string): EngineError {
    this.#house.measuring.tell({ what: 'lease-lost', where: 'renewing' });
    return lost(id, claim, why);
  }

  async complete(id: string, options: CompleteOptions): Promise<Settled> {
    checkComplete(options);
    const { worker, tenant, ...said } = options;
    const claim = claimOf(id, worker);
    const commitId = answerId(id, worker, { completed: said });
    const outcome: Answer['outcome'] = (work, kind) => completed(this.#house, work, kind, said);
    return this.#settle({ id, claim, tenant, commitId, outcome });
  }

  async fail(id: string, options: FailOptions): Promise<Settled> {
    checkFail(options);
    const { worker, tenant, ...said } = options;
    const claim = claimOf(id, worker);
    const commitId = answerId(id, worker, { failed: said });
    const outcome: Answer['outcome'] = (work, kind) => {
      const { library } = this.#house;
      const ask = library.asking(work.token.handler ?? '', work.plan);
      return failed(this.#house, work, kind, { said, ask });
    };
    return this.#settle({ id, claim, tenant, commitId, outcome });
  }

  async #settle(answer: Answer): Promise<Settled> {
    const { id, claim, tenant } = answer;
    const work = await this.#find(id, claim, tenant);
    if (work === undefined) return this.#recall(answer, { outcome: 'nothing' });
    const limit = await this.#overtime.left(work);
    if (limit !== null && limit.ms <= 0) {
      const settled = await this.#given(answer);
      if (settled !== undefined) return settled;
      await this.#overtime.giveUp(work, limit);
      throw lost(id, claim, limit.reason);
    }
    const outcome = answer.outcome(work, await this.#kindOf(work, claim));
    if (outcome.outcome === 'failed') this.#checkCode(work);
    const applied = await this.#apply(answer, outcome);
    if (applied.outcome !== 'committed') return this.#recall(answer, applied);
    this.#overtime.forget(claim);
    showRemote(this.#house, work, outcome, this.#house.store.now());
    for (const each of applied.works) this.#house.worker()?.dispatch(each);
    const { instance, worker } = claim;
    const details = { instance, node: work.token.node, worker, outcome: outcome.outcome };
    this.#house.logger.debug(details, 'a remote worker has answered');
    return { instance, n: applied.head.version, repeated: false };
  }

  /** If nobody has taken the token back, only its lease is over: then it counts after all. */
  async #apply({ claim, commitId }: Answer, outcome: Outcome): Promise<Applied> {
    const { strides, store } = this.#house;
    const worker = this.#house.worker();
    const taker = worker === null ? {} : { taker: worker.fresh };
    const request: Request = { ...answerTo(claim, outcome), commitId, ...taker };
    const applied = await strides.apply(request);
    if (applied.outcome !== 'fenced') return applied;
    const isLost = (await store.renew([claim], REVIVE_MS)).length > 0;
    return isLost ? applied : strides.apply(request);
  }

  /** What the claim is for; undefined if that is over. To another tenant it looks the same. */
  async #find(id: string, claim: Claim, tenant: string | undefined): Promise<Work | undefined> {
    const { instance } = claim;
    let trouble: EngineError | null = null;
    const [work] = await this.#house.strides.worksFor([claim], (_claim, cause) => {
      const message = `instance ${instance} could not be read`;
      trouble = new EngineError('store.corrupt', message, { details: { instance }, cause });
    });
    if (trouble !== null) throw trouble as EngineError;
    if (work === undefined || tenant === undefined || work.head.tenant === tenant) return work;
    throw lost(id, claim, 'token gone');
  }

  async #kindOf({ plan, token }: Work, { instance }: Claim): Promise<StepKind> {
    const { library, store } = this.#house;
    const machine = library.find(plan) ?? (await library.load(plan, store));
    const kind = machine.plan.nodes.get(token.node)?.kind;
    if (kind === 'step' || kind === 'link' || kind === 'activity') return kind;
    const message = `node "${token.node}" of ${instance} is run by no handler of the user's`;
    throw new EngineError('operation.refused', message, { details: { instance } });
  }

  /** What follows from a failure may take closures of the flow: it is told where they are (D19). */
  #checkCode({ plan, head, token }: Work): void {
    if (this.#house.library.find(plan)?.code !== null) return;
    const what = `"${token.node}" has failed, and what follows takes the code of "${head.flow}"`;
    const message = `${what}@${head.flowVersion}, which is not in this process: say so where it is`;
    throw new EngineError('definition.not-found', message, { details: { flow: head.flow } });
  }

  /** It did not come about now: it may have before. */
  async #recall(answer: Answer, applied: Applied): Promise<Settled> {
    const { id, claim, tenant } = answer;
    const { store } = this.#house;
    this.#overtime.forget(claim);
    const [rows] = await store.load([claim.instance]);
    // Whose it is shows in nothing, nor that it is there: to a tenant all of that is the same.
    const isTheirs = tenant === undefined || rows?.head.tenant === tenant;
    if (!isTheirs) throw lost(id, claim, 'token gone');
    if (rows === undefined) throw lost(id, claim, 'instance gone');
    const settled = await this.#given(answer);
    if (settled !== undefined) return settled;
    // Whoever repeats what was dropped is told the same, and one note of it is enough.
    const notes = await store.dropped(claim.instance);
    if (!notes.some((note) => note.token === claim.token && note.version === claim.version)) {
      await noteDropped(this.#house, claim, applied);
    }
    throw lost(id, claim, reasonOf(applied));
  }

  /** The commit that settled the claim, if it keeps this very answer. */
  async #given({ claim, commitId }: Answer): Promise<Settled | undefined> {
    const { instance, token, version, worker } = claim;
    for (let after = claim.instanceVersion, isLast = false; !isLast; ) {
      const rows = await this.#house.store.history({ instance, after, limit: PAGE });
      for (const { n, changes, commitId: known } of rows) {
        after = n;
        const isIt = changes.some((change) => {
          if (change.did !== 'claim-token' || change.token !== token) return false;
          return change.version === version && change.worker === worker;
        });
        if (isIt) return known === commitId ? { instance, n, repeated: true } : undefined;
      }
      isLast = rows.length < PAGE;
    }
    return undefined;
  }
}

/** All that is known of it without asking. */
function claimOf(id: string, worker: string): Claim {
  const ref = readAssignmentId(id);
  return { ...ref, worker, handler: '', until: ref.at };
}

function lost(assignment: string, { instance, token }: Claim, why: string): EngineError {
  const message = `this work is not the worker's any more: ${why}`;
  return new EngineError('work.lost', message, { details: { assignment, instance, token, why } });
}
