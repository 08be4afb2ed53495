/**
 * A flow in memory on a clock of its own, which is set forward to whatever is due next, so that
 * nobody waits for time. While a handler runs it does not jump: a handler takes as long as it
 * takes, and where one has a time limit, the clock goes as fast as the real one.
 */
import type { Run } from '../index.ts';
import type { TestEngine } from '../testing.ts';
import { pause } from './following.ts';
import { nextMoment } from './skipping.ts';
import { canMove, type Standstill, type Surroundings, whyForEver } from './standing-still.ts';

/** A person who looks sees no difference to at once. */
export const LOOK_MS = 50;
/** So often it is looked at whether a handler with a time limit has answered. */
const STEP_MS = 20;

/** Why nothing moves any more, or null if something may; or what went wrong. */
type Came = { readonly stuck: readonly Standstill[] | null } | { readonly thrown: unknown };

export class VirtualClock {
  readonly #kit: TestEngine;
  readonly #run: Run;
  readonly #around: Surroundings;
  readonly #turnsMax: number;
  /** When it was set forward, from where to where, oldest first. */
  readonly #jumps: { readonly from: number; readonly to: number }[] = [];
  #realAt: number = performance.now();
  /** The turn that is under way, and what came of the last one. */
  #under: AbortController | null = null;
  #came: Came | null = null;

  constructor(kit: TestEngine, run: Run, around: Surroundings, turnsMax: number) {
    this.#kit = kit;
    this.#run = run;
    this.#around = around;
    this.#turnsMax = turnsMax;
  }

  /** Until there may be more to see; why there will not be, if so. It stands still in between. */
  async next(signal: AbortSignal): Promise<readonly Standstill[] | null> {
    this.#under ??= this.#begin();
    await pause(AbortSignal.any([signal, this.#under.signal]), LOOK_MS);
    const came = this.#came;
    if (came === null) return null;
    this.#came = null;
    this.#under = null;
    if ('thrown' in came) throw came.thrown;
    return came.stuck;
  }

  /** What takes long is heard of by a call: a race would leave something with it each time. */
  #begin(): AbortController {
    const under = new AbortController();
    const end = (came: Came): void => {
      this.#came = came;
      under.abort();
    };
    this.#turn().then(
      (stuck) => end({ stuck }),
      (thrown: unknown) => end({ thrown }),
    );
    return under;
  }

  /** Everything that can be done now, or else the clock set to when something can. */
  async #turn(): Promise<readonly Standstill[] | null> {
    const kit = this.#kit;
    const { version } = await this.#run.inspect();
    await kit.runUntilIdle();
    const elapsedMs = this.#elapsedMs();
    const view = await this.#run.inspect();
    if (view.endedAt !== null || view.version > version) return null;
    const { worker } = kit.engine.parts;
    if (worker?.onlyTimeHelps === true) {
      await kit.advance(elapsedMs);
      await pause(new AbortController().signal, STEP_MS);
      return null;
    }
    // Its own moment, if that is all it waits for: a worker also looks about in between.
    const due = (await nextMoment(kit.engine, view, kit.now)) ?? (await worker?.nextDue(kit.store));
    if (due === undefined || !(await canMove(this.#around, view))) {
      return whyForEver(this.#around, view);
    }
    if (this.#jumps.length >= this.#turnsMax) return [forEver(this.#turnsMax)];
    const from = kit.now;
    const to = Math.max(due, from + 1);
    this.#jumps.push({ from, to });
    await kit.advance(to - from);
    return null;
  }

  /** How much of the time between two moments nobody waited for. */
  skippedMs(since: number, until: number): number {
    let skipped = 0;
    for (const { from, to } of this.#jumps.toReversed()) {
      if (to <= since) break;
      skipped += Math.max(Math.min(to, until) - Math.max(from, since), 0);
    }
    return skipped;
  }

  /** In whole milliseconds, since the last time this was asked. */
  #elapsedMs(): number {
    const now = performance.now();
    const elapsed = Math.max(Math.round(now - this.#realAt), 1);
    this.#realAt = now;
    return elapsed;
  }
}

function forEver(turns: number): Standstill {
  const text = `it wakes itself again and again: the clock was set forward ${turns} times`;
  return { code: 'instance.waiting', node: null, text, commands: [] };
}
