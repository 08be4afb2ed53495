/**
 * What happens to instances, as it happens: each commit once, in order within its instance and
 * without a gap, whoever makes it. What is committed here is heard of at once, and what others
 * commit when a bell rings or at the next poll; either way it is read from the store.
 *
 * No store has one line of all commits, and none should: every commit would pay for it. So a look
 * asks which of the instances that are meant are open, or have ended lately, and reads on in the
 * history of those that have changed. That is for watching some thousands, not all there ever were:
 * past SUBSCRIBED_MAX open ones it ends with an error instead of leaving some out.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Change } from '../model/change.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { FindRequest, FoundInstance, ShownStatus } from '../stores/instances.ts';
import type { Store } from '../stores/store.ts';
import { type Alarm, Bell } from './alarm.ts';
import { checkFields, wrong } from './fields.ts';
import { type InstanceFilter, type Moment, readFilter, readMoment } from './filter.ts';
import { LIST_WALK_MAX } from './listing.ts';
import { loadRows } from './loading.ts';
import { isRetryable } from './move.ts';
import { checkWhole, isName } from './options.ts';

/** Only what an instance is from its beginning to its end. */
export interface SubscribeOptions
  extends Pick<InstanceFilter, 'flow' | 'version' | 'key' | 'tenant' | 'parent'> {
  /** One instance: then it is over with the commit that ends it. */
  readonly id?: string;
  /** With an id: from behind this commit on, 0 for all of them. Otherwise from now on. */
  readonly after?: number;
  /**
   * Without one: whatever was committed since then, too, for somebody who comes back. It is what
   * the last news that they had told (`told`); some of what came with it may come again.
   */
  readonly since?: Moment;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** One commit, of whoever made it. */
export interface News {
  readonly instance: InstanceId;
  readonly flow: string;
  readonly n: number;
  readonly at: Instant;
  readonly commitId: string;
  readonly changes: readonly Change[];
  /** Whatever was committed before this moment has been told, of all that are meant. */
  readonly told: Instant;
}

export interface SubscribingHouse {
  readonly store: Store;
  readonly limits: Limits;
  readonly alarm: Alarm;
  readonly pollMs: number;
}

/** Open instances that one subscription may be about. */
const SUBSCRIBED_MAX = 10_000;
const PAGE = 500;
/** Bells may come one after the other: the store is asked no more often. */
const LOOK_MS = 50;
/** What ended so long ago may still not have been seen: a commit takes its time. */
const LATELY_MS = 60_000;
/** Clocks of two processes differ by less: what was committed after the call is never left out. */
const CLOCKS_MS = 1_000;
/** Several commits may fall into one millisecond: what is as fresh as this is read once more. */
const FRESH_MS = 2_000;

const FIELDS: readonly (keyof SubscribeOptions)[] = [
  ...(['id', 'flow', 'version', 'key', 'tenant', 'parent', 'after', 'since'] as const),
  'signal',
];
const OPEN: readonly ShownStatus[] = ['running', 'waiting', 'suspended', 'compensating'];

/** All who listen in this process. */
export class Subscriptions {
  readonly #house: SubscribingHouse;
  readonly #bells = new Set<Bell>();
  #cancelRing: (() => void) | null = null;
  #closed = false;

  constructor(house: SubscribingHouse) {
    this.#house = house;
  }

  /** From the call on, and not from when it is first asked for something. */
  open(options: SubscribeOptions): AsyncGenerator<News, void, void> {
    const look = lookFor(this.#house, options);
    const begun = look.begin();
    // Whoever asks for the first is told.
    begun.catch(() => {});
    return this.#follow(look, begun, options.signal);
  }

  /** Something was committed, here or elsewhere. */
  ring(): void {
    if (this.#bells.size === 0 || this.#cancelRing !== null) return;
    this.#cancelRing = this.#house.alarm.set(LOOK_MS, () => {
      this.#cancelRing = null;
      for (const bell of this.#bells) bell.ring();
    });
  }

  /** The engine closes: there is nothing more to be heard. */
  close(): void {
    this.#closed = true;
    this.#cancelRing?.();
    for (const bell of this.#bells) bell.ring();
  }

  async *#follow(
    look: Look,
    begun: Promise<void>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<News, void, void> {
    const { alarm, pollMs } = this.#house;
    const bell = new Bell();
    const ring = (): void => bell.ring();
    const isOver = (): boolean => this.#closed || signal?.aborted === true;
    signal?.addEventListener('abort', ring);
    this.#bells.add(bell);
    try {
      if (!(await this.#isBegun(begun))) return;
      while (!isOver() && !look.isOver) {
        for await (const one of this.#patient(look)) {
          yield one;
          if (isOver()) return;
        }
        if (!isOver() && !look.isOver) await bell.wait(alarm, pollMs);
      }
    } finally {
      this.#bells.delete(bell);
      signal?.removeEventListener('abort', ring);
    }
  }

  /** False if the engine closed before that. */
  async #isBegun(begun: Promise<void>): Promise<boolean> {
    try {
      await begun;
    } catch (thrown) {
      if (!this.#closed) throw thrown;
    }
    return !this.#closed;
  }

  /** A store that is away for a moment is asked again later. */
  async *#patient(look: Look): AsyncGenerator<News, void, void> {
    try {
      yield* look.news();
    } catch (thrown) {
      // A look that was under way when the engine closed has lost its store.
      if (!this.#closed && !isRetryable(thrown)) throw thrown;
    }
  }
}

interface Look {
  /** Once there is nothing more to come. */
  readonly isOver: boolean;
  begin(): Promise<void>;
  news(): AsyncGenerator<News, void, void>;
}

function lookFor({ store, limits }: SubscribingHouse, options: SubscribeOptions): Look {
  checkFields('a subscription', options, FIELDS);
  const { id, after, since, signal: _, ...filter } = options;
  if (after !== undefined) checkWhole('after', after, 0);
  if (id === undefined) {
    if (after !== undefined) throw wrong('only one instance has an "after": name its id', 'after');
    return new Many(store, readFilter(filter, limits), readMoment('since', since));
  }
  if (since !== undefined) throw wrong('one instance has an "after" instead of a "since"', 'since');
  if (!isName(id)) throw wrong('the id of a subscription is that of an instance', 'id');
  const [other] = Object.keys(filter);
  if (other !== undefined) throw wrong(`an id says it all: leave out "${other}"`, other);
  return new One(store, id as InstanceId, after);
}

class One implements Look {
  isOver = false;
  readonly #store: Store;
  readonly #id: InstanceId;
  readonly #from: number | undefined;
  #n = 0;
  #flow = '';

  constructor(store: Store, id: InstanceId, from: number | undefined) {
    this.#store = store;
    this.#id = id;
    this.#from = from;
  }

  async begin(): Promise<void> {
    const { head } = await loadRows(this.#store, this.#id);
    this.#flow = head.flow;
    this.#n = this.#from ?? head.version;
    this.isOver = head.endedAt !== null && this.#n >= head.version;
  }

  async *news(): AsyncGenerator<News, void, void> {
    for await (const one of readOn(this.#store, this.#id, this.#flow, this.#n)) {
      this.#n = one.n;
      yield { ...one, told: one.at };
    }
    const [rows] = await this.#store.load([this.#id]);
    this.isOver =
      rows === undefined || (rows.head.endedAt !== null && this.#n >= rows.head.version);
  }
}

/** How far an instance has been read. */
interface Read {
  n: number;
  at: number;
}

class Many implements Look {
  readonly isOver = false;
  readonly #store: Store;
  readonly #filter: Meant;
  readonly #since: Instant | null;
  readonly #read = new Map<InstanceId, Read>();
  #began = 0;
  #lookedAt = 0;

  constructor(store: Store, filter: Meant, since: Instant | null) {
    this.#store = store;
    this.#filter = filter;
    this.#since = since;
  }

  /** What has happened until now, or until then, is not told. */
  async begin(): Promise<void> {
    const now = this.#store.now();
    this.#lookedAt = Math.min(this.#since ?? now, now);
    this.#began = this.#lookedAt - CLOCKS_MS;
    for await (const page of this.#pages(this.#began)) {
      for (const rows of await this.#store.load(page.map(({ id }) => id))) {
        if (rows === undefined) continue;
        const { id, version, updatedAt: at } = rows.head;
        const n = at < this.#began ? version : await this.#readThen(id, version);
        this.#read.set(id, { n, at: 0 });
      }
    }
  }

  /** What has been committed since the call is told, also if it is found only now. */
  async #readThen(instance: InstanceId, version: number): Promise<number> {
    const after = Math.max(version - PAGE, 0);
    const rows = await this.#store.history({ instance, after, limit: PAGE });
    return rows.findLast(({ at }) => at < this.#began)?.n ?? after;
  }

  /** It was over before anybody listened, and goes on. */
  async #readBefore(id: InstanceId): Promise<number> {
    const [rows] = await this.#store.load([id]);
    return rows === undefined ? 0 : this.#readThen(id, rows.head.version);
  }

  async *news(): AsyncGenerator<News, void, void> {
    const now = this.#store.now();
    const met = new Set<InstanceId>();
    for await (const page of this.#pages(this.#lookedAt)) {
      for (const found of page) {
        met.add(found.id);
        yield* this.#newsOf(found, now);
      }
    }
    for (const id of this.#read.keys()) if (!met.has(id)) this.#read.delete(id);
    this.#lookedAt = now;
  }

  async *#newsOf(found: FoundInstance, now: number): AsyncGenerator<News, void, void> {
    const { id, flow, createdAt, updatedAt } = found;
    const known = this.#read.get(id);
    if (known !== undefined && known.at === updatedAt && updatedAt < now - FRESH_MS) return;
    const read = known ?? { n: createdAt < this.#began ? await this.#readBefore(id) : 0, at: 0 };
    this.#read.set(id, read);
    for await (const one of readOn(this.#store, id, flow, read.n)) {
      read.n = one.n;
      yield { ...one, told: this.#lookedAt as Instant };
    }
    read.at = updatedAt;
  }

  /** Those that are open, and those that have ended since then. */
  async *#pages(since: number): AsyncGenerator<readonly FoundInstance[], void, void> {
    const from = (since - LATELY_MS) as Instant;
    let open = 0;
    for (const more of [{ statuses: OPEN }, { ended: { from, to: null } }]) {
      for (let before: string | null = null, isFirst = true; isFirst || before !== null; ) {
        const request = { ...this.#filter, ...more, before, limit: PAGE, walk: LIST_WALK_MAX };
        const found = await this.#store.instances.find(request);
        if ('statuses' in more) open += found.instances.length;
        if (open > SUBSCRIBED_MAX) throw tooMany();
        yield found.instances;
        before = found.next;
        isFirst = false;
      }
    }
  }
}

type Meant = Omit<FindRequest, 'before' | 'limit' | 'walk'>;

async function* readOn(
  store: Store,
  instance: InstanceId,
  flow: string,
  from: number,
): AsyncGenerator<Omit<News, 'told'>, void, void> {
  for (let after = from, isLast = false; !isLast; ) {
    const rows = await store.history({ instance, after, limit: PAGE });
    for (const { n, at, commitId, changes } of rows) {
      yield { instance, flow, n, at, commitId, changes };
      after = n;
    }
    isLast = rows.length < PAGE;
  }
}

function tooMany(): EngineError {
  const message = `more than ${SUBSCRIBED_MAX} open instances are meant (SUBSCRIBED_MAX)`;
  return new EngineError('engine.option-invalid', `${message}: name a flow, a tenant or a key`);
}
