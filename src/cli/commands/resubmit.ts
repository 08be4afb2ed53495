/** `perdure resubmit` and `perdure recall`: what whoever asked for an approval can do with it. */
import type { Part } from '../desk.ts';
import { personOptions, type PersonOptions, withTask } from '../people.ts';
import { readJson } from '../words.ts';

interface ResubmitOptions extends PersonOptions {
  readonly data?: string;
}

export const resubmit: Part = (program, desk) => {
  const command = program
    .command('resubmit <task>')
    .description('bring back an approval that was sent back, for another round')
    .option('--data <json>', 'what it comes back with: JSON, @FILE or - for stdin');
  personOptions(command).action((id: string, options: ResubmitOptions) => {
    const { data: word } = options;
    const data = word === undefined ? null : readJson(desk.terminal, '--data', word);
    return withTask(desk, 'resubmit', id, options, (tasks, who) => tasks.resubmit(id, data, who));
  });
};

export const recall: Part = (program, desk) => {
  const command = program
    .command('recall <task>')
    .description('whoever asked for an approval no longer wants it');
  personOptions(command).action((id: string, options: PersonOptions) => {
    return withTask(desk, 'recall', id, options, (tasks, who) => tasks.recall(id, who));
  });
};
