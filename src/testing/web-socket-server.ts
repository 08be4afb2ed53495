/** A WebSocket server on this machine, by the package that `mqtt` itself uses for its own. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';
import { listenLocally } from './local-port.ts';

/** A connection, as the server sees it. */
export interface Peer {
  send(data: string | Buffer, options?: { readonly fin?: boolean }): void;
  ping(data?: string): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: 'message', heard: (data: Buffer, isBinary: boolean) => void): void;
  on(event: 'pong', heard: (data: Buffer) => void): void;
  on(event: 'close', heard: (code: number) => void): void;
}

interface WebSockets {
  readonly WebSocketServer: new (
    options: object,
  ) => {
    on(event: 'connection', heard: (peer: Peer, request: IncomingMessage) => void): void;
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      done: (peer: Peer) => void,
    ): void;
  };
}

const fromMqtt = createRequire(createRequire(import.meta.url).resolve('mqtt'));
const { WebSocketServer } = fromMqtt('ws') as WebSockets;

export interface LocalWebSockets {
  readonly port: number;
  /** The requests that connections began with. */
  readonly asked: readonly IncomingMessage[];
  close(): Promise<void>;
}

export async function startWebSockets(
  onPeer: (peer: Peer, count: number) => void,
  server: Server = createServer(),
): Promise<LocalWebSockets> {
  const asked: IncomingMessage[] = [];
  const sockets = new Set<Duplex>();
  const door = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    asked.push(request);
    sockets.add(socket);
    door.handleUpgrade(request, socket, head, (peer) => onPeer(peer, asked.length));
  });
  const port = await listenLocally(server);
  return {
    port,
    asked,
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}
