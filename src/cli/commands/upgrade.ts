/** `perdure upgrade`: has running instances go on by another version of their flow. */
import type { Part } from '../desk.ts';
import { actingOptions, bulkOptions, operate, type OperatorOptions } from '../operator.ts';
import { readPairs, readWhole } from '../words.ts';

interface UpgradeOptions extends OperatorOptions {
  readonly to: string;
  readonly map?: readonly string[];
}

export const upgrade: Part = (program, desk) => {
  const command = program
    .command('upgrade [id]')
    .description('have an instance, or all that a filter finds, go on by another version')
    .requiredOption('--to <version>', 'the version to go on by')
    .option('--map <from=to...>', 'a node that has another name there');
  bulkOptions(actingOptions(command)).action(
    async (id: string | undefined, { to, map, ...options }: UpgradeOptions) => {
      const version = readWhole('--to', to, 1);
      const nodes = map === undefined ? {} : { nodes: Object.fromEntries(readPairs('--map', map)) };
      desk.end(await operate(desk, id, { do: 'migrate', version, ...nodes }, options));
    },
  );
};
