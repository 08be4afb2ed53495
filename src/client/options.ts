/** What a remote worker is made of: read once, and what cannot be is said at once. */
import { type Duration, parseDuration } from '../base/duration.ts';
import { EngineError } from '../base/engine-error.ts';
import { meant } from '../base/nearest.ts';
import type { ApiError } from './asking.ts';
import type { Assigned, StepHandler } from './step.ts';

export interface RemoteWorkerOptions {
  /** Where the API is: `https://flows.example.com`, with the path it is mounted at. */
  readonly url: string;
  /** An API key of the role worker, or a token; not needed where the API asks for none. */
  readonly key?: string;
  /** Of a key that is for all tenants: only this one's work. */
  readonly tenant?: string;
  /** By the type of a step in all flows, or as `flow/step`, or as `flow@1/step`. */
  readonly handlers: Readonly<Record<string, StepHandler>>;
  /** One for each process; a name of chance if not given. */
  readonly worker?: string;
  /** How many handlers run at a time; 10 if not given. */
  readonly concurrency?: number;
  /** After so long without a word from here others have the work; 30s if not given. */
  readonly lease?: Duration;
  /** How long one question for work waits for some; 30s if not given. */
  readonly wait?: Duration;
  /** Instead of the platform's own. */
  readonly fetch?: typeof globalThis.fetch;
  /** Warnings and errors go to stderr if not given. */
  readonly logger?: ClientLogger;
  /** Is told of everything that the log is warned of. */
  readonly onError?: (error: ApiError, about: Trouble) => void;
}

/** What went wrong: asking for work, keeping it, or answering for it. */
export interface Trouble {
  readonly doing: 'fetch' | 'extend' | 'complete' | 'fail';
  readonly work?: Assigned;
}

/** The part of pino's interface we speak. */
export interface ClientLogger {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface Settings {
  readonly url: string;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly handlers: Readonly<Record<string, StepHandler>>;
  readonly worker: string;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly logger: ClientLogger;
  readonly onError: (error: ApiError, about: Trouble) => void;
}

const FIELDS: readonly (keyof RemoteWorkerOptions)[] = [
  ...(['url', 'key', 'tenant', 'handlers', 'worker', 'concurrency', 'lease', 'wait'] as const),
  ...(['fetch', 'logger', 'onError'] as const),
];
const CONCURRENCY_DEFAULT = 10;
const LEASE_DEFAULT: Duration = '30s';
const WAIT_DEFAULT: Duration = '30s';

export function readOptions(options: RemoteWorkerOptions): Settings {
  const odd = Object.keys(options).find((name) => !FIELDS.some((field) => field === name));
  if (odd !== undefined) throw wrong(`a remote worker has no "${odd}"; ${meant(odd, FIELDS)}`);
  const { url, key = null, tenant = null, handlers, concurrency = CONCURRENCY_DEFAULT } = options;
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw wrong(`url is http: or https:; came ${url}`);
  if (Object.keys(handlers ?? {}).length === 0) throw wrong('handlers has at least one handler');
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw wrong(`concurrency is a whole number, 1 or more; came ${concurrency}`);
  }
  return {
    ...{ url: url.replace(/\/+$/, ''), key, tenant, handlers, concurrency },
    worker: options.worker ?? `remote-${crypto.randomUUID()}`,
    leaseMs: msOf('lease', options.lease ?? LEASE_DEFAULT),
    waitMs: msOf('wait', options.wait ?? WAIT_DEFAULT),
    fetch: options.fetch ?? globalThis.fetch,
    logger: options.logger ?? stderr,
    onError: options.onError ?? (() => {}),
  };
}

export function msOf(what: string, duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms.ok) return ms.value;
  throw new EngineError('duration.invalid', `${what}: ${ms.problem}`);
}

function wrong(message: string): EngineError {
  return new EngineError('engine.option-invalid', message);
}

const stderr: ClientLogger = {
  debug: () => {},
  warn: (details, message) => {
    process.stderr.write(`perdure worker: ${message} ${JSON.stringify(details)}\n`);
  },
};
