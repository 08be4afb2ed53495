/** What a commit means for the claims that are watched. */
import type { InstanceId, TokenId } from '../../model/ids.ts';
import type { CommitAnswer } from '../outcomes.ts';
import type { Watch } from '../watch.ts';
import type { CommitRow } from '../writes.ts';

/** A commit uses up the claim it was fenced by, and begins those it takes. */
export function noteCommit(watch: Watch, row: CommitRow, answer: CommitAnswer | undefined): void {
  // Whoever is told so forgets the claim: renewed any longer, it would never run out.
  if (answer?.outcome === 'fenced' && row.fence?.expired === false) watch.drop(row.fence);
  if (answer?.outcome !== 'committed') return;
  if (row.fence !== null) watch.drop(row.fence);
  if (row.take === null) return;
  const { worker, leaseMs } = row.take;
  const until = answer.at + leaseMs;
  for (const [index, cells] of row.taken.entries()) {
    const [instance, token] = cells as [InstanceId, TokenId];
    const version = Number(answer.versions[index]);
    watch.hold({ instance, token, version, worker, leaseMs, until });
  }
}
