/** An alarm that a test rings by hand: each once somebody has set it, and none by itself. */
import type { Alarm } from '../calls/asyncapi/alarm.ts';

interface Pending {
  readonly ms: number;
  readonly ring: () => void;
}

export class HandAlarm implements Alarm {
  readonly #pending = new Set<Pending>();
  readonly #asking = new Set<() => void>();

  set(ms: number, ring: () => void): () => void {
    const pending = { ms, ring };
    this.#pending.add(pending);
    for (const ask of [...this.#asking]) ask();
    return () => this.#pending.delete(pending);
  }

  /** Rings the first that is set for so long, as soon as there is one. */
  ring(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const ask = (): void => {
        const found = [...this.#pending].find((one) => one.ms === ms);
        if (found === undefined) return;
        this.#asking.delete(ask);
        // Whoever sets an alarm does not hear it before it is set.
        queueMicrotask(() => {
          if (this.#pending.delete(found)) found.ring();
          resolve();
        });
      };
      this.#asking.add(ask);
      ask();
    });
  }
}
