/**
 * What the body of an answer is in a workflow, which its content type decides: JSON is parsed,
 * text and YAML are a text, anything else is base64, and nothing is null.
 */
import { TextDecoder } from 'node:util';
import { admitJson, type Json } from '../base/json.ts';
import { WorkflowError } from '../model/workflow-error.ts';
import { isJsonType, isTextType, type MediaType, readMediaType } from './media-type.ts';

export interface Answered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Throws `communication` for what is not what it says it is. */
export function contentOf({ headers, body }: Answered): Json {
  if (body.length === 0) return null;
  const media = readMediaType(headers['content-type']);
  if (isJsonType(media.type)) return parsed(decode(body, media, true), media);
  if (isTextType(media.type)) return decode(body, media, false);
  return base64Of(body);
}

export function base64Of(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
}

/** The body for people to read; undefined if it is nothing for them. */
export function readableOf({ headers, body }: Answered): string | undefined {
  if (body.length === 0) return undefined;
  const { type, charset } = readMediaType(headers['content-type']);
  const isReadable = isJsonType(type) || isTextType(type) || /[/+]xml$|^$/.test(type);
  if (!isReadable) return `${body.length} bytes of ${type}`;
  return (decoderOf(charset, false) ?? new TextDecoder()).decode(body);
}

function decode(body: Uint8Array, { type, charset }: MediaType, isStrict: boolean): string {
  const decoder = decoderOf(charset, isStrict);
  if (decoder === undefined) {
    throw unreadable(
      `the answer is in "${charset}", which is not known; "output: raw" is as it is`,
    );
  }
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw unreadable(`the answer says it is ${type}, and is not ${decoder.encoding}`, cause);
  }
}

function decoderOf(charset: string | null, isStrict: boolean): TextDecoder | undefined {
  try {
    return new TextDecoder(charset ?? 'utf-8', { fatal: isStrict });
  } catch {
    // Nobody knows a character set of that name.
    return undefined;
  }
}

function parsed(text: string, { type }: MediaType): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says quotes the text, in which a secret may stand: it is not even a cause.
    throw unreadable(`the answer says it is ${type}, and is not JSON`);
  }
  // A number too large or nesting too deep is JSON to a parser, and nothing we could keep.
  const admitted = admitJson(value);
  if (admitted.ok) return admitted.value;
  throw unreadable(`the answer holds what cannot be kept: ${admitted.problem}`);
}

function unreadable(detail: string, cause?: unknown): WorkflowError {
  return new WorkflowError('communication', { title: 'Unreadable answer', detail, cause });
}
