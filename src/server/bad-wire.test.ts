/** What comes over a connection and is no good request: too much, too little, or nothing at all. */
import { once } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { openRefusing, problemIn, type RefusingWorld } from '../testing/api-refusals.ts';
import { answerOf, open, type RawAnswer, readAll, request, sendRaw } from '../testing/raw-http.ts';
import { SERVER_LIMITS } from './limits.ts';
import type { Problem, ProblemCode } from './problem.ts';

const BODY_BYTES_MAX = 1_000;
const HEADER_BYTES_MAX = 4_000;
const URL_CHARS_MAX = 300;
const limits = { BODY_BYTES_MAX, HEADER_BYTES_MAX, URL_CHARS_MAX };
const JSON_BODY = { 'content-type': 'application/json' };

let house: RefusingWorld;
let port: number;
let key: Readonly<Record<string, string>>;

beforeEach(async () => {
  house = await openRefusing({ server: { limits } });
  ({ port } = await house.world.api.listen());
  key = house.admin.headers;
});

function problem(answer: RawAnswer, code: ProblemCode): Problem {
  const { status, headers, body } = answer;
  return problemIn({ status, type: headers['content-type'], text: body, what: code }, code);
}

/** A start of exactly so many bytes. */
function startOf(bytes: number): string {
  const [front, back] = ['{"flow":"waits","key":"k","input":"', '"}'];
  return `${front}${'x'.repeat(bytes - front.length - back.length)}${back}`;
}

const chunked = (...texts: readonly string[]): string =>
  [...texts, ''].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');

const post = (headers: Readonly<Record<string, string>>, body = ''): Promise<RawAnswer> =>
  sendRaw(port, request('POST /instances', { ...key, ...JSON_BODY, ...headers }, body));

describe('a body of BODY_BYTES_MAX', () => {
  test('is taken, and of one more refused', async () => {
    const most = startOf(BODY_BYTES_MAX);
    expect((await post({ 'content-length': `${BODY_BYTES_MAX}` }, most)).status).toBe(201);
    const more = startOf(BODY_BYTES_MAX + 1);
    const refused = await post({ 'content-length': `${BODY_BYTES_MAX + 1}` }, more);
    expect(problem(refused, 'request.too-large').detail).toContain(
      `BODY_BYTES_MAX ${BODY_BYTES_MAX}`,
    );
    expect(refused.headers['connection']).toBe('close');
  });

  test('is taken in chunks, and of one more refused', async () => {
    const chunks = { 'transfer-encoding': 'chunked' };
    const most = startOf(BODY_BYTES_MAX);
    const parts = [most.slice(0, 400), most.slice(400)];
    expect((await post(chunks, chunked(...parts))).status).toBe(201);
    const refused = await post(chunks, chunked(...parts, ' '));
    problem(refused, 'request.too-large');
  });

  test('and more is refused before any of it has come', async () => {
    for (const length of [BODY_BYTES_MAX + 1, 2 ** 40]) {
      problem(await post({ 'content-length': `${length}` }), 'request.too-large');
    }
    await house.unchanged();
  });

  test('and more is refused though it never ends', async () => {
    const socket = await open(port);
    const answer = readAll(socket);
    const headers = { ...key, ...JSON_BODY, 'transfer-encoding': 'chunked' };
    socket.write(request('POST /instances', headers));
    const chunk = `${(500).toString(16)}\r\n${' '.repeat(500)}\r\n`;
    for (let count = 0; count < 3; count += 1) socket.write(chunk);
    await once(socket, 'data');
    socket.end();
    problem(answerOf(await answer), 'request.too-large');
    await house.unchanged();
  });
});

test('a URL of URL_CHARS_MAX is taken, and of one more refused', async () => {
  const head = 'http://localhost/instances?key=';
  const get = (chars: number): Promise<RawAnswer> =>
    sendRaw(port, request(`GET /instances?key=${'k'.repeat(chars - head.length)}`, key));
  expect((await get(URL_CHARS_MAX)).status).toBe(200);
  const { detail } = problem(await get(URL_CHARS_MAX + 1), 'request.too-large');
  expect(detail).toContain('URL_CHARS_MAX');
});

test('headers of more than HEADER_BYTES_MAX are refused', async () => {
  const get = (bytes: number): Promise<RawAnswer> =>
    sendRaw(port, request('GET /instances', { ...key, x: 'y'.repeat(bytes) }));
  expect((await get(HEADER_BYTES_MAX / 2)).status).toBe(200);
  expect(problem(await get(HEADER_BYTES_MAX), 'request.headers').detail).toContain('HEADER_BYTES');
});

test('the limits are what they are said to be unless a host says otherwise', () => {
  const { BODY_BYTES_MAX: body, HEADER_BYTES_MAX: header, URL_CHARS_MAX: url } = SERVER_LIMITS;
  expect([body, header, url]).toEqual([4 * 1024 * 1024, 16 * 1024, 8_192]);
});

describe('what is no request', () => {
  test.each([
    ...['nonsense\r\n\r\n', '\u0016\u0003\u0001\u0002\r\n\r\n', 'GET /instances\r\n\r\n'],
    ...[request('FOO /instances'), request('GET instances'), request('GET ftp://localhost/x')],
    ...[request('OPTIONS *'), request('GET /', { host: 'a b' }), request('GET /', { host: '' })],
    ...[request('GET /', { host: 'localhost@evil' }), request('GET /', { host: 'localhost/x' })],
    ...['GET /instances HTTP/1.0\r\n\r\n', 'GET /instances HTTP/9.9\r\nhost: localhost\r\n\r\n'],
    request(
      'POST /instances',
      { 'transfer-encoding': 'chunked', 'content-length': '5' },
      '0\r\n\r\n',
    ),
    request('POST /instances', { 'content-length': '-5' }),
    request('POST /instances', { 'transfer-encoding': 'chunked' }, 'zz\r\n'),
    request('GET /instances', { 'bad header': 'x' }),
  ])('is answered, and nothing else happens: %j', async (text) => {
    problem(await sendRaw(port, text), 'request.unreadable');
    await house.unchanged();
  });

  test('though it says which method it is, is none of ours', async () => {
    for (const method of ['PATCH', 'PURGE', 'TRACE', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await sendRaw(port, request(`${method} /instances`, key));
      expect(problem(answer, 'route.method').detail).toContain(method);
      expect(answer.headers['allow']?.split(', ').toSorted()).toEqual(['GET', 'POST']);
    }
    await house.unchanged();
  });

  test('is asked of a server of another name', async () => {
    for (const host of ['evil.com', 'localhost.evil.com', '127.0.0.1.nip.io', '10.0.0.1']) {
      const answer = await sendRaw(port, request('GET /instances', { ...key, host }));
      expect(problem(answer, 'access.host').detail).toContain(host);
    }
  });
});

describe('a client that goes', () => {
  test('in the middle of its body has asked for nothing', async () => {
    const headers = { ...key, ...JSON_BODY, 'content-length': '100' };
    const begun = request('POST /instances', headers, '{"flow":"waits"');
    const rude = await open(port);
    rude.write(begun);
    rude.resetAndDestroy();
    const polite = await open(port);
    polite.end(begun);
    problem(answerOf(await readAll(polite)), 'request.unreadable');
    const alive = await sendRaw(port, request('GET /health/live'));
    expect(alive.status).toBe(200);
    await house.unchanged();
  });

  test('while it waits for work is not given any', async () => {
    const { world, admin } = house;
    const asked = { worker: 'gone', handlers: ['job/work'], wait: '60s' };
    const body = JSON.stringify(asked);
    const headers = { ...key, ...JSON_BODY, 'content-length': `${body.length}` };
    const socket = await open(port);
    const waits = isPresent('gone');
    socket.write(request('POST /work/fetch', headers, body));
    await waits;
    socket.destroy();
    await once(socket, 'close');
    // The server has heard of it once it has answered somebody who came later.
    await sendRaw(port, request('GET /health/live'));
    const run = await world.start('job', null);
    const fetch = { worker: 'here', handlers: ['job/work'] };
    const asking = { method: 'post', path: '/work/fetch', body: fetch };
    const found = await (await world.ask(admin, asking)).json();
    expect(found).toMatchObject({ assignments: [{ instance: run.id }] });
  });

  /** A worker of this name has been heard of: it has looked, and found nothing. */
  async function isPresent(name: string): Promise<void> {
    for (;;) {
      const workers = await house.world.engine.workers();
      if (workers.some(({ worker }) => worker.endsWith(`/${name}`))) return;
      await sendRaw(port, request('GET /health/live'));
    }
  }
});

describe('the head of an answer', () => {
  test('has no body', async () => {
    for (const [line, status] of [
      ['HEAD /instances', 200] as const,
      ['HEAD /nowhere', 404] as const,
      [`HEAD /instances/${house.id}/export`, 200] as const,
    ]) {
      const answer = await sendRaw(port, request(line, key));
      expect([answer.status, answer.body]).toEqual([status, '']);
    }
  });

  test('of a stream opens none', async () => {
    for (const path of ['/events', `/instances/${house.id}/events`]) {
      const answer = await sendRaw(port, request(`HEAD ${path}`, key));
      expect(answer).toMatchObject({ status: 200, body: '' });
      expect(answer.headers['content-type']).toBe('text/event-stream');
    }
    const asking = { method: 'get', path: '/metrics' };
    const metrics = await (await house.world.ask(house.admin, asking)).text();
    expect(metrics).toContain('\nperdure_http_streams 0\n');
  });
});
