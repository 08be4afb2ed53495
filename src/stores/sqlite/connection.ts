/**
 * The caller's end of the way to the database thread. A request is posted at once and answered in
 * its turn. While any is open the thread keeps the process alive, and otherwise it does not: a
 * program that has nothing left to do may end without closing its store.
 *
 * If the thread dies, everything open fails as unreachable, and so does everything after it.
 */
import { Worker } from 'node:worker_threads';
import { assert, InvariantError } from '../../base/assert.ts';
import { EngineError, type EngineErrorCode } from '../../base/engine-error.ts';
import type { Opening } from './migrate.ts';
import type { Session } from './session.ts';

export interface Setup extends Opening {
  readonly path: string;
  /** The sign of life of this thread; null where time is told and nobody watches. */
  readonly pulse: SharedArrayBuffer | null;
  readonly blockedMsMax: number;
}

/** What the thread can be asked: the verbs of the session, and of its parts as `part.verb`. */
type Verbs = Omit<Session, 'close' | 'heard' | 'keepHeld' | Part> &
  Of<'messages'> &
  Of<'letters'> &
  Of<'schedules'> &
  Of<'halts'> &
  Of<'servers'> &
  Of<'lanes'> &
  Of<'instances'> &
  Of<'tasks'> &
  Of<'receipts'> &
  Of<'health'>;

type Part =
  | 'messages'
  | 'letters'
  | 'schedules'
  | 'instances'
  | 'halts'
  | 'servers'
  | 'lanes'
  | 'tasks'
  | 'receipts'
  | 'health';

type Of<One extends Part> = {
  [Name in keyof Session[One] & string as `${One}.${Name}`]: Session[One][Name];
};

export type Verb = keyof Verbs;

export interface Request {
  /** Null if nobody waits for the answer. */
  readonly id: number | null;
  readonly verb: Verb | 'open' | 'close' | 'listen';
  /** The time, if a test decides it. */
  readonly told: number | null;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly id: number | null; readonly value: unknown }
  | { readonly id: number | null; readonly trouble: Trouble };

/** What the thread says by itself: another process has written to the database. */
export interface Bell {
  readonly bell: true;
}

/** An error as data. */
export interface Trouble {
  readonly code: EngineErrorCode | 'bug.invariant';
  readonly message: string;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cause: unknown;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

type Args<Method> = Method extends (told: number | null, ...args: infer Rest) => unknown
  ? Rest
  : never;

type Answered<Method> = Method extends (...args: never[]) => infer Value ? Value : never;

/** What it works with is gone after each batch. Left to itself it grew by 35 MB more (2026-11). */
const THREAD_YOUNG_MB = 12;

export class Connection {
  readonly #worker: Worker;
  readonly #path: string;
  readonly #clock: (() => number) | undefined;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #last = 0;
  #ring: (() => void) | undefined;
  /** Why nothing more can be asked; null while it can. */
  #over: EngineError | null = null;

  /** With a clock, each request says what time it is; otherwise the thread looks for itself. */
  constructor(entry: URL, setup: Setup, clock?: () => number) {
    // Without our own flags: a program started with `--input-type` or `--eval` could not start it.
    const limits = { maxYoungGenerationSizeMb: THREAD_YOUNG_MB };
    const options = { workerData: setup, execArgv: [], resourceLimits: limits };
    this.#worker = new Worker(entry, { ...options, name: 'perdure-sqlite' });
    this.#worker.unref();
    this.#path = setup.path;
    this.#clock = clock;
    this.#worker.on('message', (said: Answer | Bell) => {
      if ('bell' in said) this.#ring?.();
      else this.#settle(said);
    });
    this.#worker.on('error', (thrown) => this.#fail('failed', thrown));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#fail(`ended with exit code ${code}`);
        resolve();
      });
    });
  }

  /** Has the thread run a verb of the session. */
  call<Name extends Verb>(verb: Name, ...args: Args<Verbs[Name]>): Promise<Answered<Verbs[Name]>> {
    return this.#post(verb, args) as Promise<Answered<Verbs[Name]>>;
  }

  /** The same for what has no answer. Too late is as good as in time. */
  tell<Name extends Verb>(verb: Name, ...args: Args<Verbs[Name]>): void {
    this.#send(null, verb, args);
  }

  listen(ring: () => void): void {
    this.#ring = ring;
    this.#send(null, 'listen', []);
  }

  async open(): Promise<void> {
    try {
      await this.#post('open', []);
    } catch (thrown) {
      await this.#worker.terminate();
      throw thrown;
    }
  }

  /** What was asked before is answered first. */
  async close(): Promise<void> {
    if (this.#over === null) {
      const closed = this.#post('close', []);
      this.#over = this.#unreachable('was closed; open it again');
      await closed;
    }
    await this.#exited;
  }

  #post(verb: Request['verb'], args: readonly unknown[]): Promise<unknown> {
    if (this.#over !== null) return Promise.reject(this.#over);
    this.#last += 1;
    const id = this.#last;
    this.#send(id, verb, args);
    if (this.#waiting.size === 0) this.#worker.ref();
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #send(id: number | null, verb: Request['verb'], args: readonly unknown[]): void {
    const told = this.#clock?.() ?? null;
    this.#worker.postMessage({ id, verb, told, args } satisfies Request);
  }

  #settle(answer: Answer): void {
    assert(answer.id !== null, 'what nobody waits for is not answered');
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    // One that is closing must be seen to its end.
    if (this.#waiting.size === 0 && this.#over === null) this.#worker.unref();
    if ('trouble' in answer) waiting?.reject(errorOf(answer.trouble));
    else waiting?.resolve(answer.value);
  }

  #fail(how: string, cause?: unknown): void {
    const error = this.#unreachable(how, cause);
    this.#over ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  #unreachable(how: string, cause?: unknown): EngineError {
    const message = `the thread of the database "${this.#path}" ${how}`;
    return new EngineError('store.unreachable', message, { details: { path: this.#path }, cause });
  }
}

function errorOf({ code, message, retryable, details, cause }: Trouble): Error {
  if (code === 'bug.invariant') return new InvariantError(message, { cause });
  return new EngineError(code, message, { retryable, details: { ...details }, cause });
}
