/** What Postgres and its driver throw, sorted into what it means for the caller. */
import { EngineError, type EngineErrorCode } from '../../base/engine-error.ts';

interface Meaning {
  readonly code: EngineErrorCode;
  readonly retryable: boolean;
  readonly advice: string;
}

const AWAY: Meaning = {
  code: 'store.unreachable',
  retryable: true,
  advice: 'check that the server runs and can be reached',
};

/** By SQLSTATE, or by its first two letters. What is not listed is the fault of the values. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['08', AWAY],
  ['25P03', { ...AWAY, advice: 'this process stood still in the middle of a transaction' }],
  ['25006', { code: 'store.read-only', retryable: true, advice: 'connect to the primary' }],
  ['28', { code: 'store.denied', retryable: false, advice: 'check the user and the password' }],
  ['3D000', { code: 'store.unreachable', retryable: false, advice: 'create the database first' }],
  ['3F000', { code: 'store.corrupt', retryable: false, advice: 'our schema was dropped' }],
  ['40', { ...AWAY, advice: 'the transaction met another and may be repeated' }],
  ['42501', { code: 'store.denied', retryable: false, advice: 'the user lacks a privilege' }],
  ['42P01', { code: 'store.corrupt', retryable: false, advice: 'a table of ours was dropped' }],
  ['42703', { code: 'store.corrupt', retryable: false, advice: 'a table of ours was altered' }],
  ['53100', { code: 'store.full', retryable: true, advice: 'free some space on its disk' }],
  ['53', { ...AWAY, advice: 'the server has no resources left: more memory or connections' }],
  ['55P03', { ...AWAY, advice: 'another transaction has held a lock for too long' }],
  ['57', { ...AWAY, advice: 'the server is stopping or starting' }],
  ['58', { ...AWAY, advice: 'the disk did not do as it was told: check it and its mount' }],
  ['XX001', { code: 'store.corrupt', retryable: false, advice: 'restore it from a backup' }],
  ['XX002', { code: 'store.corrupt', retryable: false, advice: 'rebuild its indexes' }],
]);

/** Five signs; but Node's own codes (EPIPE) are words, and Prisma's begin with P and a number. */
const SQL_STATE = /^(?!E[A-Z]{4}|P[1-9])[0-9A-Z]{5}$/;

/** What Postgres says; undefined if it did not say anything. */
export function sqlState(thrown: unknown): string | undefined {
  for (let error = thrown; isObject(error); error = innerOf(error)) {
    const code = error['originalCode'] ?? error['code'];
    if (typeof code === 'string' && SQL_STATE.test(code)) return code;
  }
  return undefined;
}

/** Libraries wrap what the driver threw, Prisma in a way of its own. */
function innerOf({ cause, meta }: Record<string, unknown>): unknown {
  return cause ?? (isObject(meta) ? meta['driverAdapterError'] : undefined);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The connection is gone, or never was: whoever had asked something has no answer. */
export function isDisconnected(thrown: unknown): boolean {
  const state = sqlState(thrown);
  return state === undefined ? isPlain(thrown) : /^(08|57P|25P03)/.test(state);
}

/**
 * Whether the driver or the network threw it, at the bottom. They throw plain errors, and those of
 * the system name the call that failed; anything of another class (a TypeError, an assertion of
 * ours) is a bug, and a bug must not look like weather.
 */
function isPlain(thrown: unknown): boolean {
  let error = thrown;
  while (error instanceof Error && error.cause instanceof Error) error = error.cause;
  if (!(error instanceof Error) || error instanceof EngineError) return false;
  if (error instanceof AggregateError || 'syscall' in error) return true;
  return Object.getPrototypeOf(error) === Error.prototype;
}

/** The connection does not know a statement we prepared: someone pools it below us. */
export function isUnprepared(thrown: unknown): boolean {
  const state = sqlState(thrown);
  return state === '26000' || state === '42P05';
}

/** What the caller is told if the database is the matter; undefined if a value is. Bugs throw. */
export function troubleOf(thrown: unknown, where: string): EngineError | undefined {
  if (thrown instanceof EngineError) return thrown;
  const state = sqlState(thrown);
  if (state === undefined && !isPlain(thrown)) throw thrown;
  const meaning =
    state === undefined ? AWAY : (MEANINGS.get(state) ?? MEANINGS.get(state.slice(0, 2)));
  if (meaning === undefined) return undefined;
  const said = saidBy(thrown);
  const message = `the database "${where}" says "${said}": ${meaning.advice}`;
  const { code, retryable } = meaning;
  // Not the weather, but one other transaction.
  const busy = state === '55P03' ? { busy: true } : {};
  const details = { where, state, ...busy };
  return new EngineError(code, message, { retryable, details, cause: thrown });
}

/** The same, for who knows that no value can be the matter. */
export function errorOf(thrown: unknown, where: string): EngineError {
  const known = troubleOf(thrown, where);
  if (known !== undefined) return known;
  const message = `the database "${where}" refuses: "${saidBy(thrown)}"`;
  return new EngineError('store.refused', message, { details: { where }, cause: thrown });
}

/** An address with several numbers is tried at each of them, and the error is then a list. */
function saidBy(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(saidBy).join('; ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
