/**
 * What the database thread does between requests: it renews claims that its process is too busy to
 * renew (D15), and looks whether other processes have written to the file. Both go by the clock of
 * the machine, and neither keeps the process alive.
 */
import { silentMs } from '../pulse.ts';
import type { Watch } from '../watch.ts';
import type { Session } from './session.ts';

/** Often enough that half a lease cannot pass unseen between two looks. */
const LOOKS_PER_LEASE = 6;
/** Longer pauses gain nothing, and the longest leases would not fit into a timer. */
const PAUSE_MS_MAX = 60_000;

/** How late a bell may be; and one that breaks a long silence, since twenty looks a second show. */
const LOOK_MS = 50;
const LOOK_MS_SILENT = 200;
const SILENT_LOOKS = 100;

export interface Sentry {
  readonly session: Session;
  readonly watch: Watch;
  /** Of the main thread. */
  readonly pulse: SharedArrayBuffer;
  readonly blockedMsMax: number;
  /** Whether the database itself is the matter; then the next round may find it mended. */
  isTrouble(thrown: unknown): boolean;
}

export class Rounds {
  readonly #sentry: Sentry;
  #watching: NodeJS.Timeout | undefined;
  #pauseMs = Number.POSITIVE_INFINITY;
  #listening: NodeJS.Timeout | undefined;

  constructor(sentry: Sentry) {
    this.#sentry = sentry;
  }

  /** To be called whenever something may have been claimed. */
  keepWatch(): void {
    const { shortestMs } = this.#sentry.watch;
    // Nothing is held, or the next look comes early enough.
    if (shortestMs / LOOKS_PER_LEASE >= this.#pauseMs) return;
    clearTimeout(this.#watching);
    this.#pauseMs = Math.min(shortestMs / LOOKS_PER_LEASE, PAUSE_MS_MAX);
    this.#watching = setTimeout(() => this.#look(), this.#pauseMs).unref();
  }

  #look(): void {
    const { session, pulse, blockedMsMax } = this.#sentry;
    this.#pauseMs = Number.POSITIVE_INFINITY;
    if (silentMs(pulse) <= blockedMsMax) this.#try(() => session.keepHeld());
    this.keepWatch();
  }

  /** Rings whenever another connection has written: not for what was there before, nor our own. */
  listen(ring: () => void): void {
    const { session } = this.#sentry;
    session.heard();
    clearTimeout(this.#listening);
    let silent = 0;
    const hark = (): void => {
      silent += 1;
      if (!session.heard()) return;
      silent = 0;
      ring();
    };
    const wait = (): void => {
      const pauseMs = silent < SILENT_LOOKS ? LOOK_MS : LOOK_MS_SILENT;
      this.#listening = setTimeout(() => {
        this.#try(hark);
        wait();
      }, pauseMs).unref();
    };
    wait();
  }

  stop(): void {
    clearTimeout(this.#watching);
    clearTimeout(this.#listening);
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (!this.#sentry.isTrouble(thrown)) throw thrown;
    }
  }
}
