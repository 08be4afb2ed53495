/**
 * From the names that remote workers give to those that work waits under. `'SHIP'` is a type of
 * step, in all flows; `'order/SHIP'` that of one flow, or a step of any version of it; and
 * `'order@1/charge'` a step of one version.
 *
 * Chains and flowcharts are known from those this process has and from those others have stored.
 * Work of any other flow is handed out only by a process that has the flow: whoever takes the
 * answer of a step that failed may need its closures.
 */
import type { Store } from '../../stores/store.ts';
import { wrong } from '../fields.ts';
import type { Library } from '../library.ts';
import type { Logger } from '../logger.ts';

/** How often it is asked whether others have stored flows that nobody here has heard of. */
const LINKS_EVERY_MS = 2_000;
/** Names nobody knows are told of once; past so many they are forgotten, and may be told again. */
const STRANGERS_MAX = 1_000;

export interface CatalogueHouse {
  readonly store: Store;
  readonly library: Library;
  readonly logger: Logger;
}

export class Catalogue {
  readonly #house: CatalogueHouse;
  readonly #strangers = new Set<string>();
  #stored: readonly string[] = [];
  #askAt = 0;
  #asking: Promise<void> | null = null;

  constructor(house: CatalogueHouse) {
    this.#house = house;
  }

  /** What is to be claimed for these names; throws if one is for no remote worker. */
  async resolve(handlers: readonly string[]): Promise<readonly string[]> {
    await this.#learn();
    const asked = new Set(handlers);
    const met = new Set<string>();
    const names = new Set<string>();
    for (const name of [...this.#house.library.stepNames(), ...this.#stored]) {
      for (const called of callsOf(name)) {
        if (!asked.has(called)) continue;
        met.add(called);
        names.add(name);
      }
    }
    for (const handler of asked) if (!met.has(handler)) this.#tellOf(handler);
    for (const name of names) this.#check(name);
    return [...names];
  }

  async #learn(): Promise<void> {
    const { store } = this.#house;
    const now = store.now();
    // A clock that was set back is no reason to ask later.
    const isKnown = now < this.#askAt && now >= this.#askAt - LINKS_EVERY_MS;
    if (isKnown) return;
    this.#asking ??= store
      .links()
      .then((links) => {
        this.#stored = links;
        this.#askAt = store.now() + LINKS_EVERY_MS;
      })
      .finally(() => {
        this.#asking = null;
      });
    await this.#asking;
  }

  #check(name: string): void {
    if (!this.#house.library.isTransactional(name)) return;
    const why = 'what it does commits with its result, in one transaction of this database';
    throw wrong(`"${name}" is no work for elsewhere: ${why}`, 'handlers');
  }

  /** Its flow may come yet; or somebody has misspelt it. */
  #tellOf(handler: string): void {
    if (this.#strangers.has(handler)) return;
    if (this.#strangers.size >= STRANGERS_MAX) this.#strangers.clear();
    this.#strangers.add(handler);
    this.#house.logger.warn({ handler }, 'a remote worker asks for a step that no flow here has');
  }
}

/** What a worker may call it: of a step the version may be left out, and of a type the flow. */
function callsOf(name: string): readonly string[] {
  const slash = name.indexOf('/');
  const at = name.lastIndexOf('@', slash);
  const step = name.slice(slash + 1);
  return at < 0 ? [name, step] : [name, `${name.slice(0, at)}/${step}`];
}
