/**
 * Activities of flowcharts: what their handlers are given, and what they say became of them.
 *
 * Plain data is the result of an activity that is done. Whoever ends otherwise says so with
 * `outcome()`, `outcomes()`, `waiting()`, `retry()` or `dead()`.
 */
import type { JsonObject } from '../base/json.ts';
import type { ActivityResult, OutcomeResult } from '../model/activity.ts';
import type { Outcome } from '../model/input.ts';
import type { Limits } from '../model/limits.ts';
import type { PlanNode } from '../model/plan.ts';
import { BadValue, checkValue } from './bad-value.ts';
import type { HandlerContext } from './handlers.ts';
import { brief, resultOf } from './links.ts';

/** What the handler of an activity is given. Values are frozen. */
export interface ActivityContext<Config = ActivityConfig, Input = Anything>
  extends Omit<HandlerContext, 'tx' | 'input' | 'results' | 'vars' | 'item'> {
  /** What the instance was started with. */
  readonly input: Input;
  /** What came of activities before, by name; those of flowcharts around it too. */
  readonly results: Readonly<Record<string, Anything>>;
  readonly vars: Readonly<Record<string, Anything>>;
  /** What a `forEach` around it is at; null if there is none. */
  readonly item: Anything;
  /** Its name in its flowchart, and its type. */
  readonly activity: string;
  readonly type: string;
  /** What the flowchart says of it, as JSON; an empty object if nothing. */
  readonly config: Config;
  /** The id of the instance, and its business key. */
  readonly instance: string;
  readonly key: string | null;
}

/** A flowchart is JSON, and TypeScript knows nothing of it. */
// oxlint-disable-next-line typescript/no-explicit-any
type Anything = any;

/** One that does not say what it is told may be told anything. */
export type ActivityConfig = Readonly<Record<string, Anything>>;

/** As a method, so that one that expects a config of its own can stand among others. */
export type ActivityHandler<Config = ActivityConfig, Input = Anything> = {
  run(activity: ActivityContext<Config, Input>): unknown;
}['run'];

/** An activity as its plan has it: its name, its type and what its handler is told. */
export interface Task {
  readonly activity: string;
  readonly type: string;
  readonly config: ActivityConfig;
}

/** What is to be known of the node of an activity; null for every other node. */
export function activityOf(node: PlanNode | undefined): Task | null {
  if (node?.kind !== 'activity') return null;
  const { type, config = {} } = node.config as { type: string; config?: JsonObject };
  return { activity: node.local ?? node.id, type, config };
}

/** The outcome of one execution, by what the handler returned. Throws what is no result. */
export function endedWith(
  returned: unknown,
  context: Pick<ActivityContext, 'key'>,
  limits: Limits,
): Exclude<Outcome, { outcome: 'unrun' }> {
  const result = (typeof returned === 'object' ? returned : null) as ActivityResult | null;
  switch (result?.became) {
    case 'outcomes': {
      const value = checkValue(result.data, RESULT, limits);
      return { outcome: 'done', value, outcomes: outcomesOf(result) };
    }
    case 'completed':
    case 'waiting':
    case 'retry':
    case 'dead':
      return resultOf(returned, context, limits);
    default:
      return { outcome: 'done', value: checkValue(returned, RESULT, limits) };
  }
}

const RESULT = { kind: 'result', name: 'a result' } as const;

function outcomesOf({ outcomes }: OutcomeResult): readonly string[] {
  const isList = Array.isArray(outcomes);
  if (isList && outcomes.every((one) => typeof one === 'string' && one !== '')) {
    return [...new Set(outcomes)];
  }
  const message = `outcomes(…) takes a list of names; came ${brief(outcomes)}`;
  throw new BadValue('activity.bad-result', message);
}
