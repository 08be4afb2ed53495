/** Whether what a scenario expects is what came of its workflow: a sentence for everything else. */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json, type JsonObject } from '../src/base/json.ts';
import { standardKind } from '../src/model/workflow-error.ts';
import type { Ended, Ending, Expectation } from './ctk-steps.ts';

/** What came of a workflow, or of a task of it. */
export interface Outcome {
  readonly ended: Ending | 'none';
  readonly output?: Json;
  readonly error?: JsonObject;
}

export interface Evidence {
  readonly workflow: Outcome;
  /** Names of tasks, each time one began. */
  readonly order: readonly string[];
  /** By name: what came of a task last. */
  readonly tasks: ReadonlyMap<string, Outcome>;
}

/** Undefined if it is as expected. */
export function judge(what: Expectation, evidence: Evidence): string | undefined {
  switch (what.of) {
    case 'workflow':
      return judgeEnd('the workflow', what, evidence.workflow);
    case 'task': {
      const outcome = evidence.tasks.get(what.task) ?? { ended: 'none' };
      return judgeEnd(what.task, what, outcome);
    }
    case 'output':
      return judgeOutput(what, evidence.workflow.output ?? null);
    case 'order':
      return judgeOrder(what, evidence.order);
    default:
      return what satisfies never;
  }
}

const ENDS: Readonly<Record<Outcome['ended'], string>> = {
  complete: 'completed',
  fault: 'faulted',
  cancel: 'was cancelled',
  none: 'did not end',
};

function judgeEnd(who: string, expected: Ended, came: Outcome): string | undefined {
  if (expected.ends !== came.ended) {
    const why = came.error === undefined ? '' : `: ${JSON.stringify(came.error)}`;
    return `${who} ${ENDS[came.ended]}${why}`;
  }
  if (expected.output !== undefined && !isDeepStrictEqual(expected.output, came.output ?? null)) {
    return `the output of ${who} is ${JSON.stringify(came.output ?? null)}`;
  }
  const { error = {} } = expected;
  const differs = Object.entries(error).some(([name, value]) => {
    return !isSame(name, value, came.error?.[name]);
  });
  return differs ? `the error of ${who} is ${JSON.stringify(came.error ?? null)}` : undefined;
}

/** A standard error has four names, and is the same by each. */
function isSame(name: string, expected: Json, came: Json | undefined): boolean {
  if (isDeepStrictEqual(expected, came)) return true;
  if (name !== 'type' || typeof expected !== 'string' || typeof came !== 'string') return false;
  const kind = standardKind(expected);
  return kind !== undefined && kind === standardKind(came);
}

function judgeOutput(
  what: Extract<Expectation, { of: 'output' }>,
  output: Json,
): string | undefined {
  const came = `the output is ${JSON.stringify(output)}`;
  if ('has' in what) {
    const missing = what.has.filter((path) => findIn(output, path) === undefined);
    return missing.length === 0 ? undefined : `there is no ${missing.join(', ')}: ${came}`;
  }
  const found = findIn(output, what.at);
  if ('is' in what) return isDeepStrictEqual(found, what.is) ? undefined : came;
  return Array.isArray(found) && found.length === what.items ? undefined : came;
}

function findIn(value: Json, path: string): Json | undefined {
  let at: Json | undefined = value;
  for (const name of path.split('.')) {
    const isList = Array.isArray(at) && /^\d+$/.test(name);
    if (at === undefined || (!isList && !isJsonObject(at))) return undefined;
    at = Object.hasOwn(at as object, name) ? (Reflect.get(at as object, name) as Json) : undefined;
  }
  return at;
}

function judgeOrder(
  what: Extract<Expectation, { of: 'order' }>,
  order: readonly string[],
): string | undefined {
  const came = `the order was ${order.join(', ')}`;
  const first = order.indexOf(what.task);
  if (first < 0) return `${what.task} did not run: ${came}`;
  switch (what.runs) {
    case 'first':
      return first === 0 ? undefined : came;
    case 'last':
      return order.at(-1) === what.task ? undefined : came;
    default: {
      const other = order.indexOf(what.other);
      if (other < 0) return `${what.other} did not run: ${came}`;
      const isSo = what.runs === 'after' ? first > other : first < other;
      return isSo ? undefined : came;
    }
  }
}
