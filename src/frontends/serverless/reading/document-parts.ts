/** The parts that tasks are made of, as types: data, durations, authentication, events, errors. */
import type { Json, JsonObject } from '../../../base/json.ts';
import type { TaskList } from './document-tasks.ts';

export type Named<Thing> = Readonly<Record<string, Thing>>;

/** Data in and out. */

export interface DataSchema {
  readonly format?: string;
  readonly document?: Json;
  readonly resource?: ExternalResource;
}

export interface Input {
  readonly schema?: DataSchema;
  readonly from?: string | JsonObject;
}

export interface Output {
  readonly schema?: DataSchema;
  readonly as?: string | JsonObject;
}

export type Export = Output;

export interface ExternalResource {
  readonly name?: string;
  readonly endpoint: Endpoint;
}

export type Endpoint =
  | string
  | { readonly uri: string; readonly authentication?: AuthenticationReference };

/** An object, ISO 8601, or an expression. */
export type Duration = string | DurationParts;

export interface DurationParts {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

export interface Timeout {
  readonly after: Duration;
}

/** Authentication. */

export type AuthenticationReference = { readonly use: string } | AuthenticationPolicy;

/** Exactly one of them. */
export interface AuthenticationPolicy {
  readonly basic?: SecretReference | UserAndPassword;
  readonly bearer?: SecretReference | { readonly token: string };
  readonly digest?: SecretReference | UserAndPassword;
  readonly oauth2?: SecretReference | OAuth2;
  readonly oidc?: SecretReference | Omit<OAuth2, 'endpoints'>;
}

export interface SecretReference {
  readonly use: string;
}

export interface UserAndPassword {
  readonly username: string;
  readonly password: string;
}

export interface OAuth2 {
  readonly authority?: string;
  readonly endpoints?: {
    readonly token?: string;
    readonly revocation?: string;
    readonly introspection?: string;
  };
  readonly grant?: string;
  readonly client?: {
    readonly id?: string;
    readonly secret?: string;
    readonly assertion?: string;
    readonly authentication?: string;
  };
  readonly request?: { readonly encoding?: string };
  readonly issuers?: readonly string[];
  readonly scopes?: readonly string[];
  readonly audiences?: readonly string[];
  readonly username?: string;
  readonly password?: string;
  readonly subject?: OAuth2Token;
  readonly actor?: OAuth2Token;
}

export interface OAuth2Token {
  readonly token: string;
  readonly type: string;
}

/** Events. */

export type ReadAs = 'data' | 'envelope' | 'raw';

/** Exactly one of all, any and one. */
export interface EventStrategy {
  readonly all?: readonly EventFilter[];
  readonly any?: readonly EventFilter[];
  readonly one?: EventFilter;
  /** Only with any: an expression, or the events that end it. */
  readonly until?: string | Omit<EventStrategy, 'until'>;
}

export interface EventFilter {
  readonly with: JsonObject;
  readonly correlate?: Named<{ readonly from: string; readonly expect?: string }>;
}

export interface Foreach {
  readonly item?: string;
  readonly at?: string;
  readonly do?: TaskList;
  readonly output?: Output;
  readonly export?: Export;
}

/** Errors. */

export interface ErrorDefinition {
  readonly type: string;
  readonly status: number;
  readonly instance?: string;
  readonly title?: string;
  readonly detail?: string;
}

export interface ErrorFilter {
  readonly type?: string;
  readonly status?: number;
  readonly instance?: string;
  readonly title?: string;
  readonly detail?: string;
  /** What `detail` was called up to 1.0.3. */
  readonly details?: string;
}

export interface RetryPolicy {
  readonly when?: string;
  readonly exceptWhen?: string;
  readonly delay?: Duration;
  /** Exactly one of them. */
  readonly backoff?: {
    readonly constant?: JsonObject;
    readonly linear?: JsonObject;
    readonly exponential?: JsonObject;
  };
  readonly limit?: {
    readonly attempt?: { readonly count?: number; readonly duration?: Duration };
    readonly duration?: Duration;
  };
  readonly jitter?: { readonly from: Duration; readonly to: Duration };
}
