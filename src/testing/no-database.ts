/**
 * A store that lets steps be transactional, though there is no database: their results are kept as
 * any others are, and whoever does ask the database for something is told that there is none.
 */
import { assert } from '../base/assert.ts';
import type { Tx } from '../model/tx.ts';
import type { Store, Transaction } from '../stores/store.ts';
import { wrappedStore } from './wrapped-store.ts';

const TX: Tx = {
  query: async () => {
    throw Object.assign(
      new Error('the test kit has no database: mock this step, or run it on Postgres'),
      { code: 'test.no-database' },
    );
  },
};

export function noDatabase(store: Store): Store {
  const transaction: Transaction = {
    tx: TX,
    commit: async (commit) => {
      const [outcome] = await store.commit([commit]);
      assert(outcome !== undefined, 'one commit has one outcome');
      return outcome;
    },
    publish: (message) => store.publish(message),
    end: async () => {},
    cancel: async () => {},
  };
  return wrappedStore(store, { hasTransactions: true, begin: async () => transaction });
}
