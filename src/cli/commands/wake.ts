/** `perdure wake`: gives a waiting token what it waits for. */
import { isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../index.ts';
import type { Part } from '../desk.ts';
import { badCommand } from '../failing.ts';
import { type ActingOptions, actingOptions, operateOn } from '../operator.ts';
import { readJson, tokenOf } from '../words.ts';

interface WakeOptions extends ActingOptions {
  readonly data?: string;
  readonly arm?: string;
  readonly vars?: string;
}

export const wake: Part = (program, desk) => {
  const command = program
    .command('wake <id> [token]')
    .description('give a waiting token what it waits for: its moment, or a message')
    .option('--data <json>', 'what the message says: JSON, @FILE or - for stdin')
    .option('--vars <json>', 'variables for its scope, as an object: JSON, @FILE or -')
    .option('--arm <name>', 'of several it waits for, this one');
  actingOptions(command).action(
    async (id: string, word: string | undefined, options: WakeOptions) => {
      const { data, vars, arm } = options;
      const read = (name: string, text: string) => readJson(desk.terminal, name, text);
      const action = {
        do: 'wake',
        ...(word === undefined ? {} : { token: tokenOf(word) }),
        ...(data === undefined ? {} : { data: read('--data', data) }),
        ...(vars === undefined ? {} : { vars: namedIn(read('--vars', vars)) }),
        ...(arm === undefined ? {} : { arm }),
      } as const;
      desk.end(await operateOn(desk, id, action, options));
    },
  );
};

function namedIn(value: ReturnType<typeof readJson>): JsonObject {
  if (isJsonObject(value)) return value;
  throw badCommand('--vars is an object, such as {"paid":true}');
}
