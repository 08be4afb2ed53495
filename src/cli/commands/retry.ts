/** `perdure retry`: runs what failed once more, and at once. */
import type { Part } from '../desk.ts';
import { actingOptions, bulkOptions, operate, type OperatorOptions } from '../operator.ts';
import { tokenOf } from '../words.ts';

export const retry: Part = (program, desk) => {
  const command = program
    .command('retry [id] [token]')
    .description('run what failed once more: one token, all of an instance, or of many');
  bulkOptions(actingOptions(command)).action(
    async (id: string | undefined, token: string | undefined, options: OperatorOptions) => {
      const which = token === undefined ? {} : { token: tokenOf(token) };
      desk.end(await operate(desk, id, { do: 'retry', ...which }, options));
    },
  );
};
