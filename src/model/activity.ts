/**
 * What a handler of a flowchart's activity may return besides plain data. Made by `outcome()` and
 * `outcomes()`; `waiting()`, `retry()` and `dead()` are those of chains, and mean the same.
 */
import type { StepResult } from './chain.ts';

/** What an activity that says nothing else ends with, and what a connection is for. */
export const DONE = 'Done';

/** Types of activities that need no handler; one of that name is never asked. */
export const BUILT_IN_TYPES = [
  'start',
  'end',
  'pass',
  'delay',
  'event',
  'flowchart',
  'forEach',
] as const;

export type BuiltInType = (typeof BUILT_IN_TYPES)[number];

export interface OutcomeResult {
  readonly became: 'outcomes';
  readonly outcomes: readonly string[];
  readonly data: unknown;
}

export type ActivityResult = OutcomeResult | StepResult;
