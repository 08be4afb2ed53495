/**
 * How often a store is called, and how often it writes. A durable commit is a transaction that
 * writes, whatever it was for: on SQLite each is a call of the store that had something to write.
 */
import type { Store } from '../src/index.ts';
import { guardedStore, type StoreVerb } from '../src/testing/wrapped-store.ts';

export interface CountedStore {
  readonly store: Store;
  readonly writes: () => number;
  readonly calls: () => number;
}

/** A claim that finds nothing writes nothing; the other verbs are called only to write. */
const WRITES = new Set<StoreVerb>(['commit', 'renew', 'release', 'publish', 'carried', 'drop']);

export function countCalls(store: Store): CountedStore {
  let writes = 0;
  let calls = 0;
  const counting = guardedStore(store, async (verb, call) => {
    calls += 1;
    const answer = await call();
    if (WRITES.has(verb) || (verb === 'claim' && (answer as unknown[]).length > 0)) writes += 1;
    return answer;
  });
  return { store: counting, writes: () => writes, calls: () => calls };
}
