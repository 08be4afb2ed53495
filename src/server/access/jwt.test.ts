/** Stories of tokens: which are taken, whose they are, and why the others are not. */
import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { unauthenticated } from '../../testing/unauthenticated.ts';
import { TOKEN_CHARS_MAX, TokenCheck } from './jwt.ts';
import { type JwtOptions, SECRET_BYTES_MIN } from './jwt-options.ts';
import { ROLES } from './principal.ts';

const NOW = 1_700_000_000_000;
const SECONDS = NOW / 1_000;
const ISSUER = 'https://id.example.com/';
const GOOD = { iss: ISSUER, aud: 'perdure', sub: 'ann', exp: SECONDS + 60, org: 'acme' };
const SECRET = 's'.repeat(SECRET_BYTES_MIN);

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let rsa: Pair;
let other: Pair;
let options: JwtOptions;

beforeAll(async () => {
  rsa = await generateKeyPair('RS256', { extractable: true });
  other = await generateKeyPair('RS256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(rsa.publicKey)), kid: 'one' }] };
  const claims = { tenant: 'org' };
  options = { issuer: ISSUER, audience: 'perdure', algorithms: ['RS256'], jwks, claims };
});

interface Signing {
  readonly header?: object;
  readonly key?: Pair['privateKey'] | Uint8Array;
}

function sign(
  claims: object,
  { header = {}, key = rsa.privateKey }: Signing = {},
): Promise<string> {
  const protectedHeader = { alg: 'RS256', kid: 'one', ...header };
  return new SignJWT(claims as JWTPayload).setProtectedHeader(protectedHeader).sign(key);
}

/** A token put together by hand, of whatever its header says. */
function handmade(header: object, claims: object, secret?: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  const mac = secret === undefined ? '' : createHmac('sha256', secret).update(signed).digest();
  return `${signed}.${mac === '' ? '' : mac.toString('base64url')}`;
}

async function refusal(token: string | Promise<string>, reason: RegExp, now = NOW): Promise<void> {
  const check = new TokenCheck(options);
  await expect(check.verify(await token, now)).rejects.toThrow(unauthenticated(reason));
}

test('whoever has a good token is who it says', async () => {
  const claims = { tenant: 'org', groups: 'groups', id: 'email' };
  const check = new TokenCheck({ ...options, audience: ['else', 'perdure'], claims });
  const token = await sign({
    ...GOOD,
    email: 'ann@example.com',
    scope: 'openid read tasks email',
    groups: ['clerks', 7, ''],
  });
  expect(await check.verify(token, NOW)).toEqual({
    id: 'ann@example.com',
    tenant: 'acme',
    scopes: new Set(['read', 'tasks']),
    groups: ['clerks'],
  });
});

test('a role, or several, stand for their scopes, and what is no role for nothing', async () => {
  const scopesBy = async (role: unknown): Promise<unknown> => {
    const check = new TokenCheck({ ...options, claims: { tenant: 'org', role: 'roles' } });
    return (await check.verify(await sign({ ...GOOD, roles: role, scope: 'admin' }), NOW)).scopes;
  };
  expect(await scopesBy('person')).toEqual(new Set(ROLES.person));
  expect(await scopesBy(['viewer', 'worker', 'emperor'])).toEqual(new Set(['read', 'work']));
  expect(await scopesBy('toString')).toEqual(new Set());
  expect(await scopesBy(undefined)).toEqual(new Set());
});

test('functions find what lies deeper', async () => {
  const claims: NonNullable<JwtOptions['claims']> = {
    tenant: (said) => (said['app'] as { readonly org: string }).org,
    scopes: () => ['read', 'sing'],
  };
  const check = new TokenCheck({ ...options, claims });
  const token = await sign({ ...GOOD, app: { org: 'deep' } });
  expect(await check.verify(token, NOW)).toMatchObject({
    tenant: 'deep',
    scopes: new Set(['read']),
  });
});

test('a token that does not say its tenant is refused, and never of all', async () => {
  for (const org of [undefined, null, '', 7, ['acme'], {}, true, 'a\nb']) {
    await refusal(sign({ ...GOOD, org }), /which tenant/);
  }
  const found = new TokenCheck({ ...options, claims: { tenant: () => null } });
  await expect(found.verify(await sign(GOOD), NOW)).rejects.toThrow(
    unauthenticated(/which tenant/),
  );
  const inherited = new TokenCheck({ ...options, claims: { tenant: 'constructor' } });
  await expect(inherited.verify(await sign(GOOD), NOW)).rejects.toThrow(/which tenant/);
});

test('tokens are of all tenants only where that was said', async () => {
  const { claims: _, ...rest } = options;
  const check = new TokenCheck({ ...rest, tenants: 'all' });
  expect(await check.verify(await sign(GOOD), NOW)).toMatchObject({ tenant: null });
  expect(() => new TokenCheck(rest)).toThrow(/either claims\.tenant/);
  expect(() => new TokenCheck({ ...options, tenants: 'all' })).toThrow(/either claims\.tenant/);
  const typo = { ...rest, tenants: 'every' as 'all' };
  expect(() => new TokenCheck(typo)).toThrow(/'all' or left out/);
});

test('a token of another issuer or for another audience is refused', async () => {
  await refusal(sign({ ...GOOD, iss: 'https://id.example.com' }), /another issuer/);
  await refusal(sign({ ...GOOD, iss: undefined }), /another issuer/);
  await refusal(sign({ ...GOOD, aud: 'perdure2' }), /another audience/);
  await refusal(sign({ ...GOOD, aud: ['a', 'b'] }), /another audience/);
  await refusal(sign({ ...GOOD, aud: undefined }), /another audience/);
});

test('a token is good from its beginning to its end, give or take the tolerance', async () => {
  const check = new TokenCheck({ ...options, clockTolerance: '10s' });
  const token = await sign({ ...GOOD, nbf: SECONDS });
  const from = NOW - 10_000;
  const until = NOW + 60_000 + 10_000;
  expect(await check.verify(token, from)).toMatchObject({ id: 'ann' });
  expect(await check.verify(token, until - 1)).toMatchObject({ id: 'ann' });
  await expect(check.verify(token, from - 1)).rejects.toThrow(unauthenticated(/not valid yet/));
  await expect(check.verify(token, until)).rejects.toThrow(unauthenticated(/has expired/));
  await refusal(sign({ ...GOOD, exp: undefined }), /does not say when it expires/);
  await refusal(sign({ ...GOOD, exp: 'never' }), /does not say when it expires/);
});

test('a token is no older than it may be', async () => {
  const check = new TokenCheck({ ...options, clockTolerance: 0, maxAge: '1m' });
  const issued = (iat: number | undefined): Promise<string> => sign({ ...GOOD, iat });
  expect(await check.verify(await issued(SECONDS - 60), NOW)).toMatchObject({ id: 'ann' });
  const old = await issued(SECONDS - 61);
  await expect(check.verify(old, NOW)).rejects.toThrow(unauthenticated(/too old/));
  for (const iat of [undefined, SECONDS + 1]) {
    const token = await issued(iat);
    await expect(check.verify(token, NOW)).rejects.toThrow(unauthenticated(/when it was issued/));
  }
});

test('a token does not choose how it is checked', async () => {
  const pem = await exportSPKI(rsa.publicKey);
  const header = { alg: 'HS256', kid: 'one', typ: 'JWT' };
  await refusal(handmade(header, GOOD, pem), /not accepted; accepted: RS256/);
  await refusal(handmade(header, GOOD, pem.trim()), /not accepted/);
  for (const alg of ['none', 'None', 'NONE', '', undefined, 7, 'rs256']) {
    await refusal(handmade({ ...header, alg }, GOOD), /not accepted/);
  }
  const stronger = await generateKeyPair('PS256', { extractable: true });
  await refusal(
    sign(GOOD, { header: { alg: 'PS256' }, key: stronger.privateKey }),
    /not accepted; accepted: RS256/,
  );
});

test('a token brings no key along', async () => {
  const jwk = await exportJWK(other.publicKey);
  const header = { jwk, jku: 'https://evil.example.com/keys', x5u: 'https://evil.example.com' };
  await refusal(sign(GOOD, { header, key: other.privateKey }), /signature of the token is wrong/);
});

test('a token that is signed with another key, or altered, is refused', async () => {
  await refusal(sign(GOOD, { key: other.privateKey }), /signature of the token is wrong/);
  await refusal(sign(GOOD, { header: { kid: 'two' } }), /key that the issuer does not have/);
  const [head = '', , tail = ''] = (await sign(GOOD)).split('.');
  const claims = Buffer.from(JSON.stringify({ ...GOOD, org: 'evil' })).toString('base64url');
  await refusal(`${head}.${claims}.${tail}`, /signature of the token is wrong/);
  await refusal(`${head}.${claims}.`, /signature of the token is wrong|cannot be read/);
});

test('a token is for access, and asks for nothing that is not understood', async () => {
  const check = new TokenCheck(options);
  for (const typ of [undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt']) {
    const token = await sign(GOOD, { header: typ === undefined ? {} : { typ } });
    expect(await check.verify(token, NOW)).toMatchObject({ id: 'ann' });
  }
  for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 7, '']) {
    await refusal(handmade({ alg: 'RS256', typ }, GOOD), /a type that is not for access/);
  }
  await refusal(handmade({ alg: 'RS256', crit: ['exp'], exp: 1 }, GOOD), /\(crit\)/);
  await refusal(handmade({ alg: 'RS256', crit: ['b64'], b64: true }, GOOD), /\(crit\)/);
});

test('what is no token is refused as that', async () => {
  for (const text of ['a.b.c', '..', '', 'e30.e30.', `${'x'.repeat(20)}.y.z`]) {
    await refusal(text, /is no JWT|not accepted/);
  }
  const longest = 'x'.repeat(TOKEN_CHARS_MAX);
  await refusal(longest, /is no JWT/);
  await refusal(`${longest}x`, /longer than TOKEN_CHARS_MAX 16384/);
});

test('nobody has the name of a key, or of who sits at the machine', async () => {
  for (const sub of ['key:ci', 'local']) await refusal(sign({ ...GOOD, sub }), /nobody may have/);
  for (const sub of [undefined, '', 7, 'a\nb']) await refusal(sign({ ...GOOD, sub }), /"sub"/);
  const check = new TokenCheck(options);
  for (const sub of ['keys', 'local2', 'donkey:x']) {
    expect(await check.verify(await sign({ ...GOOD, sub }), NOW)).toMatchObject({ id: sub });
  }
});

test('a secret checks what it signed, and nothing that a key signed', async () => {
  const check = new TokenCheck({ ...options, algorithms: ['HS256'], jwks: { secret: SECRET } });
  const header = { alg: 'HS256' };
  const token = handmade(header, GOOD, SECRET);
  expect(await check.verify(token, NOW)).toMatchObject({ id: 'ann' });
  const forged = check.verify(handmade(header, GOOD, `${SECRET}x`), NOW);
  await expect(forged).rejects.toThrow(unauthenticated(/signature of the token is wrong/));
  await expect(check.verify(await sign(GOOD), NOW)).rejects.toThrow(/not accepted/);
});
