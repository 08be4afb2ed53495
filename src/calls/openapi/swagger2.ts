/** Operations of Swagger 2.0: bodies and forms are parameters there, lists have a format. */
import type { Json, JsonObject } from '../../base/json.ts';
import { FORM_TYPE, MULTIPART_TYPE } from '../media-type.ts';
import type { Found } from './finding.ts';
import type {
  FieldWriting,
  Operation,
  OperationBody,
  Parameter,
  ParameterPlace,
  Writing,
} from './operation.ts';
import { acceptOf, listOf, parametersOf, textOf, undeclaredIn } from './reading.ts';
import type { Library } from './references.ts';
import { swaggerServerOf } from './servers.ts';

const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ['csv', ','],
  ['ssv', ' '],
  ['tsv', '\t'],
  ['pipes', '|'],
]);
const PLACES: readonly ParameterPlace[] = ['path', 'query', 'header'];

export async function readSwagger2(library: Library, found: Found): Promise<Operation> {
  const { operation, path, method } = found;
  const places = await parametersOf(library, found);
  const values = places.map(({ value }) => value);
  const declared = values.flatMap(parameterOf);
  const inPath = declared.flatMap((one) => (one.in === 'path' ? one.name : []));
  const others = undeclaredIn(path, inPath).flatMap((name) => parameterOf({ name, in: 'path' }));
  const body = bodyOf(values, typesOf(library, operation, 'consumes'));
  const accept = acceptOf(typesOf(library, operation, 'produces'));
  return {
    id: found.id,
    server: swaggerServerOf(library, found),
    parameters: [...declared, ...others],
    ...{ method, path },
    ...(body === undefined ? {} : { body }),
    ...(accept === undefined ? {} : { accept }),
  };
}

/** What the operation says, be it nothing, and otherwise the document. */
function typesOf({ root }: Library, operation: JsonObject, key: string): readonly string[] {
  return listOf(operation[key] ?? root.root[key]).flatMap((type: Json) => textOf(type) ?? []);
}

function parameterOf(value: JsonObject): Parameter[] {
  const name = textOf(value['name']);
  const place = PLACES.find((one) => one === value['in']);
  if (name === undefined || place === undefined) return [];
  const required = place === 'path' || value['required'] === true;
  return [{ name, in: place, required, writing: writingOf(value, place === 'query') }];
}

function writingOf({ collectionFormat: format }: JsonObject, isForm: boolean): Writing {
  return {
    style: isForm ? 'form' : 'simple',
    explode: isForm && format === 'multi',
    separator: SEPARATORS.get(textOf(format) ?? 'csv') ?? ',',
    reserved: false,
  };
}

function bodyOf(
  values: readonly JsonObject[],
  consumes: readonly string[],
): OperationBody | undefined {
  const whole = values.find((value) => value['in'] === 'body');
  if (whole !== undefined) {
    const name = textOf(whole['name']) ?? 'body';
    const types = consumes.length === 0 ? ['application/json'] : consumes;
    const media = types.map((type) => ({ type, fields: {} }));
    return { required: whole['required'] === true, name, media };
  }
  const fields = values.filter((value) => value['in'] === 'formData');
  return fields.length === 0 ? undefined : formOf(fields, consumes);
}

function nameOf(value: JsonObject): string {
  return textOf(value['name']) ?? '';
}

/** Files need a form of several parts, whatever the document says. */
function formOf(values: readonly JsonObject[], consumes: readonly string[]): OperationBody {
  const fields: Record<string, FieldWriting> = {};
  for (const value of values) {
    const isBinary = value['type'] === 'file';
    fields[nameOf(value)] = { isBinary, writing: writingOf(value, true) };
  }
  const hasFile = values.some((value) => value['type'] === 'file');
  const onlyParts = consumes.includes(MULTIPART_TYPE) && !consumes.includes(FORM_TYPE);
  const required = values.filter((value) => value['required'] === true);
  return {
    required: required.length > 0,
    media: [{ type: hasFile || onlyParts ? MULTIPART_TYPE : FORM_TYPE, fields }],
    form: {
      required: required.map(nameOf),
      known: Object.keys(fields),
    },
  };
}
