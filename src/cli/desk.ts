/** What every command is made from: where it says things, and how it tells the way it ended. */
import { type Command, Option } from 'commander';
import type { ExitCode } from './exit.ts';
import type { Begun } from './failing.ts';
import type { Terminal } from './terminal.ts';

export interface Desk {
  readonly terminal: Terminal;
  /** The answer is given, and this is how the command ended; well, if nobody says otherwise. */
  end(code: ExitCode): void;
  /** What must be said if the command ends by mistake from now on. */
  begin(begun: Begun): void;
}

/** Puts one command into the program. */
export type Part = (program: Command, desk: Desk) => void;

export interface JsonOptions {
  readonly json?: boolean;
}

export interface StoreOptions {
  readonly store?: string;
}

export const STORE_DEFAULT = 'sqlite:perdure.db';

export function jsonOption(): Option {
  return new Option('--json', 'answer with one JSON value on stdout');
}

export function storeOption(): Option {
  const urls = 'memory:, sqlite:PATH or postgres://…';
  return new Option('--store <url>', `${urls} (env: PERDURE_STORE, else ${STORE_DEFAULT})`);
}

/** Of data, which has no code of its own. */
export interface HandlersOptions {
  readonly handlers?: string;
}

export function handlersOption(): Option {
  return new Option('--handlers <file>', 'a module with the handlers that the definition needs');
}

/**
 * An option with these values. The parser is not told so: whoever reads it says what was meant by
 * one that is misspelt. Help and completion know them from here.
 */
export function choiceOption(flags: string, summary: string, choices: readonly string[]): Option {
  const option = new Option(flags, summary);
  option.argChoices = [...choices];
  return option;
}

/** Says the answer of a command, for people or for programs. */
export function answer(
  { terminal }: Desk,
  { json = false }: JsonOptions,
  value: unknown,
  text: () => string,
): void {
  terminal.out(json ? `${JSON.stringify(value)}\n` : withNewline(text()));
}

/** Beside the answer: how to have the next page of a list. */
export function sayMore(
  { terminal }: Desk,
  { json = false }: JsonOptions,
  cursor: string | null,
): void {
  if (!json && cursor !== null) terminal.talk(`there are more: --cursor ${cursor}\n`);
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
