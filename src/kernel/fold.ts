/** History back into state: the proof that the changes are the whole truth (P9). */
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import { apply, seal } from './apply.ts';
import { assemble, emptyInstance, scratchOf, type Instance } from './instance.ts';

/** The instance as it was after the last of these rows, from a snapshot or from nothing. */
export function fold(
  id: InstanceId,
  rows: Iterable<HistoryRow>,
  from: InstanceRows | null = null,
): Instance {
  const scratch = scratchOf(from === null ? emptyInstance(id) : assemble(from));
  for (const row of rows) {
    for (const change of row.changes) apply(scratch, change, row.at);
    seal(scratch, row.n, row.at);
  }
  return scratch;
}
