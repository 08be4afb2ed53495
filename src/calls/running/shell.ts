/**
 * `run: shell`: a command for `sh`, with its arguments as `$1`, `$2` and so on (SH-01).
 *
 * Arguments are never part of the command's text, so nothing in them is taken for a command.
 */
import type { JsonObject } from '../../base/json.ts';
import { textArgument } from '../arguments.ts';
import type { CallResult, Calling } from '../calling.ts';
import {
  argumentTexts,
  inheritedEnvironment,
  inputText,
  variablesOf,
} from './process-arguments.ts';
import type { RunOptions, RunWanted } from './run-options.ts';
import { runProgram } from './run-program.ts';

/** What the shell calls itself: its `$0`. */
const SHELL = 'sh';

export async function runShell(
  calling: Calling,
  args: JsonObject,
  wanted: RunWanted,
  options: RunOptions = {},
): Promise<CallResult> {
  const command = textArgument('shell.command', args['command']);
  calling.permits('shell', command);
  const words = argumentTexts('shell.arguments', args['arguments']);
  const variables = variablesOf('shell.environment', args['environment']);
  const program = {
    file: SHELL,
    args: ['-c', command, SHELL, ...words],
    env: { ...inheritedEnvironment(options), ...variables },
    stdin: inputText(args['stdin']),
  };
  return runProgram(calling, program, wanted, options);
}
