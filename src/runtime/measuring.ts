/**
 * Measurements: what an engine tells of itself while it works, for whoever counts.
 *
 * Each is a plain value, told as soon as it is known, and told once. There are no totals here: a
 * listener adds up what it needs, and a process that dies has told what it knew. While nobody
 * listens nothing is measured and nothing is made. Durations that this process spends are taken by
 * its own clock; what lies between two rows is taken by the store's (D15).
 */
import { silence } from '../kernel/code.ts';
import type { Finish } from '../model/change.ts';
import type { Logger } from './logger.ts';

/** Names only, and never what an instance is about: neither inputs, nor results, nor keys. */
export type Measurement =
  | ({ readonly what: 'instance-started' } & OfInstance)
  /** `ms` since it was started, whatever it waited for meanwhile. */
  | ({
      readonly what: 'instance-ended';
      readonly status: Finish;
      readonly ms: number;
    } & OfInstance)
  /** `ms` from the stride that made it until the store has answered, or has been given up on. */
  | {
      readonly what: 'commit';
      readonly flow: string;
      readonly outcome: CommitEnd;
      readonly changes: number;
      readonly ms: number;
    }
  /** Commits that went to the store together, whatever came of each; `lost`: it did not answer. */
  | {
      readonly what: 'batch';
      readonly outcome: 'answered' | 'lost';
      readonly commits: number;
      readonly ms: number;
    }
  /** One execution of a handler. `queuedMs` from when it could have begun until it was claimed. */
  | ({
      readonly what: 'step';
      readonly outcome: StepEnd;
      /** 1 for the first execution. */
      readonly attempt: number;
      readonly ms: number;
      readonly queuedMs: number;
    } & OfNode)
  /** A step that failed will be run again, after so long. */
  | ({ readonly what: 'retry'; readonly attempt: number; readonly waitMs: number } & OfNode)
  /** A claim was not ours any more: when it was to be renewed, or when its result was brought. */
  | { readonly what: 'lease-lost'; readonly where: 'renewing' | 'result' }
  /** Work was taken back from a worker that did not come back in time. */
  | ({ readonly what: 'lease-recovered' } & OfNode)
  /** A time to wake a token has been acted on, so much after it had come. */
  | ({ readonly what: 'timer'; readonly lagMs: number } & OfNode)
  /** Published, and what came of it at once; `delivered` for each instance that has had it. */
  | {
      readonly what: 'message';
      readonly type: string;
      readonly outcome: 'woken' | 'buffered' | 'duplicate' | 'delivered';
    }
  /** One attempt to bring a letter to its target; `dead` if it was the last. */
  | {
      readonly what: 'letter';
      readonly type: string;
      readonly outcome: 'sent' | 'failed' | 'dead';
      readonly ms: number;
    }
  /** A result came too late, and nobody has it. */
  | { readonly what: 'dropped'; readonly reason: string };

/** `retry`: it failed, and has executions left. `waiting`: it waits for a message, as it said. */
export type StepEnd = 'done' | 'failed' | 'waiting' | 'retry';

/** As a store answers; `lost` if it did not, and nobody knows whether it came about. */
export type CommitEnd =
  | 'committed'
  | 'stale'
  | 'fenced'
  | 'delivered'
  | 'exists'
  | 'failed'
  | 'lost';

interface OfInstance {
  readonly flow: string;
  readonly version: number;
  readonly tenant: string | null;
}

interface OfNode {
  readonly flow: string;
  readonly node: string;
}

export type Listener = (measurement: Measurement) => void;

interface Ear {
  readonly listener: Listener;
  hasThrown: boolean;
}

export class Measuring {
  readonly #logger: Logger;
  #ears: readonly Ear[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Whether anyone listens: if not, nothing is measured. */
  get isOn(): boolean {
    return this.#ears.length > 0;
  }

  /** Gives the function that ends it. */
  observe(listener: Listener): () => void {
    const ear: Ear = { listener, hasThrown: false };
    this.#ears = [...this.#ears, ear];
    return () => {
      this.#ears = this.#ears.filter((each) => each !== ear);
    };
  }

  /** A listener is a stranger's code, called on the way to a commit: it harms nobody. */
  tell(measurement: Measurement): void {
    for (const ear of this.#ears) {
      try {
        // One that is async may fail later, and nobody else would hear of it.
        silence(ear.listener(measurement));
      } catch (thrown) {
        this.#complain(ear, thrown);
      }
    }
  }

  #complain(ear: Ear, thrown: unknown): void {
    if (ear.hasThrown) return;
    ear.hasThrown = true;
    const details = { error: nameOf(thrown) };
    this.#logger.warn(details, 'a listener of engine.observe threw; said once, told again');
  }
}

/** What a stranger threw may be anything, and reading it may throw, too. */
function nameOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'something unreadable';
  }
}
