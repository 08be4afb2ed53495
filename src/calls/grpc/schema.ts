/**
 * What proto files say, by full name: messages with their fields, enumerations, services.
 *
 * The files come as protobufjs describes them. A name in a field is looked up from the message it
 * stands in outwards, and only when it is needed: a file may hold what nobody can resolve, as long
 * as nobody uses it.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { meant } from '../../base/nearest.ts';
import { notAskable } from '../http/failures.ts';
import type { Scalar } from './packages.ts';
import { isScalar } from './scalars.ts';

export interface Schema {
  readonly types: ReadonlyMap<string, MessageType | EnumType>;
  readonly services: ReadonlyMap<string, Service>;
}

export interface MessageType {
  readonly is: 'message';
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  /** By the name in the file and by the one in JSON. */
  readonly byName: ReadonlyMap<string, Field>;
  /** Written between two marks, as proto2's groups are. */
  readonly isGroup: boolean;
}

export interface EnumType {
  readonly is: 'enum';
  readonly name: string;
  readonly numbers: ReadonlyMap<string, number>;
  /** The first name of each. */
  readonly names: ReadonlyMap<number, string>;
}

export interface ScalarType {
  readonly is: 'scalar';
  readonly name: Scalar;
}

export type FieldType = ScalarType | EnumType | MessageType;

export interface Field {
  readonly jsonName: string;
  readonly number: number;
  readonly shape: 'one' | 'list' | 'map';
  /** As written; `typeOf` says what it means. */
  readonly type: string;
  /** The message it stands in. */
  readonly scope: string;
  readonly keyType: Scalar | undefined;
  readonly oneof: string | undefined;
  readonly isPacked: boolean;
  /** Whether it always has a value: absent on the wire is zero, empty or false. */
  readonly isImplicit: boolean;
  readonly isDelimited: boolean;
}

export interface Service {
  readonly name: string;
  readonly methods: ReadonlyMap<string, Method>;
}

export interface Method {
  readonly path: string;
  readonly requestType: string;
  readonly responseType: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly scope: string;
}

/** What the parts of a file inherit from what they stand in. */
interface Manner {
  readonly edition: string;
  readonly presence: Json | undefined;
}

interface Drawer {
  readonly types: Map<string, MessageType | EnumType>;
  readonly services: Map<string, Service>;
}

export function readSchema(files: readonly JsonObject[]): Schema {
  const drawer: Drawer = { types: new Map(), services: new Map() };
  // protobufjs names the edition of a part only if it is another.
  for (const file of files)
    readNested(drawer, file, '', { edition: 'proto3', presence: undefined });
  return drawer;
}

function readNested(drawer: Drawer, of: JsonObject, prefix: string, around: Manner): void {
  for (const [name, part] of Object.entries(objectIn(of, 'nested'))) {
    if (!isJsonObject(part)) continue;
    const full = prefix === '' ? name : `${prefix}.${name}`;
    const manner = mannerOf(part, around);
    if ('fields' in part) drawer.types.set(full, readMessage(part, full, manner));
    else if ('values' in part) drawer.types.set(full, readEnum(part, full));
    else if ('methods' in part) drawer.services.set(full, readService(part, full));
    readNested(drawer, part, full, manner);
  }
}

function mannerOf(part: JsonObject, around: Manner): Manner {
  const { edition = around.edition } = part;
  return {
    edition: textOf(edition),
    presence: featureOf(part, 'field_presence') ?? around.presence,
  };
}

function readMessage(part: JsonObject, name: string, manner: Manner): MessageType {
  const oneofs = new Map(
    Object.entries(objectIn(part, 'oneofs')).flatMap(([oneof, members]) => {
      const list = isJsonObject(members) ? members['oneof'] : undefined;
      return Array.isArray(list) ? list.map((member) => [String(member), oneof] as const) : [];
    }),
  );
  const entries = Object.entries(objectIn(part, 'fields')).flatMap(([key, field]) =>
    isJsonObject(field)
      ? [[key, readField(field, key, { manner, scope: name, oneof: oneofs.get(key) })] as const]
      : [],
  );
  const fields = entries.map(([, field]) => field);
  return {
    ...{ is: 'message', name, fields, isGroup: part['group'] === true },
    byNumber: new Map(fields.map((field) => [field.number, field])),
    byName: new Map([...entries, ...fields.map((field) => [field.jsonName, field] as const)]),
  };
}

interface FieldPlace {
  readonly scope: string;
  readonly manner: Manner;
  readonly oneof: string | undefined;
}

function readField(part: JsonObject, name: string, { scope, manner, oneof }: FieldPlace): Field {
  const { keyType, rule, id, type } = part;
  const options = objectIn(part, 'options');
  const shape = typeof keyType === 'string' ? 'map' : rule === 'repeated' ? 'list' : 'one';
  const presence = featureOf(part, 'field_presence') ?? manner.presence;
  const isByDefault = manner.edition === 'proto3';
  const { packed = manner.edition !== 'proto2', json_name: jsonName } = options;
  return {
    ...{ shape, type: textOf(type), scope, oneof, number: Number(id) },
    jsonName: typeof jsonName === 'string' ? jsonName : camelCase(name),
    keyType: isScalar(keyType) ? keyType : undefined,
    isPacked: packed === true,
    isImplicit: oneof === undefined && (presence ?? (isByDefault ? 'IMPLICIT' : '')) === 'IMPLICIT',
    isDelimited: featureOf(part, 'message_encoding') === 'DELIMITED',
  };
}

function readEnum(part: JsonObject, name: string): EnumType {
  const entries = Object.entries(objectIn(part, 'values')).map(
    ([value, number]) => [value, Number(number)] as const,
  );
  const names = new Map<number, string>();
  for (const [value, number] of entries) if (!names.has(number)) names.set(number, value);
  return { is: 'enum', name, numbers: new Map(entries), names };
}

function readService(part: JsonObject, name: string): Service {
  const entries = Object.entries(objectIn(part, 'methods')).flatMap(([method, said]) => {
    if (!isJsonObject(said)) return [];
    const { requestType, responseType, requestStream, responseStream } = said;
    const types = { requestType: textOf(requestType), responseType: textOf(responseType) };
    const streams = {
      requestStream: requestStream === true,
      responseStream: responseStream === true,
    };
    return [[method, { path: `/${name}/${method}`, scope: name, ...types, ...streams }] as const];
  });
  return { name, methods: new Map(entries) };
}

export function typeOf(schema: Schema, { type, scope }: Field): FieldType {
  return isScalar(type) ? { is: 'scalar', name: type } : namedType(schema, type, scope);
}

/** What a name means that stands in a scope; with a dot before it, it is a full name. */
export function namedType(schema: Schema, name: string, scope: string): MessageType | EnumType {
  if (name.startsWith('.')) {
    const found = schema.types.get(name.slice(1));
    if (found !== undefined) return found;
  }
  for (let around = scope; ; around = around.slice(0, Math.max(around.lastIndexOf('.'), 0))) {
    const found = schema.types.get(around === '' ? name : `${around}.${name}`);
    if (found !== undefined) return found;
    if (around === '') throw notAskable(`${scope} needs the type "${name}", which no file has`);
  }
}

/** By its full name, or by its last part if that is enough to know it. */
export function serviceOf({ services }: Schema, name: string): Service {
  const exact = services.get(name);
  if (exact !== undefined) return exact;
  const [found, ...others] = [...services.values()].filter((one) => one.name.endsWith(`.${name}`));
  if (found !== undefined && others.length === 0) return found;
  const known = [...services.keys()];
  const hint = known.length === 0 ? 'it has none at all' : meant(name, known);
  throw notAskable(`the proto has no service "${name}"; ${hint}`);
}

export function methodOf({ name, methods }: Service, wanted: string): Method {
  const found = methods.get(wanted);
  if (found !== undefined) return found;
  throw notAskable(
    `the service ${name} has no method "${wanted}"; ${meant(wanted, [...methods.keys()])}`,
  );
}

function featureOf(part: JsonObject, name: string): Json | undefined {
  return objectIn(objectIn(part, 'options'), 'features')[name];
}

function objectIn(of: JsonObject, name: string): JsonObject {
  const value = of[name];
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** As protoc names fields in JSON. */
function camelCase(name: string): string {
  return name.replaceAll(/_+([^_]?)/g, (_, letter: string) => letter.toUpperCase());
}
