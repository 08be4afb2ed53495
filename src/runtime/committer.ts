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
export interface Chain {
  dead: boolean;
}

interface Waiting {
  readonly commit: Commit;
  readonly chain: Chain;
  readonly done: (outcome: CommitOutcome) => void;
  readonly lost: (error: unknown) => void;
}

export class Committer {
  readonly #store: Store;
  #queue: Waiting[] = [];
  #flushing = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls one of the two when it is known what came of it. `lost`: the store could not say. */
  commit(waiting: Waiting): void {
    this.#queue.push(waiting);
    if (this.#flushing) return;
    this.#flushing = true;
    // Not at once: whatever else this turn of the event loop commits comes along.
    queueMicrotask(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      try {
        const outcomes = await this.#store.commit(batch.map(({ commit }) => commit));
        for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
      } catch (thrown) {
        // Whether it came about is unknown, so nothing may be built on it.
        for (const { chain, lost } of batch) {
          chain.dead = true;
          lost(thrown);
        }
      }
    }
    this.#flushing = false;
  }

  #nextBatch(): Waiting[] {
    const taken = this.#queue.slice(0, BATCH_MAX);
    this.#queue = this.#queue.slice(BATCH_MAX);
    const batch = taken.filter(({ chain }) => !chain.dead);
    if (batch.length < taken.length) {
      for (const { chain, done } of taken) if (chain.dead) done({ outcome: 'stale' });
    }
    return batch;
  }
}

function settle({ chain, done, lost }: Waiting, outcome: CommitOutcome | undefined): void {
  if (outcome?.outcome !== 'committed') chain.dead = true;
  if (outcome === undefined) lost(new InvariantError('a store answers every commit'));
  else done(outcome);
}
