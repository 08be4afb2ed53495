/**
 * JSON Web Tokens: those that a client signs to show who it is, and the claims of those it is
 * given. The latter are read, not verified: they came straight from whom they are asked of.
 */
import { createHmac, createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { wrong } from './policy.ts';
import { readObject } from './read-object.ts';

/** Long enough for clocks that differ a little, too short to be of use to a thief. */
export const ASSERTION_MS = 120_000;

export interface Assertion {
  readonly clientId: string;
  readonly audience: string;
  readonly nowMs: number;
  readonly keyId: string | undefined;
}

/** Signed with the secret that both sides know. */
export function signWithSecret(assertion: Assertion, secret: string): string {
  return signedBy(assertion, 'HS256', (text) =>
    createHmac('sha256', secret).update(text).digest('base64url'),
  );
}

/** Signed with an RSA key (RS256) or one of the curve P-256 (ES256), given as PEM. */
export function signWithKey(assertion: Assertion, pem: string): string {
  const key = readKey(pem);
  const isElliptic = key.asymmetricKeyType === 'ec';
  // Of an elliptic curve the two halves are wanted, not what OpenSSL makes of them.
  const how = isElliptic ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key;
  return signedBy(assertion, isElliptic ? 'ES256' : 'RS256', (text) =>
    sign('sha256', Buffer.from(text), how).toString('base64url'),
  );
}

/** Three parts with points between, as opposed to a key. */
export function isJwt(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

/** What a token claims, or undefined if it is not a readable JWT. */
export function claimsOf(token: string): JsonObject | undefined {
  if (!isJwt(token)) return undefined;
  return readObject(Buffer.from(token.split('.')[1] ?? '', 'base64url'));
}

function signedBy(
  { clientId, audience, nowMs, keyId }: Assertion,
  alg: string,
  signatureOf: (text: string) => string,
): string {
  const iat = Math.floor(nowMs / 1_000);
  const head = { alg, typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) };
  const claims = {
    ...{ iss: clientId, sub: clientId, aud: audience, jti: randomUUID() },
    ...{ iat, exp: iat + ASSERTION_MS / 1_000 },
  };
  const text = [head, claims].map((part) => encode(JSON.stringify(part))).join('.');
  return `${text}.${signatureOf(text)}`;
}

/** What is wrong with a key is said without it. */
function readKey(pem: string): KeyObject {
  const key = parseKey(pem);
  const isRsa = key?.asymmetricKeyType === 'rsa';
  const isP256 = key?.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  if (key !== undefined && (isRsa || isP256)) return key;
  throw wrong(
    'client.assertion is a signed JWT, or a private key as PEM: of RSA, or of the curve P-256',
  );
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch (thrown) {
    if (thrown instanceof Error) return undefined;
    throw thrown;
  }
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
