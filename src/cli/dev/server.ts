/**
 * The server behind `perdure dev`: the HTTP API below /api, what only the command line knows below
 * /dev, and the studio everywhere else. It is for this machine alone, and of this machine only for
 * who has the start token: the studio's files are for anybody, and tell nothing.
 *
 * Whoever is called by another name than this machine's is a page that was made to mean it, and is
 * refused. The API looks at names and origins itself; here the same is done for the rest.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EngineError } from '../../index.ts';
import type { Api } from '../../server.ts';
import { hasToken } from './start-token.ts';
import type { StudioFiles } from './studio-files.ts';

export interface DevServerOptions {
  /** Null: any that is free, the usual one if it is. */
  readonly port: number | null;
  readonly token: string;
  readonly files: StudioFiles;
  /** The one of now: it is another one after every reload. */
  readonly api: () => Api;
  readonly routes: DevRoutes;
}

/** By path; what is given is the query. A stream is written by whoever makes it. */
export type DevRoutes = Readonly<Record<string, DevRoute>>;

export type DevRoute =
  | { readonly answer: (query: URLSearchParams) => unknown }
  | { readonly stream: (response: ServerResponse) => void };

export interface DevServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const PORT_USUAL = 4747;

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

const OWN_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

export async function serveDev(options: DevServerOptions): Promise<DevServer> {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    answer(options, request, response);
  });
  const { port } = await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      await options.api().close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function listen(server: Server, port: number | null): Promise<AddressInfo> {
  const first = port ?? PORT_USUAL;
  try {
    return await listenAt(server, first);
  } catch (thrown) {
    const isTaken = Reflect.get(Object(thrown), 'code') === 'EADDRINUSE';
    if (isTaken && port === null) return listenAt(server, 0);
    if (!isTaken) throw thrown;
    const message = `port ${first} is taken: name another with --port, or none to have a free one`;
    throw new EngineError('command.invalid', message, { cause: thrown, details: { port: first } });
  }
}

function listenAt(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function answer(
  options: DevServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method = 'GET', url = '/', headers } = request;
  if (!OWN_NAME.test(headers.host ?? '')) {
    return refuse(response, 421, 'access.host', 'this server is for its own machine');
  }
  const [path = '/', words = ''] = url.split('?');
  const isKnown = path.startsWith('/api/') || path.startsWith('/dev/');
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && !path.startsWith('/api/')) {
    return refuse(response, 405, 'route.method', 'this path takes GET');
  }
  if (!isKnown) return sendFile(options.files, path, request, response);
  if (isStrange(request)) {
    return refuse(response, 403, 'access.origin', 'a page of another origin is behind this');
  }
  if (!hasToken(headers.authorization, options.token)) {
    const message = 'open the address that "perdure dev" printed: it has the start token';
    response.setHeader('www-authenticate', 'Bearer');
    return refuse(response, 401, 'access.unauthenticated', message);
  }
  if (path.startsWith('/dev/')) return sendDev(options.routes, path, words, response);
  request.url = url.slice('/api'.length);
  return options.api().express(Object.assign(request, { baseUrl: '/api' }), response);
}

function sendDev(routes: DevRoutes, path: string, words: string, response: ServerResponse): void {
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) return refuse(response, 404, 'route.not-found', 'there is nothing here');
  if ('stream' in route) return route.stream(response);
  return void sendAnswer(route, new URLSearchParams(words), response);
}

/** What a browser sends for a page of another origin says so in either of two ways. */
function isStrange({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'] ?? 'none';
  const isOther = origin !== undefined && origin !== `http://${host}`;
  return isOther || (site !== 'same-origin' && site !== 'none');
}

async function sendAnswer(
  { answer: make }: Extract<DevRoute, { answer: unknown }>,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  try {
    const value: unknown = await make(query);
    send(response, 200, 'application/json', JSON.stringify(value));
  } catch (thrown) {
    const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    const code = thrown instanceof EngineError ? thrown.code : 'bug.invariant';
    refuse(response, 500, code, message);
  }
}

function refuse(response: ServerResponse, status: number, code: string, detail: string): void {
  const type = `urn:perdure:problem:${code}`;
  const problem = { type, title: code, status, detail, code, retryable: false };
  send(response, status, 'application/problem+json', JSON.stringify(problem));
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(text);
}

function sendFile(
  files: StudioFiles,
  path: string,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
): void {
  const file = files.find(path);
  if (file === null) return refuse(response, 404, 'route.not-found', 'there is no such file');
  const isZipped = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const body = isZipped ? file.gzipped : file.plain;
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': body.length,
    'cache-control': file.isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
