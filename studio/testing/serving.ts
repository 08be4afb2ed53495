/** The studio and the API of an engine on a port of their own, with a start token. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../../src/index.ts';
import { api } from '../../src/server.ts';

export interface Served {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

const STUDIO = process.env['STUDIO'] ?? join(import.meta.dirname, '../../dist/studio');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

// INTERIM: replaced by the server of src/cli/dev as soon as it is there.
export async function serveStudio(engine: Engine, _files: readonly string[]): Promise<Served> {
  const token = 'test-token';
  const inner = api(engine, {
    access: {
      authenticate: (request) =>
        request.headers.get('authorization') === `Bearer ${token}`
          ? {
              id: 'you',
              tenant: null,
              groups: [],
              scopes: new Set([
                ...(['read', 'start', 'publish', 'tasks', 'act-as', 'operate'] as const),
                ...(['work', 'deploy', 'schedule', 'metrics', 'admin'] as const),
              ]),
            }
          : null,
    },
  });
  const server = createServer((request: IncomingMessage & { baseUrl?: string }, response) => {
    response.setHeader('content-security-policy', CSP);
    const url = request.url ?? '/';
    if (url.startsWith('/api/')) {
      request.url = url.slice('/api'.length);
      request.baseUrl = '/api';
      inner.express(request, response);
    } else if (url.startsWith('/dev/')) dev(url, response);
    else file(url, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    close: async () => {
      await inner.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function dev(url: string, response: ServerResponse): void {
  const answers: Readonly<Record<string, unknown>> = {
    '/dev/session': {
      ...{ version: '0.0.1', store: 'memory:', user: 'you', hasWorker: true },
      ...{ isPlayground: true, revision: 1 },
    },
    '/dev/sources': { revision: 1, sources: [] },
    '/dev/logs': { lines: [], last: 0 },
    '/dev/doctor': {
      ok: true,
      checks: [{ name: 'clock', status: 'ok', found: 'x', advice: null }],
    },
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answers[url.split('?')[0] ?? ''] ?? {}));
}

function file(url: string, response: ServerResponse): void {
  const path = url.split('?')[0] ?? '/';
  const wanted = join(STUDIO, path);
  const real = extname(path) !== '' && existsSync(wanted) ? wanted : join(STUDIO, 'index.html');
  response.setHeader('content-type', TYPES[extname(real)] ?? 'application/octet-stream');
  response.end(readFileSync(real));
}
