/** How a handler's node rests: until a message comes, and no longer than it said. */
import type { Mutable } from '../base/mutable.ts';
import type { Move, View } from '../kernel/kind.ts';
import { ANY } from '../model/awaited.ts';
import type { Instant } from '../model/ids.ts';
import type { Awaiting } from '../model/input.ts';
import type { Wait } from '../model/instance.ts';

/**
 * By the business key, as any wait; an instance without one is its own key. So is one whose key
 * would have it woken by the messages of everyone.
 */
export function waitFor(
  view: View,
  asked: Awaiting,
  { patient = false }: { readonly patient?: boolean } = {},
): Move {
  const { type, timeoutMs, letters } = asked;
  const until = timeoutMs === null ? null : ((view.now + timeoutMs) as Instant);
  const wait: Mutable<Extract<Wait, { on: 'message' }>> = {
    on: 'message',
    type,
    key: view.key === null || view.key === ANY ? view.instance : view.key,
  };
  if (patient && until !== null) wait.until = until;
  const wakes = patient || until === null ? {} : { wakeAt: until };
  return { move: 'park', wait, letters, ...wakes };
}
