/** A flowchart as it is written: plain JSON. */
import type { Duration } from '../../base/duration.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { MergeMode } from '../../model/merge.ts';
import type { LimitOptions } from '../builder/limit-options.ts';
import type { RetryOptions } from '../builder/retry-options.ts';

export interface FlowchartDefinition extends FlowchartBody {
  readonly id: string;
  readonly version: number;
  /** What fails for good fails the instance, if not given, or waits for someone to mend it. */
  readonly onFailure?: 'fail' | 'incident';
  /** How many of its activities may be at work at a time, all together, and begin per time. */
  readonly limit?: LimitOptions;
  /** What instances are found by (`engine.list`): fields of the input, and variables. */
  readonly search?: readonly string[];
  /** The variables an instance begins with. */
  readonly vars?: JsonObject;
}

/** What a flowchart has, whether it is the whole or lies in another. */
export interface FlowchartBody {
  /** Where it begins; null: nowhere, and nothing runs. See `startOf` if it is not said. */
  readonly start?: string | null;
  readonly activities: readonly ActivityDefinition[];
  readonly connections?: readonly ConnectionDefinition[];
}

export interface ActivityDefinition {
  readonly id: string;
  /** A built-in type, or the name of a handler that is given to the engine. */
  readonly type: string;
  /** What several inbound connections mean; `converge` if not said. */
  readonly mergeMode?: MergeMode;
  readonly canStart?: boolean;
  /** What its handler is told, or what a built-in type is to do. */
  readonly config?: JsonObject | FlowchartBody | ForEachConfig;
  /** The only outcomes it may end with; any, if not said. */
  readonly outcomes?: readonly string[];
  /** How often it is tried; once, if not said. */
  readonly retry?: Omit<RetryOptions, 'when'>;
  /** How long one execution may take; as long as it takes if not given. */
  readonly timeout?: Duration;
  /** Higher goes first among what is ready; the instance's priority if not given. */
  readonly priority?: number;
  readonly limit?: LimitOptions;
  /** What fails for good waits for someone to mend it, instead of failing the instance. */
  readonly onFailure?: 'incident';
}

export interface ConnectionDefinition {
  readonly from: string;
  /** `Done` if not said. */
  readonly outcome?: string;
  readonly to: string;
}

/** The config of an activity of type `forEach`: a flowchart that runs for every item of a list. */
export interface ForEachConfig extends FlowchartBody {
  /** The list itself, or the way to it: `results.fetch.orders`, `input.lines`. */
  readonly items: readonly Json[] | string;
  /** How many at a time; all of them if not said. */
  readonly limit?: number;
  /** The variable that has the item, beside `item` itself. */
  readonly as?: string;
  readonly mode?: 'parallel' | 'sequential';
}
