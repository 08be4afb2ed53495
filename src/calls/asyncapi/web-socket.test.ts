import { createHash } from 'node:crypto';
import { createServer as createWeb } from 'node:http';
import { createServer as createSecureWeb } from 'node:https';
import { createServer, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import {
  callingWith,
  consumeAll,
  documentOf,
  payloadsOf,
  publicationOf,
  roundOf,
  SUBSCRIPTION,
} from '../../testing/asyncapi-calls.ts';
import { createCertificate } from '../../testing/certificate.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { HandAlarm } from '../../testing/hand-alarm.ts';
import { listenLocally } from '../../testing/local-port.ts';
import {
  type LocalWebSockets,
  type Peer,
  startWebSockets,
} from '../../testing/web-socket-server.ts';
import { publishAsyncApi } from './publish.ts';
import { ANSWER_MS_MAX, CLOSE_MS_MAX } from './web-socket.ts';
import { MESSAGE_BYTES_MAX } from './web-socket-frames.ts';
import type { Consumed } from './subscribe.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(
  ...args: Parameters<typeof startWebSockets>
): Promise<LocalWebSockets & { readonly document: JsonObject }> {
  const server = await startWebSockets(...args);
  closing.push(() => server.close());
  return { ...server, document: documentAt(server.port) };
}

function documentAt(port: number, protocol = 'ws', host = '127.0.0.1'): JsonObject {
  return documentOf({ host: `${host}:${port}`, pathname: '/live', protocol }, 'news');
}

const round = roundOf;

const payloads = payloadsOf;

describe('messages over a WebSocket', () => {
  test('are taken until there are enough, and then it is left [AS-06] [AS-11]', async () => {
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    const { document, asked } = await start((peer) => {
      peer.on('close', leave);
      for (const text of ['{"n":1}', 'two', '3']) peer.send(text);
    });
    const consumed = await round(document, { amount: 2 });
    expect(consumed).toEqual({
      messages: [
        { payload: { n: 1 }, headers: {} },
        { payload: 'two', headers: {} },
      ],
      done: true,
      state: null,
    });
    expect(asked[0]?.url).toBe('/live/news');
    await left;
  });

  test('that had come already are kept for the next round [AS-12]', async () => {
    const { document } = await start((peer, count) => {
      peer.send(`${count}a`);
      peer.send(`${count}b`);
    });
    const calling = callingWith(document);
    const { payloads: had } = await consumeAll(calling, SUBSCRIPTION, { amount: 3, max: 1 });
    expect(had.slice(0, 1)).toEqual(['1a']);
    expect(had).toHaveLength(3);
  });

  test('end when the server says farewell', async () => {
    const { document } = await start((peer) => {
      peer.send('1');
      peer.close(1_000, 'that was all');
    });
    const calling = callingWith(document);
    const all = await consumeAll(calling, SUBSCRIPTION, { amount: 5 });
    expect(all).toEqual({ payloads: [1], rounds: 1 });
  });

  test('may come in parts, as bytes, and with pings in between', async () => {
    const pongs: string[] = [];
    const { document } = await start((peer) => {
      peer.on('pong', (data) => pongs.push(String(data)) && peer.send('"after"'));
      peer.send('"in ', { fin: false });
      peer.ping('hello');
      peer.send('parts"');
      peer.send(Buffer.from([0xff, 0xfe]));
    });
    expect(payloads(await round(document, { amount: 3 }))).toEqual(['in parts', '//4=', 'after']);
    expect(pongs).toEqual(['hello']);
  });

  test.each([0, 1, 125, 126, 65_535, 65_536, MESSAGE_BYTES_MAX])(
    'may have %i bytes',
    async (size) => {
      const text = 'x'.repeat(size);
      const { document } = await start((peer) => peer.send(text));
      const [payload] = payloads(await round(document, { amount: 1 }));
      expect(payload ?? '').toBe(text);
    },
  );

  test.each([true, false])('have no more bytes than may be, whole: %s', async (fin) => {
    const { document } = await start((peer) => {
      if (!fin) peer.send('x'.repeat(10), { fin });
      peer.send('x'.repeat(MESSAGE_BYTES_MAX + (fin ? 1 : -9)));
    });
    const error = await errorOf(round(document, { amount: 1 }));
    expect(error).toMatchObject({ kind: 'communication' });
    expect(error.detail).toContain(`more than ${MESSAGE_BYTES_MAX} bytes`);
  });

  test('are had until the time is over [AS-09]', async () => {
    const alarm = new HandAlarm();
    const { document } = await start((peer) => peer.send('1'));
    const more = (): boolean => {
      void alarm.ring(1_000);
      return true;
    };
    const consumed = await round(document, { while: more, forMs: 1_000 }, { alarm });
    expect(consumed).toMatchObject({ messages: [{ payload: 1 }], done: true });
  });
});

describe('a message that is published over a WebSocket', () => {
  test.each([5, 200, 70_000])(
    'has arrived when the call is over: %i letters [AS-05]',
    async (size) => {
      const heard: string[] = [];
      const { document } = await start((peer) =>
        peer.on('message', (data) => heard.push(String(data))),
      );
      const input = { a: 1 };
      const text = 'é'.repeat(size);
      const args = { ...publicationOf({ text }), authentication: { bearer: { token: 't' } } };
      const result = await publishAsyncApi(callingWith(document, { input }), args);
      expect(heard).toEqual([JSON.stringify({ text })]);
      const authorization = { scheme: 'Bearer', parameter: 't' };
      expect(result).toEqual({ output: input, authorization });
    },
  );

  test('is authenticated by the policy of the call [AS-13]', async () => {
    const { document, asked } = await start(() => {});
    const authentication = { basic: { username: 'ann', password: 'word' } };
    await publishAsyncApi(callingWith(document), { ...publicationOf(1), authentication });
    const expected = `Basic ${Buffer.from('ann:word').toString('base64')}`;
    expect(asked[0]?.headers['authorization']).toBe(expected);
  });

  test('has no headers', async () => {
    const { document } = await start(() => {});
    const call = publishAsyncApi(callingWith(document), publicationOf(1, { a: 'b' }));
    expect((await errorOf(call)).detail).toContain('has no headers');
  });

  test('does not wait for a farewell that does not come', async () => {
    const alarm = new HandAlarm();
    const port = await startRaw((socket, accept) => {
      socket.write(accept);
      socket.on('data', () => void alarm.ring(CLOSE_MS_MAX));
    });
    await publishAsyncApi(callingWith(documentAt(port)), publicationOf(1), alarm);
  });
});

function acceptFor(key: string): string {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  const head = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n';
  return `${head}sec-websocket-accept: ${accept.digest('base64')}\r\n\r\n`;
}

/** Answers a handshake as it likes. */
async function startRaw(talk: (socket: Socket, accept: string) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const web = createWeb();
  web.on('upgrade', (request, socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    talk(socket, acceptFor(String(request.headers['sec-websocket-key'])));
  });
  closing.push(() => [web.close(), sockets.forEach((socket) => socket.destroy())]);
  return listenLocally(web);
}

describe('a server that', () => {
  test.each<[string, number[], string]>([
    ['masks what it sends', [0x81, 0x81, 0, 0, 0, 0, 1], 'is masked'],
    ['makes up a kind of frame', [0x83, 0], 'nothing was agreed on'],
    ['uses what was not agreed on', [0xc1, 0], 'nothing was agreed on'],
    ['pings in parts', [0x09, 0], 'comes in parts'],
    ['pings at length', [0x89, 126, 0, 126, ...Array<number>(126).fill(0)], 'more than 125 bytes'],
    ['begins in the middle', [0x80, 0], 'not where it belongs'],
    ['begins anew in the middle', [0x01, 0, 0x81, 0], 'not where it belongs'],
    ['claims to send no end of it', [0x82, 127, 255, 0, 0, 0, 0, 0, 0, 0], 'more than 1048576'],
  ])('%s is not listened to', async (_, bytes, reason) => {
    const port = await startRaw((socket, accept) => {
      socket.write(accept);
      socket.write(Buffer.from(bytes));
    });
    const error = await errorOf(round(documentAt(port), { amount: 1 }));
    expect(error).toMatchObject({ kind: 'communication' });
    expect(error.detail).toContain(reason);
  });

  test.each<[string, (peer: Peer) => void, string]>([
    ['closes for a reason', (peer) => peer.close(1_011), 'with the code 1011'],
    ['cuts the connection', (peer) => peer.terminate(), 'has cut the connection'],
  ])('%s is an error', async (_, talk, reason) => {
    const { document } = await start(talk);
    const error = await errorOf(round(document, { amount: 1 }));
    expect(error).toMatchObject({ kind: 'communication' });
    expect(error.detail).toContain(reason);
  });

  test('answers with something else is an error', async () => {
    const web = createWeb((_, response) => response.writeHead(403).end());
    closing.push(() => [web.close(), web.closeAllConnections()]);
    const document = documentAt(await listenLocally(web));
    const error = await errorOf(round(document, { amount: 1 }));
    expect(error).toMatchObject({ kind: 'communication', status: 403, title: 'Forbidden' });
  });

  test('agrees to something else is an error', async () => {
    const port = await startRaw((socket) => socket.write(acceptFor('another key')));
    const error = await errorOf(round(documentAt(port), { amount: 1 }));
    expect(error.detail).toContain('something other than a WebSocket');
  });

  test('does not answer in time, or is not there, is an error', async () => {
    const alarm = new HandAlarm();
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('close', () => server.close());
      socket.resume();
    });
    const port = await listenLocally(server);
    const late = errorOf(round(documentAt(port), { amount: 1 }, { alarm }));
    await alarm.ring(ANSWER_MS_MAX);
    expect((await late).detail).toContain(`did not answer within ${ANSWER_MS_MAX} ms`);
    await new Promise((resolve) => server.once('close', resolve));
    const gone = await errorOf(round(documentAt(port), { amount: 1 }));
    expect(gone.detail).toContain('ECONNREFUSED');
  });
});

describe('a connection', () => {
  test('goes where the guard says, under the name it was asked for', async () => {
    const { port, asked } = await start((peer) => peer.send('1'));
    const places: unknown[] = [];
    const reach = (...place: unknown[]): Promise<{ address: string }> => {
      places.push(place);
      return Promise.resolve({ address: '127.0.0.1' });
    };
    await round(documentAt(port, 'ws', 'talk.example'), { amount: 1 }, { reach });
    expect(places).toEqual([['talk.example', port]]);
    expect(asked[0]?.headers.host).toBe(`talk.example:${port}`);
  });

  test('behind TLS is with whom a trusted certificate vouches for', async () => {
    const trusted = tls.getCACertificates('default');
    const certificate = createCertificate('talk.example');
    const { port } = await start((peer) => peer.send('1'), createSecureWeb(certificate));
    const reach = (): Promise<{ address: string }> => Promise.resolve({ address: '127.0.0.1' });
    const at = (host: string): Promise<Consumed> =>
      round(documentAt(port, 'wss', host), { amount: 1 }, { reach });
    expect((await errorOf(at('talk.example'))).detail).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    tls.setDefaultCACertificates([...trusted, certificate.cert]);
    closing.push(() => tls.setDefaultCACertificates(trusted));
    expect(payloads(await at('talk.example'))).toEqual([1]);
    expect((await errorOf(at('other.example'))).detail).toContain('ALTNAME');
  });

  test('is closed at once when the call is aborted, at whatever point', async () => {
    const stop = new AbortController();
    const { document } = await start((peer) => peer.send('1'));
    const more = (): boolean => {
      stop.abort(new Error('enough'));
      return true;
    };
    await expect(round(document, { while: more }, { signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    await expect(round(document, { amount: 1 }, { signal: stop.signal })).rejects.toThrow('enough');
    const early = new AbortController();
    const port = await startRaw(() => early.abort(new Error('early')));
    const began = round(documentAt(port), { amount: 1 }, { signal: early.signal });
    await expect(began).rejects.toThrow('early');
  });
});
