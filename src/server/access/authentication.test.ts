/** Stories of who asks: by which credential, and what becomes of those that are none. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { unauthenticated } from '../../testing/unauthenticated.ts';
import { createApiKey } from './api-keys.ts';
import { type AccessOptions, Authentication } from './authentication.ts';
import type { Principal } from './principal.ts';

const NOW = Date.now();
const SECRET = 's'.repeat(32);
const { key, record } = createApiKey({ id: 'ci', role: 'viewer', expires: NOW + 1_000 });
const jwt = {
  issuer: 'us',
  audience: 'perdure',
  algorithms: ['HS256'],
  jwks: { secret: SECRET },
  tenants: 'all',
} as const;
const BOB: Principal = { id: 'bob', tenant: 'acme', scopes: new Set(['read']), groups: [] };

function tokenOf(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const good = { iss: 'us', aud: 'perdure', sub: 'ann', exp: Math.floor(NOW / 1_000) + 60 };
  const signed = `${part({ alg: 'HS256' })}.${part({ ...good, ...claims })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

type Headers = Readonly<Record<string, string>>;

function identify(
  access: AccessOptions,
  headers: Headers,
  { now = NOW, url = 'http://localhost/instances' } = {},
): Promise<Principal | null> {
  const authentication = new Authentication(access, () => now);
  return authentication.identify(
    (name) => headers[name],
    () => new Request(url, { headers }),
  );
}

const ALL: AccessOptions = { keys: [record], jwt };

test('a server knows whether there is a way to say who one is', () => {
  expect(new Authentication({}).isConfigured).toBe(false);
  expect(new Authentication({ keys: [] }).isConfigured).toBe(true);
  expect(new Authentication({ jwt }).isConfigured).toBe(true);
  expect(new Authentication({ authenticate: () => null }).isConfigured).toBe(true);
  const wrong = expect.objectContaining({ code: 'engine.option-invalid' });
  expect(() => new Authentication({ key: [record] } as AccessOptions)).toThrow(wrong);
  expect(() => new Authentication({ authenticate: 7 } as unknown as AccessOptions)).toThrow(wrong);
});

test('a key comes as a bearer or in a header of its own, a token as a bearer', async () => {
  const headers: readonly Headers[] = [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer  ${key}` },
    { 'x-api-key': key },
    { authorization: `Bearer ${key}`, 'x-api-key': key },
  ];
  for (const each of headers) expect(await identify(ALL, each)).toMatchObject({ id: 'key:ci' });
  const token = { authorization: `Bearer ${tokenOf({})}` };
  expect(await identify(ALL, token)).toMatchObject({ id: 'ann' });
});

test('who sends nothing is nobody, and what stands in the URL is nothing', async () => {
  expect(await identify(ALL, {})).toBeNull();
  const url = `http://localhost/?access_token=${key}&api_key=${key}&authorization=Bearer+${key}`;
  expect(await identify(ALL, {}, { url })).toBeNull();
});

test('a credential that is wrong is refused with a reason', async () => {
  const stranger = createApiKey({ id: 'ci', role: 'viewer' }).key;
  const cases: readonly (readonly [Headers, RegExp])[] = [
    [{ authorization: `Bearer ${stranger}` }, /no such key/],
    [{ 'x-api-key': stranger }, /no such key/],
    [{ 'x-api-key': 'pdr_ci_short' }, /no such key/],
    [{ authorization: `Bearer ${tokenOf({ exp: 1 })}` }, /has expired/],
    [{ authorization: `Bearer ${tokenOf({ aud: 'else' })}` }, /another audience/],
    [{ authorization: `Bearer ${tokenOf({ iss: 'else' })}` }, /another issuer/],
    [{ authorization: `Bearer ${tokenOf({})}x` }, /signature of the token is wrong/],
    [{ 'x-api-key': tokenOf({}) }, /of no kind that is taken here/],
    [{ authorization: 'Bearer opaque' }, /of no kind/],
    [{ authorization: 'Bearer' }, /of no kind/],
    [{ authorization: '' }, /of no kind/],
    [{ authorization: key }, /of no kind/],
    [{ authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` }, /of no kind/],
    [{ authorization: `Bearer ${key}, Bearer ${key}` }, /of no kind/],
  ];
  for (const [headers, reason] of cases) {
    await expect(identify(ALL, headers), JSON.stringify(headers)).rejects.toThrow(
      unauthenticated(reason),
    );
  }
});

test('a key is told to have expired at its moment', async () => {
  const headers = { 'x-api-key': key };
  expect(await identify(ALL, headers, { now: NOW + 999 })).toMatchObject({ id: 'key:ci' });
  await expect(identify(ALL, headers, { now: NOW + 1_000 })).rejects.toThrow(
    unauthenticated(/the key has expired/),
  );
});

test('of two credentials none is taken', async () => {
  const other = createApiKey({ id: 'cd', role: 'admin' });
  const access = { ...ALL, keys: [record, other.record] };
  for (const authorization of [`Bearer ${other.key}`, `Bearer ${tokenOf({})}`, 'Basic eDp5', '']) {
    const headers = { authorization, 'x-api-key': key };
    await expect(identify(access, headers)).rejects.toThrow(unauthenticated(/two credentials/));
  }
});

test('what is wrong is told without what came', async () => {
  const stranger = createApiKey({ id: 'ci', role: 'viewer' }).key;
  for (const text of [stranger, `${tokenOf({})}x`]) {
    const thrown = await identify(ALL, { authorization: `Bearer ${text}` }).catch((e: Error) => e);
    expect(thrown).toBeInstanceOf(Error);
    expect((thrown as Error).message).not.toContain(text.slice(-20));
  }
});

test('a credential that nobody here can check is refused and not overlooked', async () => {
  await expect(identify({}, { 'x-api-key': key })).rejects.toThrow(unauthenticated(/no kind/));
  const noKeys = identify({ jwt }, { authorization: `Bearer ${key}` });
  await expect(noKeys).rejects.toThrow(unauthenticated(/no kind/));
  const noTokens = identify({ keys: [record] }, { authorization: `Bearer ${tokenOf({})}` });
  await expect(noTokens).rejects.toThrow(unauthenticated(/no kind/));
});

test('an application that knows its users says who it is', async () => {
  const access: AccessOptions = {
    ...ALL,
    authenticate: async ({ headers }) => (headers.get('cookie') === 'session=bob' ? BOB : null),
  };
  expect(await identify(access, { cookie: 'session=bob' })).toEqual(BOB);
  expect(await identify(access, { cookie: 'session=eve' })).toBeNull();
  // A key or a token is never asked about: what it may is said elsewhere.
  const both = { cookie: 'session=bob', 'x-api-key': key };
  expect(await identify(access, both)).toMatchObject({ id: 'key:ci' });
  const bad = { cookie: 'session=bob', authorization: `Bearer ${tokenOf({ exp: 1 })}` };
  await expect(identify(access, bad)).rejects.toThrow(unauthenticated(/has expired/));
  const own = { cookie: 'session=bob', authorization: 'Basic eDp5' };
  expect(await identify(access, own)).toEqual(BOB);
  const refused = { cookie: 'session=eve', authorization: 'Basic eDp5' };
  await expect(identify(access, refused)).rejects.toThrow(unauthenticated(/no kind/));
});

test('an application that does not say it right lets nobody in', async () => {
  const { tenant: _, ...noTenant } = BOB;
  const answers: readonly (readonly [unknown, RegExp])[] = [
    [noTenant, /a tenant/],
    [{ ...BOB, tenant: '' }, /a tenant/],
    [{ ...BOB, id: undefined }, /an id/],
    [{ ...BOB, scopes: ['read'] }, /a Set of scopes/],
    [{ ...BOB, scopes: new Set(['all']) }, /a Set of scopes/],
    [{ ...BOB, groups: 'all' }, /groups/],
    [undefined, /an id/],
    [true, /an id/],
  ];
  for (const [answer, reason] of answers) {
    const access = { authenticate: () => answer as Principal };
    await expect(identify(access, {})).rejects.toThrow(reason);
    await expect(identify(access, {})).rejects.toBeInstanceOf(TypeError);
  }
});
