/**
 * A sign of life from the main thread to a thread that renews its claims (D15). While the main
 * thread is blocked its claims are kept, because it will come back; when it has been silent for too
 * long it is taken for stuck, and others may have its work.
 */

/** No honest computation blocks a thread for so long, and an endless one must not keep its work. */
export const BLOCKED_MS_MAX = 300_000;

const BEAT_MS = 1_000;

/** The end of the main thread. It does not keep the process alive. */
export class Pulse {
  /** To be handed to the other thread: the moment of the last sign, by the clock of the machine. */
  readonly shared: SharedArrayBuffer = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  #everyMs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.beatEvery(BEAT_MS);
  }

  /** From now on at least so often. */
  beatEvery(ms: number): void {
    if (ms >= this.#everyMs) return;
    this.#everyMs = ms;
    clearInterval(this.#timer);
    this.#beat();
    this.#timer = setInterval(() => this.#beat(), ms).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    Atomics.store(new BigInt64Array(this.shared), 0, BigInt(Date.now()));
  }
}

/** The end of the other thread: how long the main thread has been silent. */
export function silentMs(shared: SharedArrayBuffer): number {
  return Date.now() - Number(Atomics.load(new BigInt64Array(shared), 0));
}
