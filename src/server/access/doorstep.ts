/**
 * What is looked at before anybody is asked who they are: whether this server was meant, whether a
 * web page of somebody else's is behind it, and where it comes from.
 *
 * A browser on the machine of a developer reaches servers that nobody else can, and any page can
 * make it send requests. A page whose name suddenly means 127.0.0.1 gives itself away by its
 * `Host`, and any other by its `Origin` or `Sec-Fetch-Site`; programs that are no browsers send
 * none of those, and are not kept out by them. Where nobody need say who they are, only this
 * machine may ask; and a proxy on it makes strangers look local, so its headers are refused.
 */
import type { HeaderOf } from '../header.ts';
import { RequestError } from '../problem.ts';
import { wrong } from '../wrong.ts';
import { isLoopback, isLoopbackName } from './address.ts';

export interface DoorstepOptions {
  /** As `api.example.com`, `api.example.com:8443` or `*.example.com`; beside this machine's own. */
  readonly hosts?: readonly string[] | undefined;
  /** As `https://app.example.com`. */
  readonly origins?: readonly string[] | undefined;
  /** Nobody need say who they are. */
  readonly isOpen: boolean;
}

/** What can be seen of a request from the door. */
export interface Visit {
  readonly header: HeaderOf;
  /** The address it comes from; undefined if nobody knows. */
  readonly peer: string | undefined;
  /** The whole of it: whether it is http or https matters here. */
  readonly url: string;
}

/** A host with its port, if there is one; the brackets of IPv6 belong to the name. */
const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(?<port>\d{1,5}))?$/;
const PATTERN = /^(?:\*\.)?(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d{1,5})?$/;
const PORTS_DEFAULT: ReadonlySet<string> = new Set(['80', '443']);
/** Set by whatever stands in between. */
const FORWARDED: readonly string[] = [
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'],
  ...['for', 'host', 'proto', 'port', 'server', 'prefix', 'by', 'scheme', 'ssl', 'path', 'uri'].map(
    (name) => `x-forwarded-${name}`,
  ),
];

const NONE: Readonly<Record<string, string>> = Object.freeze({});

/** For so long a browser need not ask again. */
export const PREFLIGHT_SECONDS = 600;
const CORS_METHODS = 'GET, POST, PUT, DELETE';
const CORS_HEADERS =
  'authorization, x-api-key, content-type, idempotency-key, last-event-id, traceparent';
const CORS_EXPOSED = 'location, retry-after, www-authenticate';

export class Doorstep {
  readonly #hosts: readonly string[];
  readonly #origins: ReadonlySet<string>;
  /** The one that was last found to be good: most often the next is the same. */
  #lastHost: string | null = null;

  readonly #isOpen: boolean;

  constructor({ hosts = [], origins = [], isOpen }: DoorstepOptions) {
    this.#isOpen = isOpen;
    this.#hosts = readHosts(hosts);
    this.#origins = readOrigins(origins);
  }

  /** Throws if it is not to be let in, whoever it is. */
  check({ header, peer, url }: Visit): void {
    this.#checkHost(header);
    this.#checkOrigin(header, url);
    if (this.#isOpen) checkPeer(header, peer);
  }

  /** Whether a browser asks ahead what a page of another origin may. */
  isPreflight(method: string, header: HeaderOf): boolean {
    const isAsked = header('access-control-request-method') !== undefined;
    return method === 'OPTIONS' && isAsked && header('origin') !== undefined;
  }

  /** The headers that answer it; throws if the page may nothing. */
  preflight(header: HeaderOf): Readonly<Record<string, string>> {
    this.#checkHost(header);
    const origin = header('origin') ?? '';
    if (!this.#origins.has(origin)) throw strange(origin);
    return {
      ...this.corsHeaders(header),
      'access-control-allow-methods': CORS_METHODS,
      'access-control-allow-headers': CORS_HEADERS,
      'access-control-max-age': `${PREFLIGHT_SECONDS}`,
    };
  }

  /** The headers by which a page of an origin that was named may read the answer. */
  corsHeaders(header: HeaderOf): Readonly<Record<string, string>> {
    if (this.#origins.size === 0) return NONE;
    const origin = header('origin');
    // What is in between is not to give the answer for one origin to another.
    if (origin === undefined || !this.#origins.has(origin)) return { vary: 'Origin' };
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-expose-headers': CORS_EXPOSED,
    };
  }

  /** Throws if everybody on the network could do everything with a server that listens there. */
  assertSafe(bindHost: string | undefined): void {
    if (!this.#isOpen) return;
    const name = bindHost?.toLowerCase() ?? '';
    if (name === 'localhost' || isLoopback(name)) return;
    throw new RequestError(
      'server.insecure',
      `listening on "${told(name)}" without access would let everybody who can reach this ` +
        'machine do everything: give access (keys, jwt or authenticate), or listen on 127.0.0.1',
    );
  }

  #checkHost(header: HeaderOf): void {
    const host = header('host') ?? '';
    if (host === this.#lastHost) return;
    const { name, port } = HOST.exec(host.toLowerCase())?.groups ?? {};
    if (name !== undefined) {
      const isOurs = isLoopbackName(name) || this.#hosts.some((own) => isOf(own, name, port));
      if (isOurs) {
        this.#lastHost = host;
        return;
      }
    }
    const rule = 'this server goes by other names; which ones is said in its option hosts';
    throw new RequestError('access.host', `${rule}; asked for was "${told(host)}"`);
  }

  #checkOrigin(header: HeaderOf, url: string): void {
    const origin = header('origin');
    if (origin !== undefined) {
      const host = (header('host') ?? '').toLowerCase();
      // A proxy may have spoken https to the browser, and http to us.
      const isOwn = origin === `https://${host}` || origin === `${new URL(url).protocol}//${host}`;
      if (isOwn || this.#origins.has(origin)) return;
      throw strange(origin);
    }
    const site = header('sec-fetch-site');
    if (site === undefined || site === 'same-origin' || site === 'none') return;
    throw new RequestError('access.origin', 'a page of another site is behind this request');
  }
}

/** Only from this machine, and from nobody whom a proxy makes look like it. */
function checkPeer(header: HeaderOf, peer: string | undefined): void {
  const rule = 'without access (keys, jwt or authenticate) a server is for its own machine';
  if (peer === undefined || !isLoopback(peer)) {
    throw new RequestError('access.remote', `${rule}, and this comes from elsewhere`);
  }
  const between = FORWARDED.find((name) => header(name) !== undefined);
  if (between === undefined) return;
  throw new RequestError('access.remote', `${rule}, and a proxy sent this (${between})`);
}

function strange(origin: string): RequestError {
  const rule = 'pages of other origins may not ask; which ones may is said in origins';
  return new RequestError('access.origin', `${rule}; this one is "${told(origin)}"`);
}

/** Without a port, whatever the port. A star stands for one part of a name, as in certificates. */
function isOf(own: string, name: string, port: string | undefined): boolean {
  const { name: ownName = '', port: ownPort } = HOST.exec(own.replace('*', '_'))?.groups ?? {};
  if (ownPort !== undefined) {
    const isSame = port === undefined ? PORTS_DEFAULT.has(ownPort) : port === ownPort;
    if (!isSame) return false;
  }
  if (!own.startsWith('*.')) return name === ownName;
  const [first = '', ...rest] = name.split('.');
  return first !== '' && rest.join('.') === ownName.slice('_.'.length);
}

function readHosts(hosts: readonly string[]): readonly string[] {
  if (!isTexts(hosts)) throw wrong('hosts is a list of names');
  return hosts.map((host) => {
    const name = host.toLowerCase();
    if (PATTERN.test(name) && name !== '*') return name;
    throw wrong(`hosts has names such as api.example.com or *.example.com:8443, not "${host}"`);
  });
}

function readOrigins(origins: readonly string[]): ReadonlySet<string> {
  if (!isTexts(origins)) throw wrong('origins is a list of origins');
  for (const origin of origins) {
    const isOne = /^https?:/.test(origin) && URL.canParse(origin);
    if (isOne && new URL(origin).origin === origin) continue;
    throw wrong(`origins has origins such as https://app.example.com, not "${origin}"`);
  }
  return new Set(origins);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

const TOLD_CHARS_MAX = 100;

function told(text: string): string {
  return text.slice(0, TOLD_CHARS_MAX);
}
