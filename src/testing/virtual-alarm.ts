/** A clock that only a test moves, and alarms that ring by it. */
import type { Alarm } from '../runtime/alarm.ts';

interface Pending {
  readonly at: number;
  readonly ring: () => void;
}

export class VirtualAlarm implements Alarm {
  now: number;
  readonly #pending = new Set<Pending>();

  constructor(now: number) {
    this.now = now;
  }

  set(ms: number, ring: () => void): () => void {
    // In whole milliseconds, as real clocks tell the time.
    const pending = { at: this.now + Math.ceil(Math.max(ms, 0)), ring };
    this.#pending.add(pending);
    return () => this.#pending.delete(pending);
  }

  /** The moment of the next alarm. */
  get next(): number | undefined {
    const moments = Array.from(this.#pending, ({ at }) => at);
    return moments.length === 0 ? undefined : Math.min(...moments);
  }

  /** Sets the clock and rings whatever is due by then, oldest first. */
  moveTo(now: number): void {
    this.now = Math.max(this.now, now);
    const due = [...this.#pending].filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
    for (const pending of due) {
      if (this.#pending.delete(pending)) pending.ring();
    }
  }
}
