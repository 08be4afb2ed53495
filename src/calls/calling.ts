/**
 * What a call of a Serverless Workflow is given, and what it may use to reach the world.
 *
 * A call is told everything by value: expressions are evaluated, names of policies and secrets are
 * looked up. It returns JSON, or throws a `WorkflowError`. It stops when its signal is aborted, and
 * does so within a moment: nobody waits for it any more.
 */
import type { Json, JsonObject } from '../base/json.ts';

export interface Calling {
  readonly http: HttpClient;
  readonly resources: Resources;
  readonly signal: AbortSignal;
  /** The same for every execution of the same visit of a task: for whoever can tell twice. */
  readonly idempotencyKey: string;
  /** The task's input, which URI templates take their values from. */
  readonly input: Json;
  /** What relative addresses are relative to; without it they are none. */
  readonly base?: string;
  /** A text with every secret in it made unreadable: for details of errors. */
  readonly hide: (text: string) => string;
  /**
   * Where a host lies, for what is not HTTP: whoever connects does so to that address and no other.
   * Throws an `authorization` error if it is none for workflows.
   */
  readonly reach: (host: string, port: number) => Promise<{ readonly address: string }>;
  /** Throws a `configuration` error that names the engine's option, unless the host allows it. */
  readonly permits: (what: Permission, name: string) => void;
  /** For what is not HTTP and has no scheme to say whether it speaks TLS. */
  readonly tls?: TlsSettings;
}

export interface TlsSettings {
  /** Whether whoever listens there speaks TLS; by default at port 443 and nowhere else. */
  readonly isSpoken?: (host: string, port: number) => boolean;
  /** Certificates that are trusted, as PEM, in the place of those that Node trusts. */
  readonly roots?: string;
}

export type Permission = 'shell' | 'script' | 'container' | 'process';

export interface CallResult {
  readonly output: Json;
  /** How the call was authenticated, for `$authorization`. */
  readonly authorization?: Authorization;
}

export interface Authorization {
  readonly scheme: string;
  readonly parameter: string;
}

/** Every request leaves by this one, which refuses addresses that are not for workflows. */
export interface HttpClient {
  /** The whole answer, whatever its status. Throws a `WorkflowError` if there is none. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The answer's head at once and its body as it comes. */
  open(request: HttpRequest): Promise<HttpStream>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Follows redirects, up to `REDIRECTS_MAX`, each checked anew; otherwise a 3xx is the answer. */
  readonly redirect?: boolean;
  /** An authentication policy with every value in it, as `{ basic: { username, password } }`. */
  readonly authentication?: JsonObject;
  readonly signal: AbortSignal;
}

export interface HttpHead {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case; several of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was asked in the end, after redirects; values that authenticate are made unreadable. */
  readonly request: {
    readonly method: string;
    readonly uri: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  /** How it was authenticated, for `$authorization`; undefined if it was not. */
  readonly authorization?: Authorization;
}

export interface HttpAnswer extends HttpHead {
  readonly body: Uint8Array;
}

export interface HttpStream extends HttpHead {
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

/** External resources: documents that a definition names by their endpoint. */
export interface Resources {
  /** Kept for a while, by what was asked for. Throws `communication` if it cannot be had. */
  text(resource: Resource, signal: AbortSignal): Promise<LoadedResource>;
}

export interface Resource {
  readonly name?: string;
  /** A URI, or that with an authentication policy; URI templates are expanded. */
  readonly endpoint: string | { readonly uri: string; readonly authentication?: JsonObject };
}

export interface LoadedResource {
  readonly text: string;
  readonly url: string;
  readonly mediaType: string | null;
}
