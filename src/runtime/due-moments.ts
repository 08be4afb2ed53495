/** Which of the moments that have come a schedule starts an instance for (its catch-up policy). */
import { unreachable } from '../base/assert.ts';
import type { Instant } from '../model/ids.ts';
import type { Limits } from '../model/limits.ts';
import type { Moments } from './cron.ts';
import type { CatchUp } from './schedule-spec.ts';

export interface DueMoments {
  /** In order. None: those that came are not to be caught up with. */
  readonly moments: readonly Instant[];
  /** The first one that came, where it and others before these are left out for their number. */
  readonly leftOutFrom: Instant | null;
}

/** All of them lie between the moment that was waited for and now. */
export function dueMoments(
  catchUp: CatchUp,
  moments: Moments,
  { from, now }: { readonly from: Instant; readonly now: number },
  { SCHEDULE_CATCH_UP_MAX, SCHEDULE_LATE_MS_MAX }: Limits,
): DueMoments {
  switch (catchUp) {
    case 'once':
      return { moments: latest(moments, from, now, 1), leftOutFrom: null };
    case 'skip': {
      const oldest = Math.max(from, now - SCHEDULE_LATE_MS_MAX);
      return { moments: latest(moments, oldest, now, 1), leftOutFrom: null };
    }
    case 'all': {
      const some = latest(moments, from, now, SCHEDULE_CATCH_UP_MAX);
      const earlier = moments.upTo((some[0] ?? from) - 1);
      return { moments: some, leftOutFrom: earlier !== null && earlier >= from ? from : null };
    }
    default:
      return unreachable(catchUp);
  }
}

/** So many of the latest: which those are depends on nothing that a crash could make us forget. */
function latest(moments: Moments, from: number, now: number, most: number): readonly Instant[] {
  const found: Instant[] = [];
  for (let at = moments.upTo(now); at !== null && at >= from; at = moments.upTo(at - 1)) {
    found.push(at);
    if (found.length === most) break;
  }
  return found.reverse();
}
