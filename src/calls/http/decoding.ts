/**
 * Undoes the content codings of an answer, a piece at a time.
 *
 * What comes out is as long as it comes out: whoever reads it counts, and stops when it is too
 * much. A small answer that unfolds to gigabytes therefore costs no more than a long one.
 */
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { brokenAs } from './failures.ts';

/** What a request says it understands. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';
/** One is usual, two are a mistake; more only cost memory. */
export const CODINGS_MAX = 3;

type Decoder = (start: Uint8Array) => Transform;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // By the book it has the header of zlib; some servers leave that out.
  deflate: ([byte = 0]) => ((byte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** The bytes as they were before they were coded. An answer without any bytes has no coding. */
export function decode(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
): AsyncIterable<Uint8Array> {
  const codings = codingsOf(contentEncoding);
  return codings.length === 0 ? body : decodeAll(body, codings);
}

async function* decodeAll(
  body: AsyncIterable<Uint8Array>,
  codings: readonly string[],
): AsyncGenerator<Uint8Array> {
  if (codings.length > CODINGS_MAX) {
    throw brokenAs(`an answer has at most ${CODINGS_MAX} content codings; came ${codings.length}`);
  }
  let bytes = body;
  for (const coding of codings.toReversed()) bytes = decodeOne(bytes, coding);
  yield* bytes;
}

async function* decodeOne(
  bytes: AsyncIterable<Uint8Array>,
  coding: string,
): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) return;
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder === undefined) {
    await source.return?.();
    const known = Object.keys(DECODERS).join(', ');
    throw brokenAs(`an answer is coded as ${known} or not at all; came another content coding`);
  }
  const output = decoder(first.value);
  // What goes wrong comes out of the decoder, where it is read.
  pipeline(following(first.value, source), output, () => {});
  yield* output as AsyncIterable<Uint8Array>;
}

async function* following(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function codingsOf(contentEncoding = ''): readonly string[] {
  const named = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  return named.filter((coding) => coding !== '' && coding !== 'identity');
}
