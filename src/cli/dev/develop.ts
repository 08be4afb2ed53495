/** What `perdure dev` does: a house, a server before it, and a word on where that is. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  answer,
  type Desk,
  type HandlersOptions,
  type JsonOptions,
  type StoreOptions,
} from '../desk.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { badCommand } from '../failing.ts';
import type { HostFlags } from '../host.ts';
import { storeWords } from '../mending.ts';
import { playground, seed } from '../playground/playground.ts';
import { checkThere, type Place, placeOf } from '../stores.ts';
import { readWhole } from '../words.ts';
import { DevHouse, type HouseOptions } from './house.ts';
import { routesOf } from './routes.ts';
import { serveDev } from './server.ts';
import { makeToken } from './start-token.ts';
import { StudioFiles } from './studio-files.ts';

export interface DevOptions extends JsonOptions, StoreOptions, HandlersOptions, HostFlags {
  readonly port?: string;
}

/** Runs until it is told to stop. */
export async function develop(
  desk: Desk,
  files: readonly string[],
  options: DevOptions,
): Promise<ExitCode> {
  const { terminal } = desk;
  checkFiles(desk, files, options);
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

/** What is misspelt would be waited for in vain; what is wrong inside is shown in the studio. */
function checkFiles({ terminal }: Desk, files: readonly string[], { handlers }: DevOptions): void {
  const missing = files.find((file) => !existsSync(resolve(terminal.folder, file)));
  if (missing !== undefined) throw badCommand(`there is no file "${missing}"`, { file: missing });
  if (handlers !== undefined && files.length === 0) {
    throw badCommand('--handlers is for the definitions of a file: name that, too');
  }
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
