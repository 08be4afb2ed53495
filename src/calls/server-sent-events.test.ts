import { expect, test } from 'vitest';
import { failureOf } from '../testing/called.ts';
import { EVENT_CHARS_MAX, readEvents, type ServerSentEvent } from './server-sent-events.ts';

async function read(...texts: readonly (string | Uint8Array)[]): Promise<ServerSentEvent[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text;
  }
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(chunks())) events.push(event);
  return events;
}

const message = (data: string): object => ({ event: 'message', data });

test('an event is its lines of data up to an empty line', async () => {
  expect(await read('data: one\ndata: more\n\ndata:two\n\n')).toEqual([
    message('one\nmore'),
    message('two'),
  ]);
});

test('an event may have a name, which the next one does not have', async () => {
  expect(await read('event: news\ndata: 1\n\ndata: 2\n\n')).toEqual([
    { event: 'news', data: '1' },
    message('2'),
  ]);
});

test('comments, unknown fields and events without data are passed over', async () => {
  const text = ': hello\nretry: 10\nwhatever: x\nevent: empty\n\ndata\n\n';
  expect(await read(text)).toEqual([message('')]);
});

test('one space after the colon belongs to nobody; further ones to the data', async () => {
  expect(await read('data:  x: y\n\n')).toEqual([message(' x: y')]);
});

test.each([
  ['line feeds', '\n'],
  ['carriage returns', '\r'],
  ['both', '\r\n'],
])('lines may end with %s, wherever the text is cut', async (_, end) => {
  const text = ['data: a', 'data: ä€😀', '', 'data: c', '', ''].join(end);
  const bytes = Buffer.from(text);
  const whole = [message('a\nä€😀'), message('c')];
  expect(await read(text)).toEqual(whole);
  for (let at = 1; at < bytes.length; at += 1) {
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
  }
});

test('an event that is cut off is none', async () => {
  expect(await read('data: 1\n\ndata: 2\n')).toEqual([message('1')]);
});

test('an event is as long as may be, and no longer, in one line or several', async () => {
  const half = 'x'.repeat(EVENT_CHARS_MAX / 2);
  const [event] = await read(`data: ${half}${half}\n\n`);
  expect(event?.data.length).toBe(EVENT_CHARS_MAX);

  const detail = `an event of the stream has more than ${EVENT_CHARS_MAX} characters`;
  const tooLong = [`data: ${half}${half}x\n\n`, `data: ${half}${half}xxxxxx`];
  const tooMany = `data: ${half}\ndata: ${half}\ndata: x\n\n`;
  for (const text of [...tooLong, tooMany]) {
    expect(await failureOf(read(text))).toMatchObject({ kind: 'communication', detail });
  }
});
