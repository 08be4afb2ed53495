/**
 * Time limits of work that is done elsewhere: the process that handed it out gives it up when its
 * time is over, as it would with a handler of its own. If that process is gone by then, whoever
 * asks next about the work finds out, or its lease runs out.
 */
import { assemble, isLive } from '../../kernel/instance.ts';
import type { Claim } from '../../stores/store.ts';
import { answerTo } from '../answering.ts';
import { showRemote } from '../executing.ts';
import { type Work, workOf } from '../handlers.ts';
import { move } from '../move.ts';
import { limitOf, type TimeLimit } from '../time-limit.ts';
import type { RemoteHouse } from './house.ts';

/** While an instance is suspended, a time limit of what it is at is looked at so often. */
const STILL_MS = 1_000;

export class Overtime {
  readonly #house: RemoteHouse;
  readonly #alarms = new Map<string, () => void>();

  constructor(house: RemoteHouse) {
    this.#house = house;
  }

  watch(claim: Claim, ms: number): void {
    const name = nameOf(claim);
    this.forget(claim);
    const cancel = this.#house.alarm.set(ms, () => {
      this.#alarms.delete(name);
      this.#look(claim).catch((thrown: unknown) => {
        const { instance, token } = claim;
        const details = { instance, token, error: String(thrown) };
        this.#house.logger.warn(details, 'work whose time is over could not be given up');
      });
    });
    this.#alarms.set(name, cancel);
  }

  /** It has an answer. */
  forget(claim: Pick<Claim, 'instance' | 'token' | 'version'>): void {
    const name = nameOf(claim);
    this.#alarms.get(name)?.();
    this.#alarms.delete(name);
  }

  close(): void {
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }

  /** What is left, by what the store holds: its instance may have been suspended meanwhile. */
  async #look(claim: Claim): Promise<void> {
    const work = await this.#workNow(claim);
    const limit = work && limitOf(this.#house, work, claim.at);
    if (work === undefined || limit === null || limit === undefined) return;
    if (limit.ms > 0) this.watch(claim, Math.max(limit.ms, STILL_MS));
    else await this.giveUp(work, limit);
  }

  /** What is left of its time; null if it has all the time there is. */
  async left(work: Work): Promise<TimeLimit | null> {
    const { claim } = work;
    const limit = limitOf(this.#house, work, claim.at);
    if (limit === null || limit.ms > 0) return limit;
    const now = await this.#workNow(claim);
    return now === undefined ? limit : limitOf(this.#house, now, claim.at);
  }

  /** Its time is over: it fails as a handler's would. If it is somebody else's, nothing happens. */
  async giveUp(work: Work, limit: TimeLimit): Promise<void> {
    const { claim, plan, token } = work;
    const { library, logger } = this.#house;
    this.forget(claim);
    // What follows from a failure may take closures: who has them looks as well (D19).
    if (library.find(plan)?.code === null) return;
    const outcome = limit.giveUp(library.asking(token.handler ?? '', plan), true);
    const worker = this.#house.worker();
    const taker = worker === null ? {} : { taker: worker.fresh };
    const came = await move(this.#house, worker, { ...answerTo(claim, outcome), ...taker });
    if (came !== 'moved') return;
    showRemote(this.#house, work, outcome, this.#house.store.now());
    const { instance } = claim;
    const details = { instance, node: token.node, worker: claim.worker, reason: limit.reason };
    logger.info(details, 'work of a remote worker was given up');
  }

  async #workNow(claim: Claim): Promise<Work | undefined> {
    const [rows] = await this.#house.store.load([claim.instance]);
    if (rows === undefined) return undefined;
    const instance = assemble(rows);
    const token = instance.tokens.get(claim.token);
    return token === undefined || !isLive(token) ? undefined : workOf(instance, claim);
  }
}

function nameOf({
  instance,
  token,
  version,
}: Pick<Claim, 'instance' | 'token' | 'version'>): string {
  return `${token} ${version} ${instance}`;
}
