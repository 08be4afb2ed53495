/**
 * A worker says which handlers it has, so that everyone can tell work that nobody has a handler for
 * from work that waits for its turn. It says so when it begins and when that changes, and again
 * every BEAT_MS, with a look it takes anyway: at rest that is one statement a minute.
 */
import type { Store } from '../stores/store.ts';

const BEAT_MS = 60_000;
/** Who has missed two beats is gone: it was killed, or cannot be reached. */
const BEATS_MISSED = 2.5;

export class Presence {
  readonly #store: Store;
  readonly #worker: string;
  readonly #forMs: number;
  #said: string | null = null;
  #at = 0;

  constructor(store: Store, { id, pollMs }: { readonly id: string; readonly pollMs: number }) {
    this.#store = store;
    this.#worker = id;
    // Where nothing happens it looks no more often than it polls.
    this.#forMs = BEATS_MISSED * Math.max(BEAT_MS, pollMs);
  }

  /** Whoever has no handler at all serves nobody, and says nothing. */
  async tell(handlers: readonly string[]): Promise<void> {
    const now = this.#store.now();
    const words = handlers.join('\n');
    const isNews = words !== (this.#said ?? '');
    // A clock that was set back is no reason to be silent for longer.
    const isLate = now >= this.#at + BEAT_MS || now < this.#at;
    if (!isNews && (this.#said === null || !isLate)) return;
    await this.#store.servers.put(this.#worker, handlers, this.#forMs);
    // Not before the store has heard it: what it has not is said again at the next look.
    this.#said = words;
    this.#at = now;
  }

  /** Whoever ends serves nobody. */
  async leave(): Promise<void> {
    if (this.#said === null) return;
    this.#said = null;
    await this.#store.servers.remove(this.#worker);
  }
}
