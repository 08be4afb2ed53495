/**
 * A store that misbehaves the way the world does, in front of a real one. The crash point
 * (`commit.after`) and the doubled delivery live here, not in production code.
 */
import type { Commit, CommitOutcome, Store } from '../stores/store.ts';
import { wrappedStore } from './wrapped-store.ts';

export interface Chaos {
  /** Forget everything in memory after every commit, as if the process had died there. */
  readonly crashAfterEveryCommit?: boolean;
  /** Hand every commit to the store twice: the second must find that it is too late. */
  readonly duplicateDeliveries?: boolean;
}

/** `onCommit` is called after each batch that changed something. */
export function chaosStore(store: Store, chaos: Chaos, onCommit: () => void): Store {
  const commit = async (commits: readonly Commit[]): Promise<readonly CommitOutcome[]> => {
    const twice =
      chaos.duplicateDeliveries === true ? commits.flatMap((one) => [one, one]) : commits;
    const outcomes = await store.commit(twice);
    const firsts = outcomes.filter((_, index) => twice === commits || index % 2 === 0);
    if (twice !== commits) assertLate(outcomes);
    if (chaos.crashAfterEveryCommit === true) onCommit();
    return firsts;
  };
  return wrappedStore(store, { commit });
}

function assertLate(outcomes: readonly CommitOutcome[]): void {
  for (const [index, { outcome }] of outcomes.entries()) {
    if (index % 2 === 1 && outcome === 'committed') throw new Error('a commit came about twice');
  }
}
