/** Stories of what tokens are taken: what makes no sense is found when the server opens. */
import { generateKeyPair, exportJWK } from 'jose';
import { expect, test } from 'vitest';
import type { EngineError } from '../../index.ts';
import {
  type JwtOptions,
  readJwtOptions,
  SECRET_BYTES_MIN,
  TOLERANCE_MS_DEFAULT,
  TOLERANCE_MS_MAX,
} from './jwt-options.ts';

const GOOD: JwtOptions = {
  issuer: 'https://id.example.com',
  audience: 'perdure',
  algorithms: ['RS256'],
  tenants: 'all',
};

function problem(options: object): string {
  try {
    readJwtOptions({ ...GOOD, ...options });
  } catch (thrown) {
    const { code, message } = thrown as EngineError;
    return code === 'engine.option-invalid' ? message : code;
  }
  return 'none';
}

test('what is not said is what is safe', () => {
  expect(readJwtOptions(GOOD)).toMatchObject({
    scopes: 'scope',
    role: null,
    groups: null,
    id: 'sub',
    toleranceMs: TOLERANCE_MS_DEFAULT,
    ageMsMax: null,
  });
  expect(problem({})).toBe('none');
});

test('algorithms are named, and those of a secret go with a secret alone', () => {
  const secret = { secret: 's'.repeat(SECRET_BYTES_MIN) };
  expect(problem({ algorithms: ['HS256'], jwks: secret })).toBe('none');
  expect(problem({ algorithms: ['EdDSA', 'ES384', 'PS512'] })).toBe('none');
  for (const algorithms of [undefined, [], 'RS256', ['none'], ['RS256', 'none'], ['RS256', 7]]) {
    expect(problem({ algorithms })).toMatch(/^jwt\.algorithms is a list, one or more of RS256/);
  }
  expect(problem({ algorithms: ['HS256'] })).toMatch(/need jwt\.jwks to be \{ secret \}/);
  expect(problem({ algorithms: ['RS256', 'HS256'] })).toMatch(/^jwt\.algorithms/);
  expect(problem({ algorithms: ['RS256'], jwks: secret })).toMatch(/one or more of HS256/);
  expect(problem({ algorithms: ['none'], jwks: secret })).toMatch(/one or more of HS256/);
});

test('a secret has as many bytes as its hash', () => {
  const of = (length: number): object => ({
    algorithms: ['HS256'],
    jwks: { secret: new Uint8Array(length) },
  });
  expect(problem(of(SECRET_BYTES_MIN))).toBe('none');
  expect(problem(of(SECRET_BYTES_MIN - 1))).toBe('jwt.jwks.secret has 32 bytes or more');
  expect(problem({ ...of(0), jwks: { secret: undefined } })).toMatch(/32 bytes or more/);
});

test('keys are fetched over https, or from this machine', () => {
  const safe = ['https://id.example.com/k', 'http://localhost:8080/k', 'http://127.0.0.1/k'];
  const unsafe = ['http://id.example.com/k', 'http://localhost.example.com/k', 'ftp://x', 'x', ''];
  for (const jwks of [...safe, 'http://[::1]:1/k']) expect(problem({ jwks }), jwks).toBe('none');
  for (const jwks of unsafe) expect(problem({ jwks }), jwks).toMatch(/^jwt\.jwks is a URL/);
  for (const issuer of unsafe.slice(0, -1)) {
    expect(problem({ issuer }), issuer).toMatch(/^jwt\.issuer is a URL/);
  }
  expect(problem({ jwks: 'https://ann:secret@id.example.com' })).toMatch(/holds a password/);
  expect(problem({ issuer: 'https://id.example.com/?a=1' })).toMatch(/without \? and #/);
  // Where the keys are given it is a name like any other.
  expect(problem({ issuer: 'us', jwks: 'https://id.example.com/k' })).toBe('none');
});

test('keys that are given are public ones', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const shown = await exportJWK(publicKey);
  expect(problem({ jwks: { keys: [shown] } })).toBe('none');
  const leaked = await exportJWK(privateKey);
  expect(problem({ jwks: { keys: [shown, leaked] } })).toMatch(/holds a private key/);
  expect(problem({ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } })).toMatch(/or a secret/);
  expect(problem({ jwks: { keys: [] } })).toMatch(/one or more/);
  expect(problem({ jwks: { keys: [7] } })).toMatch(/no set of keys/);
  expect(problem({ jwks: {} })).toMatch(/one or more/);
  expect(problem({ jwks: 7 })).toMatch(/a URL, a set of keys, or \{ secret \}/);
});

test('a clock is so far off and no further', () => {
  expect(problem({ clockTolerance: TOLERANCE_MS_MAX })).toBe('none');
  expect(problem({ clockTolerance: TOLERANCE_MS_MAX + 1 })).toMatch(/^jwt\.clockTolerance/);
  expect(problem({ maxAge: '366d' })).toMatch(/^jwt\.maxAge/);
});

test('who a token is from, for whom, and what its claims are called is said in texts', () => {
  expect(problem({ issuer: undefined })).toMatch(/^jwt\.issuer is the iss/);
  expect(problem({ audience: undefined })).toMatch(/^jwt\.audience/);
  expect(problem({ audience: [] })).toMatch(/^jwt\.audience/);
  expect(problem({ audience: ['a', ''] })).toMatch(/^jwt\.audience/);
  expect(problem({ claims: { id: '' } })).toMatch(/^jwt\.claims\.id/);
  for (const name of ['scopes', 'role', 'groups']) {
    expect(problem({ claims: { [name]: 7 } })).toMatch(`jwt.claims.${name} is the name`);
  }
  expect(problem({ tenants: undefined, claims: { tenant: '' } })).toMatch('jwt.claims.tenant');
});
