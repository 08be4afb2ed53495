/**
 * The way of a commit to a database and back, the same for every database: what is sent, what is
 * answered, and what the caller is told.
 */
import { assert } from '../base/assert.ts';
import { EngineError } from '../base/engine-error.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import { Missed, refOf, refusal } from './payload.ts';
import type { Claim, Commit, CommitOutcome } from './store.ts';
import { type CommitRow, encodeCommit } from './writes.ts';

/** What became of one commit. `versions` are those of the tokens taken, in order. */
export type CommitAnswer =
  | { readonly outcome: 'committed'; readonly at: number; readonly versions: readonly number[] }
  | { readonly outcome: 'stale' | 'fenced' | 'delivered' }
  | { readonly outcome: 'exists'; readonly instance: string }
  | { readonly outcome: 'failed'; readonly cause: unknown };

/** Sends what can be sent, all at once, and has an outcome for each in its place. */
export async function commitBy(
  commits: readonly Commit[],
  send: (rows: readonly CommitRow[]) => Promise<readonly CommitAnswer[]>,
): Promise<readonly CommitOutcome[]> {
  const missed = new Missed();
  const encoded = commits.map((commit) => encodeUnlessLost(commit, missed));
  const sent = encoded.flatMap((row) => ('outcome' in row ? [] : [row]));
  const answers = sent.length === 0 ? [] : await send(sent);
  let answered = 0;
  return commits.map((commit, index) => {
    const row = encoded[index];
    if (row !== undefined && 'outcome' in row) return row;
    const answer = answers[answered];
    answered += 1;
    assert(answer !== undefined, 'every commit sent has its answer');
    return outcomeOf(commit, answer);
  });
}

/** What is sent to the database, or the outcome of a commit that need not be sent. */
function encodeUnlessLost(commit: Commit, missed: Missed): CommitRow | CommitOutcome {
  try {
    const row = encodeCommit(commit);
    return missed.isUnder(row) ? { outcome: 'stale' } : row;
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    missed.note(refOf(commit), 'failed');
    return failed(commit, thrown);
  }
}

/** Where it may be tried again as it is, it is not refused. */
function failed({ commitId, touched }: Commit, cause: unknown): CommitOutcome {
  if (cause instanceof EngineError && cause.retryable) return { outcome: 'failed', error: cause };
  return { outcome: 'failed', error: refusal(commitId, touched.head.id, cause) };
}

function outcomeOf(commit: Commit, answer: CommitAnswer): CommitOutcome {
  switch (answer.outcome) {
    case 'committed':
      return { outcome: 'committed', taken: takenBy(commit, answer) };
    case 'failed':
      return failed(commit, answer.cause);
    case 'exists':
      return { outcome: 'exists', instance: answer.instance as InstanceId };
    default:
      return { outcome: answer.outcome };
  }
}

function takenBy(
  { take, touched }: Commit,
  { at, versions }: Extract<CommitAnswer, { outcome: 'committed' }>,
): readonly Claim[] {
  if (take === null) return [];
  const { worker, leaseMs } = take;
  const { id: instance, version: instanceVersion } = touched.head;
  const tokens = touched.tokens.filter(({ id }) => take.tokens.includes(id));
  return tokens.map((token, index) => {
    const version = versions[index];
    assert(version !== undefined && token.handler !== null, 'each token taken has its version');
    return {
      instance,
      token: token.id,
      version,
      worker,
      handler: token.handler,
      at: at as Instant,
      until: (at + leaseMs) as Instant,
      instanceVersion,
    };
  });
}
