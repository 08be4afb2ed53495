/**
 * Several engines on one memory store and one clock: processes side by side on one database, or one
 * after the other. Only the test moves the clock, and only for those engines that look at it.
 */
import { type Duration, parseDuration } from '../base/duration.ts';
import type { Flow } from '../model/definition.ts';
import type { Alarm } from '../runtime/alarm.ts';
import { Engine } from '../runtime/engine.ts';
import type { EngineOptions } from '../runtime/engine-options.ts';
import type { Logger } from '../runtime/logger.ts';
import { memory, type MemoryStore } from '../stores/memory/memory.ts';
import type { Store } from '../stores/store.ts';
import { Gate, settled } from './stage.ts';
import { VirtualAlarm } from './virtual-alarm.ts';

export interface ProcessOptions extends Omit<EngineOptions, 'store' | 'flows'> {
  /** A wrapper around the store of this world. */
  readonly store?: Store;
  /** Its own alarm: a process whose alarm nobody rings is stalled. */
  readonly alarm?: Alarm;
}

export class World {
  readonly clock: VirtualAlarm = new VirtualAlarm(Date.UTC(2026, 0));
  readonly store: MemoryStore = memory({ clock: () => this.clock.now });
  readonly log: Notebook = new Notebook();

  /** A process with these flows, opened and at work. */
  async open(flows: readonly Flow[], options: ProcessOptions = {}): Promise<Engine> {
    const { alarm = this.clock, ...rest } = options;
    const engine = new Engine({ store: this.store, logger: this.log, flows, ...rest }, alarm);
    await engine.open();
    return engine;
  }

  /** Time passes, in one jump; whatever follows from that happens. */
  async pass(duration: Duration): Promise<void> {
    const ms = parseDuration(duration);
    if (!ms.ok) throw new Error(ms.problem);
    this.clock.moveTo(this.clock.now + ms.value);
    await settled();
  }

  /** Time passes second by second, as it does where nobody is stuck. */
  async passSeconds(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) await this.pass('1s');
  }

  /** The process dies: it gives nothing back and says nothing more. */
  kill(engine: Engine): void {
    engine.parts.worker?.abandon();
  }
}

/** A logger that keeps what it is told, for the test to read. */
export class Notebook implements Logger {
  readonly lines: { level: string; message: string; details: object }[] = [];

  debug(details: object, message: string): void {
    this.#note('debug', details, message);
  }

  info(details: object, message: string): void {
    this.#note('info', details, message);
  }

  warn(details: object, message: string): void {
    this.#note('warn', details, message);
  }

  error(details: object, message: string): void {
    this.#note('error', details, message);
  }

  #note(level: string, details: object, message: string): void {
    this.lines.push({ level, message, details });
  }
}

/** Says when something is noted that a person may want to know. */
export class Listener extends Notebook {
  readonly heard: Gate = new Gate();

  override info(details: object, message: string): void {
    super.info(details, message);
    this.heard.open();
  }
}
