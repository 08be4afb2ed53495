/** The time in which an instance was suspended: no timeout and no deadline runs meanwhile. */
import type { Head } from '../model/instance.ts';

/** How much of the time since then the instance was suspended. */
export function asleep({ pauses }: Pick<Head, 'pauses'>, since: number, now: number): number {
  return pauses.reduce((sum, pause) => {
    const began = Math.max(pause.from, since);
    return sum + Math.max((pause.to ?? now) - began, 0);
  }, 0);
}
