/** What is asked of a store, for tests that count it. */
import type { Store } from '../stores/store.ts';
import { type Around, guardedStore, type StoreVerb } from './wrapped-store.ts';

export class Questions {
  readonly #asked: StoreVerb[] = [];

  /** Stands between whoever asks and the store. */
  readonly around: Around = (verb, call) => {
    this.#asked.push(verb);
    return call();
  };

  /** The same store, and what is asked of it is noted. */
  to(store: Store): Store {
    return guardedStore(store, this.around);
  }

  /** How often each verb was asked for since the last time. */
  counts(): Partial<Record<StoreVerb, number>> {
    const counts: Partial<Record<StoreVerb, number>> = {};
    for (const verb of this.#asked.splice(0)) counts[verb] = (counts[verb] ?? 0) + 1;
    return counts;
  }
}
