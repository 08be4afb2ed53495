/** Examples of AsyncAPI: over HTTP, over MQTT with a broker, and over a WebSocket. */
import { type Examples, put, type Stage, type Take } from './examples-case.ts';
import { CONTACT, notification, seen, USER } from './examples-documents.ts';

const DOCUMENT = 'GET https://fake.com/docs/asyncapi.json';

/** The context begins as the input. */
const INPUT = { userId: USER, contact: CONTACT };
/** The examples look at a context that nothing in them adds to: so these were there before. */
const FIVE = { ...INPUT, consumedMessages: [1, 2, 3, 4, 5] };

const stranger = notification('psst', { firstName: 'Eve', lastName: 'Nobody' });
const wanted = ['one', 'two', 'three', 'four', 'five', 'six'].map((text) => notification(text));
const five = wanted.slice(0, 5);

/** While it listens, and until it has; what it does is waited for by whoever does this. */
async function listening(
  { places, settle }: Stage,
  topic: string,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const broker = await places.broker();
  const settled = settle();
  await broker.until(() => broker.diary.includes(`subscribe ${topic}`));
  await meanwhile();
  await settled;
}

function receiving(topic: string, payloads: readonly (typeof stranger)[]): Take['meanwhile'] {
  return (stage) =>
    listening(stage, topic, async () => {
      const broker = await stage.places.broker();
      for (const payload of payloads) await broker.publish(topic, payload);
    });
}

const consumed = (text: string, n: number) => ({
  specversion: '1.0',
  id: /./,
  source: 'https://open-workflow-specification.org/samples',
  type: 'io.serverlessworkflow.samples.asyncapi.message.consumed.v1',
  time: /^2026-/,
  datacontenttype: 'application/json',
  data: { message: seen(wanted[n] ?? stranger) },
  ...(text === '' ? {} : {}),
});

export const MESSAGES: Examples = {
  'call-asyncapi-publish.yaml': {
    rows: ['AS-03', 'AS-04', 'AS-05'],
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
        asks: 'whatever',
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
        asks: 'whatever',
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
          listening(stage, 'notifications', async () => {
            const broker = await stage.places.broker();
            const three = [stranger, ...wanted.slice(0, 3)];
            for (const payload of three) await broker.publish('notifications', payload);
            await stage.letters.come(3);
            await (await stage.run()).cancel();
          }),
        ends: 'cancelled',
        asks: 'whatever',
        sends: ['one', 'two', 'three'].map(consumed),
      },
    ],
  },
};
