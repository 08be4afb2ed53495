/** `perdure set`: gives a variable of an instance another value. */
import type { Part } from '../desk.ts';
import { type ActingOptions, actingOptions, operateOn } from '../operator.ts';
import { readJson, readWhole } from '../words.ts';

interface SetOptions extends ActingOptions {
  readonly scope?: string;
}

export const set: Part = (program, desk) => {
  const command = program
    .command('set <id> <name> <json>')
    .description('give a variable another value: JSON, @FILE or - for stdin')
    .option('--scope <number>', 'of this scope, and not of the whole instance');
  actingOptions(command).action(
    async (id: string, name: string, word: string, options: SetOptions) => {
      const value = readJson(desk.terminal, 'the value', word);
      const { scope } = options;
      const where = scope === undefined ? {} : { scope: readWhole('--scope', scope, 1) };
      desk.end(await operateOn(desk, id, { do: 'set', name, value, ...where }, options));
    },
  );
};
