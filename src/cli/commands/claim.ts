/** `perdure claim` and `perdure unclaim`: takes a task that is offered, and gives it back. */
import type { Part } from '../desk.ts';
import { personOptions, type PersonOptions, withTask } from '../people.ts';

export const claim: Part = (program, desk) => {
  const command = program.command('claim <task>').description('take a task that is offered');
  personOptions(command).action((id: string, options: PersonOptions) => {
    return withTask(desk, 'claim', id, options, (tasks, who) => tasks.claim(id, who));
  });
};

export const unclaim: Part = (program, desk) => {
  const command = program
    .command('unclaim <task>')
    .description('give a task back: to whoever delegated it, or to those it was offered to');
  personOptions(command).action((id: string, options: PersonOptions) => {
    return withTask(desk, 'unclaim', id, options, (tasks, who) => tasks.unclaim(id, who));
  });
};
