/** Stories of the keys of an issuer: fetched, kept, changed, and not to be had. */
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { closed } from '../../testing/closed.ts';
import { type LocalAnswer, type LocalServer, startHttpServer } from '../../testing/http-server.ts';
import { TokenCheck } from './jwt.ts';
import { KEYS_BYTES_MAX, KEYS_COOLDOWN_MS, KEYS_MS_MAX, KEYS_PAUSE_MS } from './key-sets.ts';

const NOW = 1_700_000_000_000;

interface Signer {
  readonly shown: JWK;
  readonly sign: (issuer: string, kid?: string) => Promise<string>;
}

const signers: Record<string, Signer> = {};
const signer = (name: string): Signer => {
  const found = signers[name];
  if (found === undefined) throw new Error(`there is a signer "${name}"`);
  return found;
};

beforeAll(async () => {
  for (const kid of ['old', 'new']) {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    signers[kid] = {
      shown: { ...(await exportJWK(publicKey)), kid },
      sign: (issuer, named = kid) =>
        new SignJWT({ iss: issuer, aud: 'perdure', sub: 'ann', exp: NOW / 1_000 + 86_400 })
          .setProtectedHeader({ alg: 'ES256', kid: named })
          .sign(privateKey),
    };
  }
});

/** An issuer that shows the keys it has just now, and counts how often it was asked for them. */
class Issuer {
  keys: readonly string[] = ['old'];
  /** Instead of what it would answer. */
  answer: LocalAnswer | undefined;
  configuration: object = {};
  readonly server: LocalServer;

  constructor(server: LocalServer) {
    this.server = server;
  }

  static async open(): Promise<Issuer> {
    const issuer: Issuer = new Issuer(
      closed(
        await startHttpServer(({ path }) => {
          if (issuer.answer !== undefined) return issuer.answer;
          const { url } = issuer.server;
          if (path === '/keys') {
            return { body: JSON.stringify({ keys: issuer.keys.map((kid) => signer(kid).shown) }) };
          }
          if (path !== '/.well-known/openid-configuration') return { status: 404 };
          const said = { issuer: url, jwks_uri: `${url}/keys`, ...issuer.configuration };
          return { body: JSON.stringify(said) };
        }),
      ),
    );
    return issuer;
  }

  get url(): string {
    return this.server.url;
  }

  get fetches(): number {
    return this.server.requests.filter(({ path }) => path === '/keys').length;
  }

  check(jwks?: string): TokenCheck {
    return new TokenCheck({
      issuer: this.url,
      audience: 'perdure',
      algorithms: ['ES256'],
      tenants: 'all',
      ...(jwks === undefined ? {} : { jwks }),
    });
  }
}

function trouble(reason: RegExp): object {
  return expect.objectContaining({
    code: 'access.unavailable',
    retryable: true,
    message: expect.stringMatching(reason),
    headers: { 'retry-after': '5' },
  });
}

test('keys are where the issuer says, and are fetched once', async () => {
  const issuer = await Issuer.open();
  const check = issuer.check();
  const token = await signer('old').sign(issuer.url);
  expect(issuer.server.requests).toHaveLength(0);
  const answers = await Promise.all([check.verify(token, NOW), check.verify(token, NOW)]);
  expect(answers.map(({ id }) => id)).toEqual(['ann', 'ann']);
  await check.verify(token, NOW + KEYS_MS_MAX - 1);
  expect(issuer.fetches).toBe(1);
  await check.verify(token, NOW + KEYS_MS_MAX);
  expect(issuer.fetches).toBe(2);
});

test('a URL that is given is asked, and nothing else', async () => {
  const issuer = await Issuer.open();
  const check = issuer.check(`${issuer.url}/keys`);
  expect(await check.verify(await signer('old').sign(issuer.url), NOW)).toMatchObject({
    id: 'ann',
  });
  expect(issuer.server.requests.map(({ path }) => path)).toEqual(['/keys']);
});

test('an issuer that changes its keys is followed', async () => {
  const issuer = await Issuer.open();
  const check = issuer.check();
  const old = await signer('old').sign(issuer.url);
  const next = await signer('new').sign(issuer.url);
  await check.verify(old, NOW);

  issuer.keys = ['old', 'new'];
  const soon = NOW + KEYS_COOLDOWN_MS;
  await expect(check.verify(next, soon - 1)).rejects.toThrow(/the issuer does not have/);
  expect(issuer.fetches).toBe(1);
  expect(await check.verify(next, soon)).toMatchObject({ id: 'ann' });
  expect(await check.verify(old, soon)).toMatchObject({ id: 'ann' });
  expect(issuer.fetches).toBe(2);

  // What the issuer took back is good for as long as keys are kept, and no longer.
  issuer.keys = ['new'];
  const later = soon + KEYS_MS_MAX;
  expect(await check.verify(old, later - 1)).toMatchObject({ id: 'ann' });
  await expect(check.verify(old, later)).rejects.toThrow(/the issuer does not have/);
});

test('tokens that name keys nobody has do not make us ask for them again and again', async () => {
  const issuer = await Issuer.open();
  const check = issuer.check();
  const forged = await signer('new').sign(issuer.url, 'nobody');
  for (const ms of [0, 1, KEYS_COOLDOWN_MS - 1]) {
    await expect(check.verify(forged, NOW + ms)).rejects.toThrow(
      expect.objectContaining({ code: 'access.unauthenticated' }),
    );
  }
  expect(issuer.fetches).toBe(1);
  await expect(check.verify(forged, NOW + KEYS_COOLDOWN_MS)).rejects.toThrow(/does not have/);
  expect(issuer.fetches).toBe(2);
});

test('a token that names no key is good while the issuer has one', async () => {
  const issuer = await Issuer.open();
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  signers['nameless'] = { shown: await exportJWK(publicKey), sign: signer('old').sign };
  const token = await new SignJWT({ iss: issuer.url, aud: 'perdure', sub: 'ann', exp: NOW })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(privateKey);
  issuer.keys = ['nameless'];
  expect(await issuer.check().verify(token, NOW)).toMatchObject({ id: 'ann' });
  issuer.keys = ['nameless', 'old'];
  await expect(issuer.check().verify(token, NOW)).rejects.toThrow(/the issuer has several/);
});

test('an issuer that cannot be asked is trouble that passes, and no wrong token', async () => {
  const issuer = await Issuer.open();
  const check = issuer.check();
  const token = await signer('old').sign(issuer.url);
  issuer.answer = { status: 503 };
  await expect(check.verify(token, NOW)).rejects.toThrow(trouble(/it answered 503/));
  const asked = issuer.server.requests.length;
  await expect(check.verify(token, NOW + KEYS_PAUSE_MS - 1)).rejects.toThrow(trouble(/503/));
  expect(issuer.server.requests).toHaveLength(asked);

  issuer.answer = undefined;
  expect(await check.verify(token, NOW + KEYS_PAUSE_MS)).toMatchObject({ id: 'ann' });

  // Keys that are held go on being good while it is away; a new one cannot be looked for.
  await issuer.server.close();
  const later = NOW + KEYS_PAUSE_MS + KEYS_COOLDOWN_MS;
  expect(await check.verify(token, later)).toMatchObject({ id: 'ann' });
  const next = await signer('new').sign(issuer.url);
  await expect(check.verify(next, later)).rejects.toThrow(trouble(/it did not answer/));
});

test('whoever answers must be the issuer, and show its keys in a way that is safe', async () => {
  const cases: readonly (readonly [object, LocalAnswer | undefined, RegExp])[] = [
    [{ issuer: 'https://id.example.com' }, undefined, /that of another issuer/],
    [{ issuer: undefined }, undefined, /that of another issuer/],
    [{ jwks_uri: 'http://id.example.com/keys' }, undefined, /no jwks_uri with https/],
    [{ jwks_uri: undefined }, undefined, /no jwks_uri with https/],
    [{}, { status: 302, headers: { location: '/keys' } }, /it did not answer/],
    [{}, { body: '<html>' }, /it answered no JSON/],
    [{}, { body: 'null' }, /it answered no object/],
  ];
  for (const [configuration, answer, reason] of cases) {
    const issuer = await Issuer.open();
    Object.assign(issuer, { configuration, answer });
    const token = await signer('old').sign(issuer.url);
    await expect(issuer.check().verify(token, NOW)).rejects.toThrow(trouble(reason));
  }
});

test('a set of keys has a size', async () => {
  const issuer = await Issuer.open();
  const token = await signer('old').sign(issuer.url);
  const body = JSON.stringify({ keys: [signer('old').shown] }).padEnd(KEYS_BYTES_MAX);
  const check = (): TokenCheck => issuer.check(`${issuer.url}/keys`);
  issuer.answer = { body };
  expect(await check().verify(token, NOW)).toMatchObject({ id: 'ann' });
  issuer.answer = { body: `${body} ` };
  await expect(check().verify(token, NOW)).rejects.toThrow(trouble(/more than 262144 bytes/));
  issuer.answer = { body: '{"keys":7}' };
  await expect(check().verify(token, NOW)).rejects.toThrow(trouble(/no set of keys/));
});
