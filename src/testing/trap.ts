/** A place where a program is caught on its way to the store, or on its way back. */
import { Gate } from './stage.ts';
import type { Around, StoreVerb } from './wrapped-store.ts';

/** Holds back the next call of a verb, once it is armed: before it is made, or its answer. */
export class Trap {
  readonly #verb: StoreVerb;
  readonly #side: 'call' | 'answer';
  readonly #come = new Gate();
  readonly #go = new Gate();
  #isArmed = false;

  constructor(verb: StoreVerb, side: 'call' | 'answer' = 'call') {
    this.#verb = verb;
    this.#side = side;
  }

  /** What stands between the engine and its store. */
  readonly around: Around = async (verb, call) => {
    if (!this.#isArmed || verb !== this.#verb) return call();
    this.#isArmed = false;
    const answer = this.#side === 'answer' ? call() : undefined;
    await answer;
    this.#come.open();
    await this.#go.opened;
    return answer ?? call();
  };

  arm(): void {
    this.#isArmed = true;
  }

  /** Until somebody is in it. */
  get sprung(): Promise<void> {
    return this.#come.opened;
  }

  letGo(): void {
    this.#go.open();
  }
}
