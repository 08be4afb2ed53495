/**
 * One action for many instances: those that a filter finds, a page at a time, each in a commit of
 * its own. What cannot be done to one of them is said of that one, and the others go on.
 *
 * A bulk that is cut short has told where it was, at its beginning and after every few instances;
 * whoever hands that in again goes on with the same bulk. What was done already and is met again is
 * not done once more: see `bulk-part.ts`.
 *
 * Meant are those that were there when it began: what comes about by the action itself, such as a
 * copy, must not have the same done to it. So the cursor has that moment in it, too.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Acting, Action } from '../model/action.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Store } from '../stores/store.ts';
import type { Acted, Deed } from './acting.ts';
import { checkAction } from './action-options.ts';
import {
  actionFor,
  type BulkPart,
  checkShared,
  CLOCKS_MS,
  isMadeBy,
  ONCE_MS,
  wasDone,
} from './bulk-part.ts';
import { cursorOf, jobOf, type Place, readPlace } from './bulk-place.ts';
import { checkFields, checkGiven, checkListener, told, wrong } from './fields.ts';
import { FILTER_FIELDS, type InstanceFilter, meansAll, readFilter } from './filter.ts';
import { type FoundPage, pageAfter } from './listing.ts';
import { checkActing, checkWhole } from './options.ts';
import type { Run } from './run.ts';

export interface BulkOptions extends Omit<Acting, 'once'> {
  /** Says what would be done to each of them, by the same rules. Nothing is written. */
  readonly dryRun?: boolean;
  /** Instances in all, at most. */
  readonly limit?: number;
  /** Where an earlier one stopped. */
  readonly cursor?: string;
  /**
   * What it is called: under a name nothing is done twice to an instance, also if all of it is
   * asked for again. Letters, digits, _ and -, 40 at most; one is made up if none is given.
   */
  readonly name?: string;
  /** How many at the same time. */
  readonly concurrency?: number;
  /** Told before the first of them, and whenever some are through. */
  readonly onProgress?: (progress: BulkProgress) => void;
  /** Stops it once those are through that it is at. */
  readonly signal?: AbortSignal;
}

export interface BulkProgress {
  readonly matched: number;
  readonly done: number;
  /** Those that are so already. */
  readonly unchanged: number;
  /** Those that it makes no sense for. */
  readonly refused: number;
  /** Those that something is wrong with, or that were too busy: of each its error says it. */
  readonly failed: number;
  /** Where to go on; null once there is nothing left. */
  readonly cursor: string | null;
}

export interface BulkResult extends BulkProgress {
  /** The latest of them, ITEMS_MAX at most. */
  readonly items: readonly BulkItem[];
}

export interface BulkItem {
  readonly id: InstanceId;
  readonly outcome: 'done' | 'unchanged' | 'refused' | 'failed';
  readonly error?: { readonly code: string; readonly message: string };
}

interface Job {
  readonly filter: InstanceFilter;
  readonly action: Action;
}

interface BulkHouse {
  readonly store: Store;
  readonly limits: Limits;
  readonly run: (id: InstanceId) => Run;
  readonly act: (id: InstanceId, deed: Deed) => Promise<Acted>;
}

const PAGE = 100;
const CONCURRENCY_DEFAULT = 16;
/** Outcomes that are kept: a bulk over millions is not to fill the memory. */
const ITEMS_MAX = 10_000;

const FIELDS: readonly (keyof BulkOptions)[] = [
  ...(['actor', 'reason', 'dryRun', 'limit', 'cursor', 'name', 'concurrency'] as const),
  ...(['onProgress', 'signal'] as const),
];

export async function bulk(house: BulkHouse, job: Job, options: BulkOptions): Promise<BulkResult> {
  checkOptions(options);
  checkAction(job.action);
  checkShared(job.action);
  if (options.name !== undefined && job.action.do === 'rerun' && job.action.copy === true) {
    throw wrong('copies are made by a bulk without a name: go on with its cursor', 'name');
  }
  const request = checkFilter(job.filter, job.action, house.limits);
  const place = readPlace(options, jobOf(request, job.action), house.store);
  const upTo = request.created.to ?? Number.POSITIVE_INFINITY;
  return new Bulk(house, meantBy(job), options, place).run(upTo);
}

/** What was found by its version may run another by the time that it is its turn. */
function meantBy({ filter, action }: Job): Job {
  const { version } = filter;
  if (action.do !== 'migrate' || version === undefined) return { filter, action };
  return { filter, action: { from: version, ...action } };
}

class Bulk {
  readonly #house: BulkHouse;
  readonly #job: Job;
  readonly #options: BulkOptions;
  readonly #place: Place;
  readonly #part: BulkPart;
  readonly #count = { matched: 0, done: 0, unchanged: 0, refused: 0, failed: 0 };
  readonly #items: BulkItem[] = [];
  /** Where it is; null once there is nothing left. */
  #after: string | null;

  constructor(house: BulkHouse, job: Job, options: BulkOptions, place: Place) {
    this.#house = house;
    this.#job = job;
    this.#options = options;
    this.#place = place;
    this.#after = place.after;
    const isNamed = options.cursor === undefined && options.name !== undefined;
    const goesOn = options.cursor !== undefined || isNamed;
    // When one that is asked for again by its name began is not known.
    const since = (place.before - 1 - (isNamed ? ONCE_MS : 0)) as Instant;
    this.#part = { id: place.bulk, verb: job.action.do, since, goesOn };
  }

  async run(upTo: number): Promise<BulkResult> {
    const createdBefore = Math.min(this.#place.before, upTo);
    this.#tell();
    try {
      while (this.#after !== null && this.#left > 0 && !this.#isStopped) {
        const from = this.#after === '' ? null : this.#after;
        const limit = Math.min(PAGE, this.#left);
        const filter = { ...this.#job.filter, createdBefore };
        await this.#page(await pageAfter(this.#house, filter, from, limit));
      }
    } catch (thrown) {
      throw endedBy(thrown, this.#progress);
    }
    return { ...this.#progress, items: this.#items };
  }

  get #progress(): BulkProgress {
    const cursor = this.#after === null ? null : cursorOf(this.#place, this.#after);
    return { ...this.#count, cursor };
  }

  /** How many more there may be. */
  get #left(): number {
    return (this.#options.limit ?? Number.POSITIVE_INFINITY) - this.#count.matched;
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  #tell(): void {
    this.#options.onProgress?.(this.#progress);
  }

  async #page({ instances, last }: FoundPage): Promise<void> {
    const { concurrency = CONCURRENCY_DEFAULT } = this.#options;
    const ids = await this.#meant(instances);
    for (let at = 0; at < ids.length; at += concurrency) {
      if (at > 0) this.#tell();
      if (this.#isStopped) return;
      await this.#some(ids.slice(at, at + concurrency));
    }
    this.#after = last;
    this.#tell();
  }

  /** Not what it has made itself: by another clock, that may have been there before it began. */
  async #meant(instances: FoundPage['instances']): Promise<readonly InstanceId[]> {
    const { action } = this.#job;
    const isCopying = action.do === 'rerun' && action.copy === true;
    const isMeant = await Promise.all(
      instances.map(async ({ id, createdAt }) => {
        const mayBeMade = isCopying && createdAt >= this.#part.since - CLOCKS_MS;
        return !(mayBeMade && (await isMadeBy(this.#house.store, id, this.#part)));
      }),
    );
    return instances.filter((_, at) => isMeant[at]).map(({ id }) => id);
  }

  /** All of them come to an end, also if it is the last that this bulk can do. */
  async #some(ids: readonly InstanceId[]): Promise<void> {
    const ends = await Promise.allSettled(ids.map((id) => this.#itemOf(id)));
    let lost: PromiseRejectedResult | null = null;
    for (const end of ends) {
      if (end.status === 'rejected') lost ??= end;
      else {
        this.#add(end.value);
        // Those after one that was lost are met again.
        if (lost === null) this.#after = end.value.id;
      }
    }
    if (lost !== null) throw lost.reason;
  }

  #add(item: BulkItem): void {
    this.#count.matched += 1;
    this.#count[item.outcome] += 1;
    this.#items.push(item);
    if (this.#items.length > ITEMS_MAX) this.#items.shift();
  }

  async #itemOf(id: InstanceId): Promise<BulkItem> {
    try {
      return { id, outcome: (await this.#act(id)) ? 'done' : 'unchanged' };
    } catch (thrown) {
      return { id, ...failureOf(thrown) };
    }
  }

  /** Whether there was anything to do. */
  async #act(id: InstanceId): Promise<boolean> {
    const { run, act, store } = this.#house;
    const action = actionFor(this.#job.action, this.#part, id);
    if (this.#options.dryRun === true) {
      if (await this.#wasDone(id, action)) return false;
      const { changes } = await run(id).preview(action);
      // What nobody waits for is kept; what is known already is not.
      if (action.do === 'send') return !(await store.knows(action.id ?? ''));
      return changes.length > 0;
    }
    const acting = actingOf(this.#options);
    return (await act(id, { action, acting, bulk: this.#part })).isChanged;
  }

  /** Whether it would be met as done. What was sent is known by its id, not by its act. */
  async #wasDone(id: InstanceId, action: Action): Promise<boolean> {
    if (action.do === 'send') return false;
    const { store } = this.#house;
    const isCopy = action.do === 'rerun' && action.copy === true;
    if (!isCopy && !this.#part.goesOn) return false;
    const [rows] = await store.load([isCopy ? (action.id as InstanceId) : id]);
    if (rows === undefined || isCopy) return rows !== undefined;
    return wasDone(store, rows.head, this.#part);
  }
}

/** What it says of one of them; throws what is no fault of that one, and ends the bulk. */
function failureOf(thrown: unknown): Pick<BulkItem, 'outcome' | 'error'> {
  // One that is not as it should be, by a bug of ours or another's: the others go on (P12).
  if (!(thrown instanceof EngineError)) return { outcome: 'failed', error: oddity(thrown) };
  const { code, message, retryable } = thrown;
  const isBusy = retryable && thrown.details['busy'] === true;
  // The store as a whole, or the engine: whoever asked tries again, from where this stopped.
  if ((retryable && !isBusy) || code === 'engine.closed') throw thrown;
  const isRefused = !isBusy && !code.startsWith('store.');
  return { outcome: isRefused ? 'refused' : 'failed', error: { code, message } };
}

function oddity(thrown: unknown): { readonly code: string; readonly message: string } {
  return thrown instanceof Error
    ? { code: thrown.name, message: thrown.message }
    : { code: 'unknown', message: String(thrown) };
}

/** What has come of it is not lost with the error. */
function endedBy(thrown: unknown, progress: BulkProgress): unknown {
  if (!(thrown instanceof EngineError)) return thrown;
  const { code, message, retryable } = thrown;
  const details = { ...thrown.details, ...progress };
  return new EngineError(code, message, { retryable, details, cause: thrown });
}

function checkOptions(options: BulkOptions): void {
  checkFields('a bulk', options, FIELDS);
  const { limit, concurrency, dryRun, onProgress, signal } = options;
  if (limit !== undefined && limit !== Number.POSITIVE_INFINITY) checkWhole('limit', limit, 1);
  if (concurrency !== undefined) checkWhole('concurrency', concurrency, 1);
  if (dryRun !== undefined && typeof dryRun !== 'boolean') {
    throw wrong(`dryRun is true or false; came ${told(dryRun)}`, 'dryRun');
  }
  checkListener(onProgress);
  if (signal !== undefined && typeof signal?.aborted !== 'boolean') {
    throw wrong(`signal is an AbortSignal; came ${told(signal)}`, 'signal');
  }
  checkActing(actingOf(options));
}

/** A filter for everything there is must be meant. */
function checkFilter(
  filter: InstanceFilter,
  action: Action,
  limits: Limits,
): ReturnType<typeof readFilter> {
  const request = readFilter(filter, limits);
  checkGiven('the filter', filter, FILTER_FIELDS);
  if (!meansAll(request)) return request;
  throw wrong(`a bulk "${action.do}" needs a filter: name a flow, a status, a tenant, …`);
}

function actingOf({ actor, reason }: Acting): Acting {
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(reason === undefined ? {} : { reason }),
  };
}
