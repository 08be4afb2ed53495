/**
 * A program that dies after each of its commits: nothing it remembers outlives one, and the next
 * begins with what is in the SQLite file. Time is what the test says, and passes only when there is
 * nothing left to do without it.
 */
import type { Flow } from '../model/definition.ts';
import { Engine } from '../runtime/engine.ts';
import type { EngineOptions } from '../runtime/engine-options.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type { CommitOutcome, Store } from '../stores/store.ts';
import { Driver } from './driver.ts';
import { Gate } from './stage.ts';
import { VirtualAlarm } from './virtual-alarm.ts';
import { Notebook } from './world.ts';
import { guardedStore } from './wrapped-store.ts';

export interface LivesOptions extends Omit<EngineOptions, 'store' | 'flows'> {
  /** Whether it dies at all. */
  readonly mortal: boolean;
}

/** More than any test has use for: something begins again and again. */
const LIVES_MAX = 1_000;

export class Lives {
  readonly log: Notebook = new Notebook();
  readonly #clock = new VirtualAlarm(Date.UTC(2026, 0));
  readonly #path: string;
  readonly #flows: readonly Flow[];
  readonly #options: LivesOptions;
  #count = 0;

  constructor(path: string, flows: readonly Flow[], options: LivesOptions) {
    this.#path = path;
    this.#flows = flows;
    this.#options = options;
  }

  /** How many programs it took. */
  get count(): number {
    return this.#count;
  }

  /**
   * One program after the other, until one finds that all is done. Whoever has nothing to do is
   * asked what it does next: true if that is something.
   */
  async live(idle: (engine: Engine) => Promise<boolean>): Promise<void> {
    while (await this.#liveOnce(idle)) {
      if (this.#count > LIVES_MAX) throw new Error(`still at work after ${LIVES_MAX} lives`);
    }
  }

  /** True if it died of a commit. */
  async #liveOnce(idle: (engine: Engine) => Promise<boolean>): Promise<boolean> {
    this.#count += 1;
    const store = sqlite(this.#path, { clock: () => this.#clock.now, durability: 'relaxed' });
    const death = new Gate<true>();
    const { mortal, ...options } = this.#options;
    const seen = mortal ? mortalStore(store, death) : store;
    const engine = new Engine(
      {
        logger: this.log,
        limits: { CRASHES_MAX: 1_000_000 },
        ...options,
        store: seen,
        flows: this.#flows,
      },
      this.#clock,
    );
    const life = this.#work(engine, store, idle);
    const isDead = await Promise.race([death.opened, life]);
    engine.parts.worker?.abandon();
    if (isDead) await store.close();
    else await engine.close();
    return isDead;
  }

  async #work(
    engine: Engine,
    store: Store,
    idle: (engine: Engine) => Promise<boolean>,
  ): Promise<false> {
    await engine.open();
    const driver = new Driver(engine, store, this.#clock, { momentsMax: 1 });
    for (;;) {
      await driver.settle();
      if (await idle(engine)) continue;
      const next = await engine.parts.worker?.nextDue(store);
      if (next === undefined) return false;
      this.#clock.moveTo(Math.max(next, this.#clock.now));
    }
  }
}

/** After a commit nothing is answered any more. */
function mortalStore(store: Store, death: Gate<true>): Store {
  let isDead = false;
  return guardedStore(store, async (verb, call) => {
    if (isDead) return new Promise<never>(() => {});
    const answer = await call();
    if (verb !== 'commit') return answer;
    const outcomes = answer as readonly CommitOutcome[];
    if (!outcomes.some(({ outcome }) => outcome === 'committed')) return answer;
    isDead = true;
    death.open(true);
    return new Promise<never>(() => {});
  });
}
