/** Operations of OpenAPI 3.0, 3.1 and 3.2. */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { FORM_TYPE, readMediaType } from '../media-type.ts';
import type { Found } from './finding.ts';
import type {
  BodyMedia,
  FieldWriting,
  Operation,
  OperationBody,
  Parameter,
  ParameterPlace,
  Writing,
} from './operation.ts';
import { acceptOf, mapOf, parametersOf, textOf, undeclaredIn } from './reading.ts';
import { findWithin, follow, type Library, type Place } from './references.ts';
import { serverOf } from './servers.ts';

const PLACES: readonly ParameterPlace[] = ['path', 'query', 'querystring', 'header', 'cookie'];
const STYLES = ['simple', 'label', 'matrix', 'form', 'deepObject', 'cookie'] as const;
const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
]);
/** Headers whose description does not count: the call itself knows what they are to be. */
const OWN_HEADERS = /^(accept|content-type|authorization)$/i;
const PATH_WRITING: Writing = writingOf({}, 'path');

export async function readOpenApi3(library: Library, found: Found): Promise<Operation> {
  const { item, operation } = found;
  const places = await parametersOf(library, found);
  const declared = places.map(({ value }) => parameterOf(value));
  const inPath = declared.flatMap((one) => (one.in === 'path' ? one.name : []));
  const others = undeclaredIn(found.path, inPath).map(
    (name): Parameter => ({ name, in: 'path', required: true, writing: PATH_WRITING }),
  );
  const given = operation['requestBody'];
  const body = isJsonObject(given)
    ? await bodyOf(library, { value: given, document: item.document })
    : undefined;
  const accept = acceptOf(answersOf(found));
  return {
    id: found.id,
    method: found.method,
    server: serverOf(library, found),
    path: found.path,
    parameters: [...declared, ...others],
    ...(body === undefined ? {} : { body }),
    ...(accept === undefined ? {} : { accept }),
  };
}

function parameterOf(value: JsonObject): Parameter {
  const name = textOf(value['name']);
  const place = PLACES.find((one) => one === value['in']);
  if (name === undefined || place === undefined) {
    const detail = `the parameter ${JSON.stringify(value['name'] ?? null)} is in no known place`;
    throw new WorkflowError('configuration', { detail });
  }
  const isOwn = place === 'header' && OWN_HEADERS.test(name);
  const required = place === 'path' || (value['required'] === true && !isOwn);
  return { name, in: place, required, writing: writingOf(value, place) };
}

function writingOf(value: JsonObject, place: ParameterPlace): Writing {
  const isForm = place === 'query' || place === 'cookie' || place === 'querystring';
  const named = textOf(value['style']) ?? (isForm ? 'form' : 'simple');
  const delimiter = DELIMITERS.get(named);
  const style = delimiter === undefined ? STYLES.find((one) => one === named) : 'form';
  const explode = value['explode'];
  const [content] = Object.keys(mapOf(value['content']));
  return {
    style: style ?? (isForm ? 'form' : 'simple'),
    explode: typeof explode === 'boolean' ? explode : named === 'form' || named === 'cookie',
    separator: delimiter ?? ',',
    reserved: value['allowReserved'] === true,
    ...(content === undefined ? {} : { content: readMediaType(content).type }),
  };
}

async function bodyOf(library: Library, from: Place): Promise<OperationBody | undefined> {
  const { value, document } = await follow(library, from);
  const media: BodyMedia[] = [];
  for (const [type, described] of Object.entries(mapOf(value['content']))) {
    const fields =
      isForm(type) && isJsonObject(described)
        ? await fieldsOf(library, await follow(library, { value: described, document }))
        : {};
    media.push({ type, fields });
  }
  if (media.length === 0) return undefined;
  return { required: value['required'] === true, media };
}

function isForm(type: string): boolean {
  const { type: plain } = readMediaType(type);
  return plain === FORM_TYPE || plain.startsWith('multipart/');
}

async function fieldsOf(
  library: Library,
  { value, document }: Place,
): Promise<Record<string, FieldWriting>> {
  const encodings = mapOf(value['encoding']);
  const schema = await follow(library, { value: mapOf(value['schema']), document });
  const properties = mapOf(schema.value['properties']);
  const fields: Record<string, FieldWriting> = {};
  for (const name of new Set([...Object.keys(properties), ...Object.keys(encodings)])) {
    const encoding = mapOf(encodings[name]);
    const contentType = textOf(encoding['contentType'])?.split(',')[0]?.trim();
    const isStyled = ['style', 'explode', 'allowReserved'].some((key) => key in encoding);
    const property = { value: mapOf(properties[name]), document: schema.document };
    fields[name] = {
      isBinary: await isBinary(library, property),
      ...(contentType === undefined ? {} : { contentType }),
      ...(isStyled ? { writing: writingOf(encoding, 'query') } : {}),
    };
  }
  return fields;
}

/** Bytes are a format in OpenAPI 3.0, and a media type without an encoding later. */
async function isBinary(library: Library, from: Place): Promise<boolean> {
  const { value, document } = await follow(library, from);
  const { items } = value;
  const { value: one } = isJsonObject(items)
    ? await follow(library, { value: items, document })
    : { value };
  if (one['format'] === 'binary') return true;
  return one['contentMediaType'] !== undefined && one['contentEncoding'] === undefined;
}

/** Media types of the answers that mean success. One described elsewhere is not worth fetching. */
function answersOf({ operation, item }: Found): readonly string[] {
  const responses = Object.entries(mapOf(operation['responses']));
  return responses
    .filter(([status]) => /^(2..|default)$/i.test(status))
    .flatMap(([, response]) => Object.keys(mapOf(answerOf(mapOf(response), item)['content'])));
}

function answerOf(response: JsonObject, { document }: Place): JsonObject {
  const reference = textOf(response['$ref']);
  return reference === undefined ? response : (findWithin(document, reference)?.value ?? {});
}
