import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask, guarded } from '../../testing/guarded-http.ts';
import { authorityFor } from '../../testing/token-office.ts';

const client = { id: 'workflows', secret: 's3cret-of-client' };
const clients = { workflows: { by: 'post', secret: client.secret } } as const;
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

describe('the grant', () => {
  test('client_credentials brings a token [AU-04]', async () => {
    const { server, call } = await authorityFor({ clients });
    const answer = await call({ grant: 'client_credentials', client });
    expect(answer.status).toBe(200);
    expect(server.asked[0]).toMatchObject({
      path: '/oauth2/token',
      type: 'application/x-www-form-urlencoded',
      parameters: {
        ...{ grant_type: 'client_credentials', client_id: 'workflows' },
        client_secret: client.secret,
      },
    });
    expect(answer.authorization).toEqual({ scheme: 'Bearer', parameter: server.shown[0] });
    expect(answer.request.headers['authorization']).toBe('***');
  });

  test('password brings a token for its user [AU-05]', async () => {
    const { server, call } = await authorityFor({ clients, users: { ada: 'lovelace' } });
    const grant = { grant: 'password', client, username: 'ada', password: 'lovelace' };
    expect(await call(grant)).toMatchObject({ status: 200 });
    expect(server.asked[0]?.parameters).toMatchObject({ username: 'ada', password: 'lovelace' });
    const error = await errorOf(call({ ...grant, password: 'wrong-s3cret' }));
    expect(error).toMatchObject({ kind: 'authentication', status: 401 });
    expect(error.detail).toContain('invalid_grant, wrong password ***');
    expect((await errorOf(call({ grant: 'password', client }))).kind).toBe('configuration');
  });

  test.each(['refreshToken', 'refresh_token'])(
    'refresh_token brings a token for the %s of the policy [AU-06]',
    async (name) => {
      const { server, call, refreshToken } = await authorityFor({ clients });
      const grant = { grant: 'refresh_token', client };
      expect(await call({ ...grant, [name]: await refreshToken() })).toMatchObject({ status: 200 });
      expect(server.asked.at(-1)?.parameters).toHaveProperty('refresh_token');
    },
  );

  test('refresh_token takes the token of the subject, and needs one of them [AU-06]', async () => {
    const { server, call, refreshToken } = await authorityFor({ clients });
    const type = 'urn:ietf:params:oauth:token-type:refresh_token';
    const subject = { token: await refreshToken(), type };
    const grant = { grant: 'refresh_token', client };
    expect(await call({ ...grant, subject })).toMatchObject({ status: 200 });
    expect(server.asked.at(-1)?.parameters['refresh_token']).toBe(subject.token);
    const error = await errorOf(call(grant));
    expect(error).toMatchObject({ kind: 'configuration', status: 400 });
    expect(error.detail).toContain('oauth2.refreshToken is missing');
  });

  test('authorization_code brings a token for a code from elsewhere [AU-07]', async () => {
    const redirectUri = 'https://app.example/back';
    const { server, call } = await authorityFor({ clients, codes: { 'c0de-1': redirectUri } });
    const grant = { grant: 'authorization_code', client, code: 'c0de-1', redirectUri };
    expect(await call({ ...grant, codeVerifier: 'verifier' })).toMatchObject({ status: 200 });
    expect(server.asked[0]?.parameters).toMatchObject({
      ...{ code: 'c0de-1', redirect_uri: redirectUri, code_verifier: 'verifier' },
    });
    // It is used up: another policy with the same code has no luck.
    const error = await errorOf(call(grant));
    expect(error).toMatchObject({ kind: 'authentication', status: 401 });
    expect(error.message).not.toContain('c0de-1');
  });

  test('authorization_code without a code says what is missing [AU-07]', async () => {
    const { server, call } = await authorityFor({ clients });
    const error = await errorOf(call({ grant: 'authorization_code', client }));
    expect(error).toMatchObject({ kind: 'configuration', status: 400 });
    expect(error.detail).toContain('needs a code that was obtained before, with its redirectUri');
    expect(server.asked).toEqual([]);
  });

  test('token-exchange brings a token for those of subject and actor [AU-08]', async () => {
    const { server, call } = await authorityFor({ clients, foreign: ['of-ada', 'of-robot'] });
    const type = 'urn:ietf:params:oauth:token-type:access_token';
    const subject = { token: 'of-ada', type };
    const grant = { grant: EXCHANGE, client, subject };
    expect(await call({ ...grant, actor: { token: 'of-robot', type } })).toMatchObject({
      status: 200,
    });
    expect(server.asked[0]?.parameters).toMatchObject({
      ...{ subject_token: 'of-ada', subject_token_type: type },
      ...{ actor_token: 'of-robot', actor_token_type: type },
    });
    expect(await call(grant)).toMatchObject({ status: 200 });
    expect(server.asked[1]?.parameters).not.toHaveProperty('actor_token');
    const error = await errorOf(call({ ...grant, subject: { token: 'of-nobody', type } }));
    expect(error).toMatchObject({ kind: 'authentication', status: 401 });
    for (const wrong of [{ grant: EXCHANGE }, { ...grant, subject: { token: 'of-ada' } }]) {
      expect((await errorOf(call(wrong))).kind).toBe('configuration');
    }
  });
});

test('scopes and audiences are sent [AU-12]', async () => {
  const { server, call } = await authorityFor({ clients });
  const grant = { grant: 'client_credentials', client };
  await call({ ...grant, scopes: ['read:pets', 'write'], audiences: ['https://a', 'https://b'] });
  expect(server.asked[0]?.parameters).toMatchObject({
    ...{ scope: 'read:pets write', audience: ['https://a', 'https://b'] },
  });
  await call({ ...grant, audiences: ['https://a'] });
  expect(server.asked[1]?.parameters).toMatchObject({ audience: 'https://a' });
  expect(server.asked[1]?.parameters).not.toHaveProperty('scope');
  expect((await errorOf(call({ ...grant, scopes: 'read' }))).kind).toBe('configuration');
});

test('a request is encoded as a form, or as JSON if the policy says so [AU-10]', async () => {
  const { server, call } = await authorityFor({ clients });
  const grant = { grant: 'client_credentials', client, audiences: ['a', 'b'] };
  for (const encoding of ['application/json', 'application/x-www-form-urlencoded']) {
    expect(await call({ ...grant, request: { encoding } })).toMatchObject({ status: 200 });
    expect(server.asked.at(-1)).toMatchObject({
      type: encoding,
      parameters: { audience: ['a', 'b'] },
    });
  }
  await call({ ...grant, request: {} });
  expect(server.asked.at(-1)?.type).toBe('application/x-www-form-urlencoded');
  const error = await errorOf(call({ ...grant, request: { encoding: 'text/xml' } }));
  expect(error).toMatchObject({ kind: 'configuration' });
});

describe('the token endpoint', () => {
  const grant = { grant: 'client_credentials', client };

  test.each<readonly [string, JsonObject, string]>([
    ['', {}, '/oauth2/token'],
    ['/', {}, '/oauth2/token'],
    ['/realms/fake', {}, '/realms/fake/oauth2/token'],
    ['/realms/fake/', { endpoints: { token: '/auth/token' } }, '/realms/fake/auth/token'],
    ['/realms/fake', { endpoints: { token: 'auth/token' } }, '/realms/fake/auth/token'],
    ['', { endpoints: { introspection: '/auth/introspect' } }, '/oauth2/token'],
  ])('of the authority "%s" with %j is %s [AU-11]', async (path, settings, token) => {
    const { server, call } = await authorityFor({ clients, paths: { token } });
    const authority = `${server.url}${path}`;
    expect(await call({ ...grant, ...settings, authority })).toMatchObject({ status: 200 });
    expect(server.asked[0]?.path).toBe(token);
  });

  test('may be a whole URL elsewhere [AU-11]', async () => {
    const { server, call } = await authorityFor({ clients });
    const endpoints = { token: `${server.url}/oauth2/token` };
    const settings = { ...grant, authority: 'https://auth.example', endpoints };
    expect(await call(settings)).toMatchObject({ status: 200 });
  });

  test('that is not for workflows is refused as any other place is', async () => {
    const { server, call } = await authorityFor({ clients });
    for (const authority of ['http://169.254.169.254', 'http://auth.internal']) {
      expect(await errorOf(call({ ...grant, authority }))).toMatchObject({ kind: 'authorization' });
    }
    expect(server.shown).toEqual([]);
  });

  test('that refuses is an authentication error; the resource is left alone [AU-16]', async () => {
    const { server, call } = await authorityFor({ clients });
    const wrong = { ...client, secret: 'wrong-s3cret' };
    const error = await errorOf(call({ ...grant, client: wrong }));
    expect(error).toMatchObject({ kind: 'authentication', status: 401 });
    expect(error.detail).toBe(
      `${server.url}/oauth2/token answered 401 to the grant client_credentials: ` +
        'invalid_client, it does not fit: ***',
    );
    expect(server.shown).toEqual([]);
  });

  test.each([
    [{ status: 400 }, 'authentication', 401],
    [{ status: 403, body: 'no' }, 'authentication', 401],
    [{ status: 302, headers: { location: '/elsewhere' } }, 'authentication', 401],
    [{ body: 'not JSON' }, 'authentication', 401],
    [{ body: '[]' }, 'authentication', 401],
    [{ body: '{"token_type":"bearer"}' }, 'authentication', 401],
    [{ body: '{"access_token":"a\\r\\nb"}' }, 'authentication', 401],
    [{ body: '{"error":"invalid_client"}' }, 'authentication', 401],
    [{ status: 500 }, 'communication', 500],
    [{ status: 503, body: '{"error":"busy"}' }, 'communication', 503],
    [{ status: 429 }, 'communication', 429],
  ])('that answers %j is one of kind %s [AU-16]', async (answer, kind, status) => {
    const { server, call } = await authorityFor({ clients });
    server.answer = answer;
    expect(await errorOf(call(grant))).toMatchObject({ kind, status });
    expect(server.shown).toEqual([]);
    // A failure is not kept.
    server.answer = undefined;
    expect(await call(grant)).toMatchObject({ status: 200 });
  });

  test('that is not there is a communication error', async () => {
    const { server, call } = await authorityFor({ clients });
    await server.close();
    expect(await errorOf(call(grant))).toMatchObject({ kind: 'communication', status: 500 });
  });
});

test('a token of another type is shown as what it is', async () => {
  const { server, call } = await authorityFor({ clients });
  const typed = async (type: unknown): Promise<string | undefined> => {
    server.answer = { body: JSON.stringify({ access_token: 'a', token_type: type }) };
    const answer = await call({ grant: 'client_credentials', client, scopes: [String(type)] });
    return answer.authorization?.scheme;
  };
  expect(await typed('BEARER')).toBe('Bearer');
  expect(await typed('N_A')).toBe('Bearer');
  expect(await typed(undefined)).toBe('Bearer');
  expect(await typed('a b')).toBe('Bearer');
  expect(await typed('PoP')).toBe('PoP');
});

test('nothing of a policy is in what a failed call tells', async () => {
  const policy = {
    oauth2: {
      authority: 'http://127.0.0.1:1',
      grant: 'password',
      client,
      username: 'u',
      password: 'p4ssword',
    },
  };
  const error = await errorOf(ask(guarded(), 'http://127.0.0.1:1/', { authentication: policy }));
  expect(error.kind).toBe('communication');
  expect(JSON.stringify([error, error.message, String(error.cause)])).not.toMatch(/s3cret|p4ss/);
});
