/**
 * A WebSocket, as a client. Node has one, but it connects to a name, and would look that up again
 * after it was checked: here the connection is made to the very address that was checked.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Calling } from '../calling.ts';
import { brokenBy } from '../http/failures.ts';
import { type Alarm, limitAnswer } from './alarm.ts';
import { broken } from './faults.ts';
import { chunksUntil } from './stream-feed.ts';
import {
  type Frame,
  malformed,
  MESSAGE_BYTES_MAX,
  readFrames,
  tooLong,
  writeFrame,
} from './web-socket-frames.ts';

/** Until the server has agreed to talk. */
export const ANSWER_MS_MAX = 30_000;
/** Until it has answered a farewell. */
export const CLOSE_MS_MAX = 5_000;
/** What the standard adds to a key, so that nobody agrees by chance. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const NORMAL = 1_000;
/** Farewells that nothing is wrong with: done, going away, none given. */
const FINE: ReadonlySet<number> = new Set([NORMAL, 1_001, 1_005]);

export interface WebSocketPlace {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebSocketConnection {
  /** Ends when the server says farewell, or `stop` is aborted and what had come is handed out. */
  messages(stop: AbortSignal): AsyncGenerator<Uint8Array>;
  send(data: string | Uint8Array): void;
  /** Says farewell and waits for the answer. */
  close(): Promise<void>;
  /** At once. */
  drop(): void;
}

export async function connectWebSocket(
  calling: Calling,
  { url, headers }: WebSocketPlace,
  alarm: Alarm,
): Promise<WebSocketConnection> {
  const isSecure = url.protocol === 'wss:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const { address } = await calling.reach(hostname, port);
  const key = randomBytes(16).toString('base64');
  const asking = (isSecure ? requestSecure : requestPlain)({
    host: address,
    port,
    path: `${url.pathname}${url.search}`,
    agent: false,
    ...(isSecure && isIP(hostname) === 0 ? { servername: hostname } : {}),
    headers: {
      ...headers,
      host: url.host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    },
  });
  const place = `${url.protocol}//${url.host}${url.pathname}`;
  const { answer, socket, head } = await upgrade(asking, place, calling.signal, alarm);
  const accepted = createHash('sha1').update(`${key}${MAGIC}`).digest('base64');
  if (answer.headers['sec-websocket-accept'] !== accepted) {
    socket.destroy();
    throw broken(`${place} has agreed to something other than a WebSocket`);
  }
  return connectionOf(socket, head, { place, signal: calling.signal, alarm });
}

interface Upgraded {
  readonly answer: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function upgrade(
  asking: ReturnType<typeof requestPlain>,
  place: string,
  signal: AbortSignal,
  alarm: Alarm,
): Promise<Upgraded> {
  return new Promise<Upgraded>((resolve, reject) => {
    const fail = (error: Error): void => {
      settle();
      asking.destroy();
      reject(error);
    };
    const abort = (): void => fail(signal.reason as Error);
    const stop = limitAnswer(alarm, ANSWER_MS_MAX, place, fail);
    const settle = (): void => {
      stop();
      signal.removeEventListener('abort', abort);
    };
    asking.on('upgrade', (answer, socket, head) => {
      settle();
      resolve({ answer, socket, head });
    });
    asking.on('response', (answer) => fail(refusalOf(answer, place)));
    asking.on('error', (error) => fail(brokenBy(error, place)));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else asking.end();
  });
}

function refusalOf({ statusCode, statusMessage }: IncomingMessage, place: string): WorkflowError {
  const status = statusCode ?? 500;
  const title =
    statusMessage === undefined || statusMessage === '' ? `HTTP ${status}` : statusMessage;
  const detail = `${place} answered ${status} and no WebSocket`;
  return new WorkflowError('communication', { status, title, detail });
}

interface Circumstances {
  readonly place: string;
  readonly signal: AbortSignal;
  readonly alarm: Alarm;
}

function connectionOf(
  socket: Duplex,
  head: Buffer,
  { place, signal, alarm }: Circumstances,
): WebSocketConnection {
  const abort = (): void => void socket.destroy();
  signal.addEventListener('abort', abort);
  socket.once('close', () => signal.removeEventListener('abort', abort));
  // Whoever reads is told; whoever does not read any more need not be.
  socket.on('error', () => {});
  const send = (kind: Frame['kind'], data: Uint8Array): void => {
    if (socket.writable) socket.write(writeFrame(kind, data));
  };
  const chunks = withHead(socket, head);
  const messages = (stop: AbortSignal): AsyncGenerator<Uint8Array> =>
    messagesOf(chunksUntil(chunks, stop), { place, stop, send });
  return {
    messages,
    send: (data) =>
      typeof data === 'string' ? send('text', Buffer.from(data)) : send('binary', data),
    close: async () => {
      const late = new AbortController();
      const cancel = alarm.set(CLOSE_MS_MAX, () => late.abort());
      send('close', Buffer.from([NORMAL >> 8, NORMAL & 0xff]));
      await drain(messages(late.signal));
      cancel();
      socket.destroy();
    },
    drop: abort,
  };
}

async function* withHead(socket: Duplex, head: Buffer): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* socket as AsyncIterable<Uint8Array>;
}

async function drain(messages: AsyncGenerator<Uint8Array>): Promise<void> {
  try {
    for await (const _ of messages);
  } catch {
    // It is closed, one way or the other.
  }
}

interface Talk {
  readonly place: string;
  readonly stop: AbortSignal;
  readonly send: (kind: Frame['kind'], data: Uint8Array) => void;
}

/** Puts together what comes in parts, and answers what wants an answer. */
async function* messagesOf(
  chunks: AsyncIterable<Uint8Array>,
  { place, stop, send }: Talk,
): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const { kind, isLast, data } of readFrames(chunks)) {
    if (kind === 'ping') send('pong', data);
    if (kind === 'close') {
      send('close', data.subarray(0, 2));
      return checkFarewell(data, place);
    }
    if (kind === 'ping' || kind === 'pong') continue;
    if ((kind === 'more') !== parts.length > 0) throw malformed('a part is not where it belongs');
    parts.push(data);
    size += data.length;
    if (size > MESSAGE_BYTES_MAX) throw tooLong();
    if (!isLast) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  if (!stop.aborted) throw broken(`${place} has cut the connection`);
}

function checkFarewell(data: Buffer, place: string): void {
  const code = data.length < 2 ? 1_005 : data.readUInt16BE(0);
  if (FINE.has(code)) return;
  throw broken(`${place} has closed the WebSocket with the code ${code}`);
}
