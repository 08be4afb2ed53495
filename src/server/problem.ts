/**
 * What goes wrong, as HTTP tells it: problem details (RFC 9457). What the engine throws keeps its
 * code, and what only HTTP knows of has codes of its own, in the same form. A client switches on
 * `code`; `detail` is for people. What nobody foresaw is told to the log, and to the client only
 * that it happened.
 */
import { EngineError, type EngineErrorCode } from '../index.ts';

/** What can be wrong with a request before the engine is asked anything. */
export type RequestCode =
  | 'access.unauthenticated'
  | 'access.forbidden'
  | 'access.host'
  | 'access.origin'
  | 'access.remote'
  | 'access.too-many'
  | 'access.unavailable'
  | 'idempotency.reused'
  | 'idempotency.under-way'
  | 'idempotency.not-taken'
  | 'request.headers'
  | 'request.invalid'
  | 'request.late'
  | 'request.too-large'
  | 'request.type'
  | 'request.unreadable'
  | 'route.not-found'
  | 'route.method'
  | 'server.insecure'
  | 'server.trouble'
  | 'webhook.forged'
  | 'webhook.repeated';

export type ProblemCode = EngineErrorCode | RequestCode;

/** The body of an answer that is no success. */
export interface Problem {
  /** Names the code; not meant to be fetched. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  /** The same request may succeed later without anyone changing anything. */
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** What the server itself refuses. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
  readonly code: RequestCode;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  /** Headers that belong to the answer: how to say who one is, when to come again. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RequestCode,
    message: string,
    options: {
      readonly retryable?: boolean;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    const { retryable = false, details = {}, headers = {}, cause } = options;
    super(message, { cause });
    this.code = code;
    this.retryable = retryable;
    this.details = details;
    this.headers = headers;
  }
}

/** Of each code, what it is over HTTP. Whoever adds a code to the engine is asked for it here. */
export const STATUSES: Readonly<Record<ProblemCode, number>> = {
  'access.unauthenticated': 401,
  'access.forbidden': 403,
  'access.host': 421,
  'access.origin': 403,
  'access.remote': 403,
  'access.too-many': 429,
  'access.unavailable': 503,
  'command.invalid': 400,
  'definition.invalid': 422,
  'definition.not-found': 404,
  'definition.unreadable': 422,
  'duration.invalid': 400,
  'engine.closed': 503,
  'engine.option-invalid': 400,
  'export.invalid': 422,
  'idempotency.not-taken': 400,
  'idempotency.reused': 422,
  'idempotency.under-way': 409,
  'input.invalid': 422,
  'instance.canceled': 409,
  'instance.exists': 409,
  'instance.failed': 409,
  'instance.not-found': 404,
  'instance.over': 409,
  'instance.suspended': 409,
  'message.invalid': 422,
  'migration.refused': 409,
  'node.not-found': 404,
  'operation.refused': 409,
  'request.headers': 431,
  'request.invalid': 400,
  'request.late': 408,
  'request.too-large': 413,
  'request.type': 415,
  'request.unreadable': 400,
  'result.timeout': 504,
  'route.not-found': 404,
  'route.method': 405,
  'schedule.invalid': 422,
  'schedule.not-found': 404,
  'server.insecure': 500,
  'server.trouble': 500,
  'store.corrupt': 500,
  'store.denied': 503,
  'store.full': 507,
  'store.no-transactions': 500,
  'store.not-durable': 503,
  'store.read-only': 503,
  'store.refused': 422,
  'store.too-new': 503,
  'store.too-old': 503,
  'store.unreachable': 503,
  'task.forbidden': 403,
  'task.invalid': 422,
  'task.not-found': 404,
  'task.refused': 409,
  'token.gated': 409,
  'token.not-found': 404,
  'token.not-parked': 409,
  'token.not-waiting': 409,
  'variable.reserved': 422,
  'webhook.forged': 401,
  'webhook.repeated': 409,
  'work.invalid': 422,
  'work.lost': 409,
};

export interface Told {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  /** Nobody foresaw it: the log is to have it. */
  readonly isOurs: boolean;
}

/** Whatever was thrown, as a client is told it. */
export function problemOf(thrown: unknown): Told {
  if (thrown instanceof RequestError) {
    return { problem: told(thrown), headers: thrown.headers, isOurs: false };
  }
  if (isEngineError(thrown)) {
    const isOurs = STATUSES[thrown.code] === 500;
    return { problem: told(discreet(thrown)), headers: {}, isOurs };
  }
  const message = 'something went wrong here that is not the fault of the request; see the log';
  return { problem: told(new RequestError('server.trouble', message)), headers: {}, isOurs: true };
}

/** By its name: there may be two copies of the package in one program. */
function isEngineError(thrown: unknown): thrown is EngineError {
  if (thrown instanceof EngineError) return true;
  return thrown instanceof Error && thrown.name === 'EngineError' && 'code' in thrown;
}

/** Which flows there are is for those who may read, and not for all who may name one. */
function discreet(error: EngineError): EngineError {
  const { flow, flows } = error.details;
  if (error.code !== 'definition.not-found' || flows === undefined) return error;
  return new EngineError(error.code, `there is no flow "${String(flow)}" here`);
}

function told({ code, message, retryable, details }: EngineError | RequestError): Problem {
  const status = STATUSES[code] ?? 500;
  return {
    type: `urn:perdure:problem:${code}`,
    title: titleOf(code),
    status,
    detail: message,
    code,
    retryable,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

/** `instance.not-found` as `instance not found`. */
function titleOf(code: ProblemCode): string {
  return code.replaceAll(/[.-]/g, ' ');
}
