/**
 * The one client by which requests of workflows leave, whatever makes them.
 *
 * Every request and every redirect is checked by the guard, authenticated if a policy says how, and
 * carried by Node or by a `fetch` of the host's. An answer of any status is an answer; what keeps
 * one from coming is a `WorkflowError`. When the signal of a request is aborted, its reason is
 * thrown at once. Proxies that the environment names are not used: a host that needs one brings a
 * `fetch` that knows it.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type Authentication, createAuthentication } from '../auth/authentication.ts';
import type { HttpAnswer, HttpClient, HttpHead, HttpRequest, HttpStream } from '../calling.ts';
import { ACCEPT_ENCODING } from './decoding.ts';
import { brokenAs, brokenBy, notAskable, placeOf } from './failures.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { hideSecrets, readHeaders } from './headers.ts';
import { type HttpLimits, LIMITS_DEFAULT, readLimits } from './limits.ts';
import { createNodeTransport } from './node-transport.ts';
import { type Patience, patienceFor } from './patience.ts';
import { reach, type Reached, type ReachHouse } from './reaching.ts';
import type { Hop } from './redirects.ts';
import { traceHeaders } from './trace-headers.ts';

export interface HttpOptions extends Partial<HttpLimits>, GuardOptions {
  /** In the place of Node's own requests. Names are then not looked up here, only read. */
  readonly fetch?: typeof fetch | undefined;
  /** Certificates to trust, as PEM, in the place of those that Node trusts. */
  readonly ca?: string | readonly string[] | undefined;
  /** Milliseconds since 1970, by which tokens grow old. */
  readonly now?: (() => number) | undefined;
}

/** A client that holds connections and tokens until it is closed. */
export interface ClosableHttpClient extends HttpClient {
  /** Where a host lies, by the same guard, for what is not HTTP. */
  reach(host: string, port: number): Promise<{ readonly address: string }>;
  close(): void;
}

const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Z]+$/;
/** They ask for a tunnel, or for what was sent to be sent back. */
const METHODS_REFUSED = new Set(['CONNECT', 'TRACE', 'TRACK']);

interface House extends ReachHouse {
  readonly authentication: Authentication;
}

export function createHttpClient(options: HttpOptions = {}): ClosableHttpClient {
  checkNames(options);
  const { fetch: ask, ca, now = Date.now } = options;
  const limits = readLimits(options);
  const guard = createGuard(options);
  const transport =
    ask === undefined
      ? createNodeTransport({ guard, limits, ca })
      : createFetchTransport(ask, limits);
  const client: ClosableHttpClient = {
    send: (request) => send(house, request),
    open: (request) => open(house, request),
    reach: (host, port) => guard.reach(host, port),
    close: () => transport.close(),
  };
  const house = { guard, limits, transport, authentication: createAuthentication(client, now) };
  return client;
}

/** An option that is misspelt would be one that is not there. */
function checkNames(options: HttpOptions): void {
  const names = ['allow', 'resolve', 'fetch', 'ca', 'now', ...Object.keys(LIMITS_DEFAULT)];
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const message = `http has no option "${unknown}"; it has ${names.join(', ')}`;
  throw new EngineError('engine.option-invalid', message);
}

async function send(house: House, request: HttpRequest): Promise<HttpAnswer> {
  const { timeoutMs, maxResponseBytes } = house.limits;
  const first = firstHop(house, request);
  const place = placeOf(first.url);
  const patience = patienceFor(request.signal);
  patience.limit(timeoutMs, () => brokenAs(`${place} took longer than ${timeoutMs} ms`));
  try {
    const reached = await reach(house, first, request.redirect ?? false, patience);
    return { ...headOf(reached), body: await readAll(reached, maxResponseBytes, patience) };
  } finally {
    patience.end();
  }
}

async function open(house: House, request: HttpRequest): Promise<HttpStream> {
  const first = firstHop(house, request);
  const patience = patienceFor(request.signal);
  try {
    const reached = await reach(house, first, request.redirect ?? false, patience);
    return { ...headOf(reached), ...streamOf(reached, patience) };
  } catch (thrown) {
    patience.end();
    throw thrown;
  }
}

/** The request as it is written, checked. */
function firstHop({ authentication }: House, request: HttpRequest): Hop {
  const { url: given, body, headers = {}, authentication: policy } = request;
  const method = request.method.toUpperCase();
  if (!METHOD.test(method) || METHODS_REFUSED.has(method)) {
    throw notAskable(`a request has a method such as GET or POST; came "${method.slice(0, 20)}"`);
  }
  const text = typeof given === 'string' ? given : given.href;
  if (!URL.canParse(text)) {
    throw notAskable('a request needs an absolute URL, as https://example.com/path');
  }
  return {
    method,
    url: new URL(text),
    headers: { ...HEADERS_DEFAULT, ...traceHeaders(), ...readHeaders(headers) },
    body: typeof body === 'string' ? Buffer.from(body) : body,
    authenticator: policy === undefined ? undefined : authentication.of(policy),
  };
}

const HEADERS_DEFAULT = {
  accept: '*/*',
  'accept-encoding': ACCEPT_ENCODING,
  'user-agent': 'perdure',
};

function headOf({ hop, incoming, authorization }: Reached): HttpHead {
  const { status, statusText, headers } = incoming;
  const request = {
    method: hop.method,
    uri: hop.url.href,
    headers: hideSecrets(hop.headers),
  };
  const head = { status, statusText, headers, request };
  return authorization === undefined ? head : { ...head, authorization };
}

async function readAll(reached: Reached, max: number, patience: Patience): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(reached, patience)) {
    size += chunk.length;
    if (size <= max) {
      chunks.push(chunk);
      continue;
    }
    reached.incoming.discard();
    const place = placeOf(reached.hop.url);
    throw brokenAs(`${place} answered with more than http.maxResponseBytes, ${max} bytes`);
  }
  return Buffer.concat(chunks);
}

/** Whoever closes a stream has it end; that is no failure to whoever still reads it. */
function streamOf(reached: Reached, patience: Patience): Pick<HttpStream, 'body' | 'close'> {
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    patience.end();
    reached.incoming.discard();
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunksOf(reached, patience);
    } catch (thrown) {
      if (!isClosed) throw thrown;
    } finally {
      close();
    }
  }
  return { body: read(), close };
}

async function* chunksOf(
  { hop, incoming }: Reached,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.body;
  } catch (thrown) {
    patience.signal.throwIfAborted();
    throw brokenBy(thrown, placeOf(hop.url));
  }
}
