/** `perdure decide`: has a say in an approval. */
import type { Part } from '../desk.ts';
import { badCommand } from '../failing.ts';
import { personOptions, type PersonOptions, withTask } from '../people.ts';

interface DecideOptions extends PersonOptions {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly revise?: boolean;
}

const DECISIONS = ['approve', 'reject', 'revise'] as const;

export const decide: Part = (program, desk) => {
  const command = program
    .command('decide <task>')
    .description('have a say in an approval: one of --approve, --reject and --revise')
    .option('--approve', 'yes')
    .option('--reject', 'no')
    .option('--revise', 'back to whoever asked for it');
  personOptions(command).action((id: string, options: DecideOptions) => {
    const [decision, ...more] = DECISIONS.filter((each) => options[each] === true);
    if (decision === undefined || more.length > 0) {
      throw badCommand('decide takes one of --approve, --reject and --revise');
    }
    return withTask(desk, 'decide', id, options, (tasks, who) =>
      tasks.decide(id, { ...who, decision }),
    );
  });
};
