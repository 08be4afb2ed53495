/** The studio over an engine of a test, served by the server of `perdure dev`. */
import { LogLines } from '../../src/cli/dev/log-lines.ts';
import { apiOver } from '../../src/cli/dev/house.ts';
import { routesOf } from '../../src/cli/dev/routes.ts';
import { serveDev } from '../../src/cli/dev/server.ts';
import { readSource } from '../../src/cli/dev/sources.ts';
import { makeToken } from '../../src/cli/dev/start-token.ts';
import { StudioFiles } from '../../src/cli/dev/studio-files.ts';
import { processTerminal } from '../../src/cli/terminal.ts';
import { createEngine, type Engine, type EngineOptions, type Store } from '../../src/index.ts';

export interface Served {
  readonly engine: Engine;
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

const nothing = (): void => {};
const QUIET = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export async function serveStudio(
  options: EngineOptions & { readonly store: Store },
  files: readonly string[],
): Promise<Served> {
  const logs = new LogLines();
  const engine = await createEngine({ ...options, logger: logs.around(QUIET) });
  const token = makeToken();
  const terminal = processTerminal();
  const read = await Promise.all(files.map((file) => readSource(terminal, file)));
  const shown = {
    ...{ engine, logs, revision: 1, hasWorker: true },
    sources: read.map(({ source }) => source),
    listen: nothing,
  };
  const place = { url: 'memory:', kind: 'memory', store: options.store, path: null } as const;
  const api = apiOver(engine, token, 'you');
  const server = await serveDev({
    ...{ port: 0, token, api: () => api },
    files: new StudioFiles(process.env['STUDIO']),
    routes: routesOf(shown, place, { isPlayground: false, user: 'you' }),
  });
  return {
    engine,
    url: server.url,
    token,
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}
