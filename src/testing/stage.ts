/**
 * Calls held back until a test lets them go: the order in which things happen is in its hands, and
 * with it the moment between a call and its effect, and between an effect and its answer.
 */
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../stores/store.ts';
import { guardedStore, type StoreVerb, wrappedStore } from './wrapped-store.ts';

/** Some turns of the event loop: everything that needs no time and no release has happened. */
export async function settled(turns: number = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}

/** One is enough for whatever only awaits; the runtime may also yield a turn now and then. */
const TURNS = 10;

/** A promise that the test resolves. */
export class Gate<Value = void> {
  readonly opened: Promise<Value>;
  readonly open: (value: Value) => void;

  constructor() {
    let open: (value: Value) => void = () => {};
    this.opened = new Promise((resolve) => {
      open = resolve;
    });
    this.open = open;
  }
}

interface Held {
  readonly what: string;
  readonly go: () => void;
}

export class Stage {
  readonly #held: Held[] = [];

  /** What is held back now, oldest first: `a commit`, and `a commit answers` on the way back. */
  get held(): readonly string[] {
    return this.#held.map(({ what }) => what);
  }

  /** Returns when the test says so. */
  hold(what: string): Promise<void> {
    return new Promise((go) => {
      this.#held.push({ what, go });
    });
  }

  /** Lets one go that is held now. */
  letGo(place: number): void {
    const [held] = this.#held.splice(place, 1);
    if (held === undefined) throw new Error(`nothing is held at ${place}`);
    held.go();
  }

  /** Lets everything go, and whatever follows from that, until nothing is held any more. */
  async letAllGo(): Promise<void> {
    for (await settled(); this.#held.length > 0; await settled()) this.letGo(0);
  }

  /** Every one of these verbs waits before it acts, and again before it answers. */
  watch(store: Store, who: string, verbs: readonly StoreVerb[]): Store {
    return guardedStore(store, async (verb, call) => {
      if (!verbs.includes(verb)) return call();
      await this.hold(`${who} ${verb}`);
      const answer = await call();
      await this.hold(`${who} ${verb} answers`);
      return answer;
    });
  }
}

/**
 * The store of a process that stands still until this comes about: it hears nobody, renews nothing
 * and claims nothing, whatever it was about to do when it stopped; a turn of its worker may still
 * be under way. Somebody else has opened it.
 */
export function stalledStore(store: Store, until: Promise<unknown>): Store {
  let isStill = true;
  void until.then(() => {
    isStill = false;
  });
  return wrappedStore(store, {
    open: async () => {},
    close: async () => {},
    listen: () => {},
    claim: async (request) => (isStill ? [] : store.claim(request)),
    renew: async (held, leaseMs) => (isStill ? [] : store.renew(held, leaseMs)),
  });
}
