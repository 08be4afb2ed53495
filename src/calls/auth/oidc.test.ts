import { describe, expect, test } from 'vitest';
import { serve } from '../../testing/called.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { ask, guarded } from '../../testing/guarded-http.ts';
import { authorityFor } from '../../testing/token-office.ts';
import { createDiscovery, DISCOVERY_MS, PROVIDERS_MAX } from './discovery.ts';

const client = { id: 'workflows', secret: 's3cret' };
const clients = { workflows: { by: 'post', secret: client.secret } } as const;
const grant = { grant: 'client_credentials', client };
const WELL_KNOWN = '/.well-known/openid-configuration';
const kind = 'oidc';

describe('a provider tells its endpoints', () => {
  test.each(['', '/', '/realms/fake', WELL_KNOWN, `/realms/fake${WELL_KNOWN}`, `${WELL_KNOWN}/`])(
    'for the authority "%s" [AU-14]',
    async (path) => {
      const token = '/somewhere/else';
      const { server, call } = await authorityFor({ clients, paths: { token } });
      const authority = `${server.url}${path}`;
      expect(await call({ ...grant, authority }, { kind })).toMatchObject({ status: 200 });
      expect(server.asked.map(({ path }) => path)).toEqual([token]);
      expect(server.discoveries()).toBe(1);
    },
  );

  test('once in a while', async () => {
    let now = 0;
    const { server, call } = await authorityFor({ clients }, { now: () => now });
    const renew = (n: number) => call({ ...grant, scopes: [`${n}`] }, { kind });
    await Promise.all([renew(1), renew(2)]);
    now = DISCOVERY_MS - 1;
    await renew(3);
    expect(server.discoveries()).toBe(1);
    now += 1;
    await renew(4);
    expect(server.discoveries()).toBe(2);
  });

  test('and is remembered with so many others', async () => {
    const server = await serve(({ path }) => ({
      body: JSON.stringify({ token_endpoint: `https://auth.example${path}` }),
    }));
    const discover = createDiscovery(guarded(), () => 0);
    const { signal } = new AbortController();
    const told = async (n: number): Promise<number> => {
      const before = server.requests.length;
      await discover(new URL(`${server.url}/${n}`), signal);
      return server.requests.length - before;
    };
    for (let n = 0; n < PROVIDERS_MAX; n += 1) await told(n);
    expect([await told(0), await told(PROVIDERS_MAX), await told(0), await told(1)]).toEqual([
      0, 1, 0, 1,
    ]);
  });

  test('or there is no token', async () => {
    const answers = [
      { status: 404 },
      { body: 'no JSON' },
      { body: '{"issuer":"https://a"}' },
      { body: '{"token_endpoint":"/relative"}' },
    ];
    for (const answer of answers) {
      const server = await serve(answer);
      const authentication = { oidc: { ...grant, authority: server.url } };
      const error = await errorOf(ask(guarded(), server.url, { authentication }));
      expect(error).toMatchObject({ kind: 'communication', status: answer.status ?? 500 });
      expect(error.detail).toContain(`${server.url}${WELL_KNOWN}`);
      expect(server.requests).toHaveLength(1);
    }
  });

  test('and is refused if one of them is not for workflows', async () => {
    const server = await serve({ body: '{"token_endpoint":"http://169.254.169.254/token"}' });
    const authentication = { oidc: { ...grant, authority: server.url } };
    const error = await errorOf(ask(guarded(), server.url, { authentication }));
    expect(error).toMatchObject({ kind: 'authorization', status: 403 });
  });
});

test('a provider that refuses is an authentication error [AU-16]', async () => {
  const { call } = await authorityFor({ clients });
  const settings = { ...grant, client: { ...client, secret: 'wr0ng' } };
  expect(await errorOf(call(settings, { kind }))).toMatchObject({
    ...{ kind: 'authentication', status: 401 },
  });
});

describe('the issuer of a token', () => {
  const issuer = 'https://issuer.example';
  const issuers = ['https://other.example', issuer];

  test.each(['oauth2', 'oidc'] as const)(
    'is one that the policy names, by %s [AU-13]',
    async (kind) => {
      const { server, call } = await authorityFor({ clients, issuer });
      expect(await call({ ...grant, issuers }, { kind })).toMatchObject({ status: 200 });
      const error = await errorOf(call({ ...grant, issuers: ['https://other.example'] }, { kind }));
      expect(error).toMatchObject({ kind: 'authentication', status: 401 });
      expect(error.detail).toContain(`issuers does not name; came "${issuer}"`);
      expect(server.shown).toHaveLength(1);
    },
  );

  test.each([
    ['/oauth2/introspect', {}],
    ['/auth/introspect', { endpoints: { introspection: '/auth/introspect' } }],
  ])(
    'is asked for at %s if the token does not tell [AU-13] [AU-11]',
    async (introspection, more) => {
      const paths = { introspection };
      const { server, call } = await authorityFor({ clients, issuer, paths, isOpaque: true });
      expect(await call({ ...grant, ...more, issuers })).toMatchObject({ status: 200 });
      expect(server.asked.map(({ path }) => path)).toEqual(['/oauth2/token', introspection]);
      expect(server.asked[1]?.parameters).toMatchObject({
        ...{ token: server.shown[0], client_id: client.id, client_secret: client.secret },
      });
      const error = await errorOf(call({ ...grant, ...more, issuers: ['https://other.example'] }));
      expect(error.kind).toBe('authentication');
    },
  );

  test('is told by a token of identity that came along', async () => {
    const { server, call } = await authorityFor({ clients });
    const claims = Buffer.from(JSON.stringify({ iss: issuer })).toString('base64url');
    const answer = { access_token: 'opaque', id_token: `e30.${claims}.x` };
    server.answer = { body: JSON.stringify(answer) };
    expect(await call({ ...grant, issuers })).toMatchObject({ status: 401 });
    expect(server.shown).toEqual(['opaque']);
  });

  test('that nobody can tell is as good as a wrong one', async () => {
    const { server, call } = await authorityFor({ clients, isOpaque: true });
    server.answer = { body: '{"access_token":"opaque"}' };
    expect(await errorOf(call({ ...grant, issuers }))).toMatchObject({ kind: 'authentication' });
    const provider = await serve(({ path }) => ({
      body: path.endsWith(WELL_KNOWN)
        ? JSON.stringify({ token_endpoint: `${provider.url}/token` })
        : '{"access_token":"opaque"}',
    }));
    const authentication = { oidc: { ...grant, authority: provider.url, issuers } };
    const error = await errorOf(ask(guarded(), provider.url, { authentication }));
    expect(error.detail).toContain('came none');
  });

  test('does not matter if the policy names none', async () => {
    const { server, call } = await authorityFor({ clients, isOpaque: true });
    expect(await call({ ...grant, issuers: [] })).toMatchObject({ status: 200 });
    expect(server.asked).toHaveLength(1);
  });
});
