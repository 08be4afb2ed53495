/**
 * Which server of a document is talked to, and where it lies.
 *
 * The one that the call names; or the first whose protocol the call asks for; or the first that
 * somebody here can talk to. A channel that lists servers is to be had on those only.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { AsyncApiDocument, Part } from './document.ts';
import { kindOf, misconfigured, unknownName } from './faults.ts';
import { findTransport, isMeant, type Transport, unsupported } from './protocols.ts';

export interface ServerChoice {
  readonly name?: string;
  readonly variables: JsonObject;
  readonly protocol?: string;
}

export interface Server {
  readonly transport: Transport;
  /** Where it lies, with a path if it has one; its scheme says whether it is protected. */
  readonly url: URL;
  /** Of the protocol, such as `3.1.1` or `5`; undefined if the document leaves it open. */
  readonly version?: string;
}

interface Offer {
  readonly name: string;
  readonly part: Part;
  readonly protocol: string;
}

/** A scheme for each way to talk, plain and protected. */
const SCHEMES: Readonly<Record<Transport, readonly [plain: string, secure: string]>> = {
  http: ['http:', 'https:'],
  mqtt: ['mqtt:', 'mqtts:'],
  ws: ['ws:', 'wss:'],
};
const SECURE = /^(https|mqtts|secure-mqtt|wss|ssl|tls)$/;

export async function chooseServer(
  document: AsyncApiDocument,
  channel: Part,
  choice: ServerChoice,
): Promise<Server> {
  const offers = await offersOf(document, channel);
  const { name, part, protocol } = pick(offers, choice);
  const transport = findTransport(protocol);
  if (transport === undefined) throw unsupported([protocol]);
  const variables = await readVariables(document, part, choice.variables);
  const fill = (text: string): string => fillVariables(text, variables, name);
  const url = urlOf({ document, part, transport, protocol, fill }, name);
  const version = choice.protocol === 'mqtt5' || protocol === 'mqtt5' ? '5' : versionOf(part);
  return { transport, url, ...(version === undefined ? {} : { version }) };
}

/** The servers that have the channel, in the order of the document. */
async function offersOf(document: AsyncApiDocument, channel: Part): Promise<readonly Offer[]> {
  const servers = await document.at(document.root, 'servers');
  if (servers === undefined || !isJsonObject(servers.value)) {
    throw misconfigured('the AsyncAPI document names no servers');
  }
  const wanted = await wantedOf(document, channel);
  const offers: Offer[] = [];
  for (const name of Object.keys(servers.value)) {
    const part = await document.at(servers, name);
    const protocol = isJsonObject(part?.value) ? part.value['protocol'] : undefined;
    if (part === undefined || typeof protocol !== 'string') {
      throw misconfigured(`the server "${name}" of the AsyncAPI document has no "protocol"`);
    }
    if (wanted?.(name, part.value) ?? true) offers.push({ name, part, protocol });
  }
  return offers;
}

/** Documents of version 2 list names, those of version 3 references. */
async function wantedOf(
  document: AsyncApiDocument,
  channel: Part,
): Promise<((name: string, value: Json) => boolean) | undefined> {
  const list = await document.at(channel, 'servers');
  if (list === undefined || !Array.isArray(list.value) || list.value.length === 0) return undefined;
  const names = new Set<Json>();
  for (const at of list.value.keys()) {
    const part = await document.at(list, at);
    if (part !== undefined) names.add(part.value);
  }
  return (name, value) => names.has(name) || names.has(value);
}

function pick(offers: readonly Offer[], { name, protocol }: ServerChoice): Offer {
  const names = offers.map((offer) => offer.name);
  if (name !== undefined) {
    const offer = offers.find((one) => one.name === name);
    if (offer === undefined) throw unknownName('server for this channel called', name, names);
    if (protocol === undefined || isMeant(protocol, offer.protocol)) return offer;
    const spoken = `the server "${name}" speaks "${offer.protocol}"`;
    throw misconfigured(`${spoken}, and the call asks for "${protocol}"`);
  }
  if (protocol !== undefined) {
    const offer = offers.find((one) => isMeant(protocol, one.protocol));
    if (offer !== undefined) return offer;
    const spoken = offers.map((one) => `"${one.name}" (${one.protocol})`).join(', ');
    throw misconfigured(`no server of the channel speaks "${protocol}"; there are ${spoken}`);
  }
  const offer = offers.find((one) => findTransport(one.protocol) !== undefined);
  if (offer !== undefined) return offer;
  throw unsupported([...new Set(offers.map((one) => one.protocol))]);
}

async function readVariables(
  document: AsyncApiDocument,
  server: Part,
  given: JsonObject,
): Promise<ReadonlyMap<string, string>> {
  const variables = await document.at(server, 'variables');
  const names = isJsonObject(variables?.value) ? Object.keys(variables.value) : [];
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) throw unknownName('server variable', name, names);
  }
  const values = new Map<string, string>();
  for (const name of names) {
    const variable = variables && (await document.at(variables, name));
    const value = readVariable(name, variable?.value, given[name]);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** Also of channels, whose parameters look the same. */
export function readVariable(
  name: string,
  variable: Json | undefined,
  given: Json | undefined,
): string | undefined {
  const { default: byDefault, enum: allowed } = isJsonObject(variable) ? variable : {};
  const value = given ?? byDefault;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') {
    throw misconfigured(`"${name}" takes a text or a number, and was given ${kindOf(value)}`);
  }
  const text = String(value);
  if (!Array.isArray(allowed) || allowed.some((one) => one === value || one === text)) return text;
  throw misconfigured(`"${name}" is one of ${allowed.join(', ')}, and not "${text}"`);
}

function fillVariables(text: string, values: ReadonlyMap<string, string>, server: string): string {
  return text.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value !== undefined) return value;
    const what = `the variable "${name}" of the server "${server}" has no value`;
    throw misconfigured(`${what}: give it in "server.variables"`);
  });
}

interface Located {
  readonly document: AsyncApiDocument;
  readonly part: Part;
  readonly transport: Transport;
  readonly protocol: string;
  readonly fill: (text: string) => string;
}

function urlOf({ document, part, transport, protocol, fill }: Located, name: string): URL {
  const { url, host, pathname } = part.value as JsonObject;
  const text = document.major === 2 ? url : host;
  if (typeof text !== 'string') {
    const member = document.major === 2 ? 'url' : 'host';
    throw misconfigured(`the server "${name}" of the AsyncAPI document has no "${member}"`);
  }
  const path = typeof pathname === 'string' ? `/${fill(pathname).replace(/^\/+/, '')}` : '';
  const whole = `${fill(text).replace(/\/+$/, '')}${document.major === 2 ? '' : path}`;
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(whole) ?? [];
  if (transport === 'mqtt' && /^wss?$/i.test(scheme ?? '')) {
    throw misconfigured(`the server "${name}" speaks MQTT over WebSockets, which is not supported`);
  }
  const isSecure = [scheme ?? '', protocol].some((one) => SECURE.test(one.toLowerCase()));
  const rest = scheme === undefined ? whole : whole.slice(scheme.length + '://'.length);
  const located = `${SCHEMES[transport][isSecure ? 1 : 0]}//${rest}`;
  // Where it is being served, if the document names a path alone.
  if (document.major === 2 && whole.startsWith('/') && transport === 'http') {
    return new URL(whole, document.root.url);
  }
  return checkUrl(located, name);
}

function checkUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') {
    throw misconfigured(`the address of the server "${name}" is none: "${text.slice(0, 200)}"`);
  }
  if (url.username === '' && url.password === '') return url;
  const what = `the address of the server "${name}" holds a name or a password`;
  throw misconfigured(`${what}: give them in "authentication"`);
}

function versionOf({ value }: Part): string | undefined {
  const version = isJsonObject(value) ? value['protocolVersion'] : undefined;
  return typeof version === 'string' || typeof version === 'number' ? String(version) : undefined;
}
