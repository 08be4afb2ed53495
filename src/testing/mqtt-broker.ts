/**
 * An MQTT broker on this machine (aedes, which speaks MQTT 3.1.1 and keeps sessions in memory), for
 * whoever publishes to one or subscribes. Everything that is waited for is an event of the broker.
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import type { Json } from '../base/json.ts';
import { valueOf } from '../calls/asyncapi/message.ts';
import { listenLocally } from './local-port.ts';

export interface Broker {
  /** As `mqtt://127.0.0.1:1883`. */
  readonly url: string;
  readonly port: number;
  /** A text is sent as it is, and anything else as JSON; with QoS 1. */
  publish(topic: string, payload: Json, options?: { readonly retain?: boolean }): Promise<void>;
  /** What clients have published, in order. */
  readonly received: readonly Received[];
  /** What has happened, as `connect p1f…`, `subscribe orders` or `ack 7`. */
  readonly diary: readonly string[];
  /** Until it holds; asked after everything that happens. */
  until(holds: () => boolean): Promise<void>;
  /** Cuts every connection, and goes on. */
  cut(): void;
  close(): Promise<void>;
}

export interface Received {
  readonly topic: string;
  readonly payload: Json;
  readonly qos: number;
  readonly retain: boolean;
  readonly client: string;
}

export interface BrokerOptions {
  /** A name with its password; without it everybody may come. */
  readonly user?: { readonly name: string; readonly password: string };
  /** A topic nobody may subscribe to. */
  readonly closedTopic?: string;
  /** In place of a plain server: one with certificates, say. */
  readonly server?: Server;
}

/** Of MQTT 3.1.1. */
const BAD_LOGIN = 4;

export async function startBroker(options: BrokerOptions = {}): Promise<Broker> {
  const aedes = await openBroker(options);
  const { server = createServer() } = options;
  const sockets = new Set<Socket>();
  server.on(options.server === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    aedes.handle(socket);
  });
  const port = await listenLocally(server);
  const bell = new Set<() => void>();
  const ring = (): void => [...bell].forEach((one) => one());
  const { received, diary } = keepDiary(aedes, ring);
  return {
    url: `${options.server === undefined ? 'mqtt' : 'mqtts'}://127.0.0.1:${port}`,
    ...{ port, received, diary },
    publish: (topic, payload, { retain = false } = {}) => {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
      const packet = { cmd: 'publish', topic, payload: text, qos: 1, dup: false, retain } as const;
      return new Promise((resolve, reject) => {
        aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
      });
    },
    until: (holds) =>
      new Promise((resolve) => {
        const ask = (): void => {
          if (!holds()) return;
          bell.delete(ask);
          resolve();
        };
        bell.add(ask);
        ask();
      }),
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: async () => {
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      server.close();
      sockets.forEach((socket) => socket.destroy());
      if (server.listening) await once(server, 'close');
    },
  };
}

function openBroker({ user, closedTopic }: BrokerOptions): Promise<Aedes> {
  return Aedes.createBroker({
    authenticate: (_client, name, password, done) => {
      const isKnown = user === undefined || name === user.name;
      if (isKnown && (user === undefined || password?.toString() === user.password)) {
        return done(null, true);
      }
      return done(Object.assign(new Error('who?'), { returnCode: BAD_LOGIN }), false);
    },
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, subscription.topic === closedTopic ? null : subscription),
  });
}

function keepDiary(
  aedes: Aedes,
  ring: () => void,
): { readonly received: Received[]; readonly diary: string[] } {
  const received: Received[] = [];
  const diary: string[] = [];
  const note = (what: string): void => {
    diary.push(what);
    ring();
  };
  aedes.on('clientReady', ({ id, clean }) => note(`connect ${id}${clean ? ' clean' : ''}`));
  aedes.on('clientDisconnect', ({ id }) => note(`disconnect ${id}`));
  aedes.on('subscribe', (list) => list.forEach(({ topic }) => note(`subscribe ${topic}`)));
  aedes.on('ack', (packet) => {
    if (packet !== undefined && 'payload' in packet) note(`ack ${String(packet.payload)}`);
  });
  aedes.on('publish', (packet, client) => {
    if (client === null) return;
    const { topic, payload, qos, retain } = packet;
    received.push({ topic, payload: valueOf(String(payload)), qos, retain, client: client.id });
    note(`publish ${topic}`);
  });
  return { received, diary };
}
