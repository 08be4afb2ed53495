/**
 * Shows a run until it is over, nothing will move it, or it was told to stop. Told to stop it
 * begins nothing else, waits for what is at work and goes on showing it; told twice it stops at
 * once. A store that does not answer is waited for, as the worker does: nothing is lost meanwhile.
 */
import type { InstanceView } from '../index.ts';
import type { Desk } from './desk.ts';
import { type Entry, pause } from './following.ts';
import type { Happening } from './happening.ts';
import { Narrator } from './narrator.ts';
import { type Naming, shownName } from './naming.ts';
import { CHART, waitText } from './telling.ts';
import type { Progress } from './progress.ts';
import { DRAIN_MS, type Running } from './running.ts';
import { spanText } from './spans.ts';
import type { Standstill } from './standing-still.ts';
import type { StopSignal } from './stopping.ts';

/** How it was left. */
export interface Watched {
  readonly view: InstanceView;
  /** By what it was told to stop before it was over. */
  readonly stopped: StopSignal | null;
  /** Whether what was at work had its time to end. */
  readonly isDrained: boolean;
  /** What was at work when it was left. */
  readonly left: readonly string[];
  /** Why nothing will move it, if that is why it was left. */
  readonly stuck: readonly Standstill[] | null;
}

export interface WatchOptions {
  readonly desk: Desk;
  readonly running: Running;
  readonly progress: Progress;
  /** As it was last seen. */
  readonly view: InstanceView;
  /** What a command needs beside its own words to find the store. */
  readonly where: string;
}

/** How long a store that is away is left alone. */
const AWAY_MS = 500;

export class Watch {
  readonly #desk: Desk;
  readonly #running: Running;
  readonly #progress: Progress;
  readonly #narrator: Narrator;
  readonly #told = new Set<string>();
  readonly #where: string;
  #view: InstanceView;
  #shown = 0;
  #isOver = false;
  #stopped: StopSignal | null = null;
  #isDrained = false;
  #isAway = false;
  /** Ends whatever pause there is. */
  #bell = new AbortController();
  #leave: (watched: Watched) => void = () => {};

  constructor({ desk, running, progress, view, where }: WatchOptions) {
    this.#desk = desk;
    this.#running = running;
    this.#narrator = new Narrator(running.naming);
    this.#progress = progress;
    this.#view = view;
    this.#where = where;
  }

  async untilOver(): Promise<Watched> {
    const hurried = new Promise<Watched>((resolve) => {
      this.#leave = resolve;
    });
    const deaf = this.#desk.terminal.onStop((signal) => this.#stop(signal));
    const { run, found } = this.#running;
    const past = found === null ? '' : ` goes on after ${commitsText(found)}`;
    this.#progress.say(`instance ${run.id}${past}`);
    try {
      return await Promise.race([this.#follow(), hurried]);
    } finally {
      this.#isOver = true;
      deaf();
    }
  }

  async #follow(): Promise<Watched> {
    for (;;) {
      // Who is told twice leaves while it is still being followed.
      if (this.#isOver) return this.#left(null);
      const wasDrained = this.#isDrained;
      try {
        const watched = await this.#look(wasDrained);
        this.#noteAnswer();
        if (watched !== null) return watched;
      } catch (thrown) {
        // Whoever asked the engine something when it was told to close hears that it is closed.
        if (this.#stopped !== null && codeOf(thrown) === 'engine.closed') continue;
        if (!isAway(thrown)) throw thrown;
        if (wasDrained) return this.#left(null);
        await this.#waitForStore(thrown);
      }
    }
  }

  /** Shows what is new; if there is nothing, waits for more. How it was left, if it was. */
  async #look(wasDrained: boolean): Promise<Watched | null> {
    const { run, source, standstills, next } = this.#running;
    for (const entry of await source.read(this.#shown)) this.#show(entry);
    this.#view = await run.inspect();
    if (this.#view.version > this.#shown) return null;
    if (this.#view.endedAt !== null) return { ...this.#left(null), stopped: null };
    if (wasDrained) return this.#left(null);
    if (this.#stopped !== null) {
      await source.pause(this.#bell.signal);
      return null;
    }
    this.#say(await standstills(this.#view));
    const stuck = await next(this.#view, this.#bell.signal);
    if (stuck === null || this.#stopped !== null) return null;
    this.#view = await run.inspect();
    return this.#view.version > this.#shown ? null : this.#left(stuck);
  }

  /** What happened before this command came is not told again: only how it stood by then. */
  #show(entry: Entry): void {
    const { found } = this.#running;
    const happenings = this.#inRealTime(entry);
    this.#shown = entry.n;
    if (found === null || entry.n > found.version) return this.#progress.show(happenings);
    this.#progress.know(happenings);
    if (entry.n === found.version) this.#progress.show(standingOf(found, this.#running.naming));
  }

  #left(stuck: readonly Standstill[] | null): Watched {
    const isDrained = this.#isDrained;
    return {
      view: this.#view,
      stopped: this.#stopped,
      isDrained,
      left: this.#progress.atWork(),
      stuck,
    };
  }

  /** Each once: what must be done is not done sooner for being said often. */
  #say(standstills: readonly Standstill[]): void {
    const { terminal } = this.#desk;
    for (const { text, commands } of standstills) {
      const ways = commands.map((command) => `    ${command}${this.#where}\n`).join('');
      if (this.#told.has(text + ways)) continue;
      this.#told.add(text + ways);
      const how = ways === '' ? '' : '; what can be done:';
      terminal.talk(`${terminal.paint('yellow', 'waits:')} ${text}${how}\n${ways}`);
    }
  }

  #stop(signal: StopSignal): void {
    // Who is no longer there to read says nothing new by it.
    if (this.#stopped !== null && signal === 'SIGPIPE') return;
    if (this.#stopped !== null) return this.#leave(this.#left(null));
    this.#stopped = signal;
    const { terminal } = this.#desk;
    const busy = this.#progress.atWork();
    const why = signal === 'SIGPIPE' ? 'nobody reads what it says' : signal;
    const most = `waits for ${busy.join(', ')}, at most ${spanText(DRAIN_MS)}`;
    const again = signal === 'SIGPIPE' ? 'SIGINT' : `${signal} again`;
    const rest = busy.length === 0 ? '' : `: ${most}; ${again} stops at once`;
    terminal.talk(`stopping (${why})${rest}\n`);
    const end = (): void => {
      this.#isDrained = true;
      this.#ring();
    };
    // What could not be given back to a store that is away runs out by itself.
    this.#running.drain().then(end, end);
    this.#ring();
  }

  #ring(): void {
    const bell = this.#bell;
    this.#bell = new AbortController();
    bell.abort();
  }

  async #waitForStore(thrown: unknown): Promise<void> {
    const { terminal } = this.#desk;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    if (!this.#isAway) terminal.talk(`the store does not answer; it is waited for: ${why}\n`);
    this.#isAway = true;
    await pause(this.#bell.signal, AWAY_MS);
  }

  #noteAnswer(): void {
    if (this.#isAway) this.#desk.terminal.talk('the store answers again\n');
    this.#isAway = false;
  }

  /** Where time is skipped: how long handlers really took, and what was not waited for. */
  #inRealTime({ at, ...told }: Entry): readonly Happening[] {
    const { skippedMs, stopwatch, run } = this.#running;
    const happenings = this.#narrator.tell({ at, ...told });
    if (skippedMs === null) return happenings;
    return happenings.map((happening) => {
      const { token, tookMs, text } = happening;
      if (tookMs === null) return happening;
      const real = token === null ? undefined : stopwatch.tookMs(run.id, token);
      if (real !== undefined) return { ...happening, tookMs: real };
      const skipped = skippedMs(at - tookMs, at);
      const word = skipped === 0 ? '' : ` (${spanText(skipped)} skipped)`;
      return { ...happening, text: `${text}${word}`, tookMs: null };
    });
  }
}

/** What its tokens wait for now. */
function standingOf(
  { tokens, updatedAt }: InstanceView,
  naming: Naming | null,
): readonly Happening[] {
  const inChart = tokens.some(({ node }) => node === CHART);
  return tokens.flatMap((token) => {
    const text = waitText(token, updatedAt);
    const state = token.wait?.on === 'incident' ? 'failed' : 'waits';
    const node = shownName(token.node, state, { naming, inChart });
    if (text === undefined || node === undefined) return [];
    // What waits before an activity is not that activity.
    if (token.wait?.on === 'merge') return [];
    return [{ node, token: token.id, state, text, tookMs: null, place: token.seq }];
  });
}

export function commitsText({ version }: InstanceView): string {
  return `${version} ${version === 1 ? 'commit' : 'commits'}`;
}

/** Nothing is wrong that will not be right again. */
export function isAway(thrown: unknown): boolean {
  return (
    codeOf(thrown) === 'store.unreachable' && Reflect.get(Object(thrown), 'retryable') === true
  );
}

/** By its code and not by its class: the user's module may have a copy of the package. */
function codeOf(thrown: unknown): unknown {
  return Reflect.get(Object(thrown), 'code');
}
