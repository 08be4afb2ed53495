/**
 * Bodies of `multipart/form-data` (RFC 7578).
 *
 * The boundary is a hash of what it separates: it cannot stand in there, and the same call sends
 * the same bytes however often it is made.
 */
import { createHash } from 'node:crypto';
import { MULTIPART_TYPE } from './media-type.ts';

export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** A part without one is plain text. */
  readonly type?: string;
  /** A part with one is a file. */
  readonly filename?: string;
}

export interface WrittenMultipart {
  readonly body: Uint8Array;
  readonly contentType: string;
}

export function writeMultipart(parts: readonly Part[]): WrittenMultipart {
  const heads = parts.map((part) => Buffer.from(headOf(part)));
  const contents = parts.map(({ content }) => Buffer.from(content));
  const hash = createHash('sha256');
  for (const [at, head] of heads.entries()) hash.update(head).update(contents[at] ?? '');
  const boundary = `part-${hash.digest('hex').slice(0, 40)}`;
  const chunks = heads.flatMap((head, at) => [
    Buffer.from(`--${boundary}\r\n`),
    head,
    contents[at] ?? Buffer.alloc(0),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, contentType: `${MULTIPART_TYPE}; boundary=${boundary}` };
}

function headOf({ name, type, filename }: Part): string {
  const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
  const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n${kind}\r\n`;
}

/** What would end the name or its line, as browsers write it. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
