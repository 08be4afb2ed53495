import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { textIn, type TokenClient } from '../../testing/token-clients.ts';
import { authorityFor } from '../../testing/token-office.ts';
import { ASSERTION_MS, claimsOf, signWithKey } from './jwt.ts';

const SECRET = 's3cret of: the/client+ü&=';
const RSA = keyPair('rsa', { modulusLength: 2_048 });
const P256 = keyPair('ec', { namedCurve: 'P-256' });
const P384 = keyPair('ec', { namedCurve: 'P-384' });

function keyPair(type: 'rsa' | 'ec', options: object): { key: string; publicKey: string } {
  const { privateKey, publicKey } = (generateKeyPairSync as GenerateKeys)(type, options);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

type GenerateKeys = (
  type: string,
  options: object,
) => Record<'privateKey' | 'publicKey', { export(how: object): string | Buffer }>;

function calling(known: TokenClient, client: JsonObject) {
  return async () => {
    const office = await authorityFor({ clients: { 'a client': known } });
    const settings = { grant: 'client_credentials', client: { id: 'a client', ...client } };
    return { answer: await office.call(settings), asked: office.server.asked };
  };
}

describe('a client shows who it is', () => {
  test.each<readonly [string, TokenClient, JsonObject]>([
    ['by default', { by: 'post', secret: SECRET }, { secret: SECRET }],
    [
      'by client_secret_post',
      { by: 'post', secret: SECRET },
      { secret: SECRET, authentication: 'client_secret_post' },
    ],
    [
      'by client_secret_basic',
      { by: 'basic', secret: SECRET },
      { secret: SECRET, authentication: 'client_secret_basic' },
    ],
    [
      'by client_secret_jwt',
      { by: 'secret-jwt', secret: SECRET },
      { secret: SECRET, authentication: 'client_secret_jwt' },
    ],
    [
      'by private_key_jwt, of RSA',
      { by: 'key-jwt', publicKey: RSA.publicKey, alg: 'RS256' },
      { assertion: RSA.key, authentication: 'private_key_jwt' },
    ],
    [
      'by private_key_jwt, of P-256',
      { by: 'key-jwt', publicKey: P256.publicKey, alg: 'ES256' },
      { assertion: P256.key, authentication: 'private_key_jwt' },
    ],
    [
      'by private_key_jwt, with the key as its secret',
      { by: 'key-jwt', publicKey: P256.publicKey, alg: 'ES256' },
      { secret: P256.key, authentication: 'private_key_jwt' },
    ],
    ['by its name alone', { by: 'none' }, { authentication: 'none' }],
    ['by its name alone, having no secret', { by: 'none' }, {}],
  ])('%s [AU-09]', async (_, known, client) => {
    const { answer, asked } = await calling(known, client)();
    expect(answer.status).toBe(200);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.parameters).not.toHaveProperty('authorization');
  });

  test('by an assertion that somebody else has signed, as it is [AU-09]', async () => {
    const known = { by: 'key-jwt', publicKey: RSA.publicKey, alg: 'RS256' } as const;
    const office = await authorityFor({ clients: { me: known } });
    const audience = `${office.server.url}/oauth2/token`;
    const parts = { clientId: 'me', audience, nowMs: Date.now(), keyId: 'key 1' };
    const assertion = signWithKey(parts, RSA.key);
    const client = { id: 'me', assertion, authentication: 'private_key_jwt' };
    expect(await office.call({ grant: 'client_credentials', client })).toMatchObject({
      status: 200,
    });
    expect(office.server.asked[0]?.parameters['client_assertion']).toBe(assertion);
  });

  test('with the id of its key, and for a short time only', async () => {
    const office = await authorityFor(
      { clients: { me: { by: 'secret-jwt', secret: SECRET } }, now: () => 1_000_000 },
      { now: () => 1_000_000 },
    );
    const method = { authentication: 'client_secret_jwt', keyId: 'key 1' };
    const client = { id: 'me', secret: SECRET, ...method };
    await office.call({ grant: 'client_credentials', client });
    const jwt = textIn(office.server.asked[0]?.parameters ?? {}, 'client_assertion');
    const [head = ''] = jwt.split('.');
    expect(claimsOf(`x.${head}.x`)).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'key 1' });
    expect(claimsOf(jwt)).toMatchObject({ iat: 1_000, exp: 1_000 + ASSERTION_MS / 1_000 });
  });
});

describe('a client that cannot show who it is is a configuration error', () => {
  test.each<readonly [string, JsonObject, string]>([
    ['no secret', { authentication: 'client_secret_post' }, 'oauth2.client.secret is missing'],
    ['no secret', { authentication: 'client_secret_basic' }, 'oauth2.client.secret is missing'],
    [
      'nothing',
      { authentication: 'private_key_jwt' },
      'oauth2.client.assertion or secret is missing',
    ],
    [
      'another way',
      { authentication: 'tls_client_auth' },
      'oauth2.client.authentication is one of',
    ],
    ['no key', { authentication: 'private_key_jwt', assertion: 's3cret' }, 'private key as PEM'],
    ['a public key', { authentication: 'private_key_jwt', assertion: RSA.publicKey }, 'as PEM'],
    [
      'another curve',
      { authentication: 'private_key_jwt', assertion: P384.key },
      'the curve P-256',
    ],
  ])('%s: %j', async (_, client, words) => {
    const error = await errorOf(calling({ by: 'none' }, client)());
    expect(error).toMatchObject({ kind: 'configuration', status: 400 });
    expect(error.detail).toContain(words);
    expect(error.message).not.toMatch(/s3cret|BEGIN/);
  });

  test('a client has an id', async () => {
    const office = await authorityFor();
    const error = await errorOf(
      office.call({ grant: 'client_credentials', client: { secret: 'a' } }),
    );
    expect(error.detail).toContain('oauth2.client.id is missing');
  });
});

test('nobody in particular may ask where the authority allows it', async () => {
  const office = await authorityFor();
  expect(await office.call({ grant: 'client_credentials' })).toMatchObject({ status: 200 });
  expect(office.server.asked[0]?.parameters).toEqual({ grant_type: 'client_credentials' });
});
