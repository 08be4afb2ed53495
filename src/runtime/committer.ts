/**
 * Group commit (D4): whatever is ready while the store is busy goes to it together.
 *
 * One batch is under way at a time, so commits reach the store in the order they were made. Two of
 * one instance may follow each other before the first is known to have come about: the second is
 * built on a guess. If the first fails, the guess is dead, and everything built on it is turned
 * away here as stale. The store's version check alone would not do: another process may have made
 * that very version in between, with other contents.
 */
import { InvariantError } from '../base/assert.ts';
import type { Commit, CommitOutcome, Store } from '../stores/store.ts';

/** Larger batches make everyone in them wait longer and save little more. */
const BATCH_MAX = 256;

/** A line of states of one instance, each built on the one before. */
export interface Lineage {
  dead: boolean;
}

/** What waits to be committed; whoever hands it over knows more about it. */
interface Waiting {
  readonly commit: Commit;
  readonly lineage: Lineage;
}

/** One of the two is called when it is known what came of it. `lost`: the store could not say. */
interface Answer<Item> {
  done(item: Item, outcome: CommitOutcome): void;
  lost(item: Item, error: unknown): void;
}

export class Committer<Item extends Waiting> {
  readonly #store: Store;
  readonly #answer: Answer<Item>;
  #queue: Item[] = [];
  #flushing = false;

  constructor(store: Store, answer: Answer<Item>) {
    this.#store = store;
    this.#answer = answer;
  }

  commit(item: Item): void {
    this.#queue.push(item);
    if (this.#flushing) return;
    this.#flushing = true;
    // Not at once: whatever else this turn of the event loop commits comes along.
    queueMicrotask(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      let outcomes: readonly CommitOutcome[];
      try {
        outcomes = await this.#store.commit(batch.map(({ commit }) => commit));
      } catch (thrown) {
        for (const item of batch) this.#lose(item, thrown);
        continue;
      }
      for (let i = 0; i < batch.length; i += 1) this.#settle(batch[i] as Item, outcomes[i]);
    }
    this.#flushing = false;
  }

  #nextBatch(): readonly Item[] {
    const taken = this.#queue.length <= BATCH_MAX ? this.#queue : this.#queue.slice(0, BATCH_MAX);
    this.#queue = this.#queue.slice(BATCH_MAX);
    const dead = taken.filter(({ lineage }) => lineage.dead);
    if (dead.length === 0) return taken;
    const batch = taken.filter(({ lineage }) => !lineage.dead);
    for (const item of dead) this.#answer.done(item, { outcome: 'stale' });
    return batch;
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
