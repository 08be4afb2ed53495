/** `perdure reassign`: gives a task, or a say in an approval, to somebody else. */
import type { Part } from '../desk.ts';
import { personOptions, type PersonOptions, withTask } from '../people.ts';

interface ReassignOptions extends PersonOptions {
  readonly to: string;
  readonly from?: string;
}

export const reassign: Part = (program, desk) => {
  const command = program
    .command('reassign <task>')
    .description('give it to somebody, whoever has it now')
    .requiredOption('--to <name>', 'who is to have it')
    .option('--from <name>', 'of an approval: whose say it is now');
  personOptions(command).action((id: string, options: ReassignOptions) => {
    const { to, from } = options;
    const giver = from === undefined ? {} : { from };
    return withTask(desk, 'reassign', id, options, (tasks, who) =>
      tasks.reassign(id, { ...who, to, ...giver }),
    );
  });
};
