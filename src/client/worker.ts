/**
 * A worker elsewhere: it asks the API for work, runs the handlers, keeps the leases, and brings
 * what came of it. An answer is brought until it is known to be there, or to be too late; whatever
 * is lost on the way is fetched again by somebody, since the engine knows nothing of this process
 * but its leases.
 */
import type { Duration } from '../base/duration.ts';
import type { Json } from '../base/json.ts';
import { type Answer, answerOf, failureOf, refusedAnswer } from './answer.ts';
import { type ApiError, ask, pause, pauseMs, type Reply } from './asking.ts';
import { Holding } from './holding.ts';
import {
  msOf,
  readOptions,
  type RemoteWorkerOptions,
  type Settings,
  type Trouble,
} from './options.ts';
import { type Assigned, executionOf, handlerFor } from './step.ts';

export interface StopOptions {
  /** How long to wait for what runs; 30s if not given. */
  readonly timeout?: Duration;
}

export interface RunningWorker {
  /** Asks for no more, and waits for what runs; what does not end in time is left to its lease. */
  stop(options?: StopOptions): Promise<void>;
  /** When it has stopped. Rejects if the API says that it asks for what there is not (400, 422). */
  readonly done: Promise<void>;
}

const STOP_DEFAULT: Duration = '30s';
/** As many as the API gives at once. */
const FETCH_MAX = 100;
/** For one request, beside what it was asked to wait. */
const REQUEST_MS_MAX = 30_000;
const EXTEND_MS_MIN = 1_000;
/** Nothing to do, said sooner than that, is no reason to ask again at once. */
const IDLE_MS_MIN = 1_000;
/** What the worker asks for is wrong; what it answers is. No time mends either. */
const OURS: ReadonlySet<number | null> = new Set([400, 413, 422]);

/** Begins at once. */
export function remoteWorker(options: RemoteWorkerOptions): RunningWorker {
  return new Working(readOptions(options));
}

class Working implements RunningWorker {
  readonly done: Promise<void>;
  readonly #settings: Settings;
  readonly #held = new Set<Holding>();
  readonly #stopping = new AbortController();
  #poll: AbortController | null = null;
  #wake: () => void = () => {};
  #isLeft = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.done = this.#run();
  }

  async stop({ timeout = STOP_DEFAULT }: StopOptions = {}): Promise<void> {
    const timer = setTimeout(() => this.#leave(), msOf('timeout', timeout));
    this.#stopping.abort();
    this.#poll?.abort();
    this.#wake();
    // Whoever waits for it has the error from there.
    await this.done.catch(() => {});
    clearTimeout(timer);
  }

  #leave(): void {
    this.#isLeft = true;
    for (const holding of this.#held) holding.leave();
    this.#wake();
  }

  async #run(): Promise<void> {
    const { concurrency, worker } = this.#settings;
    let wrong: ApiError | null = null;
    for (let failed = 0; wrong === null && !this.#stopping.signal.aborted; ) {
      const room = concurrency - this.#held.size;
      if (room <= 0) {
        await this.#change();
        continue;
      }
      const asked = performance.now();
      const reply = await this.#fetch(room);
      if (reply.came === 'answer') {
        failed = 0;
        const works = assignmentsIn(reply.body);
        for (const work of works) this.#begin(work);
        const spareMs = IDLE_MS_MIN - (performance.now() - asked);
        if (works.length === 0 && spareMs > 0) await pause(spareMs, this.#stopping.signal);
      } else if (!this.#stopping.signal.aborted) {
        failed += 1;
        this.#report(reply.error, { doing: 'fetch' });
        if (isOurs(reply)) wrong = reply.error;
        else await pause(pauseAfter(reply, failed, worker), this.#stopping.signal);
      }
    }
    while (this.#held.size > 0 && !this.#isLeft) await this.#change();
    if (wrong !== null) throw wrong;
  }

  /** Something has ended, or is to end. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #fetch(room: number): Promise<Reply> {
    const { worker, handlers, leaseMs, waitMs } = this.#settings;
    this.#poll = new AbortController();
    return ask(this.#settings, {
      path: '/work/fetch',
      body: {
        ...{ worker, handlers: Object.keys(handlers), limit: Math.min(room, FETCH_MAX) },
        ...{ lease: leaseMs, wait: `${waitMs}ms` },
      },
      timeoutMs: waitMs + REQUEST_MS_MAX,
      controller: this.#poll,
    });
  }

  #begin(work: Assigned): void {
    const { worker, leaseMs } = this.#settings;
    const holding = new Holding({
      leaseMs,
      extend: () =>
        ask(this.#settings, {
          path: pathOf(work, 'extend'),
          body: { worker, lease: leaseMs },
          timeoutMs: Math.max(leaseMs / 3, EXTEND_MS_MIN),
        }),
      onTrouble: (error) => this.#report(error, { doing: 'extend', work }),
    });
    this.#held.add(holding);
    void this.#execute(work, holding)
      .then((answer) => this.#bring(work, answer, holding))
      .finally(() => {
        holding.end();
        this.#held.delete(holding);
        this.#wake();
      });
  }

  async #execute(work: Assigned, holding: Holding): Promise<Answer> {
    const handler = handlerFor(this.#settings.handlers, work);
    try {
      if (handler === undefined) throw new Error(`no handler here is for ${work.handler}`);
      const execution = executionOf(work, holding.signal);
      return answerOf(execution, await handler(execution.step));
    } catch (thrown) {
      const answer = failureOf(thrown);
      const { instance, node } = work;
      tell(() =>
        this.#settings.logger.debug({ instance, node, ...answer.body }, 'a handler threw'),
      );
      return answer;
    }
  }

  /** Also if it seems to be too late: then the engine has a note of it. */
  async #bring(work: Assigned, first: Answer, holding: Holding): Promise<void> {
    const { worker } = this.#settings;
    for (let failed = 0, answer = first; !holding.over.aborted; ) {
      const reply = await ask(this.#settings, {
        path: pathOf(work, answer.as),
        body: { ...answer.body, worker },
        timeoutMs: REQUEST_MS_MAX,
      });
      if (reply.came === 'answer') return;
      this.#report(reply.error, { doing: answer.as, work });
      if (answer.as === 'complete' && isOurs(reply)) {
        answer = refusedAnswer(reply.error);
        continue;
      }
      if (reply.came !== 'trouble' || !holding.mayHold) return;
      failed += 1;
      await pause(pauseAfter(reply, failed, work.id), holding.over);
    }
  }

  #report(error: ApiError, about: Trouble): void {
    const { logger, onError } = this.#settings;
    const { code, message, status } = error;
    const { doing, work } = about;
    const where = work === undefined ? {} : { instance: work.instance, node: work.node };
    tell(() => {
      logger.warn({ ...where, doing, code, status, error: message }, SAID[doing]);
      onError(error, about);
    });
  }
}

/** What a listener does with what it is told must not cost any work. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch (thrown) {
    process.stderr.write(`perdure worker: whoever was told of something threw ${String(thrown)}\n`);
  }
}

const SAID: Readonly<Record<Trouble['doing'], string>> = {
  fetch: 'work could not be fetched',
  extend: 'a lease could not be extended',
  complete: 'a result could not be brought',
  fail: 'a failure could not be told',
};

function pathOf({ id }: Assigned, verb: 'extend' | Answer['as']): string {
  return `/work/${encodeURIComponent(id)}/${verb}`;
}

/** As the API says, if it does; otherwise longer from time to time. */
function pauseAfter(reply: Reply, failed: number, text: string): number {
  const said = reply.came === 'trouble' ? reply.afterMs : null;
  return said ?? pauseMs(failed, text);
}

function isOurs(reply: Reply): boolean {
  return reply.came === 'refusal' && OURS.has(reply.error.status);
}

function assignmentsIn(body: Json): readonly Assigned[] {
  return (body as unknown as { readonly assignments: readonly Assigned[] }).assignments;
}
