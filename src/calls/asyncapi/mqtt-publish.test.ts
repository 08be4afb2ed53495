import { createServer, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import {
  callingWith,
  consumeOf,
  documentOf,
  publicationOf,
  SUBSCRIPTION,
} from '../../testing/asyncapi-calls.ts';
import { createCertificate } from '../../testing/certificate.ts';
import { closed } from '../../testing/closed.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { HandAlarm } from '../../testing/hand-alarm.ts';
import { listenLocally } from '../../testing/local-port.ts';
import { type Broker, type BrokerOptions, startBroker } from '../../testing/mqtt-broker.ts';
import type { CallResult, Calling } from '../calling.ts';
import {
  ANSWER_MS_MAX,
  clientIdOf,
  CLOSE_MS_MAX,
  loadMqtt,
  PACKET_BYTES_MAX,
} from './mqtt-connection.ts';
import { publishAsyncApi } from './publish.ts';
import { subscribeAsyncApi } from './subscribe.ts';

const start = async (options?: BrokerOptions): Promise<Broker> =>
  closed(await startBroker(options));

const serverOf = ({ port }: Broker, more: JsonObject = {}): JsonObject => ({
  host: `127.0.0.1:${port}`,
  protocol: 'mqtt',
  ...more,
});

interface Published {
  readonly message?: JsonObject;
  readonly binding?: JsonObject;
  readonly authentication?: JsonObject;
  readonly document?: JsonObject;
  readonly calling?: Partial<Calling>;
}

function publish(broker: Broker, asked: Published = {}): Promise<CallResult> {
  const { message, binding, authentication, document, calling } = asked;
  const operations = {
    talk: { channel: { $ref: '#/channels/talk' }, bindings: { mqtt: binding ?? {} } },
  };
  const whole = documentOf(serverOf(broker), 'orders/new', { operations, ...document });
  return publishAsyncApi(callingWith(whole, calling), {
    ...publicationOf({ id: 7 }),
    ...(message === undefined ? {} : { message }),
    ...(authentication === undefined ? {} : { authentication }),
  });
}

describe('a message that is published over MQTT', () => {
  test('is acknowledged when the call is over, and the input is the output [AS-05]', async () => {
    const broker = await start();
    const input = { order: 1 };
    expect(await publish(broker, { calling: { input } })).toEqual({ output: input });
    const client = clientIdOf('visit-1');
    const sent = { topic: 'orders/new', payload: { id: 7 }, qos: 1, retain: false, client };
    expect(broker.received).toEqual([sent]);
  });

  test('comes from the same client whenever the same visit is made again', async () => {
    const broker = await start();
    for (const idempotencyKey of ['visit-1', 'visit-1', 'visit-2']) {
      await publish(broker, { calling: { idempotencyKey } });
    }
    const [first, again, other] = broker.received.map(({ client }) => client);
    expect(first).toMatch(/^[a-z0-9]{23}$/);
    expect([again === first, other === first]).toEqual([true, false]);
  });

  test.each([0, 1, 2])('has the QoS %i that the document binds it to', async (qos) => {
    const broker = await start();
    await publish(broker, { binding: { qos, retain: qos === 2 } });
    await broker.until(() => broker.received.length === 1);
    expect(broker.received[0]).toMatchObject({ qos, retain: qos === 2 });
  });

  test('is a text as it is, and nothing if there is none', async () => {
    const broker = await start();
    await publish(broker, { message: { payload: 'hello there' } });
    await publish(broker, { message: {} });
    expect(broker.received.map(({ payload }) => payload)).toEqual(['hello there', '']);
  });

  test('cannot have headers where the broker speaks MQTT 3.1.1', async () => {
    const broker = await start();
    const message = { payload: {}, headers: { a: 'b' } };
    const error = await errorOf(publish(broker, { message }));
    expect(error).toMatchObject({ kind: 'configuration' });
    expect(error.detail).toContain('headers in MQTT 5 only');
    expect(broker.received).toEqual([]);
  });

  test('goes to a topic of AsyncAPI 2 as its channel is called', async () => {
    const broker = await start();
    const document = {
      asyncapi: '2.6.0',
      servers: { main: { url: '127.0.0.1:{port}', protocol: 'mqtt', variables: { port: {} } } },
      channels: { '/orders': {} },
    };
    const { operation: _, ...args } = publicationOf(1);
    const server = { name: 'main', variables: { port: broker.port } };
    await publishAsyncApi(callingWith(document), { ...args, channel: '/orders', server });
    expect(broker.received[0]?.topic).toBe('/orders');
  });
});

describe('a broker that asks who comes', () => {
  const user = { name: 'ann', password: 'secret-word' };

  test('is told a name and a password [AS-13]', async () => {
    const broker = await start({ user });
    const authentication = { basic: { username: 'ann', password: 'secret-word' } };
    const { authorization } = await publish(broker, { authentication });
    expect(broker.received).toHaveLength(1);
    const parameter = Buffer.from('ann:secret-word').toString('base64');
    expect(authorization).toEqual({ scheme: 'Basic', parameter });
  });

  test('is told a token in place of a password [AS-13]', async () => {
    const broker = await start({ user: { name: 'bearer', password: 't0ken' } });
    const { authorization } = await publish(broker, {
      authentication: { bearer: { token: 't0ken' } },
    });
    expect(authorization).toEqual({ scheme: 'Bearer', parameter: 't0ken' });
  });

  test.each<[string, JsonObject | undefined]>([
    ['nobody', undefined],
    ['somebody else', { basic: { username: 'ben', password: 'secret-word' } }],
  ])('sends %s away', async (_, authentication) => {
    const broker = await start({ user });
    const call = publish(broker, authentication === undefined ? {} : { authentication });
    const error = await errorOf(call);
    expect(error).toMatchObject({ kind: 'authentication', status: 401 });
    expect(error.message).not.toContain('secret-word');
  });

  test('cannot be told by policies that are HTTP’s', async () => {
    const broker = await start();
    const authentication = { digest: { username: 'a', password: 'b' } };
    const error = await errorOf(publish(broker, { authentication }));
    expect(error).toMatchObject({ kind: 'configuration' });
    expect(error.detail).toContain('"basic" or "bearer", and not "digest"');
  });

  test('may close a topic to us', async () => {
    const broker = await start({ closedTopic: 'secrets' });
    const calling = callingWith(documentOf(serverOf(broker), 'secrets'));
    const error = await errorOf(subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 1 })));
    expect(error).toMatchObject({ kind: 'authorization', status: 403 });
    expect(error.detail).toContain('refuses a subscription to "secrets"');
  });
});

describe('a server that', () => {
  const silent: { close(): void }[] = [];

  afterEach(() => silent.splice(0).forEach((one) => one.close()));

  async function startSilent(onConnection: (socket: Socket) => void): Promise<Broker> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      onConnection(socket);
    });
    const port = await listenLocally(server);
    silent.push({ close: () => [server.close(), sockets.forEach((one) => one.destroy())] });
    return { port } as Broker;
  }

  test('does not answer in time is given up', async () => {
    const alarm = new HandAlarm();
    const broker = await startSilent((socket) => socket.resume());
    const calling = callingWith(documentOf(serverOf(broker), 'x'));
    const published = errorOf(publishAsyncApi(calling, publicationOf(1), alarm));
    await alarm.ring(ANSWER_MS_MAX);
    const detail = `mqtt://127.0.0.1:${broker.port} did not answer within ${ANSWER_MS_MAX} ms`;
    expect(await published).toMatchObject({ kind: 'communication', detail });
  });

  test('does not close the connection after a farewell is not waited for', async () => {
    const alarm = new HandAlarm();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(Buffer.from([0x20, 2, 0, 0])));
      socket.once('end', () => void alarm.ring(CLOSE_MS_MAX));
      socket.once('close', () => server.close());
    });
    const port = await listenLocally(server);
    const at = serverOf({ port } as Broker, { protocolVersion: '3.1.1' });
    const talk = { channel: { $ref: '#/channels/talk' }, bindings: { mqtt: { qos: 0 } } };
    const document = documentOf(at, 'x', { operations: { talk } });
    const { output } = await publishAsyncApi(callingWith(document), publicationOf(1), alarm);
    expect(output).toEqual({});
  });

  test('hangs up on hearing MQTT 5 is spoken to in MQTT 3.1.1', async () => {
    const calls: number[] = [];
    const shy = await startSilent((socket) => {
      socket.once('data', (data) => {
        // The version stands after the name of the protocol, "MQTT".
        const version = data[8] ?? 0;
        calls.push(version);
        socket.end(Buffer.from(version === 4 ? [0x20, 2, 0, 5] : []));
      });
    });
    expect(await errorOf(publish(shy))).toMatchObject({ kind: 'authorization', status: 403 });
    expect(calls).toEqual([5, 4]);
  });

  test('is called in the version that the document names, and in no other', async () => {
    const broker = await start();
    const at = (version: string): JsonObject => ({
      servers: { main: serverOf(broker, { protocolVersion: version }) },
    });
    await publish(broker, { document: at('3.1.1') });
    const five = await errorOf(publish(broker, { document: at('5.0') }));
    expect(five.detail).toContain('Unacceptable protocol version');
    const six = await errorOf(publish(broker, { document: at('6') }));
    expect(six.detail).toBe('MQTT is spoken in the versions 3.1.1 and 5, and not in "6"');
  });

  test.each([
    [PACKET_BYTES_MAX, 'did not answer within'],
    [PACKET_BYTES_MAX + 131_072, 'PACKET_TOO_LARGE'],
  ])('sends a packet of %i bytes is listened to no longer than may be', async (size, reason) => {
    const alarm = new HandAlarm();
    const broker = await startSilent((socket) => {
      socket.once('data', () => {
        // A message of 256 MB begins, and never ends.
        socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
        socket.write(Buffer.alloc(size - 5), () => {
          if (size === PACKET_BYTES_MAX) void alarm.ring(ANSWER_MS_MAX);
        });
      });
    });
    const server = serverOf(broker, { protocolVersion: '3.1.1' });
    const calling = callingWith(documentOf(server, 'x'));
    const error = await errorOf(publishAsyncApi(calling, publicationOf(1), alarm));
    expect(error.detail).toContain(reason);
  });
});

describe('a broker behind TLS', () => {
  const trusted = tls.getCACertificates('default');

  afterEach(() => tls.setDefaultCACertificates(trusted));

  test('is trusted by its certificate, which is for its name and not its address', async () => {
    const { cert, key } = createCertificate('broker.example');
    const broker = await start({ server: tls.createServer({ cert, key }) });
    const reach = (): Promise<{ address: string }> => Promise.resolve({ address: '127.0.0.1' });
    const at = (host: string): Published => ({
      document: { servers: { main: { host: `${host}:${broker.port}`, protocol: 'mqtts' } } },
      calling: { reach },
    });
    const unknown = await errorOf(publish(broker, at('broker.example')));
    expect(unknown).toMatchObject({ kind: 'communication' });
    expect(unknown.detail).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    tls.setDefaultCACertificates([...trusted, cert]);
    await publish(broker, at('broker.example'));
    expect(broker.received).toHaveLength(1);
    const other = await errorOf(publish(broker, at('other.example')));
    expect(other.detail).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
  });
});

test('no secret is in what an error says', async () => {
  const main = { host: '{host}:1', protocol: 'mqtt', variables: { host: {} } };
  const server = { name: 'main', variables: { host: 'hunter2.localhost' } };
  const calling = callingWith(documentOf(main, 'x'), {
    hide: (text) => text.replaceAll('hunter2', '•••'),
    reach: () => Promise.resolve({ address: '127.0.0.1' }),
  });
  const error = await errorOf(publishAsyncApi(calling, { ...publicationOf(1), server }));
  expect(error.detail).toContain('mqtt://•••.localhost:1 did not answer');
});

test('without the package "mqtt" it is said what to install', async () => {
  const missing = 'no-such-package';
  const error = await errorOf(loadMqtt(() => import(missing)));
  expect(error).toMatchObject({ kind: 'configuration' });
  expect(error.detail).toContain('npm install mqtt');
});

test('a call that is aborted while it waits for the broker ends at once', async () => {
  const stop = new AbortController();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => stop.abort(new Error('enough')));
    socket.once('close', () => server.close());
  });
  const port = await listenLocally(server);
  const calling = callingWith(documentOf(serverOf({ port } as Broker), 'x'), {
    signal: stop.signal,
  });
  await expect(publishAsyncApi(calling, publicationOf(1))).rejects.toThrow('enough');
});
