/** What callers may ask for, checked before anything is done: a bad option is said, not obeyed. */
import type { Duration } from '../base/duration.ts';
import type { Acting } from '../model/action.ts';
import { LIMITS, type Limits } from '../model/limits.ts';
import type { Tx } from '../model/tx.ts';
import { newWorkerId } from './ids.ts';
import { durationOf } from './durations.ts';
import { checkFields, told, wrong } from './fields.ts';
import type { WorkerOptions } from './worker.ts';

export interface EngineWorker {
  /** Unique per process start. */
  readonly id: string;
  /** Handlers that run at the same time. */
  readonly concurrency: number;
  /** How long a claim holds without a heartbeat. */
  readonly lease: Duration;
  /** How often an idle worker looks at the store. */
  readonly poll: Duration;
}

export interface StartOptions {
  /** The business key: at most one open instance per tenant, flow and key. */
  readonly key?: string;
  /** What to do when an open instance has the key: throw, or give that one back. */
  readonly onConflict?: 'fail' | 'existing';
  readonly id?: string;
  readonly tenant?: string;
  readonly priority?: number;
  /** Starts it in this transaction of yours: it is there once that commits, and not before. */
  readonly tx?: Tx;
}

const CONCURRENCY_DEFAULT = 64;
const LEASE_DEFAULT = '10s';
export const POLL_DEFAULT = '1s';
/** Ids and keys stand in indexes, and a database's index takes no more than some 2,000 bytes. */
export const NAME_CHARS_MAX = 500;

const WORKER_FIELDS: readonly (keyof EngineWorker)[] = ['concurrency', 'id', 'lease', 'poll'];

export function readWorker(worker: Partial<EngineWorker> | false = {}): WorkerOptions | null {
  if (worker === false) return null;
  checkFields('worker', worker, WORKER_FIELDS);
  const { id = newWorkerId(), concurrency = CONCURRENCY_DEFAULT } = worker;
  checkName('worker.id', id);
  checkWhole('worker.concurrency', concurrency, 1);
  const leaseMs = durationOf(worker.lease ?? LEASE_DEFAULT);
  const pollMs = durationOf(worker.poll ?? POLL_DEFAULT);
  // A lease of no length is always lost, and a pause of none never lets go of the process.
  checkWhole('worker.lease', leaseMs, 1);
  checkWhole('worker.poll', pollMs, 1);
  return { id, concurrency, leaseMs, pollMs };
}

export function readLimits(limits: Partial<Limits> = {}): Limits {
  checkFields('limits', limits, Object.keys(LIMITS));
  for (const [name, value] of Object.entries(limits)) {
    // Not one lease may run out, where that is wanted; of everything else some is needed.
    checkWhole(`limits.${name}`, value, name === 'CRASHES_MAX' ? 0 : 1);
  }
  return { ...LIMITS, ...limits };
}

const START_FIELDS: readonly (keyof StartOptions)[] = [
  ...(['key', 'onConflict', 'id', 'tenant', 'priority', 'tx'] as const),
];

export function checkStart(options: StartOptions): void {
  checkFields('a start', options, START_FIELDS);
  const { id, key, tenant, priority, onConflict } = options;
  for (const [name, value] of Object.entries({ id, key, tenant })) {
    if (value !== undefined) checkName(name, value);
  }
  if (priority !== undefined) checkWhole('priority', priority, Number.MIN_SAFE_INTEGER);
  if (onConflict === undefined || onConflict === 'fail' || onConflict === 'existing') return;
  throw wrong(`onConflict is 'fail' or 'existing'; came ${told(onConflict)}`);
}

/** A reason is for people to read, and stands in history for ever. */
const REASON_CHARS_MAX = 2_000;

/** What can be said beside any action. */
export const ACTING: readonly string[] = ['actor', 'reason', 'once'];

/** Of a bulk, and of what is done once: it stands in histories and in cursors. */
export const DEED_NAME: RegExp = /^[\w-]{1,40}$/;

export function checkActing(acting: Acting): void {
  checkFields('what is said of an action', acting, ACTING);
  const { actor, reason, once } = acting;
  if (actor !== undefined) checkName('actor', actor);
  checkOnce(once);
  if (reason === undefined) return;
  if (typeof reason === 'string' && reason.length <= REASON_CHARS_MAX) return;
  throw wrong(`reason is a text of at most ${REASON_CHARS_MAX} characters; came ${told(reason)}`);
}

/** The name of what is done once only. */
export function checkOnce(once: unknown): void {
  if (once === undefined || (typeof once === 'string' && DEED_NAME.test(once))) return;
  throw wrong(`once is 1 to 40 letters, digits, _ and -; came ${told(once)}`, 'once');
}

/** Rows of a list that come at once, at most. */
export const PAGE_MAX = 1_000;

export function checkPage(limit: unknown): void {
  checkWhole('limit', limit, 1);
  if ((limit as number) > PAGE_MAX) throw wrong(`limit is at most PAGE_MAX ${PAGE_MAX}`);
}

/** The number that a cursor stands for. */
export function checkCursor(cursor: unknown): number {
  if (typeof cursor === 'string' && /^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw wrong(`cursor is what the page before came with; came ${told(cursor)}`);
}

/** A text that may be any: whether there is something of that name is found out. */
export function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw wrong(`${name} is a text; came ${told(value)}`, name);
}

/** Half a pair of surrogates is no character: a database keeps another in its place, or none. */
export const HALF_A_PAIR: RegExp = /\p{Surrogate}/u;

export function isName(value: unknown): value is string {
  if (typeof value !== 'string' || HALF_A_PAIR.test(value)) return false;
  return value !== '' && value.length <= NAME_CHARS_MAX;
}

export function checkName(name: string, value: unknown): void {
  if (isName(value)) return;
  throw wrong(`${name} is a text of 1 to ${NAME_CHARS_MAX} characters; came ${told(value)}`);
}

export function checkWhole(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  const rule = least === Number.MIN_SAFE_INTEGER ? '' : `, ${least} or more`;
  throw wrong(`${name} is a whole number${rule}; came ${told(value)}`);
}
