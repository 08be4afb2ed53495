/** HTTP by hand, over a socket: for what no client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // Whoever is cut off while it still writes is told so, and the answer is what counts.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** A request as text: its first line, headers, and a body if there is one. */
export function request(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const all = { host: 'localhost', connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends these bytes and reads until the server hangs up. */
export async function sendRaw(
  port: number,
  ...parts: readonly (string | Uint8Array)[]
): Promise<RawAnswer> {
  const socket = await open(port);
  for (const part of parts) socket.write(part);
  return answerOf(await readAll(socket));
}

export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

export function answerOf(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  };
}
