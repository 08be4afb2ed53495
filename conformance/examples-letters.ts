/** Events that a workflow sends to the world outside. Each is kept once, however often it comes. */
import type { Json } from '../src/base/json.ts';
import type { OutboxEvent } from '../src/calls/target.ts';

export class Letters {
  readonly #events = new Map<string, Json>();
  readonly #waiting = new Set<() => void>();

  readonly receive = ({ id, data, event = { data } }: OutboxEvent): void => {
    this.#events.set(id, event);
    for (const look of this.#waiting) look();
  };

  get all(): readonly Json[] {
    return [...this.#events.values()];
  }

  /** When so many have come. */
  come(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#events.size < count) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}
