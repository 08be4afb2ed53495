/**
 * The command line as a function: words in, exit code out. The process it runs in is told by the
 * terminal it is given, so that a test is a process like any other.
 */
import { Command } from 'commander';
import { PARTS } from './commands.ts';
import type { Desk } from './desk.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { type Begun, fail } from './failing.ts';
import { checkedNames } from './misspelt.ts';
import { Cut } from './stopping.ts';
import type { Terminal } from './terminal.ts';
import { versionText } from './version.ts';

export async function main(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  let begun: Begun | null = null;
  let isAnswered = false;
  const desk: Desk = {
    terminal,
    end: (ended) => {
      code = ended;
      isAnswered = true;
    },
    begin: (what) => {
      begun = what;
    },
  };
  const json = words.includes('--json');
  if (json) terminal.divert();
  // Stdout is one value: what goes wrong when that is there is said beside it.
  const failed = (thrown: unknown): ExitCode =>
    fail(terminal, thrown, { json: json && !isAnswered, begun: isAnswered ? null : begun });
  terminal.onCut(() => (isAnswered ? code : failed(new Cut())));
  try {
    const program = programOf(desk);
    const named = checkedNames(program, words);
    await Promise.race([program.parseAsync(named, { from: 'user' }), terminal.broken]);
  } catch (thrown) {
    code = failed(thrown);
  }
  isAnswered = true;
  return code;
}

/** All commands with all options: what is parsed, and what is completed. */
export function programOf(desk: Desk): Command {
  const { terminal } = desk;
  const program = new Command('perdure')
    .description('Durable workflows inside a TypeScript program.')
    .version(versionText(), '-V, --version', 'say which version this is')
    .helpCommand('help [command]', 'say how a command is called')
    .helpOption('-h, --help', 'say how it is called')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.talk(text),
      // What is wrong is said once, by whoever catches it.
      outputError: () => {},
      getOutHelpWidth: () => terminal.columns ?? HELP_COLUMNS,
      getErrHelpWidth: () => terminal.columns ?? HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const part of PARTS) part(program, desk);
  return program;
}

const HELP_COLUMNS = 100;
