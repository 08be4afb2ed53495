/** `perdure complete`: hands in what came of a task. */
import type { Part } from '../desk.ts';
import { personOptions, type PersonOptions, withTask } from '../people.ts';
import { readJson } from '../words.ts';

interface CompleteOptions extends PersonOptions {
  readonly output?: string;
}

export const complete: Part = (program, desk) => {
  const command = program
    .command('complete <task>')
    .description('hand in what came of a task; it must fit the form')
    .option('--output <json>', 'JSON, @FILE or - for stdin (null)');
  personOptions(command).action((id: string, options: CompleteOptions) => {
    const { output: word } = options;
    const output = word === undefined ? null : readJson(desk.terminal, '--output', word);
    return withTask(desk, 'complete', id, options, (tasks, who) => tasks.complete(id, output, who));
  });
};
