/** What each kind of call is given, as types. */
import type { JsonObject } from '../../../base/json.ts';
import type {
  AuthenticationReference,
  Duration,
  Endpoint,
  ExternalResource,
  Foreach,
} from './document-parts.ts';
import type { TaskBase } from './document-tasks.ts';

export type CallTask =
  | HttpCall
  | OpenApiCall
  | GrpcCall
  | AsyncApiCall
  | A2aCall
  | McpCall
  | FunctionCall;

interface CallOf<Kind extends string, Arguments> extends TaskBase {
  readonly call: Kind;
  readonly with: Arguments;
}

export type HttpCall = CallOf<'http', HttpArguments>;
export type OpenApiCall = CallOf<'openapi', OpenApiArguments>;
export type GrpcCall = CallOf<'grpc', GrpcArguments>;
export type AsyncApiCall = CallOf<'asyncapi', AsyncApiArguments>;
export type A2aCall = CallOf<'a2a', A2aArguments>;
export type McpCall = CallOf<'mcp', McpArguments>;

/** Its name is one of `use.functions`, `name:version@catalog`, or a URL. */
export interface FunctionCall extends TaskBase {
  readonly call: string;
  readonly with?: JsonObject;
}

export type CallOutput = 'raw' | 'content' | 'response';

export interface HttpArguments {
  readonly method: string;
  readonly endpoint: Endpoint;
  readonly headers?: JsonObject | string;
  readonly query?: JsonObject | string;
  readonly body?: unknown;
  readonly output?: CallOutput;
  readonly redirect?: boolean;
}

export interface OpenApiArguments {
  readonly document: ExternalResource;
  readonly operationId: string;
  readonly parameters?: JsonObject;
  readonly authentication?: AuthenticationReference;
  readonly output?: CallOutput;
  readonly redirect?: boolean;
}

export interface GrpcArguments {
  readonly proto: ExternalResource;
  readonly service: {
    readonly name: string;
    readonly host: string;
    /** A number, or an expression. */
    readonly port?: number | string;
    readonly authentication?: AuthenticationReference;
  };
  readonly method: string;
  readonly arguments?: JsonObject;
}

/** Either channel or operation, and either message or subscription. */
export interface AsyncApiArguments {
  readonly document: ExternalResource;
  readonly channel?: string;
  readonly operation?: string;
  readonly server?: { readonly name: string; readonly variables?: JsonObject };
  readonly protocol?: string;
  readonly message?: {
    readonly payload?: JsonObject | string;
    readonly headers?: JsonObject | string;
  };
  readonly subscription?: AsyncApiSubscription;
  readonly authentication?: AuthenticationReference;
}

export interface AsyncApiSubscription {
  readonly filter?: string;
  /** Exactly one of amount, while and until. */
  readonly consume: {
    readonly amount?: number;
    readonly while?: string;
    readonly until?: string;
    readonly for?: Duration;
  };
  readonly foreach?: Foreach;
}

/** At least one of agentCard and server; the card wins. */
export interface A2aArguments {
  readonly method: string;
  readonly agentCard?: ExternalResource;
  readonly server?: Endpoint;
  readonly parameters?: JsonObject | string;
}

export interface McpArguments {
  readonly protocolVersion?: string;
  readonly method: string;
  readonly parameters?: JsonObject | string;
  readonly timeout?: Duration;
  /** Either http or stdio. */
  readonly transport: {
    readonly http?: { readonly endpoint: Endpoint; readonly headers?: JsonObject };
    readonly stdio?: {
      readonly command: string;
      readonly arguments?: readonly string[];
      readonly environment?: JsonObject;
    };
    readonly options?: JsonObject;
  };
  readonly client?: { readonly name: string; readonly version: string };
}
