/**
 * Keeps requests of workflows from places that are not for them.
 *
 * A URL comes from a definition, from data or from a redirect, and whoever wrote it may want to
 * reach what only this machine can. So only http and https are spoken, and private, loopback,
 * link-local, metadata and other special addresses are refused, as are the names that stand for
 * them, unless the host program allows one. A name is looked up once, every address it has is
 * checked, and the connection is made to one of these: there is no second look-up that could give
 * another answer. If one address of a name is refused, so is the name.
 *
 * What a refusal tells is what the author wrote, never where a name leads to.
 */
import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { WorkflowError } from '../../model/workflow-error.ts';
import { type AddressClass, classOf, parseAddress } from './addresses.ts';
import { type AllowList, readAllow } from './allow.ts';
import { brokenBy, notAskable } from './failures.ts';

/** All addresses of a name, as the system knows them. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface GuardOptions {
  readonly allow?: readonly string[] | undefined;
  readonly resolve?: Resolve | undefined;
}

export interface Guard {
  /** Throws unless requests may go there, as far as the URL itself tells. */
  readonly check: (url: URL) => void;
  /** The addresses of a URL's name, all of them checked. Throws unless each may be reached. */
  readonly addressesOf: (url: URL) => Promise<readonly CheckedAddress[]>;
  /** The same for what is not HTTP: one address to connect to. Throws a `WorkflowError`. */
  readonly reach: (host: string, port: number) => Promise<CheckedAddress>;
}

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Names, and names below them, that mean this machine or the network around it. */
const LOCAL_NAMES: Readonly<Record<string, AddressClass>> = {
  localhost: 'loopback',
  localdomain: 'loopback',
  'ip6-localhost': 'loopback',
  'ip6-loopback': 'loopback',
  local: 'link-local',
  internal: 'private',
  'home.arpa': 'private',
};

export function createGuard({ allow = [], resolve = resolveAll }: GuardOptions): Guard {
  const allowed = readAllow(allow);
  const guard: Guard = {
    check: (url) => check(allowed, url),
    addressesOf: async (url) => {
      const found = await resolve(nameOf(url));
      if (found.length === 0) throw unknownName();
      return found.map((text) => checkedAddress(allowed, url, text));
    },
    reach: (host, port) => reach(guard, host, port),
  };
  return guard;
}

async function reach(guard: Guard, host: string, port: number): Promise<CheckedAddress> {
  const text = `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`;
  const url = /[/?#@\\\s]/.test(host) || !URL.canParse(text) ? undefined : new URL(text);
  if (url === undefined) throw notAskable('a host is a name or an address, and a port a number');
  guard.check(url);
  const address = parseAddress(nameOf(url));
  if (address !== undefined) return { address: nameOf(url), family: address.family };
  try {
    const [first] = await guard.addressesOf(url);
    if (first === undefined) throw unknownName();
    return first;
  } catch (thrown) {
    throw brokenBy(thrown, url.host);
  }
}

/** Where a URL leads: a name in lower case or an address without brackets. */
export function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function check(allowed: AllowList, url: URL): void {
  if (!/^https?:$/.test(url.protocol)) {
    const detail = `a request goes to http or https; came "${url.protocol}"`;
    throw new WorkflowError('authorization', { detail });
  }
  if (url.username !== '' || url.password !== '') {
    const where = `${url.protocol}//${url.host}`;
    throw notAskable(`the URL for ${where} holds a name or a password: use authentication instead`);
  }
  const name = nameOf(url);
  const port = portOf(url);
  const address = parseAddress(name);
  const found = address === undefined ? localClassOf(name) : classOf(address);
  if (found === undefined || allowed.allowsName(name, port)) return;
  if (address !== undefined && allowed.allowsAddress(address, port)) return;
  throw refusalOf(url, `is ${WORDS[found]}`);
}

function checkedAddress(allowed: AllowList, url: URL, text: string): CheckedAddress {
  const address = parseAddress(text);
  if (address === undefined) throw unknownName();
  const found = classOf(address);
  const port = portOf(url);
  const isAllowed =
    found === undefined ||
    allowed.allowsName(nameOf(url), port) ||
    allowed.allowsAddress(address, port);
  if (!isAllowed) throw refusalOf(url, `leads to ${WORDS[found]}`);
  return { address: text, family: address.family };
}

function localClassOf(name: string): AddressClass | undefined {
  const labels = name.split('.');
  const endings = labels.map((_, at) => labels.slice(at).join('.'));
  const known = endings.find((ending) => Object.hasOwn(LOCAL_NAMES, ending));
  return known === undefined ? undefined : LOCAL_NAMES[known];
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

const WORDS: Readonly<Record<AddressClass, string>> = {
  broadcast: 'the broadcast address',
  documentation: 'an address for documentation',
  'link-local': 'a link-local address',
  loopback: 'a loopback address',
  metadata: 'an address of metadata',
  multicast: 'a multicast address',
  private: 'a private address',
  reserved: 'a reserved address',
  tunnel: 'an IPv4 address in an old form of IPv6',
  unspecified: 'an unspecified address',
};

function refusalOf(url: URL, is: string): WorkflowError {
  const detail =
    `"${url.hostname}" ${is}, which workflows may not reach; ` +
    `to permit it, add "${nameOf(url)}" to http.allow or give --allow-net ${nameOf(url)}`;
  return new WorkflowError('authorization', { title: 'Address refused', detail });
}

/** As the system says it. */
function unknownName(): Error {
  return Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
}

async function resolveAll(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}
