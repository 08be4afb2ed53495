/**
 * A stand-in for PgBouncer in transaction pooling mode: any number of clients share a few sessions
 * of a server, and a session belongs to a client only from the first message of a transaction to
 * its end.
 *
 *     client:  idle ─says something─► waiting ─a session is free─► served ─transaction over─► idle
 *     session: free ─────────────────────────────────────────────► taken ──────────────────► free
 *
 * It is nastier than the original. The session that was free longest is taken, so that a client
 * hardly ever meets the same one twice in a row, and nothing is put in order in between: what
 * belongs to a session (named prepared statements, SET, LISTEN, advisory locks that are not of a
 * transaction) is lost to the client that made it, and found by the next one. Nor does it keep
 * track of prepared statements, as newer versions of the original can.
 *
 * Everybody becomes the user of the URL it was started with, without a password. It does not
 * encrypt, and it cancels nothing.
 */
import { once } from 'node:events';
import { createServer, type Server, Socket } from 'node:net';
import { Client } from 'pg';
import { listenLocally } from './local-port.ts';
import { detour, messageOf, textsOf, type WireMessage, WireReader } from './postgres-wire.ts';

export interface PoolingProxyOptions {
  /** How many sessions there are. */
  readonly size: number;
}

/** What a client may say about itself at the start; the original refuses anything else, too. */
const STARTUP_KNOWN: ReadonlySet<string> = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'DateStyle',
  'TimeZone',
  'standard_conforming_strings',
]);
const STARTUP_TEXTS_MAX = 100;
const VERSION_BYTES = 4;

/** Query, Sync and function call: each is answered by one ReadyForQuery. */
const ROUND = /^[QSF]$/;
/** Parse, Bind, Describe, Execute and Close: answered when the Sync comes that follows them. */
const EXTENDED = /^[PBDEC]$/;
const IDLE = Buffer.from('I');

interface Guest {
  readonly socket: Socket;
  /** What it said and no session has heard yet. */
  readonly unheard: WireMessage[];
  session: Session | undefined;
  /** How many answers are still to come before it can be over. */
  rounds: number;
  /** Whether it has said something that a Sync must follow. */
  unsynced: boolean;
}

interface Session {
  readonly socket: Socket;
  readonly reader: WireReader;
  /** What the server said about itself: the ParameterStatus messages. */
  readonly parameters: readonly Buffer[];
  guest: Guest | undefined;
}

export class PoolingProxy {
  readonly #listener: Server;
  readonly #serverUrl: string;
  readonly #size: number;
  readonly #guests = new Set<Guest>();
  readonly #waiting = new Set<Guest>();
  readonly #sessions = new Set<Session>();
  /** In the order in which they became free. */
  readonly #free = new Set<Session>();
  #greeting: readonly Buffer[] = [];
  #greeted = 0;
  #opening = 0;
  #closed = false;
  #port = 0;

  private constructor(serverUrl: string, size: number) {
    this.#serverUrl = serverUrl;
    this.#size = size;
    this.#listener = createServer({ noDelay: true }, (socket) => this.#welcome(socket));
  }

  static async start(serverUrl: string, options: PoolingProxyOptions): Promise<PoolingProxy> {
    const proxy = new PoolingProxy(serverUrl, options.size);
    await proxy.#fill();
    proxy.#port = await listenLocally(proxy.#listener);
    return proxy;
  }

  /** The same URL by way of this proxy. */
  url(of: string): string {
    return detour(of, this.#port);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    for (const { socket } of this.#guests) socket.destroy();
    // Not those a guest just left in the middle of something, which break.
    const ended = [...this.#free].map(({ socket }) => {
      socket.end(messageOf('X'));
      return once(socket, 'close');
    });
    await Promise.all([closed, ...ended]);
  }

  /** Opens sessions until there are enough. */
  async #fill(): Promise<void> {
    while (!this.#closed && this.#sessions.size + this.#opening < this.#size) {
      this.#opening += 1;
      try {
        this.#adopt(await openSession(this.#serverUrl));
      } finally {
        this.#opening -= 1;
      }
    }
  }

  /** The same when nobody waits for it. Without a server there is nothing to wait for. */
  #refill(): void {
    this.#fill().catch(() => {
      for (const { socket } of this.#waiting) socket.destroy();
    });
  }

  #adopt(session: Session): void {
    const { socket, reader, parameters } = session;
    this.#greeting = parameters;
    this.#sessions.add(session);
    socket.on('data', (chunk) => {
      for (const message of reader.read(chunk)) this.#answer(session, message);
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#sessions.delete(session);
      this.#free.delete(session);
      session.guest?.socket.destroySoon();
      this.#refill();
    });
    if (this.#closed) socket.destroy();
    else this.#release(session);
  }

  #welcome(socket: Socket): void {
    const guest: Guest = { socket, unheard: [], session: undefined, rounds: 0, unsynced: false };
    const reader = new WireReader('client');
    this.#guests.add(guest);
    socket.on('data', (chunk) => {
      for (const message of reader.read(chunk)) this.#hear(guest, message);
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#guests.delete(guest);
      this.#waiting.delete(guest);
      // In the middle of a transaction nobody knows what state the session is in.
      guest.session?.socket.destroy();
    });
  }

  #hear(guest: Guest, message: WireMessage): void {
    switch (message.type) {
      case 'may-encrypt':
        guest.socket.write('N');
        return;
      case 'startup':
        this.#greet(guest, message);
        return;
      case 'cancel':
      case 'X':
        guest.socket.destroySoon();
        return;
      default:
        if (guest.session !== undefined) {
          say(guest, guest.session, message);
          return;
        }
        guest.unheard.push(message);
        this.#waiting.add(guest);
        this.#serve();
        if (this.#waiting.size > 0) this.#refill();
    }
  }

  #greet({ socket }: Guest, { body }: WireMessage): void {
    const texts = textsOf(body.subarray(VERSION_BYTES), STARTUP_TEXTS_MAX);
    const names = texts.filter((name, index) => index % 2 === 0 && name !== '');
    const unknown = names.find((name) => !STARTUP_KNOWN.has(name));
    if (unknown !== undefined) {
      const claim = `unsupported startup parameter: ${unknown}`;
      socket.end(messageOf('E', 'SFATAL', 'VFATAL', 'C08P01', `M${claim}`, ''));
      return;
    }
    this.#greeted += 1;
    const key = messageOf('K', this.#greeted, 0);
    const ready = messageOf('Z', IDLE);
    socket.write(Buffer.concat([messageOf('R', 0), ...this.#greeting, key, ready]));
  }

  /** Brings together those who wait and what is free, both in the order in which they came. */
  #serve(): void {
    for (const guest of this.#waiting) {
      const [session] = this.#free;
      if (session === undefined) return;
      this.#free.delete(session);
      this.#waiting.delete(guest);
      session.guest = guest;
      guest.session = session;
      for (const message of guest.unheard.splice(0)) say(guest, session, message);
    }
  }

  #answer(session: Session, { type, body, bytes }: WireMessage): void {
    const { guest } = session;
    // News for whoever listened here before, who will never hear of it.
    if (guest === undefined) return;
    if (guest.socket.writable) guest.socket.write(bytes);
    if (type !== 'Z') return;
    guest.rounds -= 1;
    if (guest.rounds > 0 || guest.unsynced || !body.equals(IDLE)) return;
    guest.session = undefined;
    this.#release(session);
  }

  #release(session: Session): void {
    session.guest = undefined;
    this.#free.add(session);
    this.#serve();
  }
}

function say(guest: Guest, session: Session, { type, bytes }: WireMessage): void {
  if (ROUND.test(type)) {
    guest.rounds += 1;
    guest.unsynced = false;
  } else if (EXTENDED.test(type)) {
    guest.unsynced = true;
  }
  session.socket.write(bytes);
}

/** Logs on as any client does, and takes the connection over once that is done. */
async function openSession(url: string): Promise<Session> {
  const socket = new Socket();
  const reader = new WireReader('server');
  const parameters: Buffer[] = [];
  socket.on('data', (chunk) => {
    for (const { type, bytes } of reader.read(chunk)) if (type === 'S') parameters.push(bytes);
  });
  await new Client({ connectionString: url, stream: () => socket }).connect();
  // All but those of the socket itself, which are for other events.
  for (const event of ['data', 'error', 'close']) socket.removeAllListeners(event);
  return { socket, reader, parameters, guest: undefined };
}
