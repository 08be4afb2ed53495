/**
 * API keys: for programs. The text of a key is shown once, when it is made; what is kept of it is a
 * record with a hash, from which nobody can make the key. That the hash is a quick one is no
 * weakness: there are 32 random bytes behind it, and nobody guesses those.
 *
 * The text says which key it is (`pdr_<id>_…`), so a leaked one is found in a log by its beginning,
 * and can be taken back. Whether there is a key of an id makes no difference to how long the answer
 * takes.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { wrong } from '../wrong.ts';
import { type Grant, readGroups, readScopes, readTenant } from './grant.ts';
import type { Principal } from './principal.ts';

export interface ApiKeyOptions extends Grant {
  /** Letters, digits and `.`, `_`, `-`; who uses it stands in histories as `key:<id>`. */
  readonly id: string;
  /** The only one it knows of; without one, it is in charge of all of them. */
  readonly tenant?: string | null;
  /** From when on it is refused: a date, milliseconds since 1970, or a text as of ISO 8601. */
  readonly expires?: Date | number | string;
  readonly groups?: readonly string[];
}

/** What is kept of a key. Plain JSON, and not secret: it fits into a file or a table. */
export interface ApiKey extends Grant {
  readonly id: string;
  /** `sha256:` and the hash of the whole text of the key, in hex. */
  readonly hash: string;
  readonly tenant: string | null;
  /** Milliseconds since 1970; null if never. */
  readonly expiresAt: number | null;
  readonly groups: readonly string[];
}

/** Finds the record of a key, in a database, say. */
export type ApiKeyLookup = (id: string) => ApiKey | undefined | Promise<ApiKey | undefined>;

/** Every key begins with this, and nothing else does. */
export const KEY_PREFIX = 'pdr_';
export const KEY_ID_CHARS_MAX = 64;
const SECRET_BYTES = 32;
const ID = new RegExp(String.raw`^[A-Za-z0-9][\w.-]{0,${KEY_ID_CHARS_MAX - 1}}$`);
/** The secret has a fixed length, so there is one way only to cut a text in two. */
const TEXT = new RegExp(String.raw`^pdr_([A-Za-z0-9][\w.-]{0,${KEY_ID_CHARS_MAX - 1}})_[\w-]{43}$`);
const HASH = /^sha256:([0-9a-f]{64})$/;
/** What the text of an id that nobody has is compared with. No text has this hash. */
const NOBODY = randomBytes(SECRET_BYTES);

/** Makes a key. The text is for who uses it, and is not kept anywhere. */
export function createApiKey(options: ApiKeyOptions): {
  readonly key: string;
  readonly record: ApiKey;
} {
  const { id, tenant = null, groups = [], role, scopes } = options;
  const what = `the key "${id}"`;
  if (!isId(id)) throw wrong(`the id of a key is 1 to ${KEY_ID_CHARS_MAX} of A-Z a-z 0-9 . _ -`);
  readScopes(what, options);
  const key = `${KEY_PREFIX}${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const record: ApiKey = {
    id,
    hash: `sha256:${hashOf(key).toString('hex')}`,
    ...(role === undefined ? {} : { role }),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    tenant: readTenant(what, tenant),
    expiresAt: readExpiry(what, options.expires),
    groups: readGroups(what, groups),
  };
  return { key, record };
}

interface KnownKey {
  readonly hash: Buffer;
  readonly expiresAt: number | null;
  readonly principal: Principal;
}

export class ApiKeys {
  readonly #look: (id: string) => KnownKey | undefined | Promise<KnownKey | undefined>;
  readonly #equals: typeof timingSafeEqual;

  constructor(
    keys: readonly ApiKey[] | ApiKeyLookup,
    equals: typeof timingSafeEqual = timingSafeEqual,
  ) {
    this.#equals = equals;
    if (typeof keys === 'function') {
      this.#look = (id) => lookUp(keys, id);
    } else {
      const known = readKeys(keys);
      this.#look = (id) => known.get(id);
    }
  }

  /** Whose key this is. That one has expired is told only to who has the whole of it. */
  async find(text: string, now: number): Promise<Principal | 'expired' | null> {
    const id = TEXT.exec(text)?.[1];
    if (id === undefined) return null;
    const known = await this.#look(id);
    const isSame = this.#equals(hashOf(text), known?.hash ?? NOBODY);
    if (known === undefined || !isSame) return null;
    if (known.expiresAt !== null && now >= known.expiresAt) return 'expired';
    return known.principal;
  }
}

function readKeys(keys: readonly ApiKey[]): ReadonlyMap<string, KnownKey> {
  if (!Array.isArray(keys)) throw wrong('keys is a list of records, or a function that finds one');
  const known = new Map<string, KnownKey>();
  for (const key of keys as readonly ApiKey[]) {
    const read = readKey(key);
    if (known.has(key.id)) throw wrong(`there are two keys of the id "${key.id}"`);
    known.set(key.id, read);
  }
  return known;
}

/** Nobody is at fault here who asks: what is wrong with a record goes to the log. */
async function lookUp(find: ApiKeyLookup, id: string): Promise<KnownKey | undefined> {
  const key = await find(id);
  if (key === undefined || key === null) return undefined;
  if (key.id !== id) throw new Error(`asked for the key "${id}", the application found another`);
  try {
    return readKey(key);
  } catch (cause) {
    throw new Error(`the application found a key "${id}" that is no record of one`, { cause });
  }
}

function readKey(key: ApiKey): KnownKey {
  if (typeof key !== 'object' || key === null || !isId(key.id)) {
    throw wrong('a key is a record that createApiKey made: it has an id');
  }
  const { id, hash, tenant, expiresAt, groups } = key;
  const what = `the key "${id}"`;
  const hex = typeof hash === 'string' ? HASH.exec(hash)?.[1] : undefined;
  if (hex === undefined) throw wrong(`${what} has a hash, "sha256:" and 64 digits in hex`);
  if (expiresAt !== null && !Number.isSafeInteger(expiresAt)) {
    throw wrong(`${what} has expiresAt, milliseconds since 1970; or null, for never`);
  }
  const principal: Principal = Object.freeze({
    id: `key:${id}`,
    tenant: readTenant(what, tenant),
    scopes: readScopes(what, key),
    groups: readGroups(what, groups),
  });
  return { hash: Buffer.from(hex, 'hex'), expiresAt, principal };
}

/** One that is over already was meant otherwise: in seconds, say. */
function readExpiry(what: string, expires: ApiKeyOptions['expires']): number | null {
  if (expires === undefined) return null;
  const at = typeof expires === 'number' ? expires : new Date(expires).getTime();
  if (Number.isSafeInteger(at) && at > Date.now()) return at;
  throw wrong(`${what} expires at a time to come: a date, milliseconds since 1970, or ISO 8601`);
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id);
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
