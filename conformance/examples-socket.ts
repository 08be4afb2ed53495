/** A WebSocket server (RFC 6455) that tells everybody who comes the same. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Json } from '../src/base/json.ts';
import { listenLocally } from '../src/testing/local-port.ts';

export interface PushingSocket {
  readonly port: number;
  /** To whoever comes from now on. */
  tell(messages: readonly Json[]): void;
  close(): Promise<void>;
}

/** What the standard adds to a key, so that nobody agrees by chance. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** A text, and nothing follows that belongs to it. */
const TEXT = 0x81;

export async function openSocket(): Promise<PushingSocket> {
  let told: readonly Json[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on('upgrade', ({ headers }, socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => {});
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${MAGIC}`);
    const agreed = ['Upgrade: websocket', 'Connection: Upgrade'];
    const key = `Sec-WebSocket-Accept: ${accept.digest('base64')}`;
    socket.write(['HTTP/1.1 101 Switching Protocols', ...agreed, key, '', ''].join('\r\n'));
    for (const message of told) socket.write(frameOf(JSON.stringify(message)));
  });
  return {
    port: await listenLocally(server),
    tell: (messages) => {
      told = messages;
    },
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}

function frameOf(text: string): Buffer {
  const data = Buffer.from(text);
  const head = Buffer.alloc(4);
  if (data.length < 126) return Buffer.concat([Buffer.from([TEXT, data.length]), data]);
  head.writeUInt8(TEXT, 0);
  head.writeUInt8(126, 1);
  head.writeUInt16BE(data.length, 2);
  return Buffer.concat([head, data]);
}
