/** From a state that is known to what the store holds now, by the history in between (D5). */
import { InvariantError } from '../base/assert.ts';
import { apply, seal } from '../kernel/apply.ts';
import { type Instance, scratchOf } from '../kernel/instance.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { Store } from '../stores/store.ts';

/** Where more commits than this are missing, the state itself is less to read than they are. */
export const CATCH_UP_MAX = 50;

/** The newest state, or undefined if history cannot tell it and the store must be asked for all. */
export async function catchUp(store: Store, known: Instance): Promise<Instance | undefined> {
  const { id, version } = known.head;
  const rows = await store.history({ instance: id, after: version, limit: CATCH_UP_MAX + 1 });
  return rows.length > CATCH_UP_MAX ? undefined : applied(known, rows);
}

/** Each commit makes a state of its own, as its stride did: the one before stays what it was. */
function applied(known: Instance, rows: readonly HistoryRow[]): Instance | undefined {
  let instance = known;
  try {
    for (const { n, at, changes } of rows) {
      if (n !== instance.head.version + 1) return undefined;
      const scratch = scratchOf(instance);
      for (const change of changes) apply(scratch, change, at);
      seal(scratch, n, at);
      instance = scratch;
    }
    return instance;
  } catch (thrown) {
    // What was known does not fit what came after it: then it was not so.
    if (thrown instanceof InvariantError) return undefined;
    throw thrown;
  }
}
