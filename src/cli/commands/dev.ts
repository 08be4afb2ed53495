/**
 * `perdure dev [FILE…]`: an engine with the flows of these files, the HTTP API and the studio, on
 * this machine, until it is told to stop. Files are read again when they change. Without any file
 * it shows what is in a store that is named, and works on nothing; without a store either, it has
 * examples to play with.
 */
import { answer, type Desk, type JsonOptions, jsonOption, type Part } from '../desk.ts';
import { type HandlersOptions, handlersOption, type StoreOptions, storeOption } from '../desk.ts';
import { DevHouse, type HouseOptions } from '../dev/house.ts';
import { routesOf } from '../dev/routes.ts';
import { serveDev } from '../dev/server.ts';
import { makeToken } from '../dev/start-token.ts';
import { StudioFiles } from '../dev/studio-files.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type HostFlags, hostOptions } from '../host.ts';
import { storeWords } from '../mending.ts';
import { playground, seed } from '../playground/playground.ts';
import { checkThere, type Place, placeOf } from '../stores.ts';
import { readWhole } from '../words.ts';

interface DevOptions extends JsonOptions, StoreOptions, HandlersOptions, HostFlags {
  readonly port?: string;
}

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
      desk.end(await develop(desk, files, options));
    });
};

async function develop(
  desk: Desk,
  files: readonly string[],
  options: DevOptions,
): Promise<ExitCode> {
  const { terminal } = desk;
  const port = options.port === undefined ? null : readWhole('--port', options.port);
  const studio = new StudioFiles();
  const named = options.store ?? terminal.env['PERDURE_STORE'] ?? '';
  const isPlayground = files.length === 0 && named === '';
  const place = await placeOf(desk, isPlayground ? { store: 'memory:' } : options);
  // Who only looks makes no tables.
  const isLooking = files.length === 0 && !isPlayground;
  if (isLooking) await checkThere(place, storeWords(desk, options, place));
  const token = makeToken();
  const house = await DevHouse.open(
    desk,
    place,
    houseOptions(desk, files, options, isPlayground),
    token,
  );
  try {
    const routes = routesOf(house, place, { isPlayground, user: terminal.user });
    const server = await serveDev({ port, token, files: studio, api: () => house.api, routes });
    try {
      if (isPlayground) await seed(house.engine);
      const stop = untilStopped(desk);
      tell(desk, options, { house, place, isPlayground, token, ...server });
      await stop;
    } finally {
      await server.close();
    }
  } finally {
    await house.close();
  }
  return EXIT.fine;
}

function houseOptions(
  { terminal }: Desk,
  files: readonly string[],
  options: DevOptions,
  isPlayground: boolean,
): HouseOptions {
  const { handlers, allowNet, allowRun, allowRead, secret } = options;
  return {
    files,
    ...(handlers === undefined ? {} : { handlers }),
    ...(allowNet === undefined ? {} : { allowNet }),
    ...(allowRun === undefined ? {} : { allowRun }),
    ...(allowRead === undefined ? {} : { allowRead }),
    ...(secret === undefined ? {} : { secret }),
    ...(isPlayground ? { given: () => playground(terminal) } : {}),
  };
}

/** It ends when it is told to, and that is how it ends well. */
function untilStopped({ terminal }: Desk): Promise<void> {
  return new Promise((resolve) => {
    const deaf = terminal.onStop(() => {
      deaf();
      resolve();
    });
  });
}

interface Told {
  readonly house: DevHouse;
  readonly place: Place;
  readonly isPlayground: boolean;
  readonly token: string;
  readonly url: string;
  readonly port: number;
}

function tell(desk: Desk, options: DevOptions, told: Told): void {
  const { house, place, isPlayground, token, url, port } = told;
  const address = `${url}/#token=${token}`;
  const value = { url: address, port, token, store: place.url };
  answer(desk, options, value, () => {
    const flows = house.sources.flatMap((source) => source.flows.map(({ name }) => name));
    const known = flows.length === 0 ? 'no flows: look and operate only' : flows.join(', ');
    const hint = isPlayground
      ? '\n  examples, in memory; for your own: perdure dev order.ts, or --store sqlite:perdure.db'
      : '';
    const { terminal } = desk;
    return (
      `studio  ${terminal.paint('bold', address)}\n` +
      `store   ${place.url}\nflows   ${[...new Set([known])].join('')}${hint}\n` +
      terminal.paint('dim', 'Ctrl-C ends it')
    );
  });
}
