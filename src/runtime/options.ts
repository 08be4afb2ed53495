/** What callers may ask for, checked before anything is done: a bad option is said, not obeyed. */
import type { Duration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import { LIMITS, type Limits } from '../model/limits.ts';
import type { Tx } from '../model/tx.ts';
import { newWorkerId } from './ids.ts';
import { durationOf } from './run.ts';
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
  /** The business key: at most one open instance per flow and key. */
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

export function readWorker(worker: Partial<EngineWorker> | false): WorkerOptions | null {
  if (worker === false) return null;
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
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(LIMITS, name)) {
      throw bad(`limits has no "${name}"; it has ${Object.keys(LIMITS).join(', ')}`);
    }
    // Not one lease may run out, where that is wanted; of everything else some is needed.
    checkWhole(`limits.${name}`, value, name === 'CRASHES_MAX' ? 0 : 1);
  }
  return { ...LIMITS, ...limits };
}

export function checkStart({ id, key, tenant, priority, onConflict }: StartOptions): void {
  for (const [name, value] of Object.entries({ id, key, tenant })) {
    if (value !== undefined) checkName(name, value);
  }
  if (priority !== undefined) checkWhole('priority', priority, Number.MIN_SAFE_INTEGER);
  if (onConflict === undefined || onConflict === 'fail' || onConflict === 'existing') return;
  throw bad(`onConflict is 'fail' or 'existing'; came ${brief(onConflict)}`);
}

/** Rows of a list that come at once, at most. */
export const PAGE_MAX = 1_000;

export function checkPage(limit: unknown): void {
  checkWhole('limit', limit, 1);
  if ((limit as number) > PAGE_MAX) throw bad(`limit is at most PAGE_MAX ${PAGE_MAX}`);
}

/** The number that a cursor stands for. */
export function checkCursor(cursor: unknown): number {
  if (typeof cursor === 'string' && /^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw bad(`cursor is what the page before came with; came ${brief(cursor)}`);
}

function checkName(name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '' && value.length <= NAME_CHARS_MAX) return;
  throw bad(`${name} is a text of 1 to ${NAME_CHARS_MAX} characters; came ${brief(value)}`);
}

function checkWhole(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  const rule = least === Number.MIN_SAFE_INTEGER ? '' : `, ${least} or more`;
  throw bad(`${name} is a whole number${rule}; came ${brief(value)}`);
}

function brief(value: unknown): string {
  const isText = typeof value === 'string';
  return isText
    ? JSON.stringify(value.slice(0, 60))
    : typeof value === 'number'
      ? `${value}`
      : typeof value;
}

function bad(message: string): EngineError {
  return new EngineError('engine.option-invalid', message);
}
