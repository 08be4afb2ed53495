/**
 * The command line in the process of a test: the words of a command in, what it said and how it
 * ended out. Nobody looks, nothing is coloured, and nobody answers questions unless the test does.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { main, programOf } from '../cli/main.ts';
import type { StopSignal } from '../cli/stopping.ts';
import { painted, type Terminal } from '../cli/terminal.ts';

export interface Ended {
  readonly code: number;
  /** What was answered, and what was said beside it. */
  readonly out: string;
  readonly talk: string;
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** What a person who is asked would say, or do; left out, nobody is there. */
  readonly confirms?: boolean | (() => Promise<boolean>);
  readonly colours?: boolean;
  /** Hears every line that is shown below everything else; left out, nobody looks. */
  readonly live?: (line: string | null) => void;
}

/** In the checkout, so that modules find the package by its name; .gitignore knows the folder. */
const HOME = join(import.meta.dirname, '../../.perdure');

export class CommandLine {
  readonly folder: string;
  readonly #stops = new Set<(signal: StopSignal) => void>();
  readonly #listeners = new Set<(text: string) => void>();

  constructor() {
    mkdirSync(HOME, { recursive: true });
    this.folder = mkdtempSync(join(HOME, 'command-'));
  }

  /** A file for commands to read, by its name. */
  write(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return name;
  }

  /** As from a shell that stands in the folder, on a store of its own unless one is named. */
  run(...words: readonly string[]): Promise<Ended> {
    return this.runIn({}, ...words);
  }

  async runIn(circumstances: Circumstances, ...words: readonly string[]): Promise<Ended> {
    const said = { out: '', talk: '' };
    const code = await main(words, this.#terminal(circumstances, said));
    return { code, ...said };
  }

  /** All commands with their options, to be looked at. */
  program(): Command {
    const terminal = this.#terminal({}, { out: '', talk: '' });
    return programOf({ terminal, end: () => {}, begin: () => {} });
  }

  #terminal(circumstances: Circumstances, said: { out: string; talk: string }): Terminal {
    const { env = {}, columns = null, confirms = null, colours = false, live } = circumstances;
    return {
      ...{ env, folder: this.folder, user: 'ann', columns, isLive: live !== undefined },
      live: (line) => live?.(line),
      out: (text) => {
        said.out += text;
        this.#hear(said.out);
      },
      talk: (text) => {
        said.talk += text;
        this.#hear(said.talk);
      },
      paint: (paint, text) => painted(colours, paint, text),
      confirm: async () => (typeof confirms === 'function' ? confirms() : confirms),
      divert: () => {},
      onStop: (hear) => {
        this.#stops.add(hear);
        return () => this.#stops.delete(hear);
      },
      // What nobody catches here fails the test.
      broken: new Promise(() => {}),
      onCut: () => {},
    };
  }

  /** Until a command that runs says something like this; all that it has said by then. */
  says(what: RegExp): Promise<string> {
    return new Promise((resolve) => {
      const listen = (text: string): void => {
        if (!what.test(text)) return;
        this.#listeners.delete(listen);
        resolve(text);
      };
      this.#listeners.add(listen);
    });
  }

  #hear(text: string): void {
    for (const listen of this.#listeners) listen(text);
  }

  /** What a command says, as the JSON it is. */
  async json(...words: readonly string[]): Promise<unknown> {
    const { out } = await this.run(...words, '--json');
    return JSON.parse(out);
  }

  /** Whoever runs is told to stop. */
  stop(signal: StopSignal): void {
    for (const hear of this.#stops) hear(signal);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The words of each line without how long it took, and without the id of the instance. */
export function told(out: string): readonly string[] {
  const lines = out.trim().split('\n').slice(1);
  return lines.map((one) => one.replace(/ [\d.]+m?s$/, '').replace(/ +/g, ' '));
}

/** The head of a definition of a shop, up to its tasks. */
export function shopHead(name: string, more = ''): string {
  const head = `document: { dsl: '1.0.3', namespace: shop, name: ${name}, version: '1.0.0' }`;
  return `${head}\n${more}do:\n`;
}
