/**
 * A small MQTT 5 broker, for what aedes does not speak: headers, reasons, and sessions that expire.
 *
 * It has one session per client id. What is not acknowledged it sends again to whoever comes back
 * under that id, as the standard wants it: in order, under the same packet id, marked as sent
 * before. A test may have it do worse.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import type { IPublishPacket, Packet } from 'mqtt';
import { listenLocally } from './local-port.ts';

/** The codec that the package `mqtt` itself uses. */
const codec = createRequire(createRequire(import.meta.url).resolve('mqtt'))('mqtt-packet') as Codec;

interface Codec {
  parser(options: object): {
    on(event: 'packet', heard: (packet: Packet) => void): void;
    parse(data: Buffer): void;
  };
  generate(packet: object, options: object): Buffer;
}

const VERSION = { protocolVersion: 5 } as const;
type Properties = NonNullable<IPublishPacket['properties']>;

export interface Broker5Options {
  /** Says so to whoever connects, and closes. */
  readonly refusal?: number;
  /** Says so to whoever publishes. */
  readonly publishReason?: number;
  /** Says so to whoever subscribes. */
  readonly subscribeReason?: number;
  /** Takes connections, and answers nothing but a hello. */
  readonly isMute?: boolean;
  /** Gives messages new packet ids when it sends them again, against the standard. */
  readonly renumbers?: boolean;
}

export interface Broker5 {
  readonly url: string;
  readonly port: number;
  /** Every packet of clients, in order. */
  readonly packets: readonly Packet[];
  publish(topic: string, payload: string, properties?: Properties): void;
  /** How many messages wait for an acknowledgement of that client. */
  unacknowledged(clientId: string): number;
  /** Loses every session, and counts from the beginning again. */
  forget(): void;
  /** Sends everybody away, for that reason. */
  dismiss(reasonCode: number): void;
  until(holds: () => boolean): Promise<void>;
  close(): Promise<void>;
}

interface Session {
  readonly topics: Set<string>;
  readonly waiting: IPublishPacket[];
  socket: Socket | undefined;
}

export async function startBroker5(options: Broker5Options = {}): Promise<Broker5> {
  const house = new House(options);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    house.welcome(socket);
  });
  const port = await listenLocally(server);
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    packets: house.packets,
    publish: (topic, payload, properties) => house.publish(topic, payload, properties),
    unacknowledged: (clientId) => house.sessions.get(clientId)?.waiting.length ?? 0,
    forget: () => house.forget(),
    dismiss: (reasonCode) => {
      for (const socket of sockets) socket.end(write({ cmd: 'disconnect', reasonCode }));
    },
    until: (holds) => house.until(holds),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}

function write(packet: object): Buffer {
  return codec.generate(packet, VERSION);
}

class House {
  readonly packets: Packet[] = [];
  readonly sessions = new Map<string, Session>();
  readonly #options: Broker5Options;
  readonly #asking = new Set<() => void>();
  #lastId = 0;

  constructor(options: Broker5Options) {
    this.#options = options;
  }

  welcome(socket: Socket): void {
    const parser = codec.parser(VERSION);
    let session: Session | undefined;
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connect') session = this.#connect(socket, packet.clientId, packet.clean);
      else if (session !== undefined) this.#hear(socket, session, packet);
      this.packets.push(packet);
      this.#ring();
    });
    socket.on('data', (data) => parser.parse(data));
    socket.on('error', () => {});
  }

  publish(topic: string, payload: string, properties: Properties = {}): void {
    for (const session of this.sessions.values()) {
      if (!session.topics.has(topic)) continue;
      this.#lastId += 1;
      const rest = { qos: 1, dup: false, retain: false, properties } as const;
      const packet = { cmd: 'publish', topic, payload, messageId: this.#lastId, ...rest } as const;
      session.waiting.push(packet);
      session.socket?.write(write(packet));
    }
  }

  forget(): void {
    this.sessions.clear();
    this.#lastId = 0;
  }

  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const ask = (): void => {
        if (!holds()) return;
        this.#asking.delete(ask);
        resolve();
      };
      this.#asking.add(ask);
      ask();
    });
  }

  #ring(): void {
    for (const ask of [...this.#asking]) ask();
  }

  #connect(socket: Socket, id: string, isClean = false): Session | undefined {
    const { refusal = 0, renumbers } = this.#options;
    const old = this.sessions.get(id);
    const sessionPresent = refusal === 0 && !isClean && old !== undefined;
    socket.write(write({ cmd: 'connack', reasonCode: refusal, sessionPresent }));
    if (refusal !== 0) {
      socket.end();
      return undefined;
    }
    if (isClean) this.sessions.delete(id);
    const session = (!isClean && old) || { topics: new Set(), waiting: [], socket };
    session.socket = socket;
    socket.once('close', () => (session.socket = undefined));
    if (!isClean) this.sessions.set(id, session);
    for (const packet of session.waiting) {
      if (renumbers === true) packet.messageId = this.#lastId += 1;
      socket.write(write({ ...packet, dup: true }));
    }
    return session;
  }

  #hear(socket: Socket, session: Session, packet: Packet): void {
    const { isMute, publishReason = 0, subscribeReason = 1 } = this.#options;
    if (isMute === true) return;
    const { messageId } = packet;
    switch (packet.cmd) {
      case 'subscribe':
        for (const { topic } of packet.subscriptions) session.topics.add(topic);
        socket.write(write({ cmd: 'suback', messageId, granted: [subscribeReason] }));
        break;
      case 'publish':
        if (packet.qos > 0)
          socket.write(write({ cmd: 'puback', messageId, reasonCode: publishReason }));
        break;
      case 'puback':
        forget(session, messageId);
        break;
      case 'disconnect':
        socket.end();
        break;
      default:
        break;
    }
  }
}

function forget({ waiting }: Session, messageId: number | undefined): void {
  const at = waiting.findIndex((packet) => packet.messageId === messageId);
  if (at >= 0) waiting.splice(at, 1);
}
