import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import {
  callingWith,
  consumeAll,
  consumeOf,
  documentOf,
  payloadsOf,
  roundOf,
  type Rounds,
  SUBSCRIPTION,
} from '../../testing/asyncapi-calls.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { HandAlarm } from '../../testing/hand-alarm.ts';
import { listenLocally } from '../../testing/local-port.ts';
import type { Consume } from './gathering.ts';
import { ANSWER_BYTES_MAX, RECONNECT_MS, RECONNECTS_MAX } from './http-feed.ts';
import { type Consumed, subscribeAsyncApi } from './subscribe.ts';

/** A server whose answers a test writes as it likes. */
interface Station {
  readonly document: JsonObject;
  /** The headers of each request. */
  readonly asked: Record<string, string | undefined>[];
  /** Until somebody has hung up. */
  readonly left: Promise<void>;
}

const closing: (() => void)[] = [];

afterEach(() => closing.splice(0).forEach((close) => close()));

async function station(
  answer: (response: ServerResponse, count: number) => void,
  binding: JsonObject = {},
): Promise<Station> {
  const asked: Record<string, string | undefined>[] = [];
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  const server = createServer((request, response) => {
    asked.push({
      ...(request.headers as Record<string, string>),
      path: request.url,
      method: request.method,
    });
    response.once('close', leave);
    answer(response, asked.length);
  });
  const host = `127.0.0.1:${await listenLocally(server)}`;
  closing.push(() => [server.close(), server.closeAllConnections()]);
  const operations = {
    talk: { channel: { $ref: '#/channels/talk' }, bindings: { http: binding } },
  };
  return { document: documentOf({ host, protocol: 'http' }, 'news', { operations }), asked, left };
}

const begin = (response: ServerResponse, type: string): ServerResponse =>
  response.writeHead(200, { 'content-type': type });

function round(
  { document }: Station,
  parts: Partial<Consume>,
  calling: Parameters<typeof roundOf>[2] = {},
): Promise<Consumed> {
  return roundOf(document, parts, calling);
}

const all = ({ document }: Station, parts: Partial<Consume>, alarm?: HandAlarm): Promise<Rounds> =>
  consumeAll(callingWith(document), SUBSCRIPTION, parts, alarm);

const payloads = payloadsOf;

describe('server-sent events', () => {
  const events = (...texts: readonly string[]): string =>
    texts.map((text) => `${text}\n\n`).join('');

  test('are a message each until there are enough; then the stream is left [AS-06]', async () => {
    const news = await station((response) => {
      begin(response, 'text/event-stream').write(
        events('data: {"n":1}', 'event: urgent\nid: 7\ndata: two', 'data: 3'),
      );
    });
    expect(await round(news, { amount: 2 })).toEqual({
      messages: [
        { payload: { n: 1 }, headers: { event: 'message' } },
        { payload: 'two', headers: { event: 'urgent', id: '7' } },
      ],
      done: true,
      state: null,
    });
    await news.left;
    expect(news.asked[0]).toMatchObject({ method: 'GET', path: '/news' });
    expect(news.asked[0]?.['accept']).toContain('text/event-stream');
  });

  test('are filtered, and asked about before and after [AS-07] [AS-08] [AS-10]', async () => {
    const news = await station((response) => {
      begin(response, 'text/event-stream').write(
        events('data: 1', 'data: 2', 'data: 3', 'data: 4'),
      );
    });
    const accept = ({ payload }: JsonObject): boolean => payload !== 2;
    const more = ({ payload }: JsonObject): boolean => payload !== 3;
    expect(payloads(await round(news, { accept, while: more }))).toEqual([1, 3]);
    const until = (soFar: readonly JsonObject[]): boolean => soFar.length === 3;
    expect(payloads(await round(news, { accept, until }))).toEqual([1, 3, 4]);
  });

  test('are had until the time is over [AS-09]', async () => {
    const alarm = new HandAlarm();
    const news = await station((response) => {
      begin(response, 'text/event-stream').write(events('data: 1'));
    });
    const more = (): boolean => {
      void alarm.ring(1_000);
      return true;
    };
    const consumed = await round(news, { while: more, forMs: 1_000 }, { alarm });
    expect(consumed).toMatchObject({ messages: [{ payload: 1 }], done: true });
    await news.left;
  });

  test('end when the server ends them, if it could not be told where to go on', async () => {
    const news = await station((response) => {
      begin(response, 'text/event-stream').end(events('data: 1', 'data: 2'));
    });
    expect(await all(news, { amount: 5 })).toEqual({ payloads: [1, 2], rounds: 1 });
  });

  test('with ids are asked for again after the last one, when the server ends them', async () => {
    const alarm = new HandAlarm();
    const news = await station((response, count) => {
      const text = events(`id: a${count}\ndata: ${count}`);
      if (count < 3) begin(response, 'text/event-stream').end(text);
      else response.writeHead(204).end();
    });
    const taken = all(news, { amount: 5 }, alarm);
    await alarm.ring(RECONNECT_MS);
    await alarm.ring(RECONNECT_MS);
    expect(await taken).toEqual({ payloads: [1, 2], rounds: 1 });
    expect(news.asked.map((one) => one['last-event-id'])).toEqual([undefined, 'a1', 'a2']);
  });

  test('with ids are given up when the server stays away', async () => {
    const alarm = new HandAlarm();
    const news = await station((response, count) => {
      if (count > 1) response.destroy();
      else begin(response, 'text/event-stream').end(events('id: a\ndata: 1'));
    });
    const taken = errorOf(round(news, { amount: 5 }, { alarm }));
    for (let count = 0; count <= RECONNECTS_MAX; count += 1) await alarm.ring(RECONNECT_MS);
    expect(await taken).toMatchObject({ kind: 'communication' });
    expect(news.asked).toHaveLength(RECONNECTS_MAX + 2);
  });

  test('go on in the next round after the last that was had, by its id [AS-12]', async () => {
    const news = await station((response, count) => {
      const ids = [count, count + 1, count + 2];
      const text = events(...ids.map((id) => `id: ${id}\ndata: ${id}`));
      begin(response, 'text/event-stream').write(text);
    });
    expect(await all(news, { amount: 3, max: 1 })).toEqual({ payloads: [1, 2, 3], rounds: 3 });
    expect(news.asked.map((one) => one['last-event-id'])).toEqual([undefined, '1', '2']);
  });

  test('without ids that had come already are kept for the next round [AS-12]', async () => {
    const news = await station((response, count) => {
      begin(response, 'text/event-stream').write(events(`data: ${count}a`, `data: ${count}b`));
    });
    const { payloads: had } = await all(news, { amount: 3, max: 1 });
    expect(had).toEqual(['1a', '1b', '2a']);
  });

  test('that break off are an error', async () => {
    const news = await station((response) => {
      begin(response, 'text/event-stream').write(events('data: 1'), () => response.destroy());
    });
    await expect(round(news, { amount: 2 })).rejects.toThrow('terminated');
  });
});

describe('lines of JSON', () => {
  test.each(['application/x-ndjson', 'application/ndjson', 'application/jsonl; charset=utf-8'])(
    'are a message each, the last one without an end, too: %s [AS-11]',
    async (type) => {
      const news = await station((response) => {
        begin(response, type).write('{"n":1}\n\n');
        response.end('"tw\\u006f"\nnot JSON\n[4]');
      });
      const consumed = await round(news, { amount: 9 });
      expect(payloads(consumed)).toEqual([{ n: 1 }, 'two', 'not JSON', [4]]);
      expect(consumed.done).toBe(true);
      expect(consumed.messages[0]).toEqual({ payload: { n: 1 }, headers: {} });
    },
  );
});

describe('a whole answer', () => {
  const json = (value: Json) => (response: ServerResponse) =>
    void begin(response, 'application/json').end(JSON.stringify(value));

  test('is one message, with the headers of the answer', async () => {
    const news = await station(json({ n: 1 }));
    const { messages, done } = await round(news, { amount: 5 });
    expect(done).toBe(true);
    expect(messages).toMatchObject([
      { payload: { n: 1 }, headers: { 'content-type': 'application/json' } },
    ]);
  });

  test('that is a list is a message for each element [AS-11]', async () => {
    const news = await station(json([1, [2], 'x']));
    expect(payloads(await round(news, { amount: 5 }))).toEqual([1, [2], 'x']);
    expect(await all(news, { amount: 2 })).toEqual({ payloads: [1, [2]], rounds: 1 });
  });

  test('is asked for once, however many rounds there are [AS-12]', async () => {
    const news = await station(json([1, 2, 3]));
    const { payloads: had } = await all(news, { max: 1 });
    expect([had, news.asked.length]).toEqual([[1, 2, 3], 1]);
  });

  test('is asked for by the method and the query of the binding', async () => {
    const query = { properties: { since: { default: 'ever' } } };
    const news = await station(json([]), { method: 'POST', query });
    expect(await round(news, { amount: 1 })).toMatchObject({ messages: [], done: true });
    expect(news.asked[0]).toMatchObject({ method: 'POST', path: '/news?since=ever' });
  });

  test('is as long as may be, and no longer', async () => {
    const news = await station((response, count) => {
      const size = ANSWER_BYTES_MAX + (count === 1 ? 0 : 1);
      begin(response, 'text/plain').end('x'.repeat(size));
    });
    const [text] = payloads(await round(news, { amount: 1 }));
    expect(text).toHaveLength(ANSWER_BYTES_MAX);
    const error = await errorOf(round(news, { amount: 1 }));
    expect(error.detail).toBe(`the answer has more than ${ANSWER_BYTES_MAX} bytes`);
  });

  test('that is an error is one', async () => {
    const news = await station((response) => {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('not you');
    });
    const error = await errorOf(round(news, { amount: 1 }));
    expect(error).toMatchObject({ kind: 'communication', status: 403, detail: 'not you' });
  });

  test('that does not come in time is nothing', async () => {
    const alarm = new HandAlarm();
    const news = await station(() => void alarm.ring(50));
    const consumed = await round(news, { amount: 1, forMs: 50 }, { alarm });
    expect(consumed).toEqual({ messages: [], done: true, state: null });
    await news.left;
  });
});

describe('a stream', () => {
  test('is left at once when the call is aborted', async () => {
    const stop = new AbortController();
    const news = await station((response) => {
      begin(response, 'text/event-stream').write('data: 1\n\n');
    });
    const more = (): boolean => {
      stop.abort(new Error('enough'));
      return true;
    };
    const taken = round(news, { while: more }, { signal: stop.signal });
    await expect(taken).rejects.toThrow('enough');
    await news.left;
  });

  test('is authenticated by the policy of the call [AS-13]', async () => {
    const news = await station((response) => void begin(response, 'application/json').end('1'));
    const authentication = { basic: { username: 'ann', password: 'word' } };
    const args = { ...SUBSCRIPTION, authentication };
    await subscribeAsyncApi(callingWith(news.document), args, consumeOf({ amount: 1 }));
    const expected = `Basic ${Buffer.from('ann:word').toString('base64')}`;
    expect(news.asked[0]?.['authorization']).toBe(expected);
  });

  test('is not even opened if nothing is wanted', async () => {
    const news = await station(() => {});
    expect(await round(news, { until: () => true })).toMatchObject({ messages: [], done: true });
    expect(news.asked).toEqual([]);
  });
});

test('to subscribe takes a subscription, and to be one thing [AS-02]', async () => {
  const { subscription: _, ...args } = SUBSCRIPTION;
  const call = subscribeAsyncApi(callingWith({}), { ...args, message: {} }, consumeOf());
  expect(await errorOf(call)).toMatchObject({ detail: 'to subscribe takes a "subscription"' });
});
