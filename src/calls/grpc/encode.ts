/**
 * A message as JSON, written as its type says (proto3's JSON mapping).
 *
 * A field is named as in JSON or as in the proto file. What is null is not there. What does not fit
 * is a `validation` error that names the place, and nothing is sent.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { meant } from '../../base/nearest.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Protobuf, WireWriter } from './packages.ts';
import { keyToWire, scalarToWire, WIRE, wireTypeOf } from './scalars.ts';
import { type EnumType, type Field, type FieldType, type MessageType } from './schema.ts';
import { type Schema, typeOf } from './schema.ts';
import { ANY, NULL_VALUE, shortFormOf, takesNull } from './well-known.ts';

export interface Codec {
  readonly protobuf: Protobuf;
  readonly schema: Schema;
}

/** Messages within messages; protobuf's own limit, too. */
export const MESSAGE_DEPTH_MAX = 100;

/** Where in the arguments something stands. */
interface Spot {
  readonly path: string;
  readonly depth: number;
}

interface Out extends Codec {
  readonly writer: WireWriter;
}

export function encode(codec: Codec, type: MessageType, value: Json, path: string): Uint8Array {
  return encodeAt(codec, type, value, { path, depth: 0 });
}

function encodeAt(codec: Codec, type: MessageType, value: Json, spot: Spot): Uint8Array {
  const writer = codec.protobuf.Writer.create();
  writeMessage({ ...codec, writer }, type, value, spot);
  return writer.finish();
}

function writeMessage(out: Out, type: MessageType, value: Json, spot: Spot): void {
  if (spot.depth === MESSAGE_DEPTH_MAX) {
    const path = `${spot.path.slice(0, 60)}…`;
    throw refusal(`${path} is nested deeper than ${MESSAGE_DEPTH_MAX} messages`);
  }
  const seen = new Set<Field | string>();
  for (const [name, item] of Object.entries(fieldsOf(out, type, value, spot))) {
    const field = type.byName.get(name);
    if (field === undefined) throw unknownField(type, name, spot);
    const fieldType = typeOf(out.schema, field);
    if (item === null && !takesNull(fieldType.name)) continue;
    const once = field.oneof ?? field;
    if (seen.has(once))
      throw refusal(`${spot.path} has more than one value for ${onceName(field)}`);
    seen.add(once);
    writeField(out, field, fieldType, { item, spot: { ...spot, path: `${spot.path}/${name}` } });
  }
}

function onceName({ oneof, jsonName }: Field): string {
  return oneof === undefined ? `"${jsonName}"` : `"${oneof}", which has one`;
}

function fieldsOf(codec: Codec, type: MessageType, value: Json, spot: Spot): JsonObject {
  if (type.name === ANY) return anyFields(codec, value, spot);
  const short = shortFormOf(type.name);
  const fields = short === undefined ? value : short.toFields(value);
  if (isJsonObject(fields)) return fields;
  throw misfit(spot, short?.form ?? `an object with the fields of ${type.name}`, value);
}

/** `{ "@type": …, …fields }`, or a `value` beside the type if that has a form of its own. */
function anyFields(codec: Codec, value: Json, spot: Spot): JsonObject {
  if (!isJsonObject(value)) throw misfit(spot, 'an object with "@type"', value);
  const { '@type': url, ...fields } = value;
  if (url === undefined && Object.keys(fields).length === 0) return {};
  if (typeof url !== 'string') throw misfit(spot, 'an object with "@type"', value);
  const name = url.slice(url.lastIndexOf('/') + 1);
  const type = codec.schema.types.get(name);
  if (type?.is !== 'message') throw misfit(spot, 'an object whose "@type" is a message', value);
  const isShort = shortFormOf(name) !== undefined || name === ANY;
  const inner = isShort ? (fields['value'] ?? null) : fields;
  const bytes = encodeAt(codec, type, inner, { ...spot, depth: spot.depth + 1 });
  return { typeUrl: url, value: Buffer.from(bytes).toString('base64') };
}

interface Given {
  readonly item: Json;
  readonly spot: Spot;
}

function writeField(out: Out, field: Field, type: FieldType, { item, spot }: Given): void {
  switch (field.shape) {
    case 'one':
      return writeValue(out, field, type, { item, spot });
    case 'list':
      if (!Array.isArray(item)) throw misfit(spot, 'a list', item);
      return writeList(out, field, type, { items: item as readonly Json[], spot });
    case 'map':
      if (!isJsonObject(item)) throw misfit(spot, 'an object', item);
      return writeMap(out, field, type, { entries: item, spot });
  }
}

function writeList(
  out: Out,
  field: Field,
  type: FieldType,
  { items, spot }: { readonly items: readonly Json[]; readonly spot: Spot },
): void {
  const given = items.map((item, at) => ({ item, spot: { ...spot, path: `${spot.path}/${at}` } }));
  const isPacked = field.isPacked && wireType(field, type) !== WIRE.sized && type.is !== 'message';
  if (!isPacked || items.length === 0) {
    for (const one of given) writeValue(out, field, type, one);
    return;
  }
  out.writer.uint32(tagOf(field.number, WIRE.sized)).fork();
  for (const one of given) writePlain(out, type, one);
  out.writer.ldelim();
}

function writeMap(
  out: Out,
  field: Field,
  type: FieldType,
  { entries, spot }: { readonly entries: JsonObject; readonly spot: Spot },
): void {
  const { keyType = 'string' } = field;
  const valueField: Field = { ...field, number: 2, shape: 'one' };
  for (const [key, item] of Object.entries(entries)) {
    const at = { ...spot, path: `${spot.path}/${key}` };
    const wireKey = keyToWire(keyType, key);
    if (wireKey === undefined) throw misfit(at, `a key of the type ${keyType}`, key);
    out.writer.uint32(tagOf(field.number, WIRE.sized)).fork();
    out.writer.uint32(tagOf(1, wireTypeOf(keyType)))[keyType](wireKey);
    writeValue(out, valueField, type, { item, spot: at });
    out.writer.ldelim();
  }
}

/** With its number before it. */
function writeValue(out: Out, field: Field, type: FieldType, given: Given): void {
  const { writer } = out;
  const wire = wireType(field, type);
  writer.uint32(tagOf(field.number, wire));
  if (type.is !== 'message') return writePlain(out, type, given);
  const spot = { ...given.spot, depth: given.spot.depth + 1 };
  if (wire === WIRE.sized) writer.fork();
  writeMessage(out, type, given.item, spot);
  if (wire === WIRE.sized) writer.ldelim();
  else writer.uint32(tagOf(field.number, WIRE.end));
}

function writePlain(
  { writer }: Out,
  type: Exclude<FieldType, MessageType>,
  { item, spot }: Given,
): void {
  if (type.is === 'enum') {
    writer.int32(enumNumber(type, item, spot));
    return;
  }
  const value = scalarToWire(type.name, item);
  if (value === undefined) throw misfit(spot, `a value of the type ${type.name}`, item);
  writer[type.name](value);
}

function enumNumber({ name, numbers }: EnumType, item: Json, spot: Spot): number {
  if (name === NULL_VALUE && item === null) return 0;
  const number = typeof item === 'string' ? numbers.get(item) : item;
  if (typeof number === 'number' && Number.isInteger(number) && Math.abs(number) < 2 ** 31) {
    return number;
  }
  const known = [...numbers.keys()];
  const hint = typeof item === 'string' ? meant(item, known) : `there are ${known.join(', ')}`;
  throw misfit(spot, `a name of ${name} (${hint})`, item);
}

export function wireType(field: Field, type: FieldType): number {
  if (type.is === 'scalar') return wireTypeOf(type.name);
  if (type.is === 'enum') return WIRE.varint;
  return type.isGroup || field.isDelimited ? WIRE.begin : WIRE.sized;
}

export function tagOf(number: number, wire: number): number {
  return ((number << 3) | wire) >>> 0;
}

function unknownField(type: MessageType, name: string, { path }: Spot): WorkflowError {
  const known = type.fields.map(({ jsonName }) => jsonName);
  const hint = known.length === 0 ? 'it has no fields' : meant(name, known);
  return refusal(`${path}: ${type.name} has no field "${name}"; ${hint}`);
}

/** What came is told by its kind: it may hold a secret. */
function misfit({ path }: Spot, wanted: string, value: Json): WorkflowError {
  return refusal(`${path} is ${wanted}; came ${kindOf(value)}`);
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list that is none';
  return `${typeof value === 'object' ? 'an object' : `a ${typeof value}`} that is none`;
}

function refusal(detail: string): WorkflowError {
  return new WorkflowError('validation', { detail });
}
