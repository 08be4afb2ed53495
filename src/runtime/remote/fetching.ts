/**
 * Fetching: work is claimed in the name of a worker elsewhere, and what may be begun is handed out.
 *
 * What a worker of this process checks before it runs a claim is checked here as well. The claims
 * are the remote worker's and not this process's: the store does not renew them, only `extend`
 * does. Whoever finds nothing may wait: until work for it is offered in this process, a bell of
 * another rings, or it is time to look; never longer than it asked for, and not at all once it
 * hangs up or the engine closes.
 */
import type { Instant } from '../../model/ids.ts';
import type { Claim, ClaimRequest } from '../../stores/store.ts';
import { Bell, orAfter } from '../alarm.ts';
import { answerTo } from '../answering.ts';
import type { Work } from '../handlers.ts';
import { isRetryable, move } from '../move.ts';
import { lackingOf, Shunned } from '../shunned.ts';
import { giveBack, goingOn, loadWorks, mayBeAsleep, stillHeld } from '../sifting.ts';
import { limitOf, offerOf, type TimeLimit } from '../time-limit.ts';
import { type Assignment, assignmentOf } from './assignment.ts';
import { Catalogue } from './catalogue.ts';
import type { RemoteHouse } from './house.ts';
import type { FetchRequest } from './options.ts';
import type { Overtime } from './overtime.ts';
import { Presences } from './presences.ts';
import { Through } from './through.ts';

/** Looks in a row that claimed something of which nothing was to be begun; then it waits. */
const MISSES_MAX = 10;

/** Somebody who asks, and what for, by full names. */
interface Asker {
  readonly request: FetchRequest;
  readonly bell: Bell;
  names: ReadonlySet<string>;
}

/** What may be handed out, and until when it is to be done. */
interface Ready {
  readonly work: Work;
  readonly limit: TimeLimit | null;
  readonly assignment: Assignment;
}

export class Fetching {
  readonly #house: RemoteHouse;
  readonly #overtime: Overtime;
  readonly #catalogue: Catalogue;
  readonly #presences: Presences;
  readonly #shunned: Shunned;
  readonly #through: Through;
  readonly #askers = new Set<Asker>();
  #onNone: (() => void) | null = null;
  #closed = false;

  constructor(house: RemoteHouse, overtime: Overtime) {
    this.#house = house;
    this.#overtime = overtime;
    this.#catalogue = new Catalogue(house);
    this.#presences = new Presences(house.store);
    this.#shunned = new Shunned(house);
    this.#through = new Through(house.store);
  }

  async fetch(request: FetchRequest): Promise<readonly Assignment[]> {
    const asker: Asker = { request, bell: new Bell(), names: new Set() };
    const ring = (): void => asker.bell.ring();
    request.signal?.addEventListener('abort', ring);
    this.#askers.add(asker);
    try {
      return await this.#ask(asker);
    } finally {
      request.signal?.removeEventListener('abort', ring);
      this.#askers.delete(asker);
      if (this.#askers.size === 0) this.#onNone?.();
    }
  }

  /** Something may be ready: for these handlers, or for whichever if nobody knows. */
  ring(handlers: readonly string[] | null): void {
    for (const { bell, names } of this.#askers) {
      if (handlers === null || handlers.some((name) => names.has(name))) bell.ring();
    }
  }

  /** A flow has come, and code with it. */
  noteDeployed(): void {
    this.#shunned.clear();
    this.ring(null);
  }

  /** Nobody waits any more, and what was claimed meanwhile is given back. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true;
    if (this.#askers.size === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.#onNone = resolve;
    });
    this.ring(null);
    await orAfter(this.#house.alarm, timeoutMs, gone);
  }

  #isOver({ request }: Asker): boolean {
    return this.#closed || request.signal?.aborted === true;
  }

  async #ask(asker: Asker): Promise<readonly Assignment[]> {
    const { store, alarm, pollMs } = this.#house;
    const until = store.now() + asker.request.waitMs;
    for (let misses = 0; !this.#isOver(asker); ) {
      const claims = await this.#claim(asker);
      const found = await this.#handOut(asker, claims);
      if (found.length > 0) return found;
      misses += 1;
      // What was claimed for nothing stood before others.
      if (claims.length > 0 && misses < MISSES_MAX) continue;
      misses = 0;
      const left = until - store.now();
      if (left <= 0 || this.#isOver(asker)) break;
      await asker.bell.wait(alarm, Math.min(left, pollMs));
    }
    return [];
  }

  async #claim(asker: Asker): Promise<readonly Claim[]> {
    const { store } = this.#house;
    const { worker, handlers: asked, limit, leaseMs, waitMs, tenant } = asker.request;
    const all = await this.#catalogue.resolve(asked);
    asker.names = new Set(all);
    if (all.length > 0) await this.#presences.tell(worker, all, waitMs + leaseMs);
    const handlers = this.#shunned.without(all);
    if (handlers.length === 0 || this.#isOver(asker)) return [];
    // The worker elsewhere keeps them alive, and nobody for it.
    const held = { leaseMs, elsewhere: true } as const;
    const whose = tenant === undefined ? {} : { tenant };
    const request: ClaimRequest = { worker, handlers, limit, ...held, ...whose };
    const claims = await store.claim(request);
    if (claims.length > 0) return claims;
    const more = (await this.#through.let(handlers)) ? await store.claim(request) : [];
    // What has cost others their lives is handed out alone, when nothing else is there (D11).
    return more.length > 0 ? more : store.claim({ ...request, limit: 1, lone: true });
  }

  async #handOut(asker: Asker, claims: readonly Claim[]): Promise<readonly Assignment[]> {
    if (claims.length === 0) return [];
    const { logger } = this.#house;
    const { leaseMs, worker } = asker.request;
    const found: Ready[] = [];
    for (const work of await this.#sift(claims, leaseMs)) {
      const ready = await this.#prepare(work);
      if (ready !== null) found.push(ready);
    }
    if (this.#isOver(asker)) {
      await giveBack(this.#house, claims);
      return [];
    }
    for (const { work, limit } of found) {
      if (limit !== null) this.#overtime.watch(work.claim, limit.ms);
      const { instance, handler } = work.claim;
      const details = { instance, node: work.token.node, handler, worker };
      logger.debug(details, 'work was handed to a remote worker');
    }
    await this.#makeRoom(found);
    return found.map(({ assignment }) => assignment);
  }

  /** Others of the same tenants may stand in the queue now. That it fails harms nobody here. */
  async #makeRoom(found: readonly Ready[]): Promise<void> {
    this.#through.noteClaimed(found.map(({ work }) => work));
    if (!this.#through.hasRoom) return;
    const handlers = found.map(({ work }) => work.claim.handler);
    try {
      if (await this.#through.let([...new Set(handlers)])) this.ring(handlers);
    } catch (thrown) {
      this.#house.logger.warn({ error: String(thrown) }, 'tenants could not be let through');
    }
  }

  /** Nobody has begun with any: if it cannot be found out what may be, all are given back. */
  async #sift(claims: readonly Claim[], leaseMs: number): Promise<readonly Work[]> {
    const house = this.#house;
    try {
      const works = await loadWorks(house, claims);
      const asleep = works.filter((work) => mayBeAsleep(house, work));
      const awake = works.filter((work) => !asleep.includes(work));
      const [held, woken] = await Promise.all([
        stillHeld(house, awake, leaseMs),
        goingOn(house, asleep, leaseMs),
      ]);
      return [...held, ...woken];
    } catch (thrown) {
      await giveBack(house, claims);
      throw thrown;
    }
  }

  /** One that cannot be handed out must not spoil the others (P12). */
  async #prepare(work: Work): Promise<Ready | null> {
    const { logger } = this.#house;
    const { claim, token } = work;
    try {
      return await this.#check(work);
    } catch (thrown) {
      const details = { instance: claim.instance, node: token.node, error: String(thrown) };
      logger.error(details, 'work could not be handed out and is left as it is');
      if (isRetryable(thrown)) await giveBack(this.#house, [claim]);
      return null;
    }
  }

  async #check(work: Work): Promise<Ready | null> {
    const { library, store } = this.#house;
    const { claim, plan, token, unwanted } = work;
    const machine = library.find(plan) ?? (await library.load(plan, store));
    if (machine.code === null || offerOf(this.#house, work).transactional === true) {
      this.#shunned.add(claim.handler, lackingOf(library, machine.plan));
      await store.release([claim]);
      return null;
    }
    const worker = this.#house.worker();
    if (unwanted) {
      await move(this.#house, worker, answerTo(claim, { outcome: 'unrun' }));
      return null;
    }
    const limit = limitOf(this.#house, work);
    if (limit !== null && limit.ms <= 0) {
      // Not begun: but what was begun before may have had no answer.
      const doubt = token.lastError?.unanswered === true;
      const outcome = limit.giveUp(library.asking(claim.handler, plan), doubt);
      await move(this.#house, worker, answerTo(claim, outcome));
      return null;
    }
    const least = Math.min(claim.until, limit === null ? claim.until : store.now() + limit.ms);
    const assignment = assignmentOf(work, machine.plan, least as Instant);
    return { work, limit, assignment };
  }
}
