/** `perdure move`: has a token leave what it does and go on at another node. */
import type { Part } from '../desk.ts';
import { type ActingOptions, actingOptions, operateOn } from '../operator.ts';
import { tokenOf } from '../words.ts';

export const move: Part = (program, desk) => {
  const command = program
    .command('move <id> <token> <node>')
    .description('have a token go on at another node of its region');
  actingOptions(command).action(
    async (id: string, token: string, node: string, options: ActingOptions) => {
      const action = { do: 'move', token: tokenOf(token), to: node } as const;
      desk.end(await operateOn(desk, id, action, options));
    },
  );
};
