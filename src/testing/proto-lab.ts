/** Proto files as we read them beside the same files as the library reads them that servers use. */
import { join } from 'node:path';
import { load, type MessageTypeDefinition } from '@grpc/proto-loader';
import { assert } from '../base/assert.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { decode } from '../calls/grpc/decode.ts';
import { type Codec, encode } from '../calls/grpc/encode.ts';
import { loadPackages } from '../calls/grpc/packages.ts';
import { loadProtoFiles } from '../calls/grpc/proto-files.ts';
import { type MessageType, readSchema } from '../calls/grpc/schema.ts';
import { EDITION_PROTO, EVERYTHING_PROTO, OLD_PROTO } from './everything-proto.ts';
import { keepFiles } from './grpc-office.ts';
import { plainCalling } from './plain-calling.ts';

const PROTOS = { everything: EVERYTHING_PROTO, old: OLD_PROTO, newer: EDITION_PROTO };

const EVERYTHING = 'all.v1.Everything';

export interface ProtoLab {
  readonly codec: Codec;
  typeNamed(name: string): MessageType;
  encode(value: Json, name?: string): Uint8Array;
  decode(bytes: Uint8Array, name?: string): JsonObject;
  /** What the library reads of what we have written. */
  sent(value: Json, name?: string): object;
  /** What we read of what the library has written. */
  had(value: object, name?: string): JsonObject;
  /** What becomes of a value that goes and comes back. */
  echoed(value: Json, name?: string): JsonObject;
  theirs(name?: string): MessageTypeDefinition<object, object>;
}

export async function openProtoLab(): Promise<ProtoLab> {
  const { protobuf } = await loadPackages();
  const texts = Object.entries(PROTOS);
  const directory = await keepFiles(
    Object.fromEntries(texts.map(([name, text]) => [`${name}.proto`, text])),
  );
  const paths = texts.map(([name]) => join(directory, `${name}.proto`));
  const library = await load(paths, { longs: String, enums: String, bytes: String });
  const loaded = await Promise.all(
    paths.map((path) => loadProtoFiles(plainCalling(), protobuf, { uri: `file://${path}` })),
  );
  const codec = { protobuf, schema: readSchema(loaded.flat()) };

  const typeNamed = (name: string): MessageType => {
    const type = codec.schema.types.get(name);
    assert(type?.is === 'message', `${name} is a message`);
    return type;
  };
  const theirs: ProtoLab['theirs'] = (name = EVERYTHING) =>
    library[name] as MessageTypeDefinition<object, object>;
  const write: ProtoLab['encode'] = (value, name = EVERYTHING) =>
    encode(codec, typeNamed(name), value, '/arguments');
  const read: ProtoLab['decode'] = (bytes, name = EVERYTHING) =>
    decode(codec, typeNamed(name), bytes, { values: 0 }) as JsonObject;
  return {
    ...{ codec, typeNamed, theirs, encode: write, decode: read },
    sent: (value, name) => theirs(name).deserialize(Buffer.from(write(value, name))),
    had: (value, name) => read(theirs(name).serialize(value), name),
    echoed: (value, name) => read(write(value, name), name),
  };
}
