/** All examples, by the names of their files. */
import type { Examples } from './examples-case.ts';
import { AUTHENTICATION, CALLS } from './examples-of-calls.ts';
import { EVENTS, READINGS, SCHEDULES } from './examples-of-events.ts';
import { CONTROL, ERRORS } from './examples-of-flow.ts';
import { MESSAGES } from './examples-of-messages.ts';
import { EXTENSIONS, RUNS } from './examples-of-runs.ts';

export const EXAMPLES: Examples = {
  ...AUTHENTICATION,
  ...CALLS,
  ...CONTROL,
  ...ERRORS,
  ...EVENTS,
  ...EXTENSIONS,
  ...MESSAGES,
  ...READINGS,
  ...RUNS,
  ...SCHEDULES,
};
