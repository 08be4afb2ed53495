/** What a store is handed for a stride, and by whom a message that it delivers is had. */
import { type Instance, rowsOf } from '../kernel/instance.ts';
import type { Touched } from '../model/commit.ts';
import type { TokenId } from '../model/ids.ts';
import type { Commit } from '../stores/store.ts';
import { newId } from './ids.ts';
import { takesSnapshot } from './snapshots.ts';
import type { Request } from './strides.ts';

export function commitOf(
  request: Request,
  before: Instance,
  { after, touched }: { readonly after: Instance; readonly touched: Touched },
  tokens: readonly TokenId[],
): Commit {
  const { taker } = request;
  const take =
    taker === undefined || tokens.length === 0
      ? null
      : { worker: taker.worker, leaseMs: taker.leaseMs, tokens };
  return {
    commitId: request.commitId ?? newId(),
    expected: before.head.version,
    fence: request.fence ?? null,
    message: request.message ?? null,
    ...heardIn(touched),
    touched,
    snapshot: takesSnapshot(after) ? rowsOf(after) : null,
    take,
  };
}

/** Who has the message, by who was woken by it: the one it is for, or those who listen, or both. */
function heardIn({ changes }: Touched): Pick<Commit, 'heard'> {
  let isHeard = false;
  let isHad = false;
  for (const change of changes) {
    if (change.did !== 'wake-token' || change.wake.reason !== 'event') continue;
    if (change.wake.listens === undefined) isHad = true;
    else isHeard = true;
  }
  return isHeard ? { heard: isHad ? 'too' : 'only' } : {};
}
