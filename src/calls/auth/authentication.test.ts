import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask, guarded } from '../../testing/guarded-http.ts';

/** Asks a server with a policy; what it was shown, and what is told of it. */
async function shown(authentication: JsonObject) {
  const server = await serve({});
  const answer = await ask(guarded(), server.url, { authentication });
  return { header: server.requests[0]?.headers['authorization'], answer };
}

describe('basic', () => {
  test.each([
    ['Aladdin', 'open sesame', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['test', '123£', 'dGVzdDoxMjPCow=='],
    ['key', '', 'a2V5Og=='],
    ['', 'a:b', 'OmE6Yg=='],
  ])('brings name and password in UTF-8: %s and %s [AU-01]', async (username, password, base64) => {
    const { header, answer } = await shown({ basic: { username, password } });
    expect(header).toBe(`Basic ${base64}`);
    expect(answer.authorization).toEqual({ scheme: 'Basic', parameter: base64 });
    expect(answer.request.headers['authorization']).toBe('***');
  });

  test('is refused with what nobody could read', async () => {
    for (const username of ['a:b', 'a\nb', 'a\0']) {
      const error = await errorOf(shown({ basic: { username, password: 's3cret' } }));
      expect(error).toMatchObject({ kind: 'configuration', status: 400 });
      expect(error.message).not.toContain('s3cret');
    }
  });
});

describe('bearer', () => {
  test('brings its token [AU-02]', async () => {
    const { header, answer } = await shown({ bearer: { token: 'abc.def~-_+/=' } });
    expect(header).toBe('Bearer abc.def~-_+/=');
    expect(answer.authorization).toEqual({ scheme: 'Bearer', parameter: 'abc.def~-_+/=' });
  });

  test.each(['', 'two words', 's3cret\r\nX-Evil: 1', 'ü'])(
    'is refused with a token that is none: %j',
    async (token) => {
      const error = await errorOf(shown({ bearer: { token } }));
      expect(error).toMatchObject({ kind: 'configuration', status: 400 });
      expect(error.message).not.toContain('s3cret');
    },
  );
});

test('a policy takes the place of a header of the same meaning', async () => {
  const server = await serve({});
  const headers = { Authorization: 'Bearer other' };
  const authentication = { bearer: { token: 'mine' } };
  await ask(guarded(), server.url, { headers, authentication });
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer mine');
});

test('a policy that came from a secret as a whole is like any other [AU-19]', async () => {
  // Names and secrets are settled before: what arrives are the same keys, and perhaps others.
  const { header } = await shown({
    basic: { username: 'ada', password: 'l', comment: 'of vault' },
  });
  expect(header).toBe('Basic YWRhOmw=');
});

describe('a policy that cannot be meant', () => {
  test.each<readonly [JsonObject, string]>([
    [{}, 'exactly one of basic, bearer, digest, oauth2 or oidc'],
    [{ basic: {}, bearer: {} }, 'exactly one of'],
    [{ use: 'named' }, 'use is an object'],
    [{ certificate: {} }, 'one of basic, bearer, digest, oauth2 or oidc; came "certificate"'],
    [{ basic: 'ada' }, 'basic is an object'],
    [{ basic: { username: 'ada' } }, 'basic.password is missing'],
    [{ basic: { username: 'ada', password: 77_777 } }, 'basic.password is a text; came a number'],
    [{ basic: { username: null, password: '' } }, 'basic.username is missing'],
    [{ bearer: { token: ['s3cret'] } }, 'bearer.token is a text; came a list'],
    [{ bearer: { use: 'unresolved' } }, 'bearer.token is missing'],
    [{ digest: { username: 'ada' } }, 'digest.password is missing'],
    [{ oauth2: {} }, 'oauth2.authority is missing'],
    [{ oauth2: { authority: 'auth.example' } }, 'oauth2.authority is a URL'],
    [{ oauth2: { authority: 'https://auth.example' } }, 'oauth2.grant is missing'],
    [{ oidc: { authority: 'https://auth.example', grant: 'magic' } }, 'oidc.grant is one of'],
  ])('is a configuration error, and nothing is sent: %j', async (authentication, words) => {
    const server = await serve({});
    const error = await errorOf(ask(guarded(), server.url, { authentication }));
    expect(error).toMatchObject({ kind: 'configuration', status: 400 });
    expect(error.detail).toContain(words);
    expect(error.message).not.toMatch(/s3cret|77/);
    expect(server.requests).toEqual([]);
  });
});

test('a 401 to fixed credentials is the answer, and is not asked for again', async () => {
  const server = await serve({ status: 401, headers: { 'www-authenticate': 'Basic realm="a"' } });
  for (const authentication of [
    { basic: { username: 'a', password: 'b' } },
    { bearer: { token: 'a' } },
  ]) {
    expect(await ask(guarded(), server.url, { authentication })).toMatchObject({ status: 401 });
  }
  expect(server.requests).toHaveLength(2);
});

test('a place that is not for workflows gets no credentials', async () => {
  const server = await serve({});
  const authentication = { basic: { username: 'ada', password: 's3cret' } };
  const error = await errorOf(ask(guarded({ allow: [] }), server.url, { authentication }));
  expect(error).toMatchObject({ kind: 'authorization', status: 403 });
  expect(server.requests).toEqual([]);
});
