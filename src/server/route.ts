/**
 * A route: what it is called, who may take it, what it takes and what it answers. Everything that
 * is said of the API anywhere (the document, the checks, the matrix of who may do what) is read off
 * the list of these. A route without a policy does not compile.
 */
import type { z } from 'zod';
import type { Engine } from '../index.ts';
import type { Policy } from './access/policy.ts';
import type { Principal } from './access/principal.ts';
import type { Receipt } from './idempotency.ts';
import type { Premises } from './premises.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** What a handler is given: everything has been checked, and whose it is about is known. */
export interface Asked<Params = unknown, Query = unknown, Body = unknown> {
  readonly engine: Engine;
  readonly premises: Premises;
  readonly principal: Principal;
  /** Only what is of this tenant is there; null for somebody who is in charge of all. */
  readonly tenant: string | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Where the API is mounted: `/perdure`, or nothing. */
  readonly base: string;
  /** A header, by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** What makes doing it twice the same as doing it once; null if the client did not ask. */
  readonly receipt: Receipt | null;
  /** The client has gone. */
  readonly signal: AbortSignal;
}

/** What it comes to. A body that is a stream is sent as it comes. */
export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  /** Instead of a body: text of another type. */
  readonly text?: string;
  readonly stream?: ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What becomes of an `Idempotency-Key`: `keyed` routes do a thing once for each key, `natural` ones
 * can be called again without harm as they are, and `none` refuse it rather than ignore it.
 */
export type Repeats = 'keyed' | 'natural' | 'none';

export interface RouteSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Below wherever the API is mounted: `/instances/{id}`. */
  readonly path: string;
  /** Its name in the document, and so in generated clients. */
  readonly operation: string;
  readonly tag: Tag;
  readonly summary: string;
  /** What a stranger has to know beside that; for the document. */
  readonly description?: string;
  readonly policy: Policy;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** A body that makes sense. */
  readonly example?: z.input<Body>;
  /** The body is handed on as the bytes that came: a signature is over these. */
  readonly raw?: true;
  /** Only of routes that change something. */
  readonly repeats?: Repeats;
  readonly answers: Answers;
  /** What it may refuse beside what every route may. */
  readonly problems?: readonly number[];
  readonly handle: (
    asked: Asked<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<Answer>;
}

/** By status: what it means, and the body if there is one. */
export type Answers = Readonly<Record<number, AnswerSpec>>;

export interface AnswerSpec {
  readonly means: string;
  readonly body?: z.ZodType;
  /** Of a body that is no JSON. */
  readonly type?: string;
  /** What each header that may come with it says. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Tag =
  | 'definitions'
  | 'instances'
  | 'events'
  | 'tasks'
  | 'messages'
  | 'schedules'
  | 'work'
  | 'operating'
  | 'server';

/** Any route, as the list has them. */
export type Route = Omit<RouteSpec, 'handle'> & {
  readonly handle: (asked: Asked) => Promise<Answer>;
};

export function route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
>(spec: RouteSpec<Params, Query, Body>): Route {
  // What was parsed by the schemas of a route is handed to the handler of the same route.
  return spec as unknown as Route;
}
