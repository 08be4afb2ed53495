/** `perdure cancel`: ends instances, and undoes what they did if asked to. */
import type { Part } from '../desk.ts';
import { actingOptions, bulkOptions, operate, type OperatorOptions } from '../operator.ts';

interface CancelOptions extends OperatorOptions {
  readonly saga?: boolean;
  readonly activity?: string;
}

export const cancel: Part = (program, desk) => {
  const command = program
    .command('cancel [id]')
    .description('end an instance, or all that a filter finds')
    .option('--saga', 'undo what was done first')
    .option('--activity <id>', 'only this activity of a flowchart, which goes on without it');
  bulkOptions(actingOptions(command)).action(
    async (id: string | undefined, { saga, activity, ...options }: CancelOptions) => {
      const undoes = saga === true ? { saga } : {};
      const only = activity === undefined ? {} : { activity };
      const action = { do: 'cancel', ...undoes, ...only } as const;
      desk.end(await operate(desk, id, action, options));
    },
  );
};
