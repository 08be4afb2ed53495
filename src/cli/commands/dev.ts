/**
 * `perdure dev [FILE…]`: an engine with the flows of these files, the HTTP API and the studio, on
 * this machine, until it is told to stop. Files are read again when they change. Without any file
 * it shows what is in a store that is named, and works on nothing; without a store either, it has
 * examples to play with.
 */
import { jsonOption, type Part } from '../desk.ts';
import { handlersOption, storeOption } from '../desk.ts';
import type { DevOptions } from '../dev/develop.ts';
import { hostOptions } from '../host.ts';

export const dev: Part = (program, desk) => {
  const command = program
    .command('dev [files...]')
    .description('run flows with the HTTP API and the studio, and read them again when they change')
    .option('--port <number>', 'where; 4747 or a free one unless said')
    .addOption(handlersOption());
  hostOptions(command)
    .addOption(storeOption())
    .addOption(jsonOption())
    .action(async (files: readonly string[], options: DevOptions) => {
      // A server and all that it is made of: no other command has to load that.
      const { develop } = await import('../dev/develop.ts');
      desk.end(await develop(desk, files, options));
    });
};
