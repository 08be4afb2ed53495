/** Stores that are away for a while, or whose answers get lost, in front of a real one. */
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Commit, CommitOutcome, Store } from '../stores/store.ts';
import { Gate } from './stage.ts';
import type { World } from './world.ts';
import { guardedStore, wrappedStore } from './wrapped-store.ts';

/** A store that is away when the test says so; the clock goes on. */
export class Outage {
  away = false;
  readonly store: Store;

  constructor(store: Store) {
    // To let go of a store takes no answer.
    this.store = guardedStore(store, (verb, call) =>
      this.away && verb !== 'close' ? Promise.reject(unreachable()) : call(),
    );
  }
}

/** Nothing of it has come about. */
export function unreachable(): EngineError {
  return new EngineError('store.unreachable', 'the store is away', { retryable: true });
}

/** It may have come about, or not. */
export function answerLost(): EngineError {
  const options = { retryable: true, details: { unsure: true } };
  return new EngineError('store.unreachable', 'the line is dead', options);
}

/** The answer gets lost; was that before it came about, or after? */
export type Loss = 'before' | 'after';

/** A store that loses answers to commits; the test says which, by their number from 1. */
export function losingStore(store: Store, lossOf: (nth: number) => Loss | undefined): Store {
  let calls = 0;
  const commit = async (batch: readonly Commit[]): Promise<readonly CommitOutcome[]> => {
    calls += 1;
    const loss = lossOf(calls);
    if (loss === 'before') throw answerLost();
    const outcomes = await store.commit(batch);
    if (loss === 'after') throw answerLost();
    return outcomes;
  };
  return wrappedStore(store, { commit });
}

/** How many seconds it takes until this is refused, and the error. */
export async function refusalOf(
  world: World,
  promise: Promise<unknown>,
): Promise<{ readonly seconds: number; readonly error: unknown }> {
  let refusal: { readonly error: unknown } | null = null;
  promise.catch((error: unknown) => {
    refusal = { error };
  });
  for (let seconds = 0; ; seconds += 1) {
    if (refusal !== null) return { seconds, ...(refusal as { readonly error: unknown }) };
    await world.passSeconds(1);
  }
}

/** The first attempt never ends, and the next one says which it is. */
export const hangsOnce: Flow<null> = flow<null>('hangs-once')
  .step('work', ({ attempt }) => (attempt === 1 ? new Gate<number>().opened : attempt))
  .end(({ results }) => results.work);
