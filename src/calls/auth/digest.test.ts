import { describe, expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import {
  type DigestServer,
  type DigestServerOptions,
  startDigestServer,
} from '../../testing/digest-server.ts';
import { kept, serve } from '../../testing/called.ts';
import { ask, guarded, textOf } from '../../testing/guarded-http.ts';
import { answer, readSession, SESSIONS_MAX } from './digest.ts';

async function start(options: DigestServerOptions = {}): Promise<DigestServer> {
  const server = await startDigestServer(options);
  kept(server);
  return server;
}

const authentication = { digest: { username: 'Mufasa', password: 'Circle of Life' } };

describe('a challenge is answered', () => {
  test.each<readonly [string, DigestServerOptions]>([
    ['SHA-256', {}],
    ['SHA-256-sess', { algorithm: 'SHA-256-sess' }],
    ['MD5', { algorithm: 'MD5' }],
    ['MD5-sess', { algorithm: 'MD5-sess' }],
    ['SHA-512-256', { algorithm: 'SHA-512-256' }],
    ['md5 in lower case', { algorithm: 'md5' }],
    ['no algorithm, which is MD5', { algorithm: null }],
    ['no qop, as of old', { algorithm: 'MD5', qop: null }],
    ['one of several qops', { qop: 'auth-int,auth' }],
    ['an opaque text', { opaque: '5ccc069c403ebaf9f0171e9517f40e41' }],
    ['a realm in UTF-8', { realm: 'Zürich' }],
    ['a name that is hidden', { userhash: true }],
    [
      'others beside it',
      { others: ['Basic realm="x", Digest algorithm=X, nonce=a, ', ', Bearer'] },
    ],
  ])('with %s [AU-03]', async (_, options) => {
    const server = await start(options);
    const answer = await ask(guarded(), `${server.url}/dir/index.html?a=1,2`, { authentication });
    expect([answer.status, textOf(answer)]).toEqual([200, 'welcome']);
    expect(server.shown.map((each) => each !== null)).toEqual([false, true]);
    expect(answer.authorization?.scheme).toBe('Digest');
    expect(answer.authorization?.parameter).toContain('uri="/dir/index.html?a=1,2"');
    expect(JSON.stringify(answer)).not.toContain('Circle of Life');
  });

  test('with a name and a password beyond ASCII', async () => {
    const login = { username: 'Jäsøn Doe', password: 'pässwörd "x"' };
    const server = await start(login);
    const answer = await ask(guarded(), server.url, { authentication: { digest: login } });
    expect(answer.status).toBe(200);
  });

  test('for another method and with the same body', async () => {
    const server = await start();
    const request = { method: 'PUT', body: 'content', authentication };
    expect(await ask(guarded(), server.url, request)).toMatchObject({ status: 200 });
    expect(server.requests.map(({ body }) => body)).toEqual(['content', 'content']);
  });

  test('again for the place that a redirect leads to', async () => {
    const server = await start();
    const front = await serve({ status: 307, headers: { location: server.url } });
    // Of another origin: no credentials go there.
    const answer = await ask(guarded(), front.url, { authentication, redirect: true });
    expect(answer.status).toBe(401);
    expect(server.shown).toEqual([null]);
  });
});

test('later requests answer the same nonce at once, with a count [AU-03]', async () => {
  const server = await start();
  const client = guarded();
  for (const path of ['/a', '/b', '/c']) {
    expect(await ask(client, server.url + path, { authentication })).toMatchObject({ status: 200 });
  }
  expect(server.shown.map((each) => each?.get('nc'))).toEqual([
    undefined,
    '00000001',
    '00000002',
    '00000003',
  ]);
  expect(new Set(server.shown.slice(1).map((each) => each?.get('cnonce'))).size).toBe(3);
});

test('a stale nonce is replaced by the new one [AU-03]', async () => {
  const server = await start({ uses: 1 });
  const client = guarded();
  expect(await ask(client, server.url, { authentication })).toMatchObject({ status: 200 });
  expect(await ask(client, server.url, { authentication })).toMatchObject({ status: 200 });
  expect(server.shown.map((each) => each?.get('nc'))).toEqual([
    undefined,
    '00000001',
    '00000002',
    '00000001',
  ]);
});

test('a nonce that is stale as soon as it is told is answered twice, and no more', async () => {
  const server = await start({ uses: 0 });
  expect(await ask(guarded(), server.url, { authentication })).toMatchObject({ status: 401 });
  expect(server.shown).toHaveLength(3);
});

test('a wrong password is not tried again, and the 401 is the answer', async () => {
  const server = await start({ password: 'another' });
  const client = guarded();
  expect(await ask(client, server.url, { authentication })).toMatchObject({ status: 401 });
  expect(server.shown).toHaveLength(2);
  expect(await ask(client, server.url, { authentication })).toMatchObject({ status: 401 });
  expect(server.shown.map((each) => each !== null)).toEqual([false, true, false, true]);
});

test.each([
  'Basic realm="a"',
  'Digest realm="a"',
  'Digest nonce="a", qop="auth-int"',
  'Digest nonce=a, algorithm=X',
  '',
])('a challenge that cannot be met leaves the 401: %s', async (header) => {
  const headers = header === '' ? {} : { 'www-authenticate': header };
  const server = await serve({ status: 401, headers });
  expect(await ask(guarded(), server.url, { authentication })).toMatchObject({ status: 401 });
  expect(server.requests).toHaveLength(1);
});

test('nonces are remembered for so many logins, and the longest unused is forgotten', async () => {
  let asked = 0;
  const client = guarded({
    fetch: async (_, init) => {
      asked += 1;
      const headers = { 'www-authenticate': 'Digest realm="a", nonce="b", qop="auth"' };
      const isKnown = new Headers(init?.headers).has('authorization');
      return isKnown ? new Response() : new Response(null, { status: 401, headers });
    },
  });
  const costOf = async (n: number): Promise<number> => {
    const before = asked;
    const digest = { username: `${n}`, password: 'p' };
    await ask(client, 'https://shop.example/', { authentication: { digest } });
    return asked - before;
  };
  for (let n = 0; n < SESSIONS_MAX; n += 1) expect(await costOf(n)).toBe(2);
  expect(await costOf(0)).toBe(1);
  expect(await costOf(SESSIONS_MAX)).toBe(2);
  expect([await costOf(0), await costOf(1)]).toEqual([1, 2]);
});

// The examples of RFC 7616, 3.9.1.
test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('the example of the standard is answered as there, by %s [AU-03]', (algorithm, response) => {
  const session = readSession(
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
      'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
      'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
  );
  assert(session !== undefined, 'the challenge can be met');
  const asked = { method: 'GET', url: new URL('http://www.example.org/dir/index.html') };
  const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  const { parameter } = answer(session, authentication.digest, asked, cnonce);
  expect(parameter).toContain(`response="${response}"`);
  expect(parameter).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
});
