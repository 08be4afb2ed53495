/**
 * What a host program allows although the guard would refuse it: `HOST`, `HOST:PORT`,
 * `*.example.com`, an address or a network such as `10.1.0.0/16`, the last three with a port as
 * well. An entry without a port is for every port.
 *
 * A name that is allowed is allowed wherever it leads; an address or a network is allowed by
 * whatever name it is reached.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type Address, isWithin, type Network, parseAddress, parseNetwork } from './addresses.ts';

export interface AllowList {
  readonly allowsName: (name: string, port: number) => boolean;
  readonly allowsAddress: (address: Address, port: number) => boolean;
}

type Entry = { readonly port: number | undefined } & (
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'below'; readonly suffix: string }
  | { readonly is: 'network'; readonly network: Network }
);

const PORT_MAX = 65_535;

/** Throws `engine.option-invalid` if an entry is not one. */
export function readAllow(entries: unknown): AllowList {
  if (!Array.isArray(entries)) throw bad('is a list of texts', entries);
  const read = entries.map((entry: unknown) => readEntry(entry));
  const forPort = (port: number): readonly Entry[] =>
    read.filter((entry) => entry.port === undefined || entry.port === port);
  return {
    allowsName: (name, port) =>
      forPort(port).some((entry) => {
        if (entry.is === 'name') return entry.name === name;
        return entry.is === 'below' && name.endsWith(entry.suffix);
      }),
    allowsAddress: (address, port) =>
      forPort(port).some((entry) => entry.is === 'network' && isWithin(address, entry.network)),
  };
}

function readEntry(entry: unknown): Entry {
  if (typeof entry !== 'string') throw bad('holds texts only', entry);
  const { place, port } = splitPort(entry);
  const network = parseNetwork(place) ?? singleOf(parseAddress(place));
  if (network !== undefined) return { is: 'network', network, port };
  const isBelow = place.startsWith('*.');
  const name = readName(isBelow ? place.slice(2) : place);
  if (name === undefined) throw bad(EXPECTED, entry);
  const address = singleOf(parseAddress(name));
  // Decimal, octal and hex ways to write an address are that address.
  if (address !== undefined && !isBelow) return { is: 'network', network: address, port };
  if (address !== undefined) throw bad(EXPECTED, entry);
  return isBelow ? { is: 'below', suffix: `.${name}`, port } : { is: 'name', name, port };
}

const EXPECTED = 'holds HOST, HOST:PORT, *.example.com, an IP address or a network like 10.0.0.0/8';

function splitPort(entry: string): { readonly place: string; readonly port: number | undefined } {
  const [, inside, after] = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ?? [];
  if (inside !== undefined) return { place: inside, port: readPort(after, entry) };
  if (parseAddress(entry) !== undefined || parseNetwork(entry) !== undefined) {
    return { place: entry, port: undefined };
  }
  const [, place = entry, digits] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { place, port: readPort(digits, entry) };
}

function readPort(digits: string | undefined, entry: string): number | undefined {
  if (digits === undefined) return undefined;
  const port = Number(digits);
  if (port < 1 || port > PORT_MAX) throw bad(`holds ports from 1 to ${PORT_MAX}`, entry);
  return port;
}

/** As a URL would spell it: lower case, punycode, without the full stop of the root. */
function readName(text: string): string | undefined {
  if (!/^[^\s/\\?#@:%*[\]]+$/.test(text) || !URL.canParse(`http://${text}/`)) return undefined;
  const name = new URL(`http://${text}/`).hostname.replace(/\.$/, '');
  return name === '' ? undefined : name;
}

function singleOf(address: Address | undefined): Network | undefined {
  return address && { ...address, prefix: address.family === 4 ? 32 : 128 };
}

function bad(expected: string, came: unknown): EngineError {
  const shown = (JSON.stringify(came) ?? String(came)).slice(0, 100);
  return new EngineError('engine.option-invalid', `http.allow ${expected}; came ${shown}`);
}
