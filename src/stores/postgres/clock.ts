/**
 * The database's clock, as this process knows it: every answer that tells the time corrects it, and
 * in between the process only counts on. The clock of the machine, which someone may set, is never
 * looked at.
 *
 * An answer is always late, by the way back and by whatever kept this process busy; so of several
 * the latest moment is believed. After a while even a smaller one is: the database's clock may have
 * been set back.
 */
const BELIEVED_MS = 60_000;

export class StoreClock {
  readonly #told: (() => number) | undefined;
  #ahead = Number.NEGATIVE_INFINITY;
  #since = 0;

  /** With a clock of the test's nothing else is believed. */
  constructor(told?: () => number) {
    this.#told = told;
  }

  /** What time a test says it is; null has the database decide. */
  get told(): number | null {
    return this.#told?.() ?? null;
  }

  note(now: number): void {
    const counted = performance.now();
    const ahead = now - counted;
    if (ahead < this.#ahead && counted - this.#since < BELIEVED_MS) return;
    this.#ahead = ahead;
    this.#since = counted;
  }

  now(): number {
    return this.told ?? Math.floor(performance.now() + this.#ahead);
  }
}
