/**
 * Bodies of operations: the value the call has for it, and how that is written.
 *
 * Of the media types a document offers, JSON is taken first, then a form, then the first of them.
 * Unlike that of `call: http`, a body here is always a value and never a text that stands for one:
 * under JSON, a text is written as JSON, too. A file, or whatever else is bytes, is base64.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { bytesOf, writeBody, type WrittenBody } from '../http-body.ts';
import {
  BYTES_TYPE,
  FORM_TYPE,
  isBinaryType,
  isJsonType,
  MULTIPART_TYPE,
  readMediaType,
} from '../media-type.ts';
import { type Part, writeMultipart } from '../multipart.ts';
import { percentEncode } from '../uri-template.ts';
import type { BodyMedia, FieldWriting, OperationBody } from './operation.ts';
import { writeQuery } from './styles.ts';

const plainOf = ({ type }: BodyMedia): string => readMediaType(type).type;
const isFormType = (type: string): boolean => type === FORM_TYPE || type === MULTIPART_TYPE;

/** Whether a body can be made of single fields. */
export function takesFields({ media }: OperationBody): boolean {
  return media.map(plainOf).some((type) => isJsonType(type) || isFormType(type) || isOpen(type));
}

/** `wanted` is the content type that the call itself asks for, if it does. */
export function writeOperationBody(
  { media }: OperationBody,
  value: Json,
  wanted: string | undefined,
): WrittenBody {
  const chosen = chooseMedia(media, wanted);
  const type = plainOf(chosen);
  if (type === FORM_TYPE && isJsonObject(value)) return writeForm(chosen, value);
  if (type === MULTIPART_TYPE && isJsonObject(value)) return writeParts(chosen, value);
  if (isOpen(type)) return writeBody(value, openType(type, value));
  if (isJsonType(type)) return { body: JSON.stringify(value), contentType: chosen.type };
  return writeBody(value, chosen.type);
}

function chooseMedia(media: readonly BodyMedia[], wanted: string | undefined): BodyMedia {
  const asked = wanted === undefined ? undefined : readMediaType(wanted).type;
  const found =
    media.find((one) => plainOf(one) === asked) ??
    media.find((one) => isJsonType(plainOf(one))) ??
    media.find((one) => isFormType(plainOf(one))) ??
    media[0];
  if (found !== undefined) return found;
  throw new WorkflowError('configuration', { detail: 'the document names no type of the body' });
}

/** A range of types, such as `application/*`. */
function isOpen(type: string): boolean {
  return type.endsWith('/*');
}

function openType(type: string, value: Json): string {
  if (isBinaryType(type)) return BYTES_TYPE;
  return typeof value === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
}

function writeForm({ fields }: BodyMedia, value: JsonObject): WrittenBody {
  const pieces = Object.entries(value).flatMap(([name, field]) => {
    const { writing } = fieldOf(fields, name);
    if (field === null) return [];
    if (writing !== undefined) {
      return writeQuery({ name, in: 'query', required: false, writing }, field);
    }
    return itemsOf(field).map((item) => `${percentEncode(name)}=${percentEncode(wordOf(item))}`);
  });
  return { body: pieces.join('&'), contentType: FORM_TYPE };
}

function writeParts({ fields }: BodyMedia, value: JsonObject): WrittenBody {
  const parts = Object.entries(value).flatMap(([name, field]) => {
    const described = fieldOf(fields, name);
    const { writing, isBinary } = described;
    const items = itemsOf(field);
    const isOne = writing?.explode === false && !isBinary && items.length > 1;
    const sent = isOne ? [items.map(wordOf).join(writing.separator)] : items;
    return sent.map((item) => partOf(name, item, described));
  });
  return writeMultipart(parts);
}

function partOf(name: string, item: Json, { isBinary, contentType }: FieldWriting): Part {
  const type = contentType ?? (isBinary ? BYTES_TYPE : undefined);
  if (isBinary || (type !== undefined && isBinaryType(type))) {
    return {
      name,
      content: bytesOf(item, type ?? BYTES_TYPE),
      type: type ?? BYTES_TYPE,
      filename: name,
    };
  }
  const kind = type ?? (typeof item === 'object' ? 'application/json' : undefined);
  const isWritten = kind !== undefined && isJsonType(readMediaType(kind).type);
  const content = isWritten ? JSON.stringify(item) : wordOf(item);
  return { name, content, ...(kind === undefined ? {} : { type: kind }) };
}

function fieldOf(fields: BodyMedia['fields'], name: string): FieldWriting {
  return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? { isBinary: false };
}

/** A list is the same field several times, and null is none. */
function itemsOf(field: Json): readonly Json[] {
  const items = Array.isArray(field) ? (field as readonly Json[]) : [field];
  return items.filter((item) => item !== null);
}

function wordOf(item: Json): string {
  return typeof item === 'object' ? JSON.stringify(item) : String(item);
}
