/** Handlers that are not asked for, for a while: claiming them has turned out to be of no use. */
import type { Store } from '../stores/store.ts';
import type { Logger } from './logger.ts';

/** A handler this process turned out not to serve is not asked for again for so long. */
const SHUN_MS = 30_000;

export class Shunned {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #until = new Map<string, number>();

  constructor({ store, logger }: { readonly store: Store; readonly logger: Logger }) {
    this.#store = store;
    this.#logger = logger;
  }

  /** This process cannot go on with that flow's instances after all (D19). */
  add(handler: string): void {
    this.#until.set(handler, this.#store.now() + SHUN_MS);
    this.#logger.warn({ handler }, 'a stored plan needs code this process does not have');
  }

  /** Code has come: what could not be gone on with perhaps can be now. */
  clear(): void {
    this.#until.clear();
  }

  /** Those of these that are worth asking for. */
  without(handlers: readonly string[]): readonly string[] {
    if (this.#until.size === 0) return handlers;
    const now = this.#store.now();
    for (const [name, until] of this.#until) if (until <= now) this.#until.delete(name);
    return handlers.filter((name) => !this.#until.has(name));
  }
}
