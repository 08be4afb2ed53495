/** `perdure skip`: has a token go on as if it had been done. */
import type { Part } from '../desk.ts';
import { type ActingOptions, actingOptions, operateOn } from '../operator.ts';
import { readJson, tokenOf } from '../words.ts';

interface SkipOptions extends ActingOptions {
  readonly result?: string;
}

export const skip: Part = (program, desk) => {
  const command = program
    .command('skip <id> <token>')
    .description('have a token go on as if it had been done')
    .option('--result <json>', 'with this result: JSON, @FILE or - for stdin');
  actingOptions(command).action(async (id: string, word: string, options: SkipOptions) => {
    const token = tokenOf(word);
    const { result } = options;
    const value = result === undefined ? null : readJson(desk.terminal, '--result', result);
    desk.end(await operateOn(desk, id, { do: 'skip', token, result: value }, options));
  });
};
