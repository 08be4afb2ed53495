/**
 * What a form makes of a JSON Schema: which field a part of it is, which value it begins with, and
 * what is wrong with what was filled in. The server has the last word; this is for whoever types,
 * and what it does not understand it leaves to the server.
 */
import type { Json, JsonObject } from '../api/shapes.ts';

export type Schema = JsonObject;

/** What is wrong, and where: a JSON pointer, empty for the whole. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

export type Shape =
  | { readonly kind: 'text'; readonly format: string; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly isWhole: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly options: readonly Option[] }
  | { readonly kind: 'const'; readonly value: Json }
  | { readonly kind: 'list'; readonly items: Schema }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'choice'; readonly options: readonly Schema[] }
  | { readonly kind: 'json' };

export interface Option {
  readonly label: string;
  readonly value: Json;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Texts that may be longer than this are written in several lines. */
const LINE_MAX = 200;
/** References that lead to references. */
const REFS_MAX = 20;
/** A pattern is asked only of texts that no pattern takes long for. */
const PATTERN_TEXT_MAX = 1_000;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema that is meant: what it refers to in the same document, and `allOf` as one. */
export function resolved(schema: Json | undefined, root: Schema): Schema {
  let found = isObject(schema) ? schema : {};
  for (let turns = 0; turns < REFS_MAX && typeof found['$ref'] === 'string'; turns += 1) {
    const { $ref, ...beside } = found;
    const target = pointed(root, $ref);
    if (target === null) return {};
    found = { ...target, ...beside };
  }
  const parts = found['allOf'];
  if (!Array.isArray(parts)) return found;
  const { allOf: _, ...own } = found;
  return parts.map((part: Json) => resolved(part, root)).reduce(merged, own);
}

function pointed(root: Schema, ref: string): Schema | null {
  if (!ref.startsWith('#')) return null;
  let at: Json | undefined = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const name = unescaped(part);
    at = isObject(at) || Array.isArray(at) ? (at as JsonObject)[name] : undefined;
  }
  return isObject(at) ? at : null;
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function merged(one: Schema, other: Schema): Schema {
  const properties = { ...objectIn(one, 'properties'), ...objectIn(other, 'properties') };
  const required = [...listIn(one, 'required'), ...listIn(other, 'required')];
  return {
    ...{ ...other, ...one },
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function objectIn(schema: Schema, name: string): JsonObject {
  const found = schema[name];
  return isObject(found) ? found : {};
}

export function listIn(schema: Schema, name: string): readonly Json[] {
  const found = schema[name];
  return Array.isArray(found) ? found : [];
}

function numberIn(schema: Schema, name: string): number | null {
  const found = schema[name];
  return typeof found === 'number' ? found : null;
}

export function textIn(schema: Schema, name: string): string | null {
  const found = schema[name];
  return typeof found === 'string' ? found : null;
}

/** May it be null? Then what is cleared is null where something has to be said. */
export function isNullable(schema: Schema): boolean {
  const { type } = schema;
  return Array.isArray(type) && type.includes('null');
}

/** The one type that it has besides null, or what its words are for. */
function typeOf(schema: Schema): string | null {
  const { type } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null');
  if (types.length === 1 && typeof types[0] === 'string') return types[0];
  if (type !== undefined) return null;
  if ('properties' in schema) return 'object';
  return 'items' in schema ? 'array' : null;
}

export function shapeOf(schema: Schema, root: Schema): Shape {
  const { const: fixed } = schema;
  if (fixed !== undefined) return { kind: 'const', value: fixed };
  if (Array.isArray(schema['enum'])) {
    return { kind: 'enum', options: schema['enum'].map((value: Json) => optionOf(value)) };
  }
  const ways = [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')];
  if (ways.length > 0)
    return choiceOf(
      ways.map((way) => resolved(way, root)),
      schema,
    );
  switch (typeOf(schema)) {
    case 'string':
      return {
        kind: 'text',
        format: textIn(schema, 'format') ?? '',
        isLong: (numberIn(schema, 'maxLength') ?? 0) > LINE_MAX,
      };
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: typeOf(schema) === 'integer' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return isObject(schema['items'])
        ? { kind: 'list', items: resolved(schema['items'], root) }
        : { kind: 'json' };
    case 'object':
      return objectShape(schema, root);
    default:
      return { kind: 'json' };
  }
}

function optionOf(value: Json, title: string | null = null): Option {
  return { label: title ?? (typeof value === 'string' ? value : JSON.stringify(value)), value };
}

/** Several constants are a list to choose from; ways beside other rules are not understood. */
function choiceOf(ways: readonly Schema[], beside: Schema): Shape {
  const fixed = ways.filter((way) => way['const'] !== undefined);
  if (fixed.length === ways.length) {
    const options = ways.map((way) => optionOf(way['const'] ?? null, textIn(way, 'title')));
    return { kind: 'enum', options };
  }
  return 'properties' in beside ? { kind: 'json' } : { kind: 'choice', options: ways };
}

function objectShape(schema: Schema, root: Schema): Shape {
  const required = listIn(schema, 'required');
  const fields = Object.entries(objectIn(schema, 'properties')).map(([name, inside]) => ({
    ...{ name, schema: resolved(inside, root), isRequired: required.includes(name) },
  }));
  return fields.length === 0 ? { kind: 'json' } : { kind: 'object', fields };
}

/** What a form begins with: what is said by default, and the frame of what has to be there. */
export function firstValue(schema: Schema, root: Schema = schema): Json | undefined {
  const own = resolved(schema, root);
  if (own['default'] !== undefined) return own['default'];
  const shape = shapeOf(own, root);
  switch (shape.kind) {
    case 'const':
      return shape.value;
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'object':
      return firstObject(shape.fields, root);
    default:
      return undefined;
  }
}

function firstObject(fields: readonly Field[], root: Schema): JsonObject {
  const pairs = fields.flatMap(({ name, schema, isRequired }): [string, Json][] => {
    const value = isRequired ? firstValue(schema, root) : schema['default'];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}

/** A path of the server's: a JSON pointer, or names with dots between them. */
function pointerOf(path: string): string {
  const pointer = path.replace(/^#/, '');
  return pointer === '' || pointer.startsWith('/') ? pointer : `/${pointer.replaceAll('.', '/')}`;
}

export function pointerTo(path: string, name: string | number): string {
  return `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Everything that is wrong, as far as the schema is understood here. */
export function formProblems(
  schema: Schema,
  value: Json | undefined,
  root: Schema = schema,
  path = '',
): readonly FieldProblem[] {
  const own = resolved(schema, root);
  if (value === undefined) return [];
  if (value === null && isNullable(own)) return [];
  const shape = shapeOf(own, root);
  if (shape.kind === 'object') return problemsInObject(own, shape.fields, value, root, path);
  if (shape.kind === 'list') return problemsInList(own, shape.items, value, root, path);
  const message = problemOf(own, shape, value);
  return message === null ? [] : [{ path, message }];
}

function problemsInObject(
  schema: Schema,
  fields: readonly Field[],
  value: Json,
  root: Schema,
  path: string,
): readonly FieldProblem[] {
  if (!isObject(value)) return [{ path, message: 'must be an object' }];
  const known = new Set(fields.map(({ name }) => name));
  const strangers = Object.keys(value).filter((name) => !known.has(name));
  const isClosed = schema['additionalProperties'] === false;
  return [
    ...fields.flatMap(({ name, schema: inside, isRequired }) => {
      const at = pointerTo(path, name);
      const inner = value[name];
      if (inner === undefined) return isRequired ? [{ path: at, message: 'is required' }] : [];
      return formProblems(inside, inner, root, at);
    }),
    ...(isClosed ? strangers : []).map((name) => ({ path, message: `“${name}” is not known` })),
  ];
}

function problemsInList(
  schema: Schema,
  items: Schema,
  value: Json,
  root: Schema,
  path: string,
): readonly FieldProblem[] {
  if (!Array.isArray(value)) return [{ path, message: 'must be a list' }];
  const [least, most] = [numberIn(schema, 'minItems'), numberIn(schema, 'maxItems')];
  return [
    ...(least !== null && value.length < least
      ? [{ path, message: `must have ${least} entries or more` }]
      : []),
    ...(most !== null && value.length > most
      ? [{ path, message: `must have ${most} entries at most` }]
      : []),
    ...value.flatMap((item: Json, index) =>
      formProblems(items, item, root, pointerTo(path, index)),
    ),
  ];
}

function problemOf(schema: Schema, shape: Shape, value: Json): string | null {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? problemInText(schema, value) : 'must be a text';
    case 'number':
      return problemInNumber(schema, shape.isWhole, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be yes or no';
    case 'enum':
      return shape.options.some((option) => isSame(option.value, value))
        ? null
        : 'must be one of those that can be chosen';
    case 'const':
      return isSame(shape.value, value) ? null : `must be ${JSON.stringify(shape.value)}`;
    default:
      return null;
  }
}

export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const FORMATS: Readonly<Record<string, readonly [RegExp, string]>> = {
  date: [/^\d{4}-\d\d-\d\d$/, 'must be a date, as 2030-12-31'],
  'date-time': [/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/, 'must be a moment, as 2030-12-31T12:00:00Z'],
  email: [/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'],
  uri: [/^[a-zA-Z][a-zA-Z\d+.-]*:\S+$/, 'must be an address, as https://example.com'],
};

function problemInText(schema: Schema, text: string): string | null {
  const [least, most] = [numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')];
  // Characters as JSON Schema counts them: one for what takes two places in a string.
  const { length } = Array.from(text);
  if (least !== null && length < least) return `must have ${least} characters or more`;
  if (most !== null && length > most) return `must have ${most} characters at most`;
  const [form, message = ''] = FORMATS[textIn(schema, 'format') ?? ''] ?? [];
  if (form !== undefined && !form.test(text)) return message;
  const pattern = textIn(schema, 'pattern');
  return pattern === null || fits(pattern, text) ? null : `must fit the pattern ${pattern}`;
}

/** A pattern that this browser cannot read is left to the server. */
function fits(pattern: string, text: string): boolean {
  if (text.length > PATTERN_TEXT_MAX) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function problemInNumber(schema: Schema, isWhole: boolean, value: Json): string | null {
  if (typeof value !== 'number') return 'must be a number';
  if (isWhole && !Number.isInteger(value)) return 'must be a whole number';
  const [least, most] = [numberIn(schema, 'minimum'), numberIn(schema, 'maximum')];
  const [above, below] = [
    numberIn(schema, 'exclusiveMinimum'),
    numberIn(schema, 'exclusiveMaximum'),
  ];
  if (least !== null && value < least) return `must be ${least} or more`;
  if (most !== null && value > most) return `must be ${most} at most`;
  if (above !== null && value <= above) return `must be more than ${above}`;
  if (below !== null && value >= below) return `must be less than ${below}`;
  const step = numberIn(schema, 'multipleOf');
  const rest = step === null || step === 0 ? 0 : Math.abs(value / step - Math.round(value / step));
  return rest > 1e-9 ? `must be a multiple of ${step}` : null;
}

/** What the server says of a whole is put to the part that it names. */
export function placed({ path, message }: FieldProblem): FieldProblem {
  const at = pointerOf(path);
  const name = /required property "([^"]+)"/.exec(message)?.[1];
  return { path: name === undefined ? at : pointerTo(at, name), message };
}
