/**
 * The body of a request, up to a limit. On Node it is read from the socket itself, which is the
 * quickest way and stops at the limit; elsewhere from the web stream. What another framework has
 * read already (Express with `express.json()`, say) is taken as it left it.
 */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { RequestError } from './problem.ts';

/** What `@hono/node-server` and our own mounting hand over. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage & { readonly body?: unknown };
  /** Where we are mounted, if whoever did has cut it off the path. */
  readonly base?: string;
}

/** Of a text that is told back. */
const ENCODING_CHARS_MAX = 100;

export type Ask = Context<{ Bindings: NodeBindings }>;

export async function readBody(ask: Ask, most: number): Promise<Uint8Array> {
  const length = Number(headerOf(ask)('content-length') ?? 0);
  if (length > most) throw tooLarge(most);
  const incoming = ask.env?.incoming;
  if (incoming?.readableEnded !== true) checkEncoding(headerOf(ask)('content-encoding'));
  if (incoming === undefined) return readStream(ask.req.raw.body, most);
  if (!incoming.readableEnded) return readIncoming(incoming, most);
  const body = await readAlready(ask, incoming.body);
  if (body.length > most) throw tooLarge(most);
  return body;
}

async function readAlready(ask: Ask, parsed: unknown): Promise<Uint8Array> {
  if (parsed === undefined) return new Uint8Array(await ask.req.arrayBuffer());
  if (parsed instanceof Uint8Array) return parsed;
  return Buffer.from(typeof parsed === 'string' ? parsed : JSON.stringify(parsed));
}

/** What is compressed is refused: how much comes of it nobody knows before. */
function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  const came = encoding.slice(0, ENCODING_CHARS_MAX);
  const message = `a body comes as it is, without content-encoding; came "${came}"`;
  throw new RequestError('request.type', message);
}

/** By its lower-case name. Node has them as an object, and making `Headers` of it costs. */
export function headerOf(ask: Ask): (name: string) => string | undefined {
  const incoming = ask.env?.incoming;
  if (incoming === undefined) return (name) => headerIn(ask.req.raw, name);
  return (name) => {
    const value = incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
}

/** A request that no socket brought may have its host in its URL alone. */
function headerIn({ headers, url }: Request, name: string): string | undefined {
  return headers.get(name) ?? (name === 'host' ? new URL(url).host : undefined);
}

function readIncoming(incoming: IncomingMessage, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // What comes first counts: the others find the promise settled.
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // What still comes is read and thrown away, so that the answer can be read.
      if (size > most) reject(tooLarge(most));
      else chunks.push(chunk);
    });
    incoming.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    incoming.on('error', (error) => reject(cutShort(error)));
    incoming.on('close', () => {
      // Every request is closed in the end, and an error that nobody wants costs its stack.
      if (!incoming.readableEnded) reject(cutShort(new Error('closed')));
    });
  });
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(most: number): RequestError {
  const message = `a request has at most BODY_BYTES_MAX ${most} bytes`;
  // The rest is not read: the connection is of no further use.
  return new RequestError('request.too-large', message, { headers: { connection: 'close' } });
}

function cutShort(cause: unknown): RequestError {
  return new RequestError('request.invalid', 'the request ended before its body did', { cause });
}
