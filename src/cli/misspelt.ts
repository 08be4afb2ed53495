/** Names of commands that the parser itself would answer with something else than the name. */
import type { Command } from 'commander';
import { badCommand } from './failing.ts';
import { suggestion } from './suggestion.ts';

/** `help shw` would show the whole help, and `outbox lst` be a list with one word too many. */
export function checkNames(program: Command, words: readonly string[]): void {
  const [first = '', second] = words;
  if (second === undefined || second.startsWith('-')) return;
  if (first === 'help') return checkName(program, second, second);
  const above = program.commands.find((command) => command.name() === first);
  if (above !== undefined && above.commands.length > 0) {
    checkName(above, second, `${first} ${second}`);
  }
}

function checkName(above: Command, word: string, said: string): void {
  const names = above.commands.map((one) => one.name()).filter((name) => !name.startsWith('_'));
  if (names.includes(word) || word === 'help') return;
  throw badCommand(`unknown command "${said}": ${suggestion(word, names)}`);
}
