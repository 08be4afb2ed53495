/**
 * What tokens are taken, as options say it, read once when the server opens.
 *
 * Two things are never guessed. Algorithms are named, and those by which a secret signs only stand
 * beside a secret: so no token can choose how it is checked. And whose a token is, is said: by a
 * claim that names the tenant, or by `tenants: 'all'`. Who forgets to say it has no server, not one
 * on which everybody is in charge of everything.
 */
import type { JSONWebKeySet } from 'jose';
import type { Duration } from '../../index.ts';
import { spanMs } from '../span.ts';
import { wrong } from '../wrong.ts';
import { givenKeys, readKeyUrl, RemoteKeys, sharedSecret, type TokenKeys } from './key-sets.ts';

export type TokenClaims = Readonly<Record<string, unknown>>;

/** The name of a claim, or a function that finds it among all of them. */
export type ClaimOf = string | ((claims: TokenClaims) => unknown);

export interface JwtOptions {
  /** The `iss` of every token. */
  readonly issuer: string;
  /** One of these is in the `aud` of every token. */
  readonly audience: string | readonly string[];
  /** The only ones that are taken: `['RS256']`. Those that begin with HS need a secret. */
  readonly algorithms: readonly string[];
  /** Where the keys are; by default where the issuer says (OpenID Connect Discovery). */
  readonly jwks?: string | JSONWebKeySet | { readonly secret: string | Uint8Array };
  /** Tokens are of no tenant, and who has one may see all of them. Instead of `claims.tenant`. */
  readonly tenants?: 'all';
  readonly claims?: {
    /** A token without it is refused. */
    readonly tenant?: ClaimOf;
    /** A list, or words with spaces between. `scope` unless this or `role` is given. */
    readonly scopes?: ClaimOf;
    /** One role, or a list of them. */
    readonly role?: ClaimOf;
    readonly groups?: ClaimOf;
    /** Who it is; `sub` if not given. */
    readonly id?: string;
  };
  /** How far the clock of the issuer may be from ours. */
  readonly clockTolerance?: Duration;
  /** A token that was issued longer ago is refused, whatever it says itself. */
  readonly maxAge?: Duration;
}

export interface TokenRules {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly keys: TokenKeys;
  /** Null: of all. */
  readonly tenant: ClaimOf | null;
  readonly scopes: ClaimOf | null;
  readonly role: ClaimOf | null;
  readonly groups: ClaimOf | null;
  readonly id: string;
  readonly toleranceMs: number;
  readonly ageMsMax: number | null;
}

export const TOLERANCE_MS_DEFAULT = 30_000;
export const TOLERANCE_MS_MAX = 300_000;
const AGE_MS_MAX = 365 * 86_400_000;
/** As long as the hash that is made with it. */
export const SECRET_BYTES_MIN = 32;

const SIGNED = ['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => kind + bits));
const BY_KEY: readonly string[] = [...SIGNED, 'EdDSA', 'Ed25519'];
const BY_SECRET: readonly string[] = ['HS256', 'HS384', 'HS512'];

export function readJwtOptions(options: JwtOptions): TokenRules {
  const { issuer, clockTolerance = TOLERANCE_MS_DEFAULT, maxAge, claims = {} } = options;
  if (!isText(issuer)) throw wrong('jwt.issuer is the iss of the tokens, a text');
  const audience: unknown = [options.audience].flat();
  if (!isTexts(audience)) throw wrong('jwt.audience is the aud of the tokens, a text or several');
  const { scopes, role, groups, id = 'sub' } = claims;
  if (!isText(id)) throw wrong('jwt.claims.id is the name of a claim');
  for (const [name, claim] of Object.entries({ scopes, role, groups })) {
    if (claim !== undefined && !isClaim(claim)) throw badClaim(name);
  }
  return {
    issuer,
    audience,
    algorithms: readAlgorithms(options),
    keys: readKeys(options),
    tenant: readTenantClaim(options),
    scopes: scopes ?? (role === undefined ? 'scope' : null),
    role: role ?? null,
    groups: groups ?? null,
    id,
    toleranceMs: spanMs('jwt.clockTolerance', clockTolerance, TOLERANCE_MS_MAX),
    ageMsMax: maxAge === undefined ? null : spanMs('jwt.maxAge', maxAge, AGE_MS_MAX),
  };
}

function readTenantClaim({ tenants, claims }: JwtOptions): ClaimOf | null {
  const tenant = claims?.tenant;
  if (tenants !== undefined && tenants !== 'all') throw wrong(`jwt.tenants is 'all' or left out`);
  if ((tenant === undefined) === (tenants === undefined)) {
    throw wrong(
      `jwt takes either claims.tenant, the claim that says whose a token is, or tenants: 'all', ` +
        'if everybody who has a token may see what is of any tenant',
    );
  }
  if (tenant !== undefined && !isClaim(tenant)) throw badClaim('tenant');
  return tenant ?? null;
}

function readAlgorithms({ algorithms, jwks }: JwtOptions): readonly string[] {
  const known = isSecret(jwks) ? BY_SECRET : BY_KEY;
  const isList = isTexts(algorithms);
  if (isList && algorithms.every((algorithm) => known.includes(algorithm))) return [...algorithms];
  const hint = isSecret(jwks) ? '' : '; HS256 and its kin need jwt.jwks to be { secret }';
  throw wrong(`jwt.algorithms is a list, one or more of ${known.join(', ')}${hint}`);
}

function readKeys({ jwks, issuer }: JwtOptions): TokenKeys {
  if (jwks === undefined) {
    const { search, hash } = readKeyUrl('jwt.issuer', issuer);
    if (search !== '' || hash !== '') throw wrong('jwt.issuer is a URL without ? and #');
    return new RemoteKeys({ issuer });
  }
  if (typeof jwks === 'string') {
    return new RemoteKeys({ url: readKeyUrl('jwt.jwks', jwks).href });
  }
  if (isSecret(jwks)) return sharedSecret(readSecret(jwks.secret));
  if (typeof jwks !== 'object' || jwks === null) {
    throw wrong('jwt.jwks is a URL, a set of keys, or { secret }');
  }
  return givenKeys(jwks);
}

function readSecret(secret: unknown): Uint8Array {
  const isBytes = secret instanceof Uint8Array;
  const bytes = isBytes ? Uint8Array.from(secret) : Buffer.from(isText(secret) ? secret : '');
  if (bytes.length >= SECRET_BYTES_MIN) return bytes;
  throw wrong(`jwt.jwks.secret has ${SECRET_BYTES_MIN} bytes or more`);
}

function isSecret(jwks: JwtOptions['jwks']): jwks is { readonly secret: string | Uint8Array } {
  return typeof jwks === 'object' && jwks !== null && 'secret' in jwks;
}

function isClaim(claim: unknown): claim is ClaimOf {
  return isText(claim) || typeof claim === 'function';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function badClaim(name: string): Error {
  return wrong(`jwt.claims.${name} is the name of a claim, or a function that finds it`);
}
