/** `perdure wake`: gives a waiting token what it waits for. */
import type { Part } from '../desk.ts';
import { type ActingOptions, actingOptions, operateOn } from '../operator.ts';
import { readJson, tokenOf } from '../words.ts';

interface WakeOptions extends ActingOptions {
  readonly data?: string;
  readonly arm?: string;
}

export const wake: Part = (program, desk) => {
  const command = program
    .command('wake <id> <token>')
    .description('give a waiting token what it waits for: its moment, or a message')
    .option('--data <json>', 'what the message says: JSON, @FILE or - for stdin')
    .option('--arm <name>', 'of several it waits for, this one');
  actingOptions(command).action(async (id: string, word: string, options: WakeOptions) => {
    const { data, arm } = options;
    const value = data === undefined ? {} : { data: readJson(desk.terminal, '--data', data) };
    const which = arm === undefined ? {} : { arm };
    const action = { do: 'wake', token: tokenOf(word), ...value, ...which } as const;
    desk.end(await operateOn(desk, id, action, options));
  });
};
