/** `perdure revive`: has instances that failed go on where they failed. */
import type { Part } from '../desk.ts';
import { actingOptions, bulkOptions, operate, type OperatorOptions } from '../operator.ts';

export const revive: Part = (program, desk) => {
  const command = program
    .command('revive [id]')
    .description('have a failed instance go on where it failed, or all that a filter finds');
  bulkOptions(actingOptions(command)).action(
    async (id: string | undefined, options: OperatorOptions) => {
      desk.end(await operate(desk, id, { do: 'revive' }, options));
    },
  );
};
