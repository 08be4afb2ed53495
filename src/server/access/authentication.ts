/**
 * Who asks: by a key, by a token of an identity provider, or in the application's own way.
 *
 * A credential that came is either good or refused; it is never overlooked, for a client that sent
 * one wants to know that it was not taken. Credentials come in headers, where logs and histories of
 * browsers do not keep them; what stands in a URL is not looked at.
 */
import type { HeaderOf } from '../header.ts';
import { wrong } from '../wrong.ts';
import { type ApiKey, type ApiKeyLookup, ApiKeys, KEY_PREFIX } from './api-keys.ts';
import { isName, isScope } from './grant.ts';
import { isTokenText, TokenCheck } from './jwt.ts';
import type { JwtOptions } from './jwt-options.ts';
import type { Principal } from './principal.ts';
import { refused } from './refused.ts';

export interface AccessOptions {
  /** What `createApiKey` made, or a function that finds it by its id. */
  readonly keys?: readonly ApiKey[] | ApiKeyLookup;
  readonly jwt?: JwtOptions;
  /**
   * The application's own way: asked when no key and no token of the above came. Null is somebody
   * who has not said who they are.
   */
  readonly authenticate?: (request: Request) => Principal | null | Promise<Principal | null>;
}

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

export class Authentication {
  /** Whether there is any way to say who one is. Without, the server is for its own machine. */
  readonly isConfigured: boolean;
  readonly #keys: ApiKeys | undefined;
  readonly #tokens: TokenCheck | undefined;
  readonly #ask: AccessOptions['authenticate'];
  readonly #now: () => number;

  constructor(options: AccessOptions, now: () => number = Date.now) {
    const { keys, jwt, authenticate, ...rest } = options;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw wrong(`access has keys, jwt, authenticate; not "${unknown}"`);
    if (authenticate !== undefined && typeof authenticate !== 'function') {
      throw wrong('access.authenticate is a function');
    }
    this.#keys = keys === undefined ? undefined : new ApiKeys(keys);
    this.#tokens = jwt === undefined ? undefined : new TokenCheck(jwt);
    this.#ask = authenticate;
    this.#now = now;
    this.isConfigured = (keys ?? jwt ?? authenticate) !== undefined;
  }

  /** Null if nobody said who they are; throws if somebody did, and it is not so. */
  async identify(header: HeaderOf, request: () => Request): Promise<Principal | null> {
    const authorization = header('authorization');
    const bearer = BEARER.exec(authorization ?? '')?.[1];
    const key = header('x-api-key');
    if (authorization !== undefined && key !== undefined && bearer !== key) {
      throw refused('two credentials came, and one is wanted: authorization or x-api-key');
    }
    const text = key ?? bearer;
    if (text?.startsWith(KEY_PREFIX) && this.#keys !== undefined) return this.#byKey(text);
    if (bearer !== undefined && this.#tokens !== undefined && isTokenText(bearer)) {
      return this.#tokens.verify(bearer, this.#now());
    }
    const principal = this.#ask === undefined ? null : checked(await this.#ask(request()));
    if (principal !== null || (authorization ?? key) === undefined) return principal;
    throw refused('the credential is of no kind that is taken here');
  }

  async #byKey(text: string): Promise<Principal> {
    const found = await this.#keys?.find(text, this.#now());
    if (found === 'expired') throw refused('the key has expired');
    if (found === null || found === undefined) throw refused('there is no such key');
    return found;
  }
}

/** A forgotten tenant would put somebody in charge of all: what the application says is checked. */
function checked(principal: Principal | null): Principal | null {
  if (principal === null) return null;
  const { id, tenant, scopes, groups } = principal ?? {};
  if (!isName(id)) throw bug('an id, the name of who it is');
  if (tenant !== null && !isName(tenant)) throw bug('a tenant, a name; or null, for all of them');
  if (!(scopes instanceof Set) || ![...scopes].every(isScope)) throw bug('a Set of scopes');
  if (!Array.isArray(groups) || !groups.every(isName)) throw bug('groups, a list of names');
  return { id, tenant, scopes, groups };
}

/** The application's own, and so for the log: whoever asked can do nothing about it. */
function bug(rule: string): TypeError {
  return new TypeError(`access.authenticate answers null or a principal, which has ${rule}`);
}
