/**
 * Which IP addresses are not for workflows, and what each is.
 *
 * The table follows the registries of special-purpose addresses of the IANA, and adds the places
 * where clouds keep credentials. What IPv6 has not given out is refused as well: only `2000::/3` is
 * the public internet. IPv4 in the clothes of IPv6 counts as the IPv4 it is where networks still
 * translate it (mapped, NAT64); the older ways (compatible, 6to4, Teredo) are refused altogether.
 */
import { isIP } from 'node:net';

export type AddressClass =
  | 'broadcast'
  | 'documentation'
  | 'link-local'
  | 'loopback'
  | 'metadata'
  | 'multicast'
  | 'private'
  | 'reserved'
  | 'tunnel'
  | 'unspecified';

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

export interface Network extends Address {
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;

/** The first that holds an address says what it is. */
const V4: readonly (readonly [string, AddressClass])[] = [
  ['169.254.169.254/32', 'metadata'],
  // Of Amazon's tasks, of Alibaba, Oracle and Azure.
  ['169.254.170.2/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
];

const V6: readonly (readonly [string, AddressClass])[] = [
  ['fd00:ec2::/32', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'tunnel'],
  ['::ffff:0:0:0/96', 'tunnel'],
  ['64:ff9b:1::/48', 'private'],
  ['2001::/32', 'tunnel'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'tunnel'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
];

const TABLES = { 4: readTable(V4), 6: readTable(V6) };
/** IPv4 that a network translates: its last four bytes say where a connection leads. */
const TRANSLATED = ['::ffff:0:0/96', '64:ff9b::/96'].map((text) => networkOf(text));
const PUBLIC_V6 = networkOf('2000::/3');

/** What an address is if it is not for workflows; undefined if it is a public one. */
export function classOf(given: Address): AddressClass | undefined {
  const address = plainOf(given);
  const row = TABLES[address.family].find(({ network }) => isWithin(address, network));
  if (row !== undefined) return row.is;
  return address.family === 6 && !isWithin(address, PUBLIC_V6) ? 'reserved' : undefined;
}

/** An address as text, without brackets. A zone (`%eth0`) is left out: it names an interface. */
export function parseAddress(text: string): Address | undefined {
  const [plain = ''] = text.split('%', 1);
  switch (isIP(plain)) {
    case 4:
      return { family: 4, value: sumOf(plain.split('.').map(Number), 8n) };
    case 6:
      return { family: 6, value: sumOf(groupsOf(plain), 16n) };
    default:
      return undefined;
  }
}

/** `10.0.0.0/8`; undefined if it is none. */
export function parseNetwork(text: string): Network | undefined {
  const [, place = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(place);
  const prefix = Number(digits);
  if (address === undefined || prefix > BITS[address.family]) return undefined;
  return { ...address, prefix };
}

export function isWithin(given: Address, { family, value, prefix }: Network): boolean {
  const address = family === 4 ? plainOf(given) : given;
  if (address.family !== family) return false;
  const rest = BigInt(BITS[family] - prefix);
  return address.value >> rest === value >> rest;
}

/** IPv4 where it is IPv4 in truth. */
function plainOf(address: Address): Address {
  if (address.family === 4 || !TRANSLATED.some((network) => isWithin(address, network))) {
    return address;
  }
  return { family: 4, value: address.value & 0xffff_ffffn };
}

/** The eight groups of an IPv6 address, of which `::` stands for as many zeros as are missing. */
function groupsOf(text: string): readonly number[] {
  const [head = [], tail] = text.split('::').map((half) => half.split(':').flatMap(readGroup));
  if (tail === undefined) return head;
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return [...head, ...zeros, ...tail];
}

/** One group, or the two that an IPv4 address at the end stands for. */
function readGroup(group: string): readonly number[] {
  if (group === '') return [];
  if (!group.includes('.')) return [Number.parseInt(group, 16)];
  const value = Number(sumOf(group.split('.').map(Number), 8n));
  return [value >>> 16, value & 0xffff];
}

function sumOf(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bits) | BigInt(part), 0n);
}

function readTable(
  rows: typeof V4,
): readonly { readonly network: Network; readonly is: AddressClass }[] {
  return rows.map(([text, is]) => ({ network: networkOf(text), is }));
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network === undefined) throw new TypeError(`"${text}" is not a network`);
  return network;
}
