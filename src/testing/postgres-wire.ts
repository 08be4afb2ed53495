/**
 * The wire protocol of Postgres, as far as the proxies of the tests have to read it.
 *
 * Bytes come in chunks that know nothing of messages; a reader makes messages of them. Each is a
 * type of one character, a length and a body, with two exceptions: what a client says before it
 * has logged on has no type, and whether the server agrees to encrypt is a single byte. Once it has
 * agreed, nothing can be read any more and everything passes as it comes.
 */
export interface WireMessage {
  /** The character it begins with, or the word for what has none. */
  readonly type: string;
  readonly body: Buffer;
  /** All of it, to be passed on. */
  readonly bytes: Buffer;
}

/** Codes that stand where others have the version of the protocol. */
const REQUESTS: ReadonlyMap<number, string> = new Map([
  [80_877_102, 'cancel'],
  [80_877_103, 'may-encrypt'],
  [80_877_104, 'may-encrypt'],
]);

const LENGTH_BYTES = 4;

/** How the next message is told from the one after it. */
type Framing = 'typed' | 'untyped' | 'one-byte' | 'sealed';

export class WireReader {
  #framing: Framing;
  #rest: Buffer = Buffer.alloc(0);

  constructor(speaker: 'client' | 'server') {
    this.#framing = speaker === 'client' ? 'untyped' : 'typed';
  }

  /** The next thing this server says is whether it agrees to encrypt. */
  expectAgreement(): void {
    this.#framing = 'one-byte';
  }

  /** From here on everything is encrypted. */
  seal(): void {
    this.#framing = 'sealed';
  }

  /** Every message that is complete by now; what is left waits for the next chunk. */
  *read(chunk: Buffer): Generator<WireMessage> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      this.#rest = this.#rest.subarray(message.bytes.length);
      yield message;
    }
  }

  #next(): WireMessage | undefined {
    const rest = this.#rest;
    if (rest.length === 0) return undefined;
    switch (this.#framing) {
      case 'sealed':
        return { type: 'sealed', body: rest, bytes: rest };
      case 'one-byte':
        this.#framing = 'typed';
        return { type: 'agreement', body: rest.subarray(0, 1), bytes: rest.subarray(0, 1) };
      case 'untyped': {
        const message = cut(rest, 0);
        if (message === undefined) return undefined;
        const type = REQUESTS.get(message.body.readInt32BE(0)) ?? 'startup';
        if (type === 'startup') this.#framing = 'typed';
        return { ...message, type };
      }
      case 'typed': {
        const message = cut(rest, 1);
        return message && { ...message, type: String.fromCharCode(rest.readUInt8(0)) };
      }
    }
  }
}

/** The first message, if it is all there. Its length counts itself and not the type before it. */
function cut(bytes: Buffer, start: number): Omit<WireMessage, 'type'> | undefined {
  if (bytes.length < start + LENGTH_BYTES) return undefined;
  const end = start + bytes.readInt32BE(start);
  if (bytes.length < end) return undefined;
  return { body: bytes.subarray(start + LENGTH_BYTES, end), bytes: bytes.subarray(0, end) };
}

/** The texts a message begins with; each ends with a zero byte. */
export function textsOf(body: Buffer, count: number): string[] {
  const texts: string[] = [];
  for (let at = 0; texts.length < count; ) {
    const end = body.indexOf(0, at);
    if (end < 0) break;
    texts.push(body.toString('utf8', at, end));
    at = end + 1;
  }
  return texts;
}

/** A message put together. Texts get their zero byte, numbers are of four bytes. */
export function messageOf(type: string, ...parts: (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(parts.map(bytesOf));
  return Buffer.concat([Buffer.from(type), bytesOf(body.length + LENGTH_BYTES), body]);
}

function bytesOf(part: Buffer | string | number): Buffer {
  if (typeof part === 'string') return Buffer.from(`${part}\0`);
  if (typeof part !== 'number') return part;
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeInt32BE(part);
  return bytes;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

const PORT_DEFAULT = 5432;

/** Where a URL of Postgres leads. */
export function addressOf(url: string): Address {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: port === '' ? PORT_DEFAULT : Number(port) };
}

/** The same URL, but by way of somebody who listens on this machine. */
export function detour(url: string, port: number): string {
  const other = new URL(url);
  other.hostname = '127.0.0.1';
  other.port = String(port);
  return other.href;
}
