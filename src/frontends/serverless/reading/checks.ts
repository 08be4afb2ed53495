/** Every check of a definition, each about one subject. */
import type { JsonObject } from '../../../base/json.ts';
import { checkAuthentication } from './check-authentication.ts';
import { checkCalls } from './check-calls.ts';
import { checkDurations } from './check-durations.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkHead } from './check-head.ts';
import { checkJumps } from './check-jumps.ts';
import { checkLists } from './check-lists.ts';
import { checkNames } from './check-names.ts';
import { checkReferences } from './check-references.ts';
import { checkRetries } from './check-retries.ts';
import { checkSchedule } from './check-schedule.ts';
import type { Check, Finding } from './finding.ts';
import { tasksOf } from './walk.ts';

const CHECKS: readonly Check[] = [
  checkHead,
  checkNames,
  checkJumps,
  checkReferences,
  checkAuthentication,
  checkExpressions,
  checkSchedule,
  checkDurations,
  checkRetries,
  checkCalls,
  checkLists,
];

export function checkDocument(document: JsonObject): readonly Finding[] {
  const checked = { document, tasks: [...tasksOf(document)] };
  return CHECKS.flatMap((check) => [...check(checked)]);
}
