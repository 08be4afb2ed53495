/** Examples of AsyncAPI: over HTTP, over MQTT with a broker, and over a WebSocket. */
import type { Broker } from '../src/testing/mqtt-broker.ts';
import { type Examples, put, type Stage, type Take } from './examples-case.ts';
import { CONTACT, type Notification, notification, seen, USER } from './examples-documents.ts';
import type { Pattern } from './examples-pattern.ts';

const DOCUMENT = 'GET https://fake.com/docs/asyncapi.json';

/** The context begins as the input. */
const INPUT = { userId: USER, contact: CONTACT };
/** The examples look at a context that nothing in them adds to: so these were there before. */
const FIVE = { ...INPUT, consumedMessages: [1, 2, 3, 4, 5] };

const stranger = notification('psst', { firstName: 'Eve', lastName: 'Nobody' });
const wanted = ['one', 'two', 'three', 'four', 'five', 'six'].map((text) => notification(text));
const five = wanted.slice(0, 5);

type Meanwhile = NonNullable<Take['meanwhile']>;

/** Done while it listens to a topic. `idle` fails once nothing can happen any more. */
async function listening(
  { places, settle }: Stage,
  topic: string,
  meanwhile: (broker: Broker, idle: Promise<never>) => Promise<void>,
): Promise<void> {
  const broker = await places.broker();
  const settled = settle();
  const idle = settled.then(() => Promise.reject(new Error('it does not listen')));
  await Promise.race([idle, broker.until(() => broker.diary.includes(`subscribe ${topic}`))]);
  await meanwhile(broker, idle);
  await settled;
}

function receiving(topic: string, payloads: readonly Notification[]): Meanwhile {
  return (stage) =>
    listening(stage, topic, async (broker) => {
      for (const payload of payloads) await broker.publish(topic, payload);
    });
}

const consumed = (payload: Notification): Pattern => ({
  specversion: '1.0',
  id: /./,
  source: 'https://open-workflow-specification.org/samples',
  type: 'io.serverlessworkflow.samples.asyncapi.message.consumed.v1',
  time: /^2026-/,
  datacontenttype: 'application/json',
  data: { message: seen(payload) },
});

export const MESSAGES: Examples = {
  'call-asyncapi-publish.yaml': {
    rows: ['AS-04', 'AS-05', 'AS-13'],
    takes: [
      {
        input: { pet: { id: 7 }, token: 'of-mine' },
        ends: { output: { pet: { id: 7 }, token: 'of-mine' } },
        asks: [
          DOCUMENT,
          {
            ask: 'POST https://staging.fake.com/pets/find',
            headers: { authorization: 'Bearer of-mine' },
            body: { petId: 7 },
          },
        ],
      },
    ],
  },
  'call-asyncapi-subscribe-consume-amount.yaml': {
    rows: ['AS-06', 'AS-10', 'AS-11'],
    takes: [
      {
        about: 'over a WebSocket; those of a stranger do not count',
        input: INPUT,
        text: async (text, places) => {
          (await places.socket()).tell([stranger, ...wanted]);
          return text;
        },
        ends: { output: five.map(seen) },
        asks: [DOCUMENT],
      },
    ],
  },
  'call-asyncapi-subscribe-consume-while.yaml': {
    rows: ['AS-07', 'AS-10'],
    takes: [
      {
        about: 'over MQTT; it asks after each message, and five were there before',
        input: FIVE,
        meanwhile: receiving('notifications', [stranger, ...wanted]),
        ends: { output: [seen(notification('one'))] },
        asks: [DOCUMENT],
      },
    ],
  },
  'call-asyncapi-subscribe-consume-until.yaml': {
    rows: ['AS-01', 'AS-08'],
    takes: [
      {
        about: 'it asks before each message, and five were there before',
        input: FIVE,
        scenery: { asyncapi: 2 },
        ends: { output: [] },
      },
      {
        about: 'with a condition on what has come, over MQTT',
        input: INPUT,
        scenery: { asyncapi: 2 },
        text: (text) => put(text, '$context.consumedMessages', '.'),
        meanwhile: receiving('/notifications', [stranger, ...wanted]),
        ends: { output: five.map(seen) },
        asks: [DOCUMENT],
      },
    ],
  },
  'call-asyncapi-subscribe-consume-forever-foreach.yaml': {
    rows: ['AS-12'],
    takes: [
      {
        about: 'over MQTT, for ever; after three messages it is cancelled',
        input: INPUT,
        meanwhile: (stage) =>
          listening(stage, 'notifications', async (broker, idle) => {
            const four = [stranger, ...wanted.slice(0, 3)];
            for (const payload of four) await broker.publish('notifications', payload);
            await Promise.race([idle, stage.letters.come(3)]);
            await (await stage.run()).cancel();
          }),
        ends: 'cancelled',
        asks: [DOCUMENT],
        sends: wanted.slice(0, 3).map(consumed),
      },
    ],
  },
};
