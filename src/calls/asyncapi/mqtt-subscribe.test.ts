import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import {
  callingWith,
  consumeAll,
  consumeOf,
  documentOf,
  SUBSCRIPTION,
} from '../../testing/asyncapi-calls.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { HandAlarm } from '../../testing/hand-alarm.ts';
import { type Broker, startBroker } from '../../testing/mqtt-broker.ts';
import type { Consume } from './gathering.ts';
import { clientIdOf, HELD_MAX } from './mqtt-connection.ts';
import { MESSAGE_BYTES_MAX, RECONNECT_MS, RECONNECTS_MAX } from './mqtt-feed.ts';
import { type Consumed, subscribeAsyncApi } from './subscribe.ts';

let broker: Broker;
const ID = clientIdOf(consumeOf().session);

beforeEach(async () => {
  broker = await startBroker();
});

afterEach(() => broker.close());

const document = (): JsonObject =>
  documentOf({ host: `127.0.0.1:${broker.port}`, protocol: 'mqtt' }, 'news');

function round(parts: Partial<Consume>, alarm?: HandAlarm): Promise<Consumed> {
  return subscribeAsyncApi(callingWith(document()), SUBSCRIPTION, consumeOf(parts), alarm);
}

const subscribed = (): Promise<void> => broker.until(() => broker.diary.includes('subscribe news'));
const said = (word: string): Promise<void> => broker.until(() => broker.diary.includes(word));
const payloads = ({ messages }: Consumed): readonly Json[] =>
  messages.map((message) => message['payload'] ?? null);

/** Publishes as soon as somebody listens. */
async function publish(...all: readonly Json[]): Promise<void> {
  await subscribed();
  for (const payload of all) await broker.publish('news', payload);
}

describe('what is consumed', () => {
  test('is as many as were asked for, in order, and no more [AS-06] [AS-11]', async () => {
    const all = consumeAll(callingWith(document()), SUBSCRIPTION, { amount: 3 });
    await publish(1, 2, 3, 4);
    expect(await all).toEqual({ payloads: [1, 2, 3], rounds: 2 });
  });

  test('is a message with its payload and its headers', async () => {
    const one = round({ amount: 1 });
    await publish({ from: 'Ann' });
    expect((await one).messages).toEqual([{ payload: { from: 'Ann' }, headers: {} }]);
  });

  test('is what the filter lets through; the rest does not count [AS-06] [AS-10]', async () => {
    const accept = ({ payload }: JsonObject): boolean => Number(payload) % 2 === 0;
    const all = consumeAll(callingWith(document()), SUBSCRIPTION, { amount: 2, accept });
    await publish(1, 2, 3, 4, 5, 6);
    expect((await all).payloads).toEqual([2, 4]);
  });

  test('is filtered by a correlation id that the document places [AS-10]', async () => {
    const correlationId = { location: '$message.payload#/user/id' };
    const channels = { talk: { address: 'news', messages: { note: { correlationId } } } };
    const calling = callingWith({ ...document(), channels });
    const accept = (message: JsonObject): boolean => message['correlationId'] === 'ann';
    const one = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 1, accept }));
    await publish({ user: { id: 'ben' } }, { user: { id: 'ann' }, text: 'hi' });
    expect((await one).messages).toEqual([
      { payload: { user: { id: 'ann' }, text: 'hi' }, headers: {}, correlationId: 'ann' },
    ]);
  });

  test('goes on while a condition holds, which is asked after each message [AS-07]', async () => {
    const asked: Json[] = [];
    const more = ({ payload }: JsonObject, soFar: readonly JsonObject[]): boolean => {
      asked.push([payload ?? null, soFar.length]);
      return payload !== 'last';
    };
    const all = consumeAll(callingWith(document()), SUBSCRIPTION, { while: more });
    await publish('first', 'last', 'too much');
    expect((await all).payloads).toEqual(['first', 'last']);
    expect(asked).toEqual([
      ['first', 1],
      ['last', 2],
    ]);
  });

  test('goes on until a condition holds, which is asked before each message [AS-08]', async () => {
    const asked: number[] = [];
    const until = (soFar: readonly JsonObject[]): boolean => {
      asked.push(soFar.length);
      return soFar.length === 2;
    };
    const taken = round({ until });
    await publish(1, 2, 3);
    expect(payloads(await taken)).toEqual([1, 2]);
    // Once before anything was connected, too.
    expect(asked).toEqual([0, 0, 1, 2]);
  });

  test('is nothing, and needs no broker, if it holds from the first [AS-08]', async () => {
    await broker.close();
    expect(await round({ until: () => true })).toEqual({ messages: [], done: true, state: null });
    expect(await round({ amount: 0 })).toEqual({ messages: [], done: true, state: null });
  });

  test('is what came until the time was over, which is no error [AS-09]', async () => {
    const alarm = new HandAlarm();
    let taken: Promise<Consumed> | undefined;
    await new Promise<void>((came) => {
      const accept = ({ payload }: JsonObject): boolean => {
        if (payload === 'ignored') came();
        return payload !== 'ignored';
      };
      taken = round({ amount: 5, forMs: 60_000, accept }, alarm);
      void publish('in time', 'ignored');
    });
    await alarm.ring(60_000);
    const consumed = await taken;
    expect(consumed).toMatchObject({
      messages: [{ payload: 'in time', headers: {} }],
      done: false,
    });
    const rest = await round({ amount: 5, known: 1, state: consumed?.state ?? null });
    expect(rest).toEqual({ messages: [], done: true, state: null });
  });

  test('is nothing if nothing came in time, and nothing is left behind [AS-09]', async () => {
    const alarm = new HandAlarm();
    const taken = round({ amount: 5, forMs: 60_000 }, alarm);
    await subscribed();
    await alarm.ring(60_000);
    expect(await taken).toEqual({ messages: [], done: true, state: null });
    expect(broker.diary).toContain(`connect ${ID} clean`);
  });

  test('ends with what the filter throws', async () => {
    const accept = (): boolean => {
      throw new WorkflowError('expression', { detail: 'no such thing' });
    };
    const taken = errorOf(round({ amount: 1, accept }));
    await publish(1);
    expect(await taken).toMatchObject({ kind: 'expression', detail: 'no such thing' });
    await said(`disconnect ${ID}`);
  });
});

describe('rounds', () => {
  test('end with at most so many messages, and the next goes on after them [AS-12]', async () => {
    const first = round({ max: 1 });
    await publish('a', 'b', 'c');
    const one = await first;
    expect([payloads(one), one.done]).toEqual([['a'], false]);
    const two = await round({ max: 1, known: 1, state: one.state });
    expect([payloads(two), two.done]).toEqual([['b'], false]);
    const three = await round({ max: 1, known: 2, state: two.state });
    expect([payloads(three), three.done]).toEqual([['c'], false]);
    const end = await round({ max: 1, known: 3, state: three.state, until: () => true });
    expect(end).toEqual({ messages: [], done: true, state: null });
  });

  test('lose nothing that is published between two of them', async () => {
    const first = round({ max: 1 });
    await publish('a');
    const { state } = await first;
    for (const one of ['b', 'c']) await broker.publish('news', one);
    expect(payloads(await round({ max: 5, amount: 3, known: 1, state }))).toEqual(['b', 'c']);
    expect(broker.diary.filter((line) => line === 'subscribe news')).toHaveLength(1);
  });

  test('that are not committed are made again, with the same messages', async () => {
    const first = round({ max: 2 });
    await publish('a', 'b', 'c');
    expect(payloads(await first)).toEqual(['a', 'b']);
    // The crash: nobody has kept what the first round returned.
    const again = await round({ max: 2 });
    expect(payloads(again)).toEqual(['a', 'b']);
    const next = await round({ max: 2, amount: 3, known: 2, state: again.state });
    expect(payloads(next)).toEqual(['c']);
    expect(broker.diary.filter((line) => line.startsWith('ack'))).toEqual(['ack a', 'ack b']);
  });

  test('take equal messages for as many as there are', async () => {
    const all = consumeAll(callingWith(document()), SUBSCRIPTION, { amount: 6, max: 2 });
    await publish('same', 'same', 'same', 'same', 'same', 'same');
    expect(await all).toEqual({ payloads: Array(6).fill('same'), rounds: 4 });
  });

  test('hold so many messages and no more, whether accepted or not', async () => {
    const numbers = Array.from({ length: HELD_MAX + 2 }, (_, at) => at);
    const first = round({ accept: ({ payload }) => payload !== 3 });
    await publish('0', ...numbers.slice(1));
    const { messages, state } = await first;
    expect(messages).toHaveLength(HELD_MAX - 1);
    const amount = HELD_MAX + 1;
    const next = await round({ amount, known: HELD_MAX - 1, state });
    expect(payloads(next)).toEqual([HELD_MAX, HELD_MAX + 1]);
  });

  test('acknowledge at once what is filtered out before anything is held', async () => {
    const taken = round({ amount: 1, accept: ({ payload }) => payload === 'wanted' });
    await publish('unwanted', 'wanted');
    await taken;
    expect(broker.diary).toContain('ack unwanted');
    expect(broker.diary).not.toContain('ack wanted');
  });

  test('end with a session that the broker forgets, and no sooner', async () => {
    const first = round({ amount: 1 });
    await publish('a');
    const { state } = await first;
    expect(broker.diary).not.toContain(`connect ${ID} clean`);
    expect(await round({ amount: 1, known: 1, state })).toMatchObject({ done: true });
    expect(broker.diary).toContain(`connect ${ID} clean`);
    await broker.publish('news', 'for nobody');
    const alarm = new HandAlarm();
    const anew = round({ amount: 1, forMs: 10 }, alarm);
    await broker.until(() => broker.diary.filter((one) => one === 'subscribe news').length === 2);
    await broker.publish('news', 'for the next');
    expect(payloads(await anew)).toEqual(['for the next']);
  });

  test('are done although the broker is gone, once everything was consumed', async () => {
    const first = round({ amount: 1 });
    await publish('a');
    const { state } = await first;
    await broker.close();
    expect(await round({ amount: 1, known: 1, state })).toMatchObject({ done: true });
  });

  test('of different visits of a task have different sessions', async () => {
    const one = round({ amount: 1, session: 'one' });
    const other = round({ amount: 1, session: 'other' });
    await broker.until(() => broker.diary.filter((line) => line === 'subscribe news').length === 2);
    await broker.publish('news', 'for both');
    expect([payloads(await one), payloads(await other)]).toEqual([['for both'], ['for both']]);
  });
});

describe('a connection', () => {
  test('that breaks is made again, and nothing gets lost or comes twice', async () => {
    const alarm = new HandAlarm();
    const taken = round({ amount: 3 }, alarm);
    await publish('a');
    broker.cut();
    await said(`disconnect ${ID}`);
    await broker.publish('news', 'b');
    await broker.publish('news', 'c');
    await alarm.ring(RECONNECT_MS);
    expect(payloads(await taken)).toEqual(['a', 'b', 'c']);
  });

  test('that cannot be made again is given up in the end', async () => {
    const alarm = new HandAlarm();
    const taken = errorOf(round({ amount: 1 }, alarm));
    await subscribed();
    await broker.close();
    for (let count = 0; count < RECONNECTS_MAX; count += 1) {
      await alarm.ring(RECONNECT_MS * 2 ** count);
    }
    expect(await taken).toMatchObject({ kind: 'communication' });
  });

  test('is closed at once when the call is aborted, and the session stays', async () => {
    const stop = new AbortController();
    const calling = callingWith(document(), { signal: stop.signal });
    const taken = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 2 }));
    await publish('a');
    stop.abort(new Error('enough'));
    await expect(taken).rejects.toThrow('enough');
    await said(`disconnect ${ID}`);
    await broker.publish('news', 'b');
    expect(payloads(await round({ amount: 2 }))).toEqual(['a', 'b']);
  });

  test('is not even begun by a call that is aborted', async () => {
    const calling = callingWith(document(), { signal: AbortSignal.abort(new Error('enough')) });
    const taken = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 2 }));
    await expect(taken).rejects.toThrow('enough');
    expect(broker.diary).toEqual([]);
  });

  test('that nobody takes is an error', async () => {
    await broker.close();
    expect(await errorOf(round({ amount: 1 }))).toMatchObject({
      kind: 'communication',
      detail: `mqtt://127.0.0.1:${broker.port} did not answer: ECONNREFUSED, nobody listens there`,
    });
  });

  test('goes where the guard says, and nowhere if it says no', async () => {
    const asked: unknown[] = [];
    const reach = (...place: unknown[]): Promise<{ address: string }> => {
      asked.push(place);
      return Promise.resolve({ address: '127.0.0.1' });
    };
    const far = documentOf({ host: `broker.example:${broker.port}`, protocol: 'mqtt' }, 'news');
    const calling = callingWith(far, { reach });
    const taken = subscribeAsyncApi(calling, SUBSCRIPTION, consumeOf({ amount: 1 }));
    await publish('a');
    expect(payloads(await taken)).toEqual(['a']);
    expect(asked).toEqual([['broker.example', broker.port]]);
    const refused = new WorkflowError('authorization', { detail: 'not for workflows' });
    const guarded = callingWith(far, { reach: () => Promise.reject(refused) });
    const refusedCall = subscribeAsyncApi(guarded, SUBSCRIPTION, consumeOf({ amount: 1 }));
    expect(await errorOf(refusedCall)).toBe(refused);
  });
});

describe('messages that are', () => {
  test.each<[string, string, Json]>([
    ['JSON', '{"a":[1]}', { a: [1] }],
    ['plain words', 'hello', 'hello'],
    ['nothing at all', '', null],
  ])('%s are read as such', async (_, sent, payload) => {
    const taken = round({ amount: 1 });
    await publish(sent);
    expect(payloads(await taken)).toEqual([payload]);
  });

  test('as long as may be are read; longer ones are an error once', async () => {
    const taken = round({ max: 1 });
    await publish('x'.repeat(MESSAGE_BYTES_MAX));
    const { state, messages } = await taken;
    expect(messages).toHaveLength(1);
    await broker.publish('news', 'x'.repeat(MESSAGE_BYTES_MAX + 1));
    await broker.publish('news', 'next');
    const error = await errorOf(round({ amount: 2, known: 1, state }));
    expect(error).toMatchObject({ kind: 'communication' });
    expect(error.detail).toContain(`${MESSAGE_BYTES_MAX + 1} bytes`);
    expect(payloads(await round({ amount: 2, known: 1, state }))).toEqual(['next']);
  });
});
