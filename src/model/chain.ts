/**
 * What a handler of a chain says became of its step. Made by `completed()`, `waiting()`, `retry()`
 * and `dead()`; plain values, so that a test can look at them.
 */
import type { Duration } from '../base/duration.ts';

export type StepResult =
  /** Done: the next step of the chain is ready. */
  | { readonly became: 'completed' }
  /** The step rests until a message of this type comes, and is then run again. */
  | {
      readonly became: 'waiting';
      readonly event: string;
      readonly timeout: Duration | null;
      readonly outbound: readonly Outbound[];
    }
  /** To be run again: after this pause, or after the one its policy says. */
  | { readonly became: 'retry'; readonly backoff: Duration | null; readonly error: string }
  /** Nothing will help: the chain fails. */
  | { readonly became: 'dead'; readonly error: string };

/** An event for the world outside, sent in the commit in which the step begins to wait. */
export interface Outbound {
  readonly type: string;
  readonly data?: unknown;
  /** The instance's business key if not given. */
  readonly key?: string;
}
