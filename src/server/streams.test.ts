/** What a stream does for its reader, without the server around it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import { closed } from '../testing/closed.ts';
import { listenLocally } from '../testing/local-port.ts';
import { open, request, sendRaw } from '../testing/raw-http.ts';
import { SERVER_LIMITS } from './limits.ts';
import { type ServerEvent, Streams } from './streams.ts';

const LARGE = 'x'.repeat(64 * 1024);

/** Without end, and there is always a next one. */
class Flood implements AsyncIterator<ServerEvent> {
  asked = 0;
  hasEnded = false;

  async next(): Promise<IteratorResult<ServerEvent>> {
    this.asked += 1;
    return { value: { id: `${this.asked}`, event: 'commit', data: LARGE } };
  }

  async return(): Promise<IteratorResult<ServerEvent>> {
    this.hasEnded = true;
    return { done: true, value: undefined };
  }
}

test('nothing is asked for ahead of the reader', async () => {
  const flood = new Flood();
  const gone = new AbortController();
  const stream = new Streams({ limits: SERVER_LIMITS }).open('ann', gone.signal, () => flood);
  const reader = stream.getReader();
  for (let count = 0; count < 10; count += 1) await reader.read();
  expect(flood.asked).toBeLessThanOrEqual(11);
  await reader.cancel();
  expect(flood.hasEnded).toBe(true);
});

test('a reader that does not read holds no more than the connection does', async () => {
  const flood = new Flood();
  const streams = new Streams({ limits: SERVER_LIMITS });
  const flooding = getRequestListener((asked) => {
    if (!asked.url.endsWith('/flood')) return new Response('here');
    return new Response(streams.open('ann', asked.signal, () => flood));
  });
  const server = createServer((asked, answer) => void flooding(asked, answer));
  const port = await listenLocally(server);
  closed(server);
  const slow = await open(port);
  slow.write(request('GET /flood'));
  await once(slow, 'readable');
  // Others are served meanwhile, and for as long as they are it could have gone on reading.
  for (let count = 0; count < 200; count += 1) await sendRaw(port, request('GET /'));
  const held = flood.asked;
  expect(held * LARGE.length).toBeLessThan(32 * 1024 * 1024);
  for (let count = 0; count < 50; count += 1) await sendRaw(port, request('GET /'));
  expect(flood.asked).toBe(held);
  slow.destroy();
  while (!flood.hasEnded) await sendRaw(port, request('GET /'));
  expect(streams.count).toBe(0);
});

test('a source that fails ends its stream, and frees its place', async () => {
  const streams = new Streams({ limits: SERVER_LIMITS });
  const broken: AsyncIterator<ServerEvent> = { next: () => Promise.reject(new Error('away')) };
  const stream = streams.open('ann', new AbortController().signal, () => broken);
  const reader = stream.getReader();
  await reader.read();
  await expect(reader.read()).rejects.toThrow('away');
  expect(streams.count).toBe(0);
});

test('a source that cannot be opened takes no place', () => {
  const streams = new Streams({ limits: SERVER_LIMITS });
  const open = (): unknown =>
    streams.open('ann', new AbortController().signal, () => {
      throw new Error('no such filter');
    });
  expect(open).toThrow('no such filter');
  expect(streams.count).toBe(0);
});

test('whoever had gone before it began is told nothing, and takes no place', async () => {
  const streams = new Streams({ limits: SERVER_LIMITS });
  const reader = streams.open('ann', AbortSignal.abort(), () => new Flood()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    expect(new TextDecoder().decode(part.value)).toBe(': \n\n');
  }
  expect(streams.count).toBe(0);
});
