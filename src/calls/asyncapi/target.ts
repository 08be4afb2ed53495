/**
 * What a call is about: a server, an address on it, and what the document says of messages there.
 *
 * Documents describe an application from its own point of view in version 3 and from that of others
 * in version 2, and authors mix the two up. So neither `send` and `receive` nor `publish` and
 * `subscribe` are held against a workflow: it does what its call says.
 *
 * The parameters of an address take their values from where the document says they are in the
 * message, else from the task's input, else they have their default. A topic that is subscribed to
 * takes whatever stands in the place of one that has no value.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Calling } from '../calling.ts';
import { percentEncode } from '../uri-template.ts';
import type { AsyncApiArguments, OutboundMessage } from './arguments.ts';
import { type AsyncApiDocument, openDocument, type Part } from './document.ts';
import { misconfigured, unknownName } from './faults.ts';
import { atExpression } from './message.ts';
import { chooseServer, readVariable, type Server } from './server.ts';

export interface Target {
  readonly server: Server;
  /** With every parameter in it: a path, or a topic. */
  readonly address: string;
  /** What the operation is bound to, for the way the server is talked to. */
  readonly binding: JsonObject;
  /** Of the messages; undefined if the document says nothing. */
  readonly contentType?: string;
  /** Where in a message its correlation id may be, as runtime expressions. */
  readonly correlations: readonly string[];
}

/** Where things are, in either version. */
interface Found {
  readonly document: AsyncApiDocument;
  readonly channel: Part;
  readonly operation: Part | undefined;
  readonly address: string;
}

/** What every part of a document of this one may be spread over. */
const BINDINGS: Readonly<Record<string, readonly string[]>> = {
  http: ['http'],
  mqtt: ['mqtt5', 'mqtt'],
  ws: ['ws'],
};

export async function findTarget(calling: Calling, args: AsyncApiArguments): Promise<Target> {
  const document = await openDocument(calling, args.document);
  const found = await (document.major === 2
    ? findChannel(document, args)
    : findOperation(document, args));
  const server = await chooseServer(document, found.channel, args.server);
  const messages = await messagesOf(found);
  const contentType = await contentTypeOf(document, messages);
  return {
    server,
    address: await fillAddress(found, calling, args.message, server),
    binding: await bindingOf(found, server),
    correlations: await correlationsOf(document, messages),
    ...(contentType === undefined ? {} : { contentType }),
  };
}

async function findChannel(document: AsyncApiDocument, args: AsyncApiArguments): Promise<Found> {
  const { by, name, message } = args;
  if (by !== 'channel') {
    const what = 'the document is AsyncAPI 2, whose channels are called by name';
    throw misconfigured(`${what}: give "channel" instead of "operation"`);
  }
  const channels = await document.at(document.root, 'channels');
  const channel = channels && (await document.at(channels, name));
  if (channel === undefined) throw unknownName('channel', name, namesOf(channels));
  const [one, other] = message === undefined ? ['subscribe', 'publish'] : ['publish', 'subscribe'];
  const operation =
    (await document.at(channel, one ?? '')) ?? (await document.at(channel, other ?? ''));
  return { document, channel, operation, address: name };
}

async function findOperation(document: AsyncApiDocument, args: AsyncApiArguments): Promise<Found> {
  const { by, name } = args;
  if (by !== 'operation') {
    const what = 'the document is AsyncAPI 3, whose operations are called by name';
    throw misconfigured(`${what}: give "operation" instead of "channel"`);
  }
  const operations = await document.at(document.root, 'operations');
  const operation = operations && (await document.at(operations, name));
  if (operation === undefined) throw unknownName('operation', name, namesOf(operations));
  const channel = await document.at(operation, 'channel');
  const address = isJsonObject(channel?.value) ? channel.value['address'] : undefined;
  if (channel === undefined || typeof address !== 'string') {
    throw misconfigured(`the operation "${name}" has no channel with an "address"`);
  }
  return { document, channel, operation, address };
}

function namesOf(part: Part | undefined): readonly string[] {
  return isJsonObject(part?.value) ? Object.keys(part.value) : [];
}

async function messagesOf({ document, channel, operation }: Found): Promise<readonly Part[]> {
  const lists = [
    operation && (await document.at(operation, 'message', 'oneOf')),
    operation && (await document.at(operation, 'messages')),
    await document.at(channel, 'messages'),
  ];
  const list = lists.find((one) => typeof one?.value === 'object');
  const single = operation && (await document.at(operation, 'message'));
  if (list === undefined) return single === undefined ? [] : [single];
  const messages: Part[] = [];
  for (const key of Object.keys(list.value as object)) {
    const message = await document.at(list, key);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

async function contentTypeOf(
  document: AsyncApiDocument,
  messages: readonly Part[],
): Promise<string | undefined> {
  for (const message of messages) {
    const own = await traitOf(document, message, 'contentType');
    if (typeof own?.value === 'string') return own.value;
  }
  const common = await document.at(document.root, 'defaultContentType');
  return typeof common?.value === 'string' ? common.value : undefined;
}

async function correlationsOf(
  document: AsyncApiDocument,
  messages: readonly Part[],
): Promise<readonly string[]> {
  const locations: string[] = [];
  for (const message of messages) {
    const correlation = await traitOf(document, message, 'correlationId');
    const location = correlation && (await document.at(correlation, 'location'));
    if (typeof location?.value === 'string') locations.push(location.value);
  }
  return [...new Set(locations)];
}

async function bindingOf({ document, operation }: Found, server: Server): Promise<JsonObject> {
  if (operation === undefined) return EMPTY;
  for (const name of BINDINGS[server.transport] ?? []) {
    const binding = await traitOf(document, operation, 'bindings', name);
    if (isJsonObject(binding?.value)) return binding.value;
  }
  return EMPTY;
}

/** What a part says itself, or the first of its traits that says it. */
async function traitOf(
  document: AsyncApiDocument,
  part: Part,
  ...path: readonly string[]
): Promise<Part | undefined> {
  const own = await document.at(part, ...path);
  if (own !== undefined) return own;
  const traits = await document.at(part, 'traits');
  for (const at of Array.isArray(traits?.value) ? traits.value.keys() : []) {
    const one = traits && (await document.at(traits, at, ...path));
    if (one !== undefined) return one;
  }
  return undefined;
}

async function fillAddress(
  { document, channel, address }: Found,
  { input }: Calling,
  message: OutboundMessage | undefined,
  { transport }: Server,
): Promise<string> {
  const texts = new Map<string, string>();
  for (const [, name = ''] of address.matchAll(/\{([^{}]*)\}/g)) {
    const parameter = await document.at(channel, 'parameters', name);
    const schema = parameter && (await document.at(parameter, 'schema'));
    const located = isJsonObject(parameter?.value) ? parameter.value['location'] : undefined;
    const given = valueOf(name, located, message, input);
    const text = readVariable(name, schema?.value ?? parameter?.value, given);
    if (text !== undefined) texts.set(name, encode(name, text, transport));
    else if (transport === 'mqtt' && message === undefined) texts.set(name, '+');
    else throw withoutValue(name);
  }
  return address.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => texts.get(name) ?? '');
}

function valueOf(
  name: string,
  location: Json | undefined,
  message: OutboundMessage | undefined,
  input: Json,
): Json | undefined {
  const located =
    message !== undefined && typeof location === 'string'
      ? atExpression(location, message)
      : undefined;
  if (located !== undefined && located !== null) return located;
  return isJsonObject(input) && Object.hasOwn(input, name) ? input[name] : undefined;
}

/** A value can never add a part to the address: it would lead elsewhere than its author meant. */
function encode(name: string, text: string, transport: Server['transport']): string {
  if (transport !== 'mqtt') {
    if (!/^\.{1,2}$/.test(text)) return percentEncode(text);
    throw misconfigured(`"${name}" is "${text}", which would make the address lead elsewhere`);
  }
  if (text !== '' && !/[/+#\0]/.test(text)) return text;
  throw misconfigured(`"${name}" is a part of a topic: not empty and without "/", "+" and "#"`);
}

function withoutValue(name: string): Error {
  const what = `the parameter "${name}" of the channel has no value`;
  return misconfigured(`${what}: the task's input has no such property, and there is no default`);
}
