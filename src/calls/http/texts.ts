/** Bytes as text, by what they say of themselves; and the URIs that hold both. */
import type { LoadedResource } from '../calling.ts';
import type { WorkflowError } from '../../model/workflow-error.ts';
import { brokenAs } from './failures.ts';

/** In the charset it names, UTF-8 by default. Throws `communication` if it is none. */
export function textOf(
  bytes: Uint8Array,
  contentType: string | undefined,
  place: string,
): Omit<LoadedResource, 'url'> {
  const [essence = ''] = (contentType ?? '').split(';', 1);
  const mediaType = essence.trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)"?/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    return { text, mediaType: mediaType === '' ? null : mediaType };
  } catch (thrown) {
    if (!(thrown instanceof TypeError || thrown instanceof RangeError)) throw thrown;
    throw brokenAs(`the resource ${place} is no text in ${charset.slice(0, 40)}`);
  }
}

export function tooLong(place: string, maxBytes: number): WorkflowError {
  return brokenAs(`the resource ${place} is longer than resources.maxBytes, ${maxBytes} bytes`);
}

/** `data:[type][;base64],content`, as RFC 2397 has it. */
export function readDataUri(url: URL, maxBytes: number): LoadedResource {
  const whole = `${url.pathname}${url.search}`;
  const comma = whole.indexOf(',');
  if (comma === -1) throw brokenAs('a data: URI has a comma before its content');
  const head = whole.slice(0, comma);
  const content = percentDecoded(whole.slice(comma + 1));
  const isBase64 = /;\s*base64\s*$/i.test(head);
  const bytes = isBase64 ? Buffer.from(content.toString('latin1'), 'base64') : content;
  if (bytes.length > maxBytes) throw tooLong('data:', maxBytes);
  const type = isBase64 ? head.replace(/;\s*base64\s*$/i, '') : head;
  return { ...textOf(bytes, type === '' ? 'text/plain' : type, 'data:'), url: url.href };
}

function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  let size = 0;
  for (let at = 0; at < bytes.length; at += 1, size += 1) {
    const byte = bytes[at] ?? 0;
    const hex = byte === 0x25 ? bytes.toString('latin1', at + 1, at + 3) : '';
    const isEscape = /^[0-9a-f]{2}$/i.test(hex);
    // Behind what is read, so nothing is lost.
    bytes[size] = isEscape ? Number.parseInt(hex, 16) : byte;
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, size);
}
