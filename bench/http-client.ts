/**
 * The cheapest client that is still one: connections that stay open, each with one request at a
 * time, written as bytes and read as far as needed to know where an answer ends. What the client
 * takes of two cores the server does not have, so it takes as little as it can.
 */
import { connect, type Socket } from 'node:net';

const END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;

export class Connection {
  readonly #socket: Socket;
  #left: Buffer = Buffer.alloc(0);
  #resolve: ((status: number) => void) | null = null;
  #reject: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    const lose = (): void => this.#reject?.(new Error('the server closed a connection'));
    socket.on('close', lose);
    socket.on('error', lose);
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** The status of the answer. */
  ask(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const all = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
    const end = all.indexOf(END);
    const head = end === -1 ? '' : all.toString('latin1', 0, end);
    const length = Number(LENGTH.exec(head)?.[1] ?? 0);
    const isWhole = end !== -1 && all.length >= end + END.length + length;
    this.#left = isWhole ? all.subarray(end + END.length + length) : all;
    if (isWhole) this.#resolve?.(Number(head.slice(9, 12)));
  }
}

export function postOf(path: string, body: object): Buffer {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}
