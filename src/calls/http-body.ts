/**
 * How the body of a request is written, which its content type decides:
 *
 * | content type            | object or list      | text             | number or boolean |
 * |-------------------------|---------------------|------------------|-------------------|
 * | none given              | JSON                | text/plain       | JSON              |
 * | JSON                    | JSON                | as it is         | JSON              |
 * | x-www-form-urlencoded   | an object's fields  | as it is         | –                 |
 * | multipart/form-data     | an object's fields  | as it is         | –                 |
 * | octet-stream, image/*…  | –                   | base64 of it     | –                 |
 * | any other               | JSON                | as it is         | as a text         |
 *
 * A text under a JSON type is JSON already: its author has written it so. If it were looked into,
 * the same definition would send different things for "7" and for "x". For the same reason bytes
 * are always base64, never "base64 if it looks like it". Null is no body. Texts leave as UTF-8.
 */
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { WorkflowError } from '../model/workflow-error.ts';
import { FORM_TYPE, isBinaryType, MULTIPART_TYPE, readMediaType } from './media-type.ts';
import { writeMultipart } from './multipart.ts';
import { pairsOf, writePairs } from './name-values.ts';

export interface WrittenBody {
  readonly body: string | Uint8Array;
  readonly contentType: string;
}

/** `contentType` is what the author has set, if anything. Null is not a body and not given here. */
export function writeBody(value: Json, contentType: string | undefined): WrittenBody {
  if (contentType === undefined) {
    return typeof value === 'string'
      ? { body: value, contentType: 'text/plain; charset=utf-8' }
      : { body: JSON.stringify(value), contentType: 'application/json' };
  }
  const { type, charset } = readMediaType(contentType);
  if (isBinaryType(type)) return { body: bytesOf(value, type), contentType };
  refuseCharset(charset);
  if (typeof value === 'string') return { body: value, contentType };
  switch (type) {
    case FORM_TYPE:
      return { body: writePairs(pairsOf('the form field', fieldsOf(value, type))), contentType };
    case MULTIPART_TYPE:
      return writeMultipart(
        pairsOf('the form field', fieldsOf(value, type)).map(([name, content]) => ({
          name,
          content,
        })),
      );
    default:
      if (type.startsWith('multipart/')) throw unwritten(type);
      return { body: JSON.stringify(value), contentType };
  }
}

/** The bytes that a text of base64 stands for. */
export function bytesOf(value: Json, type: string): Uint8Array {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  if (bytes !== undefined && bytes.toString('base64') === value) return bytes;
  throw new WorkflowError('configuration', {
    detail: `a body of type ${type} is given as base64, and this is not: "@base64" makes it so`,
  });
}

function fieldsOf(value: Json, type: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new WorkflowError('configuration', {
    detail: `a body of type ${type} is an object of its fields, or a text that is written so`,
  });
}

function unwritten(type: string): WorkflowError {
  const detail = `a body of type ${type} is a text: only ${MULTIPART_TYPE} is put together`;
  return new WorkflowError('configuration', { detail });
}

function refuseCharset(charset: string | null): void {
  if (charset === null || /^(utf-?8|us-ascii)$/.test(charset)) return;
  throw new WorkflowError('configuration', {
    detail: `a body is sent as utf-8, and its content type says ${charset}`,
  });
}
