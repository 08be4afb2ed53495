/** What a command says when it cannot do what it was asked, and the number it ends with. */
import { CommanderError } from 'commander';
import { EngineError } from '../index.ts';
import { EXIT, type ExitCode, exitOf } from './exit.ts';
import { nearest } from '../base/nearest.ts';
import { plainLines } from './plain.ts';
import { Cut, exitOfSignal, Stopped, Uncaught } from './stopping.ts';
import type { Terminal } from './terminal.ts';

/** What is shown of an error: to people as a sentence, to programs as it is. */
interface Shown {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function badCommand(message: string, details: Record<string, unknown> = {}): EngineError {
  return new EngineError('command.invalid', message, { details });
}

/** What was begun and goes on, whatever becomes of the command. */
export interface Begun {
  readonly instance: string;
  /** How it goes on: a sentence with a command to be copied. */
  readonly advice: string;
}

/** Says what was thrown, where it is looked for, and gives the exit code. */
export function fail(
  terminal: Terminal,
  thrown: unknown,
  { json, begun }: { readonly json: boolean; readonly begun: Begun | null },
): ExitCode {
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return EXIT.fine;
    // The help has been shown; there is nothing else that is wrong.
    if (thrown.code === 'commander.help') return EXIT.usage;
  }
  const shown = begun === null ? shownAs(thrown) : withAdvice(shownAs(thrown), begun);
  terminal.live(null);
  if (json) terminal.out(`${JSON.stringify({ error: shown })}\n`);
  else terminal.talk(`${terminal.paint('red', 'perdure:')} ${plainLines(shown.message)}\n`);
  if (shown.code === BUG && thrown instanceof Error) terminal.talk(`${thrown.stack}\n`);
  return thrown instanceof Stopped ? exitOfSignal(thrown.signal) : exitOf(shown.code);
}

const BUG = 'bug';

function withAdvice({ code, message, details }: Shown, { instance, advice }: Begun): Shown {
  return { code, message: `${message}; ${advice}`, details: { ...details, instance } };
}

/** By its code and not by its class: the user's module may have a copy of the package. */
function shownAs(thrown: unknown): Shown {
  if (thrown instanceof CommanderError) {
    const message = thrown.message.replace(/^error: /, '').replace(/\n\(Did you/, ' (did you');
    return { code: 'command.invalid', message, details: {} };
  }
  if (thrown instanceof Stopped) {
    const { message, signal } = thrown;
    return { code: 'interrupted', message, details: { signal } };
  }
  if (thrown instanceof Cut) return { code: 'cut-short', message: thrown.message, details: {} };
  if (thrown instanceof Uncaught) return { code: 'uncaught', message: thrown.message, details: {} };
  const code = isError(thrown) ? Reflect.get(thrown, 'code') : undefined;
  if (isError(thrown) && thrown.name === 'EngineError' && typeof code === 'string') {
    const details: unknown = Reflect.get(thrown, 'details');
    const known = isDetails(details) ? details : {};
    return { code, message: `${thrown.message}${nodeMeant(known)}`, details: known };
  }
  const message = isError(thrown) ? thrown.message : String(thrown);
  return {
    code: BUG,
    message: `something went wrong that nobody foresaw: ${message}`,
    details: {},
  };
}

/** A node that is not there may be another one, misspelt. */
function nodeMeant({ node, nodes }: Shown['details']): string {
  if (typeof node !== 'string' || !Array.isArray(nodes)) return '';
  const near = nearest(
    node,
    nodes.map(String).filter((one) => !/[:/]/.test(one)),
  );
  return near === undefined ? '' : `: did you mean "${near}"?`;
}

function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error;
}

function isDetails(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
