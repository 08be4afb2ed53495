/** Addresses of peers: which are of this machine, and which belong together. */
import { BlockList, isIP } from 'node:net';

const HERE = new BlockList();
HERE.addSubnet('127.0.0.0', 8, 'ipv4');
HERE.addAddress('::1', 'ipv6');

/** Also in the form that a socket for both families has: `::ffff:127.0.0.1`. */
export function isLoopback(address: string): boolean {
  if (address === '127.0.0.1') return true;
  const family = isIP(address);
  return family !== 0 && HERE.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** The name of a host, as a URL or a `Host` has it, that never leaves this machine. */
export function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name === '[::1]') return true;
  return isIP(name) === 4 && isLoopback(name);
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Of IPv6, what one customer is given: whoever has one of these addresses has all of them. */
const NETWORK_GROUPS = 4;

/** What limits go by: an address of IPv4, or the /64 that one of IPv6 lies in. */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return address;
  const [front = '', back] = bare.split('::');
  const groups = front === '' ? [] : front.split(':');
  const rest = back === undefined || back === '' ? [] : back.split(':');
  // An IPv4 address at the end stands for two groups.
  const tail = rest.some((group) => group.includes('.')) ? rest.length + 1 : rest.length;
  if (back !== undefined) {
    const zeros = 8 - groups.length - tail;
    groups.push(...Array.from({ length: zeros }, () => '0'), ...rest);
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}
