/**
 * A definition whose shape has been checked, as types: what each part of the language has.
 *
 * Texts that may be expressions are just texts here. Where two versions of the language differ,
 * both shapes are there.
 */
import type { JsonObject } from '../../../base/json.ts';
import type {
  AuthenticationPolicy,
  Duration,
  Endpoint,
  ErrorDefinition,
  EventStrategy,
  Input,
  Named,
  Output,
  ReadAs,
  RetryPolicy,
  Timeout,
} from './document-parts.ts';
import type { Task, TaskKind, TaskList } from './document-tasks.ts';

export interface WorkflowDocument {
  readonly document: DocumentHead;
  readonly input?: Input;
  readonly use?: Use;
  readonly do: TaskList;
  readonly timeout?: Timeout | string;
  readonly output?: Output;
  readonly schedule?: Schedule;
  readonly evaluate?: { readonly language?: string; readonly mode?: 'strict' | 'loose' };
}

export interface DocumentHead {
  readonly dsl: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly summary?: string;
  readonly tags?: JsonObject;
  readonly metadata?: JsonObject;
}

export interface Use {
  readonly authentications?: Named<AuthenticationPolicy>;
  readonly catalogs?: Named<{ readonly endpoint: Endpoint }>;
  readonly errors?: Named<ErrorDefinition>;
  /** Each item has one name. */
  readonly extensions?: readonly Named<Extension>[];
  readonly functions?: Named<Task>;
  readonly retries?: Named<RetryPolicy>;
  readonly secrets?: readonly string[];
  readonly timeouts?: Named<Timeout>;
}

export interface Extension {
  /** `extension`, of 1.0.3 and before, extends nothing. */
  readonly extend: Exclude<TaskKind, 'do' | 'fork'> | 'composite' | 'all' | 'extension';
  readonly when?: string;
  readonly before?: TaskList;
  readonly after?: TaskList;
}

export interface Schedule {
  readonly every?: Duration;
  readonly cron?: string;
  readonly after?: Duration;
  readonly on?: EventStrategy;
  readonly read?: ReadAs;
}
