/** What remote workers may ask for, and what they may answer: checked before anything is done. */
import type { Duration } from '../../base/duration.ts';
import { durationOf } from '../durations.ts';
import { checkFields, told, wrong } from '../fields.ts';
import { checkName, checkWhole, isName } from '../options.ts';

/** Assignments that one call of fetch gives, at most. */
export const ASSIGNMENTS_MAX = 100;
/** Names of handlers in one call of fetch, at most. */
export const HANDLERS_MAX = 1_000;
const LEASE_DEFAULT: Duration = '30s';
/** Shorter than a way over the network and back, a lease is lost before anything is begun. */
export const LEASE_MS_MIN = 1_000;
/** Whoever dies keeps its work from others for so long; who lives can extend it. */
export const LEASE_MS_MAX = 3_600_000;
/** Proxies on the way close what is silent for longer. */
export const WAIT_MS_MAX = 60_000;

/** Who asks. */
export interface RemoteWorker {
  /** What the worker calls itself: who fetched something is the one to answer for it. */
  readonly worker: string;
  /** Only what belongs to this tenant is there. */
  readonly tenant?: string;
}

export interface FetchOptions extends RemoteWorker {
  /** `'SHIP'` for a type of step in all flows, `'order/SHIP'` or `'order@1/charge'` for one. */
  readonly handlers: readonly string[];
  /** 1 to ASSIGNMENTS_MAX; 1 if not given. */
  readonly limit?: number;
  /** For how long the work is the worker's, unless it extends that; 30s if not given. */
  readonly lease?: Duration;
  /** How long to wait if nothing is there; not at all if not given. */
  readonly wait?: Duration;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

export interface ExtendOptions extends RemoteWorker {
  readonly lease?: Duration;
}

export interface CompleteOptions extends RemoteWorker {
  /** Of a step or an activity; a step of a chain has none. */
  readonly result?: unknown;
  /** Variables that are written together with the result. */
  readonly set?: readonly RemoteWrite[];
  /** How an activity of a flowchart ended. */
  readonly outcomes?: readonly string[];
  /** What a chain is about from now on. */
  readonly context?: unknown;
  /** It is not done: it rests until a message comes, and is then fetched again. */
  readonly waiting?: RemoteWait;
}

export interface RemoteWrite {
  readonly name: string;
  readonly value: unknown;
  readonly in?: 'scope' | 'instance' | undefined;
}

export interface RemoteWait {
  /** Of the message. */
  readonly type: string;
  readonly timeout?: Duration | null | undefined;
  readonly outbound?: readonly RemoteOutbound[] | undefined;
}

/** An event for the world outside; the instance's business key if it has no other. */
export interface RemoteOutbound {
  readonly type: string;
  readonly data?: unknown;
  readonly key?: string | undefined;
}

export interface FailOptions extends RemoteWorker {
  readonly error: RemoteError;
  /** When to try again, if its policy has it tried again. */
  readonly retryAfter?: Duration;
  /** What a chain is about from now on. */
  readonly context?: unknown;
}

export interface RemoteError {
  readonly code?: string | undefined;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Trying again would not help: no policy does. */
  readonly fatal?: boolean | undefined;
}

/** What fetch was asked for, in numbers. */
export interface FetchRequest extends RemoteWorker {
  readonly handlers: readonly string[];
  readonly limit: number;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly signal?: AbortSignal;
}

const WORKER = ['worker', 'tenant'] as const;
const FETCH = [...WORKER, 'handlers', 'limit', 'lease', 'wait', 'signal'];
const COMPLETE = [...WORKER, 'result', 'set', 'outcomes', 'context', 'waiting'];
const FAIL = [...WORKER, 'error', 'retryAfter', 'context'];

export function readFetch(options: FetchOptions): FetchRequest {
  checkWorker('fetch', options, FETCH);
  const { worker, tenant, handlers, limit = 1, wait = 0, signal } = options;
  checkWhole('limit', limit, 1);
  if (limit > ASSIGNMENTS_MAX) throw wrong(`limit is at most ASSIGNMENTS_MAX ${ASSIGNMENTS_MAX}`);
  checkHandlers(handlers);
  const waitMs = durationOf(wait);
  if (waitMs > WAIT_MS_MAX) throw wrong(`wait is at most WAIT_MS_MAX ${WAIT_MS_MAX}`, 'wait');
  return {
    ...{ worker, handlers: [...new Set(handlers)], limit, leaseMs: readLease(options), waitMs },
    ...(tenant === undefined ? {} : { tenant }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function checkHandlers(handlers: unknown): void {
  const isList = Array.isArray(handlers) && handlers.length > 0;
  if (!isList || handlers.length > HANDLERS_MAX) {
    const rule = `handlers is a list of 1 to HANDLERS_MAX ${HANDLERS_MAX} names`;
    const came = isList ? `${handlers.length}` : told(handlers);
    throw wrong(`${rule}, such as ['SHIP', 'order/charge']; came ${came}`, 'handlers');
  }
  for (const name of handlers as readonly unknown[]) checkHandler(name);
}

function checkHandler(name: unknown): void {
  const rule = 'a handler is the type of a step, or FLOW/STEP, or FLOW@VERSION/STEP';
  if (!isName(name) || name.trim() === '' || name.startsWith('/') || name.endsWith('/')) {
    throw wrong(`${rule}; came ${told(name)}`, 'handlers');
  }
  // Calls of Serverless Workflows are made where the host of the workflow is.
  if (!name.slice(name.indexOf('/') + 1).startsWith('$')) return;
  throw wrong(`"${name}" is the engine's own: no worker elsewhere has it`, 'handlers');
}

export function readExtend(options: ExtendOptions): number {
  checkWorker('extend', options, [...WORKER, 'lease']);
  return readLease(options);
}

export function checkComplete(options: CompleteOptions): void {
  checkWorker('complete', options, COMPLETE);
}

export function checkFail(options: FailOptions): void {
  checkWorker('fail', options, FAIL);
}

function checkWorker(what: string, options: RemoteWorker, fields: readonly string[]): void {
  checkFields(what, options, fields);
  checkName('worker', options.worker);
  if (options.tenant !== undefined) checkName('tenant', options.tenant);
}

function readLease({ lease = LEASE_DEFAULT }: { readonly lease?: Duration }): number {
  const ms = durationOf(lease);
  if (ms >= LEASE_MS_MIN && ms <= LEASE_MS_MAX) return ms;
  const rule = `LEASE_MS_MIN ${LEASE_MS_MIN} to LEASE_MS_MAX ${LEASE_MS_MAX} ms`;
  throw wrong(`lease is ${rule}; came ${ms}`, 'lease');
}
