/** Drives an engine on a clock that only the test moves, whatever store it is on. */
import { nextIn } from '../runtime/agenda.ts';
import type { Engine } from '../runtime/engine.ts';
import type { Worker } from '../runtime/worker.ts';
import type { Store } from '../stores/store.ts';
import type { VirtualAlarm } from './virtual-alarm.ts';

export interface DriverOptions {
  /** How many moments one `advance` may stop at. */
  readonly momentsMax: number;
  /** The lease, if workers die all the time: waiting for it is then part of settling. */
  readonly leaseMs?: number;
}

export class Driver {
  readonly #engine: Engine;
  readonly #store: Store;
  readonly #alarm: VirtualAlarm;
  readonly #options: DriverOptions;
  #hush: Hush | null = null;

  constructor(engine: Engine, store: Store, alarm: VirtualAlarm, options: DriverOptions) {
    this.#engine = engine;
    this.#store = store;
    this.#alarm = alarm;
    this.#options = options;
  }

  /**
   * Runs everything that can run without time passing. False if what is left are handlers that only
   * their time limits will end.
   */
  async settle(): Promise<boolean> {
    const { leaseMs } = this.#options;
    for (;;) {
      const { worker } = this.#engine.parts;
      worker?.ring();
      worker?.ringLetters();
      if (worker !== null && !(await this.#isQuiet(worker))) return false;
      if (this.#engine.parts.worker !== worker) continue;
      if (leaseMs === undefined) return true;
      // The claims of a dead worker stand until their leases are over.
      const next = await this.#nextDue();
      if (next === undefined || next > this.#alarm.now + leaseMs + 1) return true;
      this.#alarm.moveTo(next);
    }
  }

  /** Lets time pass, stopping at every moment something is due, as long as real time would. */
  async advance(ms: number): Promise<void> {
    const { momentsMax } = this.#options;
    const until = this.#alarm.now + ms;
    for (let moments = 0; ; moments += 1) {
      const isIdle = await this.settle();
      const due = await this.#nextDue();
      // While a handler runs, its heartbeats and its time limit come at their moments; and what
      // is due and was left alone (a lone token, D11) waits for it, too.
      const later = due === undefined || due <= this.#alarm.now ? until : due;
      const next = isIdle ? due : Math.min(later, this.#alarm.next ?? until);
      if (next === undefined || next > until) break;
      if (!isIdle && this.#alarm.now === until) return;
      if (moments >= momentsMax) {
        throw new Error(`still awake after ${moments} moments (momentsMax)`);
      }
      this.#alarm.moveTo(next);
    }
    this.#alarm.moveTo(until);
    await this.settle();
  }

  /** Whoever settles again and again while a handler runs waits for the same silence. */
  #isQuiet(worker: Worker): Promise<boolean> {
    if (this.#hush?.worker !== worker || this.#hush.isOver) this.#hush = new Hush(worker);
    return this.#hush.comes();
  }

  async #nextDue(): Promise<number | undefined> {
    const { worker, library } = this.#engine.parts;
    if (worker !== null) return worker.nextDue(this.#store);
    const handlers = library.claimable();
    const request = { handlers, schedules: { flows: [] }, messages: false };
    return nextIn(await this.#store.outlook(request));
  }
}

/** Turns of the event loop in which a handler that only awaits something surely answers. */
const TURNS_MAX = 200;
/** And then it is looked at again this often, for as long as it takes. */
const LOOK_MS = 5;

/** Waits until a worker has nothing to do, and asks it only once, however long that takes. */
class Hush {
  readonly worker: Worker;
  /** It was quiet: whether it is now must be asked anew. */
  isOver = false;
  #hear = (): void => {};

  constructor(worker: Worker) {
    this.worker = worker;
    void worker.quiet().then(() => {
      this.isOver = true;
      this.#hear();
    });
  }

  /**
   * Whether the worker has nothing to do. False if all that is left are handlers with a time limit
   * that stay silent: they wait for time to pass, and the test is what lets it.
   */
  async comes(): Promise<boolean> {
    for (let turns = 0; !this.isOver; turns += 1) {
      await this.#turn(turns < TURNS_MAX);
      if (turns >= TURNS_MAX && !this.isOver && this.worker.onlyTimeHelps) return false;
    }
    return true;
  }

  /**
   * A turn of the event loop or a while, and less if it is quiet before. No race of promises: each
   * would leave something behind with one that stays open for as long as a handler runs.
   */
  #turn(isShort: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#hear = resolve;
      if (isShort) setImmediate(resolve);
      else setTimeout(resolve, LOOK_MS);
    });
  }
}
