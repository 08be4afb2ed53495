/**
 * `call: grpc`: one method of a service that a proto file describes.
 *
 * Arguments and output are messages as JSON. A method that takes a stream is given a list of them,
 * or an object whose only member is such a list and no field of the message (`arguments` must be an
 * object by the schema of the language); any other object is a stream of one message. The output of
 * a method that answers by a stream is the list of what came.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { endpointArgument, mapArgument, textArgument } from '../arguments.ts';
import type { Calling, CallResult } from '../calling.ts';
import { brokenAs, notAskable } from '../http/failures.ts';
import { expandTemplate } from '../uri-template.ts';
import { authorize } from './authorize.ts';
import { decode } from './decode.ts';
import { type Codec, encode } from './encode.ts';
import { exchange, type Target } from './exchange.ts';
import { loadPackages, type Protobuf } from './packages.ts';
import { loadProtoFiles } from './proto-files.ts';
import {
  type MessageType,
  type Method,
  methodOf,
  namedType,
  readSchema,
  type Schema,
  serviceOf,
} from './schema.ts';

/** Names and addresses; the schema of the language has the same, but for their length. */
const HOST = /^[a-zA-Z0-9](?:[a-zA-Z0-9-.]{0,251}[a-zA-Z0-9])?$/;
const PORT_MAX = 65_535;
/** Where gRPC listens unless it is said. */
const PORT_DEFAULT = 443;

/** `args` is what the task has as `with`, every expression evaluated. */
export async function callGrpc(calling: Calling, args: JsonObject): Promise<CallResult> {
  const service = mapArgument('service', args['service']);
  const name = textArgument('service.name', service['name']);
  const wanted = textArgument('method', args['method']);
  const target = readTarget(service);
  const { grpc, protobuf } = await loadPackages();
  const codec = await loadCodec(calling, protobuf, args['proto']);
  const method = methodOf(serviceOf(codec.schema, name), wanted);
  const messages = requestsOf(codec, method, args['arguments'] ?? {});
  const { authentication = null } = service;
  const call = { ...target, path: method.path };
  const authorization =
    authentication === null
      ? undefined
      : await authorize(calling, mapArgument('service.authentication', authentication), call);
  const answers = await exchange(calling, grpc, { ...call, messages, authorization });
  const output = outputOf(codec, method, answers);
  return authorization === undefined ? { output } : { output, authorization };
}

function readTarget(service: JsonObject): Target {
  const { port = PORT_DEFAULT } = service;
  const host = textArgument('service.host', service['host']);
  if (!HOST.test(host)) {
    throw notAskable(`"service.host" is the name of a host alone; came "${host.slice(0, 100)}"`);
  }
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= PORT_MAX) {
    return { host, port };
  }
  const came = JSON.stringify(port).slice(0, 100);
  throw notAskable(`"service.port" is a whole number from 0 to ${PORT_MAX}; came ${came}`);
}

async function loadCodec(
  calling: Calling,
  protobuf: Protobuf,
  proto: Json | undefined,
): Promise<Codec> {
  const { uri, ...rest } = endpointArgument(
    'proto.endpoint',
    mapArgument('proto', proto)['endpoint'],
  );
  const endpoint = { ...rest, uri: expandTemplate(uri, calling.input) };
  return { protobuf, schema: readSchema(await loadProtoFiles(calling, protobuf, endpoint)) };
}

function requestsOf(codec: Codec, method: Method, given: Json): Uint8Array[] {
  const type = messageOf(codec.schema, method.requestType, method.scope);
  if (!method.requestStream) return [encode(codec, type, given, '/arguments')];
  const [place, items] = itemsOf(type, given);
  return items.map((item, at) => encode(codec, type, item, `${place}/${at}`));
}

function itemsOf(type: MessageType, given: Json): readonly [string, readonly Json[]] {
  if (Array.isArray(given)) return ['/arguments', given as readonly Json[]];
  const [[name, value] = ['', null], ...others] = isJsonObject(given) ? Object.entries(given) : [];
  const isList = others.length === 0 && Array.isArray(value) && !type.byName.has(name);
  return isList ? [`/arguments/${name}`, value as readonly Json[]] : ['/arguments', [given]];
}

function outputOf(codec: Codec, method: Method, answers: readonly Uint8Array[]): Json {
  const type = messageOf(codec.schema, method.responseType, method.scope);
  const tally = { values: 0 };
  const outputs = answers.map((answer) => {
    try {
      return decode(codec, type, answer, tally);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw brokenAs(`${method.path} answered what is no ${type.name}: ${why}`);
    }
  });
  if (method.responseStream) return outputs;
  const [output, ...others] = outputs;
  if (output !== undefined && others.length === 0) return output;
  throw brokenAs(`${method.path} answered ${outputs.length} messages in the place of one`);
}

function messageOf(schema: Schema, name: string, scope: string): MessageType {
  const type = namedType(schema, name, scope);
  if (type.is === 'message') return type;
  throw notAskable(`${scope} takes and gives messages, and ${type.name} is none`);
}
