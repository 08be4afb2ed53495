/**
 * How values of parameters become text: the styles of OpenAPI 3, to which those of Swagger 2.0 are
 * reduced. They are those of RFC 6570: `simple` 3,4,5 · `label` .3.4.5 · `matrix` ;id=3;id=4 ·
 * `form` id=3&id=4 · `deepObject` id[a]=3.
 *
 * What is null is not there. Lists and objects hold plain values; what is nested deeper no style
 * but `deepObject` can write.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { isJsonType } from '../media-type.ts';
import { percentEncode } from '../uri-template.ts';
import type { Parameter, Writing } from './operation.ts';

type Encode = (text: string) => string;
type Parts =
  | { readonly one: string }
  | { readonly list: readonly string[] }
  | { readonly map: readonly (readonly [string, string])[] };

/** For its place in the path. */
export function writePath({ name, writing }: Parameter, value: Json): string {
  if (writing.content !== undefined) return percentEncode(contentText(writing.content, value));
  const parts = partsOf(name, value, percentEncode);
  const separator = percentUnlessComma(writing.separator);
  switch (writing.style) {
    case 'label':
      return `.${joined(parts, writing.explode, writing.explode ? '.' : ',')}`;
    case 'matrix':
      return pairsOf(percentEncode(name), parts, writing.explode, ',')
        .map(([key, text]) => (text === '' ? `;${key}` : `;${key}=${text}`))
        .join('');
    default:
      return joined(parts, writing.explode, separator);
  }
}

/** Pieces of a query, such as `a=1`. */
export function writeQuery({ name, writing }: Parameter, value: Json): string[] {
  const key = percentEncode(name);
  const encode: Encode = writing.reserved ? encodeReserved : percentEncode;
  if (writing.content !== undefined)
    return [`${key}=${encode(contentText(writing.content, value))}`];
  if (writing.style === 'deepObject' && typeof value === 'object') return deep(key, value, encode);
  const parts = partsOf(name, value, encode);
  const separator = percentUnlessComma(writing.separator);
  return pairsOf(key, parts, writing.explode, separator).map(([left, text]) => `${left}=${text}`);
}

/** Headers are not URIs: nothing is encoded in them. */
export function writeHeader({ name, writing }: Parameter, value: Json): string {
  if (writing.content !== undefined) return contentText(writing.content, value);
  return joined(partsOf(name, value, plainly), writing.explode, writing.separator);
}

/** Pieces of a `cookie` header, such as `a=1`. */
export function writeCookie({ name, writing }: Parameter, value: Json): string[] {
  const encode: Encode = writing.style === 'cookie' ? plainly : percentEncode;
  if (writing.content !== undefined) {
    return [`${name}=${percentEncode(contentText(writing.content, value))}`];
  }
  const parts = partsOf(name, value, encode);
  return pairsOf(name, parts, writing.explode, ',').map(([key, text]) => `${key}=${text}`);
}

/** The whole query as one value (OpenAPI 3.2). */
export function writeQuerystring({ name, writing }: Parameter, value: Json): string[] {
  if (typeof value === 'string') return [value.replace(/^\?/, '')];
  if (writing.content !== undefined && isJsonType(writing.content)) {
    return [percentEncode(JSON.stringify(value))];
  }
  const form = { ...writing, style: 'form', explode: true } as const;
  const fields = Object.entries(isJsonObject(value) ? value : { [name]: value });
  return fields.flatMap(([key, field]) => {
    const { content: _, ...rest } = form;
    return writeQuery({ name: key, in: 'query', required: false, writing: rest }, field);
  });
}

function contentText(type: string, value: Json): string {
  return isJsonType(type) || typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function joined(parts: Parts, explode: boolean, separator: string): string {
  if ('one' in parts) return parts.one;
  if ('list' in parts) return parts.list.join(separator);
  return parts.map.map(([key, text]) => key + (explode ? '=' : separator) + text).join(separator);
}

function pairsOf(
  name: string,
  parts: Parts,
  explode: boolean,
  separator: string,
): (readonly [string, string])[] {
  if ('list' in parts) {
    if (parts.list.length === 0) return [];
    if (explode) return parts.list.map((text) => [name, text] as const);
  }
  if ('map' in parts) {
    if (parts.map.length === 0) return [];
    if (explode) return [...parts.map];
  }
  return [[name, joined(parts, false, separator)]];
}

function partsOf(name: string, value: Json, encode: Encode): Parts {
  const textOf = (item: Json): string => {
    if (item !== null && typeof item !== 'object') return encode(String(item));
    throw new WorkflowError('validation', {
      detail: `the parameter "${name}" is a list or an object of plain values, not of further ones`,
    });
  };
  if (isJsonObject(value)) {
    const fields = Object.entries(value).filter(([, item]) => item !== null);
    return { map: fields.map(([key, item]) => [encode(key), textOf(item)] as const) };
  }
  if (!Array.isArray(value)) return { one: textOf(value) };
  return { list: (value as readonly Json[]).filter((item) => item !== null).map(textOf) };
}

function deep(key: string, value: Json, encode: Encode): string[] {
  if (value === null) return [];
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((one) => deep(key, one, encode));
  if (typeof value !== 'object') return [`${key}=${encode(String(value))}`];
  return Object.entries(value as JsonObject).flatMap(([field, item]) =>
    deep(`${key}%5B${percentEncode(field)}%5D`, item, encode),
  );
}

function plainly(text: string): string {
  return text;
}

/** What may stand in a query without ending it or beginning another field. */
function encodeReserved(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}|[^:/?@!$'()*,;=]/giu, (piece) =>
    piece.length === 3 ? piece : percentEncode(piece),
  );
}

function percentUnlessComma(separator: Writing['separator']): string {
  return separator === ',' ? ',' : percentEncode(separator);
}
