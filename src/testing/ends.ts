/** How an activity of a flowchart ends: by outcomes, with its data. */
import type { Json } from '../base/json.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Story } from './story.ts';

export function ends(
  story: Story,
  token: number,
  outcomes: readonly string[],
  value: Json = null,
): string {
  const at = story.now as Instant;
  const claim = { worker: 'w1', version: 1, at };
  const outcome = { outcome: 'done', value, outcomes } as const;
  return story.tell({ type: 'result', at, token: token as TokenId, claim, outcome });
}
