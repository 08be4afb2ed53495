/**
 * Lets through what waits in lanes for handlers that only workers elsewhere have. Workers of this
 * process do so for whatever they hear of; but what nobody seemed to have a handler for was put
 * aside, and a process may have no worker at all.
 */
import { tenantLane } from '../../stores/lanes.ts';
import type { Store } from '../../stores/store.ts';
import type { Work } from '../handlers.ts';

export class Through {
  readonly #store: Store;
  /** Lanes of tenants from which some were claimed: others may stand in the queue instead. */
  readonly #claimed = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  noteClaimed(works: readonly Work[]): void {
    for (const { claim, head } of works) {
      if (head.tenant !== null) this.#claimed.add(tenantLane(head.tenant, claim.handler));
    }
  }

  /** True if some were. */
  async let(handlers: readonly string[]): Promise<boolean> {
    const lanes = [...this.#claimed];
    const { tokens, isBusy } = await this.#store.lanes.letThrough({ handlers, lanes });
    // If the store does not answer, or somebody else looks, they are told of once more.
    if (!isBusy) for (const lane of lanes) this.#claimed.delete(lane);
    return tokens > 0;
  }

  /** Whether there is room that nobody has been told of. */
  get hasRoom(): boolean {
    return this.#claimed.size > 0;
  }
}
