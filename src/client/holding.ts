/**
 * Holding work: the lease is extended at a third of it, again and again, until there is an answer.
 * Who is told that the work is somebody else's, or could tell nobody for a whole lease that it is
 * still at it, has lost it as far as it knows, and its signal fires.
 */
import { ApiError, type Reply } from './asking.ts';

/** So many questions fit into one lease: that one of them is lost costs nothing. */
const EXTENDS_PER_LEASE = 3;
/** After trouble it is tried again sooner. */
const TRIES_PER_LEASE = 10;
/** Past its lease, an answer may still find that nobody has taken the work; but not for ever. */
const ANSWER_MS_MAX = 60_000;

export interface HoldingOptions {
  readonly leaseMs: number;
  readonly extend: () => Promise<Reply>;
  readonly onTrouble: (error: ApiError) => void;
}

export class Holding {
  readonly #options: HoldingOptions;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout;
  /** By the clock of this process. */
  #until: number;
  #isTold = false;

  constructor(options: HoldingOptions) {
    this.#options = options;
    this.#until = performance.now() + options.leaseMs;
    this.#timer = this.#later(options.leaseMs / EXTENDS_PER_LEASE);
  }

  /** For the handler: the work is not this worker's any more. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** For whoever brings the answer: it is over, with an answer or without one. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether it is worth trying once more to bring an answer. */
  get mayHold(): boolean {
    return !this.#isTold && performance.now() < this.#until + ANSWER_MS_MAX;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over.abort();
  }

  /** The worker stops before the handler has: it is left to its lease. */
  leave(): void {
    this.end();
    this.#lost.abort(new ApiError('work.lost', 'the worker has stopped'));
  }

  #later(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#extend(), ms);
  }

  async #extend(): Promise<void> {
    const { leaseMs, extend, onTrouble } = this.#options;
    const sent = performance.now();
    const reply = await extend();
    if (this.#over.signal.aborted) return;
    if (reply.came === 'answer') {
      this.#until = sent + leaseMs;
      this.#timer = this.#later(leaseMs / EXTENDS_PER_LEASE);
      return;
    }
    if (reply.came === 'lost') {
      this.#isTold = true;
      this.#lost.abort(reply.error);
      return;
    }
    onTrouble(reply.error);
    if (performance.now() >= this.#until) this.#lost.abort(reply.error);
    const afterMs = reply.came === 'trouble' ? reply.afterMs : null;
    this.#timer = this.#later(afterMs ?? leaseMs / TRIES_PER_LEASE);
  }
}
