/** How an activity ended, for its handler to return; plain data means `Done`. */
import type { OutcomeResult } from '../../model/activity.ts';

/** Ended with this outcome: tokens go by the connections that are for it. */
export function outcome(name: string, data: unknown = null): OutcomeResult {
  return outcomes([name], data);
}

/** Ended with all of these at once; with none of them, nothing follows. */
export function outcomes(names: readonly string[], data: unknown = null): OutcomeResult {
  return Object.freeze({ became: 'outcomes', outcomes: Object.freeze([...names]), data });
}
