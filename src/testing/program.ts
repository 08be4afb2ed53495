/**
 * A program of the tests' own as a process of its own: it is heard line by line, and can be told
 * something, stopped, continued and killed. It does not outlive the process that started it, since
 * programs end when their input does.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Enough for whatever it has to say about why it failed. */
const COMPLAINT_CHARS_MAX = 10_000;

/** Someone who waits for a line. */
interface Listener {
  readonly wants: (line: string) => boolean;
  readonly hear: (line: string) => void;
  readonly give: (up: Error) => void;
}

const running = new Set<Program>();

export class Program {
  readonly lines: string[] = [];
  readonly #child: Child;
  readonly #gone: Promise<unknown>;
  readonly #listeners = new Set<Listener>();
  #complaint = '';

  /** By the name of its file in this folder. */
  constructor(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const file = join(import.meta.dirname, `${name}.ts`);
    this.#child = spawn(process.execPath, ['--conditions=perdure-source', file, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.#gone = once(this.#child, 'close').then(() => this.#end());
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = `${this.#complaint}${text}`.slice(-COMPLAINT_CHARS_MAX);
    });
    // It may be gone by the time it is told something.
    this.#child.stdin.on('error', () => {});
    running.add(this);
  }

  /** Whoever is still running. */
  static async killAll(): Promise<void> {
    await Promise.all([...running].map((program) => program.kill()));
  }

  /** It has opened its store and looks for work. */
  async atWork(): Promise<void> {
    await this.said(/^at work$/);
  }

  /** The first line that matches, said already or still to come; rejects if it ends before. */
  said(what: RegExp): Promise<string> {
    const found = this.lines.find((line) => what.test(line));
    return found === undefined ? this.saysNext(what) : Promise.resolve(found);
  }

  /** The same among the lines that are still to come. */
  saysNext(what: RegExp): Promise<string> {
    return new Promise((hear, give) => {
      this.#listeners.add({ wants: (line) => what.test(line), hear, give });
      if (!running.has(this)) this.#end();
    });
  }

  tell(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGINT' | 'SIGTERM'): void {
    this.#child.kill(signal);
  }

  /** Nobody listens any more: whatever it writes there from now on is refused. */
  stopListening(to: 'stdout' | 'stderr'): void {
    this.#child[to].destroy();
  }

  /** As a machine that loses its power would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  /** How it ended, by itself or not: `0`, `1`, `SIGKILL`. */
  async ended(): Promise<string> {
    await this.#gone;
    return String(this.#child.signalCode ?? this.#child.exitCode);
  }

  /** What it wrote to its error output. */
  get complaint(): string {
    return this.#complaint;
  }

  #hear(line: string): void {
    this.lines.push(line);
    for (const listener of this.#listeners) {
      if (!listener.wants(line)) continue;
      this.#listeners.delete(listener);
      listener.hear(line);
    }
  }

  #end(): void {
    running.delete(this);
    const error = new Error(`the program ended; it said:\n${this.#complaint}`);
    for (const listener of this.#listeners) listener.give(error);
    this.#listeners.clear();
  }
}
