/**
 * The instances this process works on, as it last knew them, so that the next input need not load
 * them again. Losing any of it costs a load and nothing else.
 *
 * An entry may be ahead of the store: its newest commits are under way, and until they are settled
 * it is a guess. When the guess was wrong, what is left is the newest state that is known, and the
 * history after it says what is missing (D5). Of what is over only the head is kept: a whole state
 * would crowd out those that still move.
 */
import { assemble, type Instance } from '../kernel/instance.ts';
import type { InstanceId } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Store } from '../stores/store.ts';
import { catchUp } from './catch-up.ts';
import type { Lineage } from './committer.ts';
import { isRetryable } from './move.ts';

/** Instances kept in memory between two inputs; the least lately used goes first. */
const CACHE_MAX = 2_000;

/** For so long nobody is believed to have gone back to what is over. */
const FRESH_MS = 1_000;

export interface Entry extends Lineage {
  instance: Instance;
  /** The newest of its states that the store is known to hold, or to have held. */
  known: Instance;
  /** Commits under way on this state; above zero it is a guess, not what the store holds. */
  pending: number;
  /** The store holds something newer, or may: nothing is built on this before it has caught up. */
  readonly isBehind: boolean;
  /** The state after which history had nothing more to say when it was last asked. */
  readonly unmoved: Instance | null;
  /** Called when nothing is under way on it any more. */
  readonly onSettled: (() => void)[];
}

export function entryOf(
  instance: Instance,
  { isBehind = false, unmoved = null }: Partial<Pick<Entry, 'isBehind' | 'unmoved'>> = {},
): Entry {
  const known = instance;
  return { instance, known, pending: 0, dead: false, isBehind, unmoved, onSettled: [] };
}

type Fetched = Pick<Entry, 'instance' | 'unmoved'>;

/** One of the commits on this state is no longer under way. */
export function settle(entry: Entry): void {
  entry.pending -= 1;
  if (entry.pending > 0 || entry.onSettled.length === 0) return;
  for (const resolve of entry.onSettled.splice(0)) resolve();
}

export class Cache {
  readonly #store: Store;
  readonly #entries = new Map<InstanceId, Entry>();
  #ended = new Map<InstanceId, Head>();
  #endedBefore = new Map<InstanceId, Head>();
  readonly #loading = new Map<InstanceId, Promise<Fetched | undefined>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** What can be built on now. */
  find(id: InstanceId): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.isBehind) return undefined;
    // Only a cache that may soon be full needs to know who was used last.
    if (this.#entries.size < CACHE_MAX / 2) return entry;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  keep(id: InstanceId, entry: Entry): void {
    if (this.#entries.get(id) === entry) return;
    this.#entries.set(id, entry);
    if (this.#entries.size <= CACHE_MAX) return;
    for (const [oldest, { pending }] of this.#entries) {
      if (pending > 0) continue;
      this.#entries.delete(oldest);
      return;
    }
  }

  /** The state was a guess and the guess was wrong: whoever comes next asks what came instead. */
  fallBack(id: InstanceId, entry: Entry): void {
    if (this.#entries.get(id) !== entry) return;
    const { known, unmoved } = entry;
    if (known.head.version === 0) this.#entries.delete(id);
    else this.#entries.set(id, entryOf(known, { isBehind: true, unmoved }));
  }

  /** The store holds this, or did a moment ago: kept unless something newer is. */
  learn(instance: Instance): void {
    const { id, version, endedAt } = instance.head;
    const entry = this.#entries.get(id);
    if (endedAt !== null || (entry !== undefined && entry.pending > 0)) return;
    const least = entry === undefined || entry.isBehind ? 0 : 1;
    if (version >= (entry?.known.head.version ?? 0) + least) this.keep(id, entryOf(instance));
  }

  /** The instance is over, and its last commit is durable. */
  end(head: Head): void {
    this.#entries.delete(head.id);
    this.#ended.set(head.id, head);
    if (this.#ended.size <= CACHE_MAX) return;
    // A generation at a time: taking the oldest out one by one makes a map slow to begin with.
    this.#endedBefore = this.#ended;
    this.#ended = new Map();
  }

  /** The instance is open again, by a commit of this process. */
  reopen(id: InstanceId): void {
    this.#ended.delete(id);
    this.#endedBefore.delete(id);
  }

  /**
   * How the instance ended, if it ended here a moment ago, without asking the store. Longer ago, or
   * if it did not complete, somebody else may have had it run again: the store is asked.
   */
  ended(id: InstanceId): Head | undefined {
    const head = this.#ended.get(id) ?? this.#endedBefore.get(id) ?? this.settled(id)?.head;
    if (head?.status !== 'completed' || head.endedAt === null) return undefined;
    return this.#store.now() - head.endedAt <= FRESH_MS ? head : undefined;
  }

  /** The newest state the store is known to hold, without asking it; undefined if unknown. */
  settled(id: InstanceId): Instance | undefined {
    const entry = this.#entries.get(id);
    return entry?.pending === 0 ? entry.instance : undefined;
  }

  /** The same, or what it held before the commits that are under way. */
  known(id: InstanceId): Instance | undefined {
    const known = this.#entries.get(id)?.known;
    return known === undefined || known.head.version === 0 ? undefined : known;
  }

  /** Whether the instance is worked on here, so that its end will be heard. */
  holds(id: InstanceId): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.dead || entry.isBehind) return false;
    // An end that is not committed yet will be heard too, or turn out a wrong guess.
    return entry.pending > 0 || entry.instance.head.endedAt === null;
  }

  /** Until what is under way on a cached instance is committed, or has turned out a wrong guess. */
  settling(id: InstanceId): Promise<void> | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.pending === 0) return undefined;
    return new Promise((resolve) => entry.onSettled.push(resolve));
  }

  /** Several inputs for one instance load it once and then share the state. */
  async load(id: InstanceId): Promise<Entry | undefined> {
    let loading = this.#loading.get(id);
    if (loading === undefined) {
      loading = this.#fetch(id);
      this.#loading.set(id, loading);
      const done = (): boolean => this.#loading.delete(id);
      loading.then(done, done);
    }
    const fetched = await loading;
    const cached = this.find(id);
    if (cached !== undefined || fetched === undefined) return cached;
    const entry = entryOf(fetched.instance, fetched);
    this.keep(id, entry);
    return entry;
  }

  /**
   * What several inputs are about to need, in one question instead of one for each. One that cannot
   * be read must not keep the others from it (P12): each is then asked for by itself, and that is
   * where it shows.
   */
  async foresee(ids: readonly InstanceId[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#entries.has(id));
    if (unknown.length < 2) return;
    try {
      for (const rows of await this.#store.load(unknown)) {
        if (rows !== undefined) this.learn(assemble(rows));
      }
    } catch (thrown) {
      if (isRetryable(thrown)) throw thrown;
    }
  }

  /** By history from what is known; where that had nothing to say the last time, all of it. */
  async #fetch(id: InstanceId): Promise<Fetched | undefined> {
    const entry = this.#entries.get(id);
    if (entry?.isBehind === true && entry.unmoved !== entry.known) {
      const { known } = entry;
      const instance = await catchUp(this.#store, known);
      if (instance !== undefined) {
        return { instance, unmoved: instance === known ? known : null };
      }
    }
    const [rows] = await this.#store.load([id]);
    return rows && { instance: assemble(rows), unmoved: null };
  }

  /** Forgets everything, as a crash would. */
  forget(): void {
    for (const entry of this.#entries.values()) entry.dead = true;
    this.#entries.clear();
    this.#ended.clear();
    this.#endedBefore.clear();
  }
}
