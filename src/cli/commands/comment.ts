/** `perdure comment`: says something about a task, for everyone who looks at it. */
import type { Part } from '../desk.ts';
import { personOptions, type PersonOptions, withTask } from '../people.ts';

export const comment: Part = (program, desk) => {
  const command = program
    .command('comment <task> <text>')
    .description('say something about a task, for everyone who looks at it');
  personOptions(command).action((id: string, text: string, options: PersonOptions) => {
    return withTask(desk, 'comment', id, options, (tasks, who) =>
      tasks.comment(id, { ...who, comment: text }),
    );
  });
};
