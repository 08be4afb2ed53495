/** `perdure rerun`: goes back to when an instance last came to a node, and on from there. */
import type { Part } from '../desk.ts';
import { badCommand } from '../failing.ts';
import { type ActingOptions, actingOptions, operateOn } from '../operator.ts';

interface RerunOptions extends ActingOptions {
  readonly copy?: boolean;
  readonly id?: string;
  readonly key?: string;
}

export const rerun: Part = (program, desk) => {
  const command = program
    .command('rerun <id> <node>')
    .description('go back to when it last came to a node, and on from there')
    .option('--copy', 'a new instance does that, and this one stays as it is')
    .option('--id <id>', 'the id of the copy')
    .option('--key <key>', 'the business key of the copy');
  actingOptions(command).action(async (from: string, node: string, options: RerunOptions) => {
    const { copy, id, key } = options;
    if (copy !== true && (id ?? key) !== undefined) {
      throw badCommand('--id and --key are those of a copy: say --copy, too');
    }
    const named = { ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }) };
    const copied = copy === true ? { copy, ...named } : {};
    const action = { do: 'rerun', from: node, ...copied } as const;
    desk.end(await operateOn(desk, from, action, options));
  });
};
