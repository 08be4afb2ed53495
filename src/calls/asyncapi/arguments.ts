/** The arguments of `call: asyncapi`, read once: what a definition says, evaluated. */
import type { Json, JsonObject } from '../../base/json.ts';
import { endpointArgument, mapArgument, textArgument } from '../arguments.ts';
import type { Resource } from '../calling.ts';
import { misconfigured } from './faults.ts';
import { checkProtocol } from './protocols.ts';
import type { ServerChoice } from './server.ts';

export interface AsyncApiArguments {
  readonly document: Resource;
  /** By the name of the channel in version 2, by that of the operation in version 3. */
  readonly by: 'channel' | 'operation';
  readonly name: string;
  readonly server: ServerChoice;
  readonly message?: OutboundMessage;
  readonly authentication?: JsonObject;
}

export interface OutboundMessage {
  readonly payload: Json;
  readonly headers: JsonObject;
}

/** `args` is what the task has as `with`; of a subscription only its caller knows the meaning. */
export function readArguments(args: JsonObject): AsyncApiArguments {
  const { channel, operation, message, subscription, authentication } = args;
  const by = oneOf('channel', channel, 'operation', operation);
  const does = oneOf('message', message, 'subscription', subscription);
  return {
    document: readDocument(mapArgument('document', args['document'])),
    by,
    name: textArgument(by, args[by]),
    server: readServer(args),
    ...(does === 'message' ? { message: readMessage(mapArgument('message', message)) } : {}),
    ...(authentication === undefined || authentication === null
      ? {}
      : { authentication: mapArgument('authentication', authentication) }),
  };
}

function oneOf<Name extends string>(
  name: Name,
  value: Json | undefined,
  other: Name,
  otherValue: Json | undefined,
): Name {
  const has = value !== undefined && value !== null;
  const hasOther = otherValue !== undefined && otherValue !== null;
  if (has !== hasOther) return has ? name : other;
  const came = has ? 'both' : 'neither';
  throw misconfigured(`call: asyncapi takes either "${name}" or "${other}", and was given ${came}`);
}

function readDocument(document: JsonObject): Resource {
  const { uri, authentication } = endpointArgument('document.endpoint', document['endpoint']);
  return { endpoint: authentication === undefined ? uri : { uri, authentication } };
}

function readServer(args: JsonObject): ServerChoice {
  const server = mapArgument('server', args['server']);
  const { name, variables } = server;
  const protocol = args['protocol'] ?? undefined;
  if (protocol !== undefined) checkProtocol(textArgument('protocol', protocol));
  return {
    variables: mapArgument('server.variables', variables),
    ...(args['server'] === undefined ? {} : { name: textArgument('server.name', name) }),
    ...(protocol === undefined ? {} : { protocol: textArgument('protocol', protocol) }),
  };
}

function readMessage(message: JsonObject): OutboundMessage {
  return {
    payload: message['payload'] ?? null,
    headers: mapArgument('message.headers', message['headers']),
  };
}
