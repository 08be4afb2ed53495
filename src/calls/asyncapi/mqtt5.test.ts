import { describe, expect, test } from 'vitest';
import type { Packet } from 'mqtt';
import type { Json, JsonObject } from '../../base/json.ts';
import {
  callingWith,
  consumeAll,
  consumeOf,
  documentOf,
  publicationOf,
  SUBSCRIPTION,
} from '../../testing/asyncapi-calls.ts';
import { closed } from '../../testing/closed.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { HandAlarm } from '../../testing/hand-alarm.ts';
import { type Broker5, type Broker5Options, startBroker5 } from '../../testing/mqtt5-broker.ts';
import { ANSWER_MS_MAX, clientIdOf, HELD_MAX } from './mqtt-connection.ts';
import { publishAsyncApi } from './publish.ts';
import { type Consumed, subscribeAsyncApi } from './subscribe.ts';

const ID = clientIdOf(consumeOf().session);

const start = async (options?: Broker5Options): Promise<Broker5> =>
  closed(await startBroker5(options));

function documentFor({ port }: Broker5, more: JsonObject = {}): JsonObject {
  return documentOf({ host: `127.0.0.1:${port}`, protocol: 'mqtt' }, 'news', more);
}

const subscribed = (broker: Broker5): Promise<void> =>
  broker.until(() => broker.packets.some(({ cmd }) => cmd === 'subscribe'));

function packetOf<Command extends Packet['cmd']>(
  { packets }: Broker5,
  cmd: Command,
): Extract<Packet, { cmd: Command }> {
  const found = packets.find((packet) => packet.cmd === cmd);
  return found as Extract<Packet, { cmd: Command }>;
}

describe('a message that is published over MQTT 5', () => {
  test('has its headers as user properties, and its content type [AS-04]', async () => {
    const broker = await start();
    const calling = callingWith(documentFor(broker, { defaultContentType: 'application/json' }));
    const headers = { tenant: 'acme', tries: 2, tag: ['a', 'b'] };
    await publishAsyncApi(calling, publicationOf({ id: 7 }, headers));
    const { payload, qos, properties } = packetOf(broker, 'publish');
    expect([String(payload), qos]).toEqual(['{"id":7}', 1]);
    expect(properties?.contentType).toBe('application/json');
    expect({ ...properties?.userProperties }).toEqual({
      tenant: 'acme',
      tries: '2',
      tag: ['a', 'b'],
    });
  });

  test('takes its QoS, whether it is retained and when it expires from the binding', async () => {
    const broker = await start();
    const bindings = { mqtt: { qos: 0, retain: true, messageExpiryInterval: 60 } };
    const talk = { channel: { $ref: '#/channels/talk' }, bindings };
    const calling = callingWith(documentFor(broker, { operations: { talk } }));
    await publishAsyncApi(calling, publicationOf('x'));
    await broker.until(() => broker.packets.some(({ cmd }) => cmd === 'publish'));
    const packet = packetOf(broker, 'publish');
    expect([packet.qos, packet.retain]).toEqual([0, true]);
    expect(packet.properties?.messageExpiryInterval).toBe(60);
  });

  test.each([
    [135, 'authorization', 403],
    [151, 'communication', 500],
  ])('and refused with %i is an error', async (publishReason, kind, status) => {
    const broker = await start({ publishReason });
    const published = publishAsyncApi(callingWith(documentFor(broker)), publicationOf('x'));
    expect(await errorOf(published)).toMatchObject({ kind, status });
  });

  test('and not acknowledged in time is an error', async () => {
    const broker = await start({ isMute: true });
    const alarm = new HandAlarm();
    const calling = callingWith(documentFor(broker));
    const published = errorOf(publishAsyncApi(calling, publicationOf('x'), alarm));
    await broker.until(() => broker.packets.some(({ cmd }) => cmd === 'publish'));
    await alarm.ring(ANSWER_MS_MAX);
    expect((await published).detail).toContain('did not acknowledge the message');
  });
});

describe('a message that comes over MQTT 5', () => {
  test('has its headers, and what they say it is; several of one name are a list', async () => {
    const broker = await start();
    const calling = callingWith(documentFor(broker));
    const one = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 1 }));
    await subscribed(broker);
    broker.publish('news', '7', {
      contentType: 'text/plain',
      correlationData: Buffer.from('ann'),
      userProperties: { tenant: 'acme', tag: ['a', 'b'] },
    });
    expect((await one).messages).toEqual([
      { payload: '7', headers: { tenant: 'acme', tag: ['a', 'b'] }, correlationId: 'ann' },
    ]);
  });

  test('is correlated by what the document says before anything else', async () => {
    const broker = await start();
    const correlationId = { location: '$message.header#/conversation' };
    const messages = { note: { correlationId } };
    const calling = callingWith(
      documentFor(broker, { channels: { talk: { address: 'news', messages } } }),
    );
    const one = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 1 }));
    await subscribed(broker);
    const correlationData = Buffer.from('ben');
    broker.publish('news', '{}', { correlationData, userProperties: { conversation: 'ann' } });
    expect((await one).messages[0]?.['correlationId']).toBe('ann');
  });
});

describe('a session of MQTT 5', () => {
  test('is kept for a week, and holds no more than a round does', async () => {
    const broker = await start();
    const calling = callingWith(documentFor(broker));
    const one = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 1 }));
    await subscribed(broker);
    broker.publish('news', '1');
    await one;
    const { clean, clientId, properties } = packetOf(broker, 'connect');
    expect([clean, clientId]).toEqual([false, ID]);
    expect(properties).toMatchObject({ sessionExpiryInterval: 604_800, receiveMaximum: HELD_MAX });
  });

  test('has each message acknowledged in the round after the one that returned it', async () => {
    const broker = await start();
    const calling = callingWith(documentFor(broker));
    const first = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ max: 2 }));
    await subscribed(broker);
    for (const text of ['1', '2', '3']) broker.publish('news', text);
    const { messages, state } = await first;
    expect(payloads(messages)).toEqual([1, 2]);
    expect(broker.unacknowledged(ID)).toBe(3);
    const parts = { amount: 3, known: 2, state };
    const next = await subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf(parts));
    expect(payloads(next.messages)).toEqual([3]);
    expect(broker.unacknowledged(ID)).toBe(1);
    const last = consumeOf({ amount: 3, known: 3, state: next.state });
    expect(await subscribeAsyncApi(calling, SUBSCRIPTION, last)).toMatchObject({ done: true });
    expect(broker.unacknowledged(ID)).toBe(0);
  });

  test('that the broker has lost begins anew, whatever looks like what was had', async () => {
    const broker = await start();
    const calling = callingWith(documentFor(broker));
    const first = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ max: 1 }));
    await subscribed(broker);
    broker.publish('news', '"ping"');
    const { state } = await first;
    broker.forget();
    const next = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ max: 1, known: 1, state }));
    await broker.until(() => broker.packets.filter(({ cmd }) => cmd === 'subscribe').length === 2);
    // Under the same packet id as the one before.
    broker.publish('news', '"ping"');
    expect(payloads((await next).messages)).toEqual(['ping']);
  });

  test('goes on with a broker that gives new packet ids to what it sends again', async () => {
    const broker = await start({ renumbers: true });
    const all = consumeAll(callingWith(documentFor(broker)), SUBSCRIPTION, { amount: 5, max: 2 });
    await subscribed(broker);
    for (const text of ['1', '2', '3', '4', '5']) broker.publish('news', text);
    expect((await all).payloads).toEqual([1, 2, 3, 4, 5]);
  });

  test('that another execution has taken over is not fought for', async () => {
    const broker = await start();
    const calling = callingWith(documentFor(broker));
    const one = errorOf(subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 1 })));
    await subscribed(broker);
    broker.dismiss(142);
    expect(await one).toMatchObject({ kind: 'communication' });
    expect(broker.packets.filter(({ cmd }) => cmd === 'connect')).toHaveLength(1);
  });
});

describe('a broker that', () => {
  const attempt = (
    broker: Broker5,
    parts: JsonObject = {},
    alarm?: HandAlarm,
  ): Promise<Consumed> => {
    const document = documentFor(broker, parts);
    return subscribeAsyncApi(callingWith(document), SUBSCRIPTION, consumeOf({ amount: 1 }), alarm);
  };

  test.each([
    [134, 'authentication', 401],
    [135, 'authorization', 403],
    [136, 'communication', 500],
  ])('refuses with %i is an error', async (refusal, kind, status) => {
    const broker = await start({ refusal });
    expect(await errorOf(attempt(broker))).toMatchObject({ kind, status });
    expect(broker.packets.filter(({ cmd }) => cmd === 'connect')).toHaveLength(1);
  });

  test.each([
    [135, 'authorization'],
    [143, 'communication'],
  ])('refuses a subscription with %i is an error', async (subscribeReason, kind) => {
    const broker = await start({ subscribeReason });
    const error = await errorOf(attempt(broker));
    expect(error).toMatchObject({ kind });
    expect(error.detail).toContain(`refuses a subscription to "news" (${subscribeReason})`);
  });

  test('does not confirm a subscription in time is an error', async () => {
    const broker = await start({ isMute: true });
    const alarm = new HandAlarm();
    const error = errorOf(attempt(broker, {}, alarm));
    await subscribed(broker);
    await alarm.ring(ANSWER_MS_MAX);
    expect((await error).detail).toContain('did not confirm "news"');
  });

  test('speaks another version than the document says is an error', async () => {
    const broker = await start({ refusal: 132 });
    const server = { host: `127.0.0.1:${broker.port}`, protocol: 'mqtt5' };
    const error = await errorOf(attempt(broker, { servers: { main: server } }));
    expect(error.detail).toContain('Unsupported Protocol Version');
    expect(broker.packets.filter(({ cmd }) => cmd === 'connect')).toHaveLength(1);
  });
});

function payloads(messages: readonly JsonObject[]): readonly Json[] {
  return messages.map((message) => message['payload'] ?? null);
}
