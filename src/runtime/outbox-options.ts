/** Where letters go and how often they are tried, checked when the engine is made. */
import { type Duration, parseDuration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import type { Broker, Send, Target } from '../calls/target.ts';
import type { Pauses } from './backoff.ts';

export interface OutboxOptions {
  /** A target for everything, or one for each type; `*` is for all other types. */
  readonly to: Target | Readonly<Record<string, Target>>;
  /** Sends in all, before a letter is given up; 10 unless given. */
  readonly maxAttempts?: number;
  /** The span of the first pause, which doubles with every attempt, and its cap: 1 s and 5 min. */
  readonly backoff?: { readonly base?: Duration; readonly max?: Duration };
  /** How long one send may take; 30 s unless given. */
  readonly timeout?: Duration;
  /** Sends at the same time; 16 unless given. */
  readonly concurrency?: number;
}

/** What a relay goes by. */
export interface RelayOptions {
  /** By type; `*` for all others. */
  readonly targets: ReadonlyMap<string, Broker>;
  readonly maxAttempts: number;
  readonly pauses: Pauses;
  readonly timeoutMs: number;
  readonly concurrency: number;
}

export const ANY_TYPE = '*';

const MAX_ATTEMPTS_DEFAULT = 10;
const BASE_DEFAULT = '1s';
const MAX_DEFAULT = '5m';
const TIMEOUT_DEFAULT = '30s';
const CONCURRENCY_DEFAULT = 16;
const KNOWN: readonly string[] = ['to', 'maxAttempts', 'backoff', 'timeout', 'concurrency'];

export function readOutbox(outbox: Target | OutboxOptions): RelayOptions {
  const options = optionsOf(outbox);
  for (const name of Object.keys(options)) {
    if (!KNOWN.includes(name)) throw bad(`has no "${name}"; it has ${KNOWN.join(', ')}`);
  }
  const { maxAttempts = MAX_ATTEMPTS_DEFAULT, concurrency = CONCURRENCY_DEFAULT } = options;
  const { base = BASE_DEFAULT, max = MAX_DEFAULT } = options.backoff ?? {};
  const read: RelayOptions = {
    targets: targetsOf(options.to),
    maxAttempts: count('maxAttempts', maxAttempts),
    pauses: { baseMs: time('backoff.base', base), maxMs: time('backoff.max', max) },
    timeoutMs: time('timeout', options.timeout ?? TIMEOUT_DEFAULT),
    concurrency: count('concurrency', concurrency),
  };
  if (read.pauses.maxMs >= read.pauses.baseMs) return read;
  throw bad('backoff.max is no shorter than backoff.base');
}

function optionsOf(outbox: unknown): OutboxOptions {
  const target = findTarget(outbox);
  if (target !== undefined) return { to: target };
  if (typeof outbox === 'object' && outbox !== null && 'to' in outbox) {
    return outbox as OutboxOptions;
  }
  throw bad('is a target (a function, or an object with a function "send"), or { to, … }');
}

function targetsOf(to: unknown): ReadonlyMap<string, Broker> {
  const target = findTarget(to);
  if (target !== undefined) return new Map([[ANY_TYPE, target]]);
  const entries = typeof to === 'object' && to !== null ? Object.entries(to) : [];
  if (entries.length === 0) throw bad('to is a target, or one for each type as { type: target }');
  return new Map(
    entries.map(([type, value]) => {
      const found = findTarget(value);
      if (found !== undefined) return [type, found];
      throw bad(`to["${type.slice(0, 60)}"] is a function, or an object with a function "send"`);
    }),
  );
}

function findTarget(value: unknown): Broker | undefined {
  if (typeof value === 'function') return { send: value as Send };
  if (typeof value !== 'object' || value === null) return undefined;
  const { send, close } = value as Partial<Broker>;
  if (typeof send !== 'function') return undefined;
  if (close === undefined || typeof close === 'function') return value as Broker;
  throw bad('has a target whose "close" is no function');
}

function count(name: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  throw bad(`${name} is a whole number, 1 or more`);
}

function time(name: string, value: Duration): number {
  const ms = parseDuration(value);
  if (!ms.ok) throw bad(`${name}: ${ms.problem}`);
  if (ms.value >= 1) return ms.value;
  throw bad(`${name} is a millisecond or more`);
}

function bad(message: string): EngineError {
  const colon = /^(is|has) /.test(message) ? ' ' : '.';
  return new EngineError('engine.option-invalid', `outbox${colon}${message}`);
}
