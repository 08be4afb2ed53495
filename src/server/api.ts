/**
 * The HTTP API over an engine: one web-standard application, made once, that runs alone or as part
 * of another: below any path of Hono, Express, Fastify, or whatever speaks `fetch` or Node's http.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type Engine, type Logger, redacting, stderrLogger } from '../index.ts';
import { Authentication } from './access/authentication.ts';
import { Doorstep } from './access/doorstep.ts';
import { Rates } from './access/rate.ts';
import { answer } from './answering.ts';
import { closing } from './closing.ts';
import { type ServerLimits, SERVER_LIMITS } from './limits.ts';
import { Metrics } from './metrics.ts';
import { checkOptions } from './options.ts';
import { RequestError } from './problem.ts';
import type { Premises, ServerOptions } from './premises.ts';
import type { NodeBindings } from './reading.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';
import { Streams } from './streams.ts';
import { answerUnreadable, unreadableResponse } from './unreadable.ts';

/** As Express, Connect and `node:http` call it. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** As much of Fastify as is needed to be a plugin of it. */
export interface FastifyLike {
  readonly prefix: string;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parse: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): void;
  all(
    path: string,
    handle: (
      request: { readonly raw: IncomingMessage },
      reply: { hijack(): void; readonly raw: ServerResponse },
    ) => void,
  ): void;
}

export interface ListenOptions {
  /** Any that is free if it is 0 or not said. */
  readonly port?: number;
  /** This machine alone if not said; others only with `access`. */
  readonly host?: string;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, ends streams, and waits for the answers that are under way. */
  close(): Promise<void>;
}

/** What `api(engine)` gives. Closing it leaves the engine as it is. */
export class Api {
  /** For `app.route('/perdure', api.hono)`. */
  readonly hono: App;
  readonly #app: App;
  readonly #premises: Premises;
  readonly #listening = new Set<Listening>();
  readonly #listener: ReturnType<typeof getRequestListener>;
  /** Where we are mounted, of each request: its path has lost it on the way. */
  readonly #bases = new WeakMap<IncomingMessage, string>();

  constructor(engine: Engine, options: ServerOptions) {
    checkOptions(options);
    const limits: ServerLimits = { ...SERVER_LIMITS, ...options.limits };
    const logger: Logger = redacting(options.logger ?? stderrLogger);
    const authentication = new Authentication(options.access ?? {});
    const streams = new Streams({ limits });
    const { hosts, origins } = options;
    this.#premises = {
      ...{ engine, limits, logger, authentication, streams },
      doorstep: new Doorstep({ hosts, origins, isOpen: !authentication.isConfigured }),
      rates: new Rates(options.rate, () => performance.now()),
      metrics: new Metrics(engine, () => streams.count),
      webhooks: options.webhooks ?? {},
      now: () => Date.now(),
    };
    this.#app = appOf(this.#premises);
    // An application around us answers what it finds nothing for, unless we do.
    this.hono = appOf(this.#premises).all('*', (ask) => answer(this.#premises, ask, null));
    this.#listener = getRequestListener(
      (request, env) => {
        const base = this.#bases.get(env.incoming as IncomingMessage);
        return this.#app.fetch(request, base === undefined ? env : { ...env, base });
      },
      { errorHandler: unreadableResponse },
    );
  }

  /** For whatever speaks the web's own `Request` and `Response`. */
  get fetch(): (request: Request) => Response | Promise<Response> {
    return (request) => this.#app.fetch(request);
  }

  /** For `app.use('/perdure', api.express)`, and for `http.createServer(api.express)`. */
  get express(): NodeListener {
    return (request, response) => {
      const { baseUrl = '' } = request as IncomingMessage & { readonly baseUrl?: string };
      this.#serve(baseUrl, request, response);
    };
  }

  /** For `app.register(api.fastify, { prefix: '/perdure' })`. */
  get fastify(): (app: FastifyLike, options: unknown) => Promise<void> {
    return async (app) => {
      // The whole of it, also of a plugin within a plugin.
      const { prefix } = app;
      // We read bodies ourselves: up to our limit, and as the bytes that came.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, _payload, done) => done(null));
      app.all('/*', (request, reply) => {
        reply.hijack();
        const { raw } = request;
        raw.url = raw.url?.slice(prefix.length) || '/';
        this.#serve(prefix, raw, reply.raw);
      });
    };
  }

  /** Alone, on a port of its own. Refuses to be reached from elsewhere without `access`. */
  async listen({ port = 0, host = '127.0.0.1' }: ListenOptions = {}): Promise<Listening> {
    const { doorstep, limits } = this.#premises;
    doorstep.assertSafe(host);
    const server = createServer(
      { maxHeaderSize: limits.HEADER_BYTES_MAX, requestTimeout: limits.REQUEST_MS_MAX },
      this.express,
    );
    answerUnreadable(server);
    // What else a client expects we need not fulfil, and may leave unanswered (RFC 9110, 10.1.1).
    server.on('checkExpectation', this.express);
    const close = closing(server, limits.CLOSE_MS_MAX);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const bound = server.address() as AddressInfo;
    const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
    const listening: Listening = {
      url: `http://${name}:${bound.port}`,
      port: bound.port,
      close: () => {
        this.#listening.delete(listening);
        this.#premises.streams.close();
        return close();
      },
    };
    this.#listening.add(listening);
    return listening;
  }

  /** Ends what is open. The engine stays. */
  async close(): Promise<void> {
    this.#premises.streams.close();
    this.#premises.metrics.close();
    await Promise.all(Array.from(this.#listening, (each) => each.close()));
  }

  #serve(base: string, request: IncomingMessage, response: ServerResponse): void {
    if (base !== '') this.#bases.set(request, base);
    void this.#listener(request, response);
  }
}

/** The HTTP API over an engine. See docs/http.md. */
export function api(engine: Engine, options: ServerOptions = {}): Api {
  return new Api(engine, options);
}

type App = Hono<{ Bindings: NodeBindings }>;

/** One handler for each path, whatever the method: Hono calls one that it finds alone as it is. */
function appOf(premises: Premises): App {
  const app: App = new Hono<{ Bindings: NodeBindings }>();
  const paths = new Map<string, Map<string, Route>>();
  for (const route of ROUTES) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const methods = paths.get(path) ?? new Map<string, Route>();
    paths.set(path, methods.set(route.method.toUpperCase(), route));
  }
  // A word goes before a name: what is called `diff` is no version.
  for (const [path, methods] of [...paths].toSorted(([a], [b]) => namesIn(a) - namesIn(b))) {
    const allow = [...methods.keys()].join(', ');
    app.all(path, (ask) => {
      const { method } = ask.req;
      // Of the head of an answer Hono takes the body away.
      const route = methods.get(method === 'HEAD' ? 'GET' : method) ?? null;
      return answer(premises, ask, route, () => wrongMethod(method, allow));
    });
  }
  return app.notFound((ask) => answer(premises, ask, null));
}

function namesIn(path: string): number {
  return path.split(':').length;
}

function wrongMethod(method: string, allow: string): RequestError {
  const message = `${method.slice(0, 20)} is not for this path, which takes ${allow}`;
  return new RequestError('route.method', message, { headers: { allow } });
}
