/**
 * One store for one engine after the other. It is opened once and closed by who made it, and
 * whoever has left hears no more of its bells.
 */
import type { Store } from '../../index.ts';

type Ring = Parameters<Store['listen']>[0];

export class SharedStore {
  readonly #store: Store;
  readonly #rings = new Set<Ring>();
  #opened: Promise<void> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The same store, as one engine is given it. */
  forEngine(): Store {
    let own: Ring | null = null;
    const verbs: Readonly<Record<string, unknown>> = {
      open: () => {
        this.#opened ??= this.#open();
        return this.#opened;
      },
      listen: (ring: Ring) => {
        own = ring;
        this.#rings.add(ring);
      },
      close: async () => {
        if (own !== null) this.#rings.delete(own);
      },
    };
    return new Proxy(this.#store, {
      get: (target, name) => {
        if (Object.hasOwn(verbs, name)) return Reflect.get(verbs, name);
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  async #open(): Promise<void> {
    await this.#store.open();
    this.#store.listen((bell) => {
      for (const ring of this.#rings) ring(bell);
    });
  }
}
