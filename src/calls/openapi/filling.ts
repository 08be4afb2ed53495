/**
 * The parameters of a call, each put where the document says it belongs.
 *
 * A name that the document declares is that parameter, in every place where it is declared. What
 * is left is for the body: under the name the document has for it, under `body`, or as the
 * fields of which it consists. What belongs nowhere is refused rather than lost, since it is most
 * often misspelt. Null is as good as not given.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Exchange } from '../http-exchange.ts';
import { addQuery } from '../http-url.ts';
import { fillPlaces } from '../uri-template.ts';
import { takesFields, writeOperationBody } from './bodies.ts';
import type { Operation, OperationBody, Parameter, ParameterPlace } from './operation.ts';
import { writeCookie, writeHeader, writePath, writeQuery, writeQuerystring } from './styles.ts';

export type Filled = Pick<Exchange, 'url' | 'headers' | 'body'>;

interface Given {
  readonly parameter: Parameter;
  readonly value: Json;
}

export function fillOperation(operation: Operation, parameters: JsonObject): Filled {
  const given = operation.parameters.flatMap((parameter) => givenFor(parameter, parameters));
  refuseMissing(operation, given);
  const headers = headersOf(operation, given);
  const body = bodyOf(operation, leftOf(operation, parameters));
  const url = urlOf(operation, given);
  if (body === undefined) return { url, headers };
  const wanted = headers['content-type'];
  const { body: bytes, contentType } = writeOperationBody(body.described, body.value, wanted);
  return { url, headers: { ...headers, 'content-type': contentType }, body: bytes };
}

function givenFor(parameter: Parameter, parameters: JsonObject): Given[] {
  const name = Object.keys(parameters).find((key) => isMeant(parameter, key));
  const value = name === undefined ? null : (parameters[name] ?? null);
  return value === null ? [] : [{ parameter, value }];
}

/** Names of headers are the same in capitals. */
function isMeant(parameter: Parameter, key: string): boolean {
  if (parameter.in !== 'header') return parameter.name === key;
  return parameter.name.toLowerCase() === key.toLowerCase();
}

function refuseMissing({ id, parameters }: Operation, given: readonly Given[]): void {
  const missing = parameters.filter(
    (one) => one.required && !given.some(({ parameter }) => parameter === one),
  );
  if (missing.length === 0) return;
  const names = missing.map((one) => `"${one.name}" (in ${one.in})`).join(' and ');
  const detail = `the operation "${id}" needs ${names}, which "parameters" does not have`;
  throw new WorkflowError('validation', { detail });
}

function urlOf({ server, path }: Operation, given: readonly Given[]): URL {
  const texts = new Map(
    placed(given, 'path').map(({ parameter, value }) => [
      parameter.name,
      pathText(parameter, value),
    ]),
  );
  const filled = fillPlaces(path, (name) => texts.get(name) ?? '');
  const query = [
    ...placed(given, 'query').flatMap(({ parameter, value }) => writeQuery(parameter, value)),
    ...placed(given, 'querystring').flatMap(({ parameter, value }) =>
      writeQuerystring(parameter, value),
    ),
  ];
  return addQuery(new URL(`${server}${filled}`), query.join('&'));
}

/** Without it, the path would be that of another operation. */
function pathText(parameter: Parameter, value: Json): string {
  const text = writePath(parameter, value);
  if (text !== '') return text;
  const detail = `the parameter "${parameter.name}" stands in the path, and cannot be empty there`;
  throw new WorkflowError('validation', { detail });
}

function headersOf({ accept }: Operation, given: readonly Given[]): Record<string, string> {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  for (const { parameter, value } of placed(given, 'header')) {
    headers[parameter.name.toLowerCase()] = writeHeader(parameter, value);
  }
  const cookies = placed(given, 'cookie').flatMap(({ parameter, value }) =>
    writeCookie(parameter, value),
  );
  return cookies.length === 0 ? headers : { ...headers, cookie: cookies.join('; ') };
}

function placed(given: readonly Given[], place: ParameterPlace): readonly Given[] {
  return given.filter(({ parameter }) => parameter.in === place);
}

function leftOf(operation: Operation, parameters: JsonObject): JsonObject {
  const left = Object.entries(parameters).filter(
    ([key]) => !operation.parameters.some((parameter) => isMeant(parameter, key)),
  );
  return Object.fromEntries(left);
}

interface GivenBody {
  readonly described: OperationBody;
  readonly value: Json;
}

function bodyOf(operation: Operation, left: JsonObject): GivenBody | undefined {
  const { body } = operation;
  const names = Object.keys(left);
  if (body === undefined) {
    if (names.length > 0) throw unknown(operation, names);
    return undefined;
  }
  const key = keyOf(body, left);
  if (key !== undefined && names.length > 1) {
    throw unknown(
      operation,
      names.filter((name) => name !== key),
    );
  }
  if (key === undefined && names.length > 0 && !takesFields(body)) throw unknown(operation, names);
  const value = key === undefined ? fieldsOf(left) : (left[key] ?? null);
  if (body.form !== undefined) refuseForm(operation, body.form, isJsonObject(value) ? value : {});
  if (value !== null) return { described: body, value };
  if (!body.required) return undefined;
  const detail = `the operation "${operation.id}" needs a body, and "parameters" has no "body"`;
  throw new WorkflowError('validation', { detail });
}

/** Under which name the whole body is given, if it is. */
function keyOf({ name, form }: OperationBody, left: JsonObject): string | undefined {
  if (name !== undefined && Object.hasOwn(left, name)) return name;
  const isField = form?.known.includes('body') === true;
  return Object.hasOwn(left, 'body') && !isField ? 'body' : undefined;
}

function fieldsOf(left: JsonObject): JsonObject | null {
  return Object.keys(left).length === 0 ? null : left;
}

function refuseForm(
  operation: Operation,
  { required, known }: NonNullable<OperationBody['form']>,
  fields: JsonObject,
): void {
  const strange = Object.keys(fields).filter((name) => !known.includes(name));
  if (strange.length > 0) throw unknown(operation, strange);
  const missing = required.filter((name) => (fields[name] ?? null) === null);
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}" (in formData)`).join(' and ');
  const detail = `the operation "${operation.id}" needs ${names}, which "parameters" does not have`;
  throw new WorkflowError('validation', { detail });
}

function unknown({ id, parameters, body }: Operation, names: readonly string[]): WorkflowError {
  const known = [...parameters.map(({ name }) => name), ...(body?.form?.known ?? [])];
  const whole = body === undefined || body.form !== undefined ? [] : [body.name ?? 'body'];
  const hints = names.map((name) => {
    const meant = nearest(name, [...known, ...whole]);
    return meant === undefined ? `"${name}"` : `"${name}" (did you mean "${meant}"?)`;
  });
  const all = [...new Set([...known, ...whole])].join(', ');
  const has = all === '' ? 'it has none' : `it has ${all}`;
  const detail = `the operation "${id}" has no parameter ${hints.join(' and ')}: ${has}`;
  return new WorkflowError('configuration', { detail });
}
