/**
 * A message off the wire, as JSON (proto3's JSON mapping).
 *
 * A field that always has a value is there also where the wire leaves it out, so that an expression
 * finds zero, an empty text or an empty list and not null; one that may be absent is absent. Fields
 * that the type does not know are passed over.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { type Codec, MESSAGE_DEPTH_MAX, tagOf, wireType } from './encode.ts';
import type { WireReader } from './packages.ts';
import { scalarDefault, scalarFromWire, WIRE } from './scalars.ts';
import { type Field, type FieldType, type MessageType, typeOf } from './schema.ts';
import { ANY, NULL_VALUE, shortFormOf } from './well-known.ts';

/** What was read of one field so far. */
interface Found {
  readonly type: FieldType;
  /** Values that are plain; the last one counts unless it is a list. */
  values: Json[];
  readonly entries: Map<string, Json>;
  /** Pieces of one message: put together, they are its fields (that is how protobuf merges). */
  pieces: Uint8Array[];
}

/** Two bytes on the wire can be a message of a hundred fields, each with a value in JSON. */
export const VALUES_MAX = 1_048_576;

/** What is read, and how many values that has come to so far. */
interface Reading extends Codec {
  readonly tally: Tally;
}

export interface Tally {
  values: number;
}

/** Throws whatever a reader does if the bytes are no such message, or too many with the others. */
export function decode(codec: Codec, type: MessageType, bytes: Uint8Array, tally: Tally): Json {
  return decodeAt({ ...codec, tally }, type, bytes, 0);
}

function count({ tally }: Reading, values: number): void {
  tally.values += values;
  if (tally.values > VALUES_MAX) throw new RangeError(`it has more than ${VALUES_MAX} values`);
}

function decodeAt(codec: Reading, type: MessageType, bytes: Uint8Array, depth: number): Json {
  if (depth === MESSAGE_DEPTH_MAX) {
    throw new RangeError(`nested deeper than ${MESSAGE_DEPTH_MAX} messages`);
  }
  count(codec, type.fields.length);
  const found = readFields(codec, type, bytes, depth);
  const entries: [string, Json][] = [];
  for (const field of type.fields) {
    const value = valueOf(codec, field, found.get(field), depth);
    if (value !== undefined) entries.push([field.jsonName, value]);
  }
  const fields = Object.fromEntries(entries);
  if (type.name === ANY) return anyOf(codec, fields, depth);
  const short = shortFormOf(type.name);
  return short === undefined ? fields : short.fromFields(fields);
}

function readFields(
  codec: Reading,
  type: MessageType,
  bytes: Uint8Array,
  depth: number,
): ReadonlyMap<Field, Found> {
  const reader = codec.protobuf.Reader.create(bytes);
  const found = new Map<Field, Found>();
  while (reader.pos < reader.len) {
    const tag = Number(reader.uint32());
    const field = type.byNumber.get(tag >>> 3);
    const wire = tag & 7;
    if (field === undefined) {
      reader.skipType(wire);
      continue;
    }
    const fieldType = typeOf(codec.schema, field);
    const had = found.get(field) ?? {
      ...{ type: fieldType, values: [], entries: new Map<string, Json>(), pieces: [] },
    };
    if (!readField(codec, { reader, bytes, field, wire, depth }, had)) {
      reader.skipType(wire);
      continue;
    }
    // Of those that exclude each other, the last one counts.
    if (field.oneof !== undefined) {
      for (const other of found.keys()) if (other.oneof === field.oneof) found.delete(other);
    }
    found.set(field, had);
  }
  return found;
}

interface Place {
  readonly reader: WireReader;
  readonly bytes: Uint8Array;
  readonly field: Field;
  readonly wire: number;
  readonly depth: number;
}

/** False if it is written as something that this field cannot be. */
function readField(codec: Reading, place: Place, had: Found): boolean {
  const { reader, field, wire, depth } = place;
  const { type } = had;
  if (field.shape === 'map') {
    if (wire !== WIRE.sized) return false;
    readEntry(codec, field, had, { bytes: reader.bytes() as Uint8Array, depth });
    return true;
  }
  if (type.is === 'message') return readMessage(codec, place, { had, type });
  if (wire === wireType(field, type)) {
    count(codec, 1);
    had.values.push(readPlain(reader, type));
    return true;
  }
  // Numbers of a list may come packed, whatever the type says.
  if (wire !== WIRE.sized || field.shape !== 'list') return false;
  const packed = codec.protobuf.Reader.create(reader.bytes() as Uint8Array);
  while (packed.pos < packed.len) {
    count(codec, 1);
    had.values.push(readPlain(packed, type));
  }
  return true;
}

function readMessage(
  codec: Reading,
  place: Place,
  { had, type }: { readonly had: Found; readonly type: MessageType },
): boolean {
  const { reader, field, wire, depth } = place;
  if (wire !== WIRE.sized && wire !== WIRE.begin) return false;
  const piece = wire === WIRE.sized ? (reader.bytes() as Uint8Array) : groupOf(place);
  if (field.shape === 'list') had.values.push(decodeAt(codec, type, piece, depth + 1));
  else had.pieces.push(piece);
  return true;
}

/** What stands between the two marks of a group: the reader finds the second one by skipping. */
function groupOf({ reader, bytes, field }: Place): Uint8Array {
  const from = reader.pos;
  reader.skipType(WIRE.begin);
  // Seven bits of a number to a byte.
  const bits = tagOf(field.number, WIRE.end).toString(2).length;
  return bytes.subarray(from, reader.pos - Math.ceil(bits / 7));
}

function readEntry(
  codec: Reading,
  field: Field,
  { type, entries }: Found,
  { bytes, depth }: { readonly bytes: Uint8Array; readonly depth: number },
): void {
  const { keyType = 'string' } = field;
  const parts: readonly Field[] = [
    { ...field, number: 1, shape: 'one', type: keyType, isImplicit: true, jsonName: 'key' },
    { ...field, number: 2, shape: 'one', isImplicit: true, jsonName: 'value' },
  ];
  const entry: MessageType = {
    ...{ is: 'message', name: '', fields: parts, isGroup: false, byName: new Map() },
    byNumber: new Map(parts.map((part) => [part.number, part])),
  };
  // An entry is no message that anybody has nested.
  const read = decodeAt(codec, entry, bytes, depth);
  const { key = '', value } = isJsonObject(read) ? read : {};
  const absent = (): Json =>
    type.is === 'message' ? decodeAt(codec, type, new Uint8Array(), depth + 1) : null;
  // A key is plain, whatever its type: as JSON it is a text.
  entries.set(`${key as string | number | boolean}`, value === undefined ? absent() : value);
}

function readPlain(reader: WireReader, type: Exclude<FieldType, MessageType>): Json {
  if (type.is === 'scalar') return scalarFromWire(type.name, reader[type.name]());
  const number = Number(reader.int32());
  if (type.name === NULL_VALUE) return null;
  return type.names.get(number) ?? number;
}

function valueOf(
  codec: Reading,
  field: Field,
  found: Found | undefined,
  depth: number,
): Json | undefined {
  if (field.shape === 'list') return found?.values ?? [];
  if (field.shape === 'map') return Object.fromEntries(found?.entries ?? []);
  if (found === undefined) return field.isImplicit ? defaultOf(codec, field) : undefined;
  const { type, pieces, values } = found;
  if (type.is !== 'message') return values.at(-1);
  return decodeAt(
    codec,
    type,
    pieces.length === 1 ? onlyOf(pieces) : Buffer.concat(pieces),
    depth + 1,
  );
}

function onlyOf([piece = new Uint8Array()]: readonly Uint8Array[]): Uint8Array {
  return piece;
}

function defaultOf(codec: Reading, field: Field): Json | undefined {
  const type = typeOf(codec.schema, field);
  if (type.is === 'message') return undefined;
  if (type.is === 'scalar') return scalarDefault(type.name);
  return type.name === NULL_VALUE ? null : (type.names.get(0) ?? 0);
}

/** What it holds, if its type is known here; otherwise its bytes. */
function anyOf(codec: Reading, fields: JsonObject, depth: number): Json {
  const { typeUrl: url, value } = fields;
  if (typeof url !== 'string' || typeof value !== 'string' || url === '') return {};
  const name = url.slice(url.lastIndexOf('/') + 1);
  const type = codec.schema.types.get(name);
  if (type?.is !== 'message') return { '@type': url, value };
  const held = decodeAt(codec, type, Buffer.from(value, 'base64'), depth + 1);
  const isShort = shortFormOf(name) !== undefined || name === ANY || !isJsonObject(held);
  return isShort ? { '@type': url, value: held } : { '@type': url, ...held };
}
