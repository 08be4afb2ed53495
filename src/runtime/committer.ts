/**
 * Group commit (D4): whatever is ready while the store is busy goes to it together.
 *
 * Two batches are under way at a time, so that the store has work while this process deals with
 * what the other one brought. Commits of one instance reach the store in the order they were made:
 * while one of them is under way, those after it wait, or go along in the same batch.
 *
 * Two of one instance may follow each other before the first is known to have come about: the
 * second is built on a guess. If the first fails, the guess is dead, and everything built on it is
 * turned away here as stale. The store's version check alone would not do: another process may have
 * made that very version in between, with other contents.
 */
import { InvariantError } from '../base/assert.ts';
import type { Commit, CommitOutcome, Store } from '../stores/store.ts';
import type { Measuring } from './measuring.ts';

/** Larger batches make everyone in them wait longer and save little more. */
const BATCH_MAX = 256;
/** So many and more are shared out when nothing is under way; fewer go together. */
const SHARED_MIN = 64;
/** More would only share out the same work into smaller batches. */
const BATCHES_MAX = 2;
/** A second batch has at least this part of what the first has: small ones wait and go together. */
const SECOND_MIN = 0.5;

/** A line of states of one instance, each built on the one before. */
export interface Lineage {
  dead: boolean;
}

/** What waits to be committed; whoever hands it over knows more about it. */
interface Waiting {
  readonly commit: Commit;
  readonly lineage: Lineage;
}

interface CommitterHouse {
  readonly store: Store;
  readonly measuring: Measuring;
}

/** One of the two is called when it is known what came of it. `lost`: the store could not say. */
interface Answer<Item> {
  done(item: Item, outcome: CommitOutcome): void;
  lost(item: Item, error: unknown): void;
}

export class Committer<Item extends Waiting> {
  readonly #house: CommitterHouse;
  readonly #answer: Answer<Item>;
  #queue: Item[] = [];
  /** The batches under way, as the lines of states they go on with. */
  readonly #underWay = new Set<ReadonlySet<Lineage>>();
  #waking = false;

  constructor(house: CommitterHouse, answer: Answer<Item>) {
    this.#house = house;
    this.#answer = answer;
  }

  commit(item: Item): void {
    this.#queue.push(item);
    if (this.#waking) return;
    this.#waking = true;
    // Not at once: whatever else this turn of the event loop commits comes along. While the store
    // is busy, so does what other sockets bring: each for itself would make small batches.
    const wake = this.#underWay.size === 0 ? queueMicrotask : setImmediate;
    wake(() => {
      this.#waking = false;
      this.#sendAll();
    });
  }

  #sendAll(): void {
    while (this.#queue.length > 0 && this.#maySend()) {
      const batch = this.#nextBatch();
      // What is left waits for its own.
      if (batch.length === 0) return;
      void this.#send(batch);
    }
  }

  #maySend(): boolean {
    if (this.#underWay.size >= BATCHES_MAX) return false;
    for (const batch of this.#underWay) {
      if (this.#queue.length < batch.size * SECOND_MIN) return false;
    }
    return true;
  }

  async #send(batch: readonly Item[]): Promise<void> {
    const lineages: ReadonlySet<Lineage> = new Set(batch.map(({ lineage }) => lineage));
    this.#underWay.add(lineages);
    const { store, measuring } = this.#house;
    const begun = measuring.isOn ? performance.now() : null;
    let outcomes: readonly CommitOutcome[] | undefined;
    try {
      outcomes = await store.commit(batch.map(({ commit }) => commit));
      this.#tell('answered', batch, begun);
    } catch (thrown) {
      this.#tell('lost', batch, begun);
      this.#underWay.delete(lineages);
      for (const item of batch) this.#lose(item, thrown);
    }
    this.#underWay.delete(lineages);
    if (outcomes !== undefined) {
      for (let i = 0; i < batch.length; i += 1) this.#settle(batch[i] as Item, outcomes[i]);
    }
    this.#sendAll();
  }

  /** Null where nobody listened when it began. */
  #tell(outcome: 'answered' | 'lost', batch: readonly Item[], begun: number | null): void {
    if (begun === null) return;
    const ms = performance.now() - begun;
    this.#house.measuring.tell({ what: 'batch', outcome, commits: batch.length, ms });
  }

  /** In the order they came, save those of whom an earlier one is under way. */
  #nextBatch(): readonly Item[] {
    const waiting = this.#queue.length;
    const isShared = this.#underWay.size === 0 && waiting >= SHARED_MIN;
    const most = Math.min(BATCH_MAX, isShared ? Math.ceil(waiting / BATCHES_MAX) : waiting);
    const batch: Item[] = [];
    const left: Item[] = [];
    for (const item of this.#queue) {
      if (batch.length >= most || this.#isUnderWay(item.lineage)) left.push(item);
      else batch.push(item);
    }
    this.#queue = left;
    const dead = batch.filter(({ lineage }) => lineage.dead);
    if (dead.length === 0) return batch;
    for (const item of dead) this.#answer.done(item, { outcome: 'stale' });
    const alive = batch.filter(({ lineage }) => !lineage.dead);
    return alive.length > 0 || this.#queue.length === 0 ? alive : this.#nextBatch();
  }

  #isUnderWay(lineage: Lineage): boolean {
    for (const batch of this.#underWay) if (batch.has(lineage)) return true;
    return false;
  }

  #settle(item: Item, outcome: CommitOutcome | undefined): void {
    if (outcome === undefined) {
      return this.#lose(item, new InvariantError('a store answers every commit'));
    }
    if (outcome.outcome !== 'committed') item.lineage.dead = true;
    this.#answer.done(item, outcome);
  }

  /** Whether it came about is unknown, so nothing may be built on it. */
  #lose(item: Item, error: unknown): void {
    item.lineage.dead = true;
    this.#answer.lost(item, error);
  }
}
