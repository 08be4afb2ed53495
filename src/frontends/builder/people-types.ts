/** The types of `.task` and `.approve`: work that waits for people. */
import type { StandardJSONSchemaV1 } from '@standard-schema/spec';
import type { Duration } from '../../base/duration.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Form } from './form-type.ts';

/** Fixed, or made by a closure when a token comes; null is as good as left out. */
type Part<View, Value> = Value | null | ((view: View) => Value | null);

/** So long after it was opened, or a moment in milliseconds since 1970. */
type TaskMoment = Duration | { readonly at: number };

interface PeopleOptions<View> {
  /** What it is called where people see it. */
  readonly title?: Part<View, string>;
  /** What people are shown to decide by. */
  readonly data?: Part<View, Json>;
  /** When it should be done. Nothing happens by itself then. */
  readonly due?: Part<View, TaskMoment>;
  /** When somebody should ask how it goes. */
  readonly followUp?: Part<View, TaskMoment>;
  /** The higher, the more urgent; 0 if not given. */
  readonly priority?: Part<View, number>;
}

export interface TaskOptions<View, Output> extends PeopleOptions<View> {
  /** Whose it is from the start. */
  readonly assignee?: Part<View, string>;
  /** Who may claim it: names of people or groups, or which are which. Anyone, if not given. */
  readonly candidates?: Part<View, readonly string[] | TaskCandidates>;
  /**
   * What the output must fit: a JSON Schema, best by `form<Output>(schema)`, or a schema that can
   * tell its JSON Schema by itself (Standard JSON Schema).
   */
  readonly form?:
    | Form<Output>
    | StandardJSONSchemaV1<Output, unknown>
    | JsonObject
    | ((view: View) => Form<Output> | JsonObject | null);
}

interface TaskCandidates {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

export interface ApproveOptions<View> extends PeopleOptions<View> {
  /** Who has a say, by name: people or groups. By group, where each group must agree. */
  readonly approvers: Part<View, Approvers>;
  /** How many it takes: the first to answer, if not given. */
  readonly rule?: ApproveRule;
  /** How long it may take before `onTimeout`; each round anew. */
  readonly timeout?: Part<View, Duration>;
  /** What is done then, once: it is noted in the trail, if not given. */
  readonly onTimeout?:
    | 'note'
    | 'notify'
    | 'approve'
    | 'reject'
    | { readonly reassign: Approvers; readonly escalate?: never }
    | { readonly escalate: Approvers; readonly reassign?: never };
  /** If there are no approvers: it waits until somebody is named, if nothing else is said. */
  readonly onEmpty?: 'wait' | 'fail' | 'approve';
  /** A reject is a result like any other, if not given, or fails as `approval.rejected`. */
  readonly onReject?: 'continue' | 'fail';
  /** How often it may be sent back to its submitter; 3 if not given. */
  readonly revisions?: number;
  /** Who asked for it, and may recall it, or resubmit it when it was sent back. */
  readonly submitter?: Part<View, string>;
}

type Approvers = readonly string[] | Readonly<Record<string, readonly string[]>>;

/** A reject ends it at once, unless it `'counts'`: then when too few are left to approve. */
type ApproveRule =
  | 'first'
  | 'unanimous'
  | { readonly atLeast: number; readonly reject?: 'ends' | 'counts'; readonly perGroup?: never }
  | {
      readonly perGroup: number | true;
      readonly reject?: 'ends' | 'counts';
      readonly atLeast?: never;
    };
