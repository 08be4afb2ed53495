/** How the runtime sleeps: process clocks are for this and for nothing else (D15). */
export interface Alarm {
  /** Calls back after so many milliseconds, unless cancelled before. */
  set(ms: number, ring: () => void): () => void;
}

/** setTimeout takes at most 2^31-1 ms; a longer sleep simply looks again in between. */
const SLEEP_MS_MAX = 2_000_000_000;

export const processAlarm: Alarm = {
  set(ms, ring) {
    const timer = setTimeout(ring, Math.min(Math.max(ms, 0), SLEEP_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/** Until it has come about, or the time is over. */
export async function orAfter(alarm: Alarm, ms: number, done: Promise<unknown>): Promise<void> {
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => {
    cancel = alarm.set(ms, resolve);
  });
  await Promise.race([late, done]);
  cancel();
}

/** Something to wait for that anyone may ring; a ring while nobody waits is kept for the next. */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  get rung(): boolean {
    return this.#rung;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Returns at the next ring, or when the time is over; false in the latter case. */
  async wait(alarm: Alarm, ms: number): Promise<boolean> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const cancel = alarm.set(ms, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
      this.#wake = null;
    }
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }
}
