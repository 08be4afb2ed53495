/**
 * Tokens of an identity provider (JWT, RFC 7519, as RFC 8725 would have them checked): for people,
 * and for programs that have an account there.
 *
 * The rules decide how a token is checked, never the token: its algorithm must be one of those
 * that are named, keys are the issuer's, and what a header says of keys elsewhere (`jku`, `x5u`,
 * `jwk`) is not looked at. Issuer, audience and an end are required. A token that does not say
 * whose it is, where that is asked for, is refused: nobody is in charge of all because a claim is
 * missing.
 */
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { RequestError } from '../problem.ts';
import { isName, isRole, isScope } from './grant.ts';
import { type ClaimOf, type JwtOptions, readJwtOptions } from './jwt-options.ts';
import type { TokenClaims, TokenRules } from './jwt-options.ts';
import { LOCAL, type Principal, ROLES, type Scope } from './principal.ts';
import { refused } from './refused.ts';

/** As long as all headers of a request together. */
export const TOKEN_CHARS_MAX = 16_384;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Of a token for access, or of one that does not say what it is for. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt']);
/** What keys are called. A person with such a name would be taken for one. */
const KEY_NAME = /^key:/;

/** Whether a text could be one: it is checked as a token then, and as nothing else. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text);
}

export class TokenCheck {
  readonly #rules: TokenRules;

  constructor(options: JwtOptions) {
    this.#rules = readJwtOptions(options);
  }

  /** Who the token is of; throws why it is of nobody. */
  async verify(text: string, now: number): Promise<Principal> {
    if (text.length > TOKEN_CHARS_MAX) {
      throw refused(`the token is longer than TOKEN_CHARS_MAX ${TOKEN_CHARS_MAX} characters`);
    }
    checkHeader(text, this.#rules);
    return principalOf(await this.#claimsOf(text, now), this.#rules);
  }

  async #claimsOf(text: string, now: number): Promise<TokenClaims> {
    const { issuer, audience, algorithms, keys, toleranceMs, ageMsMax } = this.#rules;
    try {
      const { payload } = await jwtVerify(text, (header, token) => keys.keyOf(header, token, now), {
        issuer,
        audience: [...audience],
        algorithms: [...algorithms],
        currentDate: new Date(now),
        clockTolerance: toleranceMs / 1_000,
        requiredClaims: ['exp'],
        ...(ageMsMax === null ? {} : { maxTokenAge: ageMsMax / 1_000 }),
      });
      return payload;
    } catch (thrown) {
      throw thrown instanceof errors.JOSEError ? refusalOf(thrown) : thrown;
    }
  }
}

/** Before any key is looked for: it costs nothing, and says best what is wrong. */
function checkHeader(text: string, { algorithms }: TokenRules): void {
  const { alg, typ, crit } = headerOf(text);
  if (typeof alg !== 'string' || !algorithms.includes(alg)) {
    const taken = algorithms.join(', ');
    throw refused(`the token is signed by an algorithm that is not accepted; accepted: ${taken}`);
  }
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
  if (!TYPES.has(type)) throw refused('the token is of a type that is not for access');
  if (crit !== undefined) throw refused('the token asks for what is not understood here (crit)');
}

function headerOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return decodeProtectedHeader(text);
  } catch {
    throw refused('the token is no JWT');
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature of the token is wrong',
  ERR_JWKS_NO_MATCHING_KEY: 'the token is signed with a key that the issuer does not have',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'the token does not name its key, and the issuer has several',
};

const CLAIM_REASONS: Readonly<Record<string, string>> = {
  iss: 'the token is of another issuer',
  aud: 'the token is for another audience',
  exp: 'the token does not say when it expires',
  nbf: 'the token is not valid yet',
  iat: 'the token does not say when it was issued, or a time to come',
};

function refusalOf(thrown: errors.JOSEError): RequestError {
  if (thrown instanceof errors.JWTExpired) {
    return refused(thrown.claim === 'iat' ? 'the token is too old' : 'the token has expired');
  }
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    return refused(CLAIM_REASONS[thrown.claim] ?? 'the token has a claim that makes no sense');
  }
  return refused(REASONS[thrown.code] ?? 'the token cannot be read');
}

function principalOf(claims: TokenClaims, rules: TokenRules): Principal {
  const id = valueOf(claims, rules.id);
  if (!isName(id)) throw refused(`the token does not say who it is for: "${rules.id}"`);
  if (KEY_NAME.test(id) || id === LOCAL.id)
    throw refused('the token is for a name nobody may have');
  return {
    id,
    tenant: rules.tenant === null ? null : tenantOf(claims, rules.tenant),
    scopes: scopesOf(claims, rules),
    groups: wordsOf(claims, rules.groups).filter(isName),
  };
}

function tenantOf(claims: TokenClaims, claim: ClaimOf): string {
  const tenant = valueOf(claims, claim);
  if (isName(tenant)) return tenant;
  throw refused('the token does not say which tenant it is for');
}

/** Words that mean nothing here are for others: an issuer has more than one to serve. */
function scopesOf(claims: TokenClaims, { scopes, role }: TokenRules): ReadonlySet<Scope> {
  const said = valueOf(claims, scopes);
  const words = typeof said === 'string' ? said.split(' ') : wordsOf(claims, scopes);
  const roles = wordsOf(claims, role).filter(isRole);
  return new Set([...words.filter(isScope), ...roles.flatMap((name) => ROLES[name])]);
}

/** One word, or a list of them. */
function wordsOf(claims: TokenClaims, claim: ClaimOf | null): readonly unknown[] {
  const value = valueOf(claims, claim);
  return Array.isArray(value) ? value : [value];
}

function valueOf(claims: TokenClaims, claim: ClaimOf | null): unknown {
  if (claim === null) return undefined;
  if (typeof claim === 'function') return claim(claims);
  return Object.hasOwn(claims, claim) ? claims[claim] : undefined;
}
