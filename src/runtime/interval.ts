/** Moments at equal distances. The grid is fixed when it is made: however late one is, the next is
 * where it would have been. */
import type { Instant } from '../model/ids.ts';
import type { Moments } from './cron.ts';

export function everyMoments(everyMs: number, since: number): Moments {
  const at = (n: number): Instant => (since + n * everyMs) as Instant;
  /** How many have passed. Before the grid began (clocks can be set back) none had. */
  const passed = (when: number): number => Math.max(0, Math.floor((when - since) / everyMs));
  return {
    after: (when) => at(passed(when) + 1),
    upTo: (when) => (passed(when) === 0 ? null : at(passed(when))),
  };
}
