/** Drives an engine on a clock that only the test moves, whatever store it is on. */
import { setImmediate, setTimeout } from 'node:timers/promises';
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
      if (worker !== null && !(await isQuiet(worker))) return false;
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

/**
 * Whether the worker has nothing to do. False if all that is left are handlers with a time limit
 * that stay silent: they wait for time to pass, and the test is what lets it.
 */
async function isQuiet(worker: Worker): Promise<boolean> {
  const quiet = worker.quiet().then(() => true);
  for (let turns = 0; ; turns += 1) {
    const pause = turns < TURNS_MAX ? setImmediate(false) : setTimeout(LOOK_MS, false);
    if (await Promise.race([quiet, pause])) return true;
    if (turns >= TURNS_MAX && worker.onlyTimeHelps) return false;
  }
}
