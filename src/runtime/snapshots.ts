/**
 * When a commit also keeps the whole state, so that any commit is quick to show (D14): every
 * SNAPSHOT_EVERY commits, and of a large instance less often, by as much as it is larger. Then a
 * commit costs the same on average, whether the instance has ten tokens or ten thousand, and what
 * has to be read from one snapshot to the next is never much more than the snapshot itself.
 */
import type { Instance } from '../kernel/instance.ts';

const SNAPSHOT_EVERY = 1_000;

export function takesSnapshot({ head, tokens, scopes }: Instance): boolean {
  let every = SNAPSHOT_EVERY;
  while (every < tokens.size + scopes.size) every *= 2;
  return head.version % every === 0;
}
