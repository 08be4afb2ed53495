/** `perdure delegate`: has somebody else do a task, or have a say in an approval. */
import type { Part } from '../desk.ts';
import { personOptions, type PersonOptions, withTask } from '../people.ts';

interface DelegateOptions extends PersonOptions {
  readonly to: string;
}

export const delegate: Part = (program, desk) => {
  const command = program
    .command('delegate <task>')
    .description('have somebody else do it for whoever it is assigned to')
    .requiredOption('--to <name>', 'who is to do it');
  personOptions(command).action((id: string, options: DelegateOptions) => {
    const { to } = options;
    return withTask(desk, 'delegate', id, options, (tasks, who) =>
      tasks.delegate(id, { ...who, to }),
    );
  });
};
