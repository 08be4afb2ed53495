/**
 * What a handler of a flowchart's activity may return besides plain data. Made by `outcome()` and
 * `outcomes()`; `waiting()`, `retry()` and `dead()` are those of chains, and mean the same.
 */
import type { StepResult } from './chain.ts';

/** What an activity that says nothing else ends with, and what a connection is for. */
export const DONE = 'Done';

export interface OutcomeResult {
  readonly became: 'outcomes';
  readonly outcomes: readonly string[];
  readonly data: unknown;
}

export type ActivityResult = OutcomeResult | StepResult;
