/** The twelve kinds of task, as types, and how they are told apart. */
import { assert } from '../../../base/assert.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { CallTask } from './document-calls.ts';
import type {
  Duration,
  ErrorDefinition,
  ErrorFilter,
  EventStrategy,
  Export,
  ExternalResource,
  Foreach,
  Input,
  Named,
  Output,
  ReadAs,
  RetryPolicy,
  Timeout,
} from './document-parts.ts';
import { TASK_WORDS } from './schema-tasks.ts';

/** The kind of a task is the word that makes it. */
export type TaskKind = (typeof TASK_WORDS)[number];

/** A task whose shape was checked has one. */
export function kindOf(task: Task): TaskKind {
  const kind = findKind(task);
  assert(kind !== undefined, 'a task has one of the words that make a task');
  return kind;
}

/** The same for what may be no task. */
export function findKind(task: object): TaskKind | undefined {
  return TASK_WORDS.find((word) => Object.hasOwn(task, word));
}

/** Each item has one name. */
export type TaskList = readonly Named<Task>[];

export type Task =
  | CallTask
  | DoTask
  | EmitTask
  | ForTask
  | ForkTask
  | ListenTask
  | RaiseTask
  | RunTask
  | SetTask
  | SwitchTask
  | TryTask
  | WaitTask;

export interface TaskBase {
  readonly if?: string;
  readonly input?: Input;
  readonly output?: Output;
  readonly export?: Export;
  readonly timeout?: Timeout | string;
  readonly then?: string;
  readonly metadata?: JsonObject;
}

export interface DoTask extends TaskBase {
  readonly do: TaskList;
}

export interface EmitTask extends TaskBase {
  readonly emit: { readonly event: { readonly with: JsonObject } };
}

export interface ForTask extends TaskBase {
  readonly for: {
    readonly each?: string;
    readonly in: string | readonly JsonObject[];
    readonly at?: string;
  };
  readonly while?: string;
  readonly do: TaskList;
}

export interface ForkTask extends TaskBase {
  readonly fork: { readonly branches: TaskList; readonly compete?: boolean };
}

export interface ListenTask extends TaskBase {
  readonly listen: { readonly to: EventStrategy; readonly read?: ReadAs };
  readonly foreach?: Foreach;
}

export interface RaiseTask extends TaskBase {
  readonly raise: { readonly error: ErrorDefinition | string };
}

export interface SetTask extends TaskBase {
  readonly set: JsonObject | string;
}

export interface SwitchTask extends TaskBase {
  /** Each item has one name. */
  readonly switch: readonly Named<{ readonly when?: string; readonly then: string }>[];
}

export interface TryTask extends TaskBase {
  readonly try: TaskList;
  readonly catch: Catch;
}

export interface Catch {
  readonly errors?: { readonly with?: ErrorFilter };
  readonly as?: string;
  readonly when?: string;
  readonly exceptWhen?: string;
  readonly retry?: RetryPolicy | string;
  readonly do?: TaskList;
  readonly then?: string;
}

export interface WaitTask extends TaskBase {
  readonly wait: Duration;
}

export interface RunTask extends TaskBase {
  readonly run: Run;
}

/** Exactly one of container, script, shell and workflow. */
export interface Run {
  readonly container?: Container;
  readonly script?: Script;
  readonly shell?: Shell;
  readonly workflow?: SubWorkflow;
  readonly await?: boolean;
  readonly return?: 'stdout' | 'stderr' | 'code' | 'all' | 'none';
}

export interface Container {
  readonly image: string;
  readonly name?: string;
  readonly command?: string;
  readonly ports?: JsonObject;
  readonly volumes?: JsonObject;
  readonly environment?: JsonObject;
  readonly stdin?: string;
  readonly arguments?: readonly string[];
  readonly lifetime?: {
    readonly cleanup: 'always' | 'never' | 'eventually';
    readonly after?: Duration;
  };
  readonly pullPolicy?: 'ifNotPresent' | 'always' | 'never';
}

/** Either code or source. */
export interface Script {
  readonly language: string;
  readonly code?: string;
  readonly source?: ExternalResource;
  readonly stdin?: string;
  readonly arguments?: readonly string[] | JsonObject;
  readonly environment?: JsonObject;
}

export interface Shell {
  readonly command: string;
  readonly stdin?: string;
  readonly arguments?: readonly string[] | JsonObject;
  readonly environment?: JsonObject;
}

export interface SubWorkflow {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly input?: JsonObject;
}
