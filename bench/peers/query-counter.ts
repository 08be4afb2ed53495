/** Stands between a program and its Postgres server and counts what it is asked to execute. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenLocally } from '../../src/testing/local-port.ts';
import { type Address, addressOf, detour, WireReader } from '../../src/testing/postgres-wire.ts';

/** A query as text, and the execution of one that was prepared. */
const EXECUTES: ReadonlySet<string> = new Set(['Q', 'E']);

export class QueryCounter {
  queries: number = 0;
  readonly #listener: Server = createServer({ noDelay: true }, (client) => this.#join(client));
  readonly #sockets = new Set<Socket>();
  readonly #target: Address;
  #port = 0;

  private constructor(target: Address) {
    this.#target = target;
  }

  static async start(url: string): Promise<QueryCounter> {
    const counter = new QueryCounter(addressOf(url));
    counter.#port = await listenLocally(counter.#listener);
    return counter;
  }

  /** The same URL by way of this counter. */
  url(of: string): string {
    return detour(of, this.#port);
  }

  async close(): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(client: Socket): void {
    const server = connect(this.#target);
    const reader = new WireReader('client');
    client.on('data', (chunk) => {
      for (const { type } of reader.read(chunk)) if (EXECUTES.has(type)) this.queries += 1;
      server.write(chunk);
    });
    server.on('data', (chunk) => client.write(chunk));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
