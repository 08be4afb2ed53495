/**
 * The keys that tokens are checked with: a set that is given, a set that an issuer shows at a URL,
 * or a secret that both sides have.
 *
 * A set at a URL is fetched when it is first needed, and kept. It is fetched anew when it is old,
 * and when a token names a key that is not in it, for then the issuer may have changed its keys;
 * but not again and again because somebody sends tokens that name none, and not again and again
 * while the issuer does not answer. That an issuer cannot be asked is nobody's wrong credential:
 * it is told as trouble that passes.
 */
import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import { RequestError } from '../problem.ts';
import { wrong } from '../wrong.ts';
import { isLoopbackName } from './address.ts';

/** Keys older than this are fetched anew before they are used. */
export const KEYS_MS_MAX = 600_000;
/** After a fetch, a key that is not in the set is not looked for again this soon. */
export const KEYS_COOLDOWN_MS = 30_000;
/** An issuer that did not answer is not asked again this soon. */
export const KEYS_PAUSE_MS = 5_000;
/** For one request to the issuer. */
const FETCH_MS_MAX = 5_000;
export const KEYS_BYTES_MAX = 262_144;

export interface TokenKeys {
  keyOf(
    header: JWSHeaderParameters,
    token: FlattenedJWSInput,
    now: number,
  ): Promise<CryptoKey | Uint8Array>;
}

type LocalSet = ReturnType<typeof createLocalJWKSet>;

/** Where a set is: at a URL, or wherever the issuer says. */
export type KeyPlace = { readonly url: string } | { readonly issuer: string };

export class RemoteKeys implements TokenKeys {
  readonly #place: KeyPlace;
  #set: { readonly find: LocalSet; readonly at: number } | undefined;
  #failure: { readonly thrown: RequestError; readonly at: number } | undefined;
  #underway: Promise<LocalSet> | undefined;

  constructor(place: KeyPlace) {
    this.#place = place;
  }

  async keyOf(
    header: JWSHeaderParameters,
    token: FlattenedJWSInput,
    now: number,
  ): Promise<CryptoKey> {
    const set = this.#set;
    if (set === undefined || now >= set.at + KEYS_MS_MAX) {
      return (await this.#fetch(now))(header, token);
    }
    try {
      return await set.find(header, token);
    } catch (thrown) {
      const isMissing = thrown instanceof errors.JWKSNoMatchingKey;
      if (!isMissing || now < set.at + KEYS_COOLDOWN_MS) throw thrown;
    }
    return (await this.#fetch(now))(header, token);
  }

  /** Once for all who wait for it. */
  #fetch(now: number): Promise<LocalSet> {
    this.#underway ??= this.#fetchOnce(now).finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  async #fetchOnce(now: number): Promise<LocalSet> {
    if (this.#failure !== undefined && now < this.#failure.at + KEYS_PAUSE_MS) {
      throw this.#failure.thrown;
    }
    try {
      const find = await fetchSet(this.#place);
      this.#set = { find, at: now };
      this.#failure = undefined;
      return find;
    } catch (cause) {
      const why = cause instanceof Trouble ? cause.message : 'what it answered is no set of keys';
      const message = `the keys of the issuer of tokens cannot be had just now: ${why}`;
      const headers = { 'retry-after': `${KEYS_PAUSE_MS / 1_000}` };
      const thrown = new RequestError('access.unavailable', message, {
        retryable: true,
        headers,
        cause,
      });
      this.#failure = { thrown, at: now };
      throw thrown;
    }
  }
}

/** Keys that are given. Public ones: a server that could sign tokens is one more to break into. */
export function givenKeys(set: JSONWebKeySet): TokenKeys {
  const { keys } = set as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0) throw wrong('jwt.jwks has keys, one or more');
  for (const key of keys as readonly Readonly<Record<string, unknown>>[]) {
    if (key?.['kty'] === 'oct' || key?.['d'] !== undefined) {
      throw wrong('jwt.jwks holds a private key or a secret; what checks tokens has public keys');
    }
  }
  const find = readSet(set);
  return { keyOf: (header, token) => find(header, token) };
}

export function sharedSecret(secret: Uint8Array): TokenKeys {
  return { keyOf: async () => secret };
}

function readSet(set: JSONWebKeySet): LocalSet {
  try {
    return createLocalJWKSet(set);
  } catch (cause) {
    throw wrong(`jwt.jwks is no set of keys: ${cause instanceof Error ? cause.message : ''}`);
  }
}

/** What keys are fetched from is who decides who may come in: nobody may stand in between. */
export function readKeyUrl(name: string, text: unknown): URL {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
  if (url === undefined || !isSafe) {
    throw wrong(`${name} is a URL that begins with https:// (http:// on this machine alone)`);
  }
  if (url.username !== '' || url.password !== '') throw wrong(`${name} holds a password`);
  return url;
}

/** What came of asking an issuer, in words that may be told to anybody. */
class Trouble extends Error {
  override readonly name: string = 'Trouble';
}

async function fetchSet(place: KeyPlace): Promise<LocalSet> {
  const url = 'url' in place ? place.url : await discover(place.issuer);
  return createLocalJWKSet((await fetchJson(url)) as unknown as JSONWebKeySet);
}

/** OpenID Connect Discovery 1.0: who answers there must say that it is this issuer. */
async function discover(issuer: string): Promise<string> {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (found['issuer'] !== issuer) {
    throw new Trouble('its configuration is that of another issuer; jwt.issuer is to be the same');
  }
  try {
    return readKeyUrl('jwks_uri', found['jwks_uri']).href;
  } catch (cause) {
    throw new Trouble('its configuration names no jwks_uri with https://', { cause });
  }
}

async function fetchJson(url: string): Promise<Readonly<Record<string, unknown>>> {
  const signal = AbortSignal.timeout(FETCH_MS_MAX);
  const headers = { accept: 'application/json, application/jwk-set+json' };
  try {
    const answer = await fetch(url, { headers, signal, redirect: 'error' });
    if (answer.status !== 200) throw new Trouble(`it answered ${answer.status}`);
    const value: unknown = JSON.parse(await readText(answer));
    if (typeof value !== 'object' || value === null) throw new Trouble('it answered no object');
    return value as Readonly<Record<string, unknown>>;
  } catch (cause) {
    if (cause instanceof Trouble) throw cause;
    if (cause instanceof SyntaxError) throw new Trouble('it answered no JSON', { cause });
    throw new Trouble('it did not answer', { cause });
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > KEYS_BYTES_MAX) throw new Trouble(`it answered more than ${KEYS_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
