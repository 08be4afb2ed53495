/** Names of commands that the parser itself would answer with something else than the name. */
import type { Command } from 'commander';
import { badCommand } from './failing.ts';
import { meant } from '../base/nearest.ts';

/** `help shw` would show the whole help, and `outbox lst` be a list with one word too many. */
export function checkedNames(program: Command, words: readonly string[]): readonly string[] {
  const [first = '', second] = words;
  if (second === undefined || second.startsWith('-')) return words;
  // The parser knows it by another name than its commands, and would be at a loss.
  if (first === 'help' && second === 'help') return ['help'];
  const above = first === 'help' ? program : below(program, first);
  const names = (above?.commands ?? []).map((one) => one.name()).filter(isShown);
  if (names.length === 0 || [...names, 'help'].includes(second)) return words;
  const said = first === 'help' ? second : `${first} ${second}`;
  throw badCommand(`unknown command "${said}": ${meant(second, names)}`);
}

function below(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => command.name() === name);
}

function isShown(name: string): boolean {
  return !name.startsWith('_');
}
