/** `perdure cancel`: ends instances, and undoes what they did if asked to. */
import type { Part } from '../desk.ts';
import { actingOptions, bulkOptions, operate, type OperatorOptions } from '../operator.ts';

export const cancel: Part = (program, desk) => {
  const command = program
    .command('cancel [id]')
    .description('end an instance, or all that a filter finds')
    .option('--saga', 'undo what was done first');
  bulkOptions(actingOptions(command)).action(
    async (id: string | undefined, { saga, ...options }: OperatorOptions & { saga?: boolean }) => {
      const action = { do: 'cancel', ...(saga === true ? { saga } : {}) } as const;
      desk.end(await operate(desk, id, action, options));
    },
  );
};
