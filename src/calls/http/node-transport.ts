/**
 * Requests by Node's own http and https, over connections to checked addresses only.
 *
 * A connection is kept for a moment after an answer and used again; it was checked when it was
 * made, for the same host and port. A server may close it just as the next request goes out: one
 * that is safe to repeat is then sent once more over a new connection, any other fails.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as requestSecure } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { decode } from './decoding.ts';
import { brokenAs, placeOf } from './failures.ts';
import { type Guard, nameOf, portOf } from './guard.ts';
import type { HttpLimits } from './limits.ts';
import type { Patience } from './patience.ts';
import { type Incoming, joinHeaders, type Outgoing, type Transport } from './transport.ts';

export interface NodeTransportParts {
  readonly guard: Guard;
  readonly limits: HttpLimits;
  /** Certificates that are trusted, as PEM, in the place of Node's own. */
  readonly ca?: string | readonly string[] | undefined;
}

/** Less than the five seconds after which most servers close a connection that rests. */
const KEEP_MS = 4_000;
/** Asking twice for these does what asking once does. */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** An answer is expected to look at what they bring, be it nothing. */
const BRINGING = new Set(['POST', 'PUT', 'PATCH']);
const CUT = new Set(['ECONNRESET', 'EPIPE']);

interface Line extends NodeTransportParts {
  /** False: a connection of its own. */
  readonly agent: HttpAgent | false;
}

export function createNodeTransport(parts: NodeTransportParts): Transport {
  const plain = new HttpAgent({ keepAlive: true, timeout: KEEP_MS });
  const secure = new HttpsAgent({ keepAlive: true, timeout: KEEP_MS });
  return {
    exchange: async (outgoing, patience) => {
      const agent = outgoing.url.protocol === 'https:' ? secure : plain;
      return exchange({ ...parts, agent }, outgoing, patience);
    },
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

function exchange(line: Line, outgoing: Outgoing, patience: Patience): Promise<Incoming> {
  const { url, method, body } = outgoing;
  const { connectTimeoutMs, firstByteTimeoutMs } = line.limits;
  const late = (what: string, ms: number) => () =>
    brokenAs(`${placeOf(url)} ${what} within ${ms} ms`);
  return new Promise((resolve, reject) => {
    const connected = patience.limit(connectTimeoutMs, late('did not connect', connectTimeoutMs));
    let answered = (): void => {};
    const settle = (): void => {
      connected();
      answered();
    };
    const request = begin(line, outgoing, patience.signal);
    request.once('socket', (socket) => {
      if (!socket.listeners('error').includes(pass)) socket.on('error', pass);
      whenConnected(socket, url, () => {
        connected();
        answered = patience.limit(firstByteTimeoutMs, late('did not answer', firstByteTimeoutMs));
      });
    });
    request.once('response', (response) => {
      settle();
      resolve(incomingOf(request, response, method));
    });
    request.on('error', (error) => {
      settle();
      const isWornOut = request.reusedSocket && CUT.has(codeOf(error)) && REPEATABLE.has(method);
      const isWanted = isWornOut && line.agent !== false && !patience.signal.aborted;
      if (isWanted) resolve(exchange({ ...line, agent: false }, outgoing, patience));
      else reject(error);
    });
    request.end(body);
  });
}

function begin(line: Line, outgoing: Outgoing, signal: AbortSignal): ClientRequest {
  const { method, url } = outgoing;
  const { guard, limits, ca, agent } = line;
  const name = nameOf(url);
  const options: RequestOptions = {
    ...{ method, agent, signal, hostname: name, port: portOf(url) },
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...outgoing.headers, ...lengthOf(outgoing) },
    lookup: lookupBy(guard, url),
    maxHeaderSize: limits.maxHeaderBytes,
  };
  if (url.protocol !== 'https:') return requestPlain(options);
  const servername = isIP(name) === 0 ? name : '';
  const trusted = ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] };
  return requestSecure({ ...options, ...trusted, servername });
}

function lengthOf({ method, body }: Outgoing): Readonly<Record<string, string>> {
  if (body === undefined && !BRINGING.has(method)) return {};
  return { 'content-length': `${body?.length ?? 0}` };
}

/** The only look-up of a request: what it answers is what is connected to. */
function lookupBy(guard: Guard, url: URL): LookupFunction {
  return (_name, { all }, callback) => {
    guard.addressesOf(url).then(
      (found) => {
        const [first] = found;
        if (all === true) callback(null, [...found]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (thrown: unknown) => callback(thrown as NodeJS.ErrnoException, ''),
    );
  };
}

/** Whoever gives up as an answer ends ends a socket that no request listens to any more. */
function pass(): void {}

function whenConnected(socket: Socket, { protocol }: URL, then: () => void): void {
  if (!socket.connecting) then();
  else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', then);
}

function incomingOf(request: ClientRequest, response: IncomingMessage, method: string): Incoming {
  // Whoever reads is told; a discarded answer may break as it likes.
  response.on('error', () => {});
  const headers = joinHeaders(pairsOf(response.rawHeaders));
  const hasBody = method !== 'HEAD';
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers,
    body: hasBody ? decode(response, headers['content-encoding']) : response,
    discard: () => void request.destroy(),
  };
}

function* pairsOf(raw: readonly string[]): Generator<readonly [string, string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? '', raw[at + 1] ?? ''];
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
