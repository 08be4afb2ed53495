/**
 * Which remote workers are there, and what they have: said in the store as workers of this program
 * say it, so that work for them is not taken for work that nobody has a handler for.
 */
import type { Store } from '../../stores/store.ts';
import { Presence } from '../presence.ts';

/** Workers that are remembered; whoever is forgotten only says once more what it has. */
const WORKERS_MAX = 10_000;

interface Known {
  readonly presence: Presence;
  /** All that it has asked for: it may ask for one thing after the other. */
  readonly handlers: Set<string>;
}

export class Presences {
  readonly #store: Store;
  readonly #known = new Map<string, Known>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** It asks, and is silent for so long at most, unless it is gone. */
  async tell(worker: string, handlers: readonly string[], silentMs: number): Promise<void> {
    const known = this.#known.get(worker) ?? this.#meet(worker, silentMs);
    for (const name of handlers) known.handlers.add(name);
    await known.presence.tell([...known.handlers].toSorted());
  }

  #meet(worker: string, silentMs: number): Known {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= WORKERS_MAX) this.#known.delete(oldest);
    const presence = new Presence(this.#store, { id: worker, pollMs: silentMs });
    const known = { presence, handlers: new Set<string>() };
    this.#known.set(worker, known);
    return known;
  }
}
