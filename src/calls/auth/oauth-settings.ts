/**
 * An oauth2 or oidc policy, read: who asks whom for a token, and by which grant.
 *
 * The language has no names for a code, for its redirect URI or for a refresh token, which somebody
 * has to bring from elsewhere; they are `code`, `redirectUri`, `codeVerifier` and `refreshToken`
 * here, or spelled as the protocol does. A refresh token may also be the token of `subject`.
 */
import { choiceOf, findPart, findText, type Part, textOf, textsOf, wrong } from './policy.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

export type ClientMethod =
  | 'client_secret_post'
  | 'client_secret_basic'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'none';

export interface OAuthClient {
  readonly id: string;
  readonly secret: string | undefined;
  /** A JWT that is signed already, or the private key to sign one with, as PEM. */
  readonly assertion: string | undefined;
  /** Which of its keys the server is to use; told in the head of the JWT. */
  readonly keyId: string | undefined;
  readonly method: ClientMethod;
}

/** Names and values as the protocol has them; a name may come more than once. */
export type Parameters = readonly (readonly [string, string])[];

export interface OAuthSettings {
  readonly kind: 'oauth2' | 'oidc';
  readonly authority: URL;
  readonly endpoints: Endpoints | undefined;
  readonly client: OAuthClient | undefined;
  readonly isJson: boolean;
  /** What asks for a token, without who asks. */
  readonly grant: Parameters;
  readonly scope: Parameters;
  readonly issuers: readonly string[];
  /** Everything in it that nobody is to read. */
  readonly secrets: readonly string[];
}

export interface Endpoints {
  readonly token: string;
  /** Of OpenID providers only if they tell of one. */
  readonly revocation: string | undefined;
  readonly introspection: string | undefined;
}

const GRANTS = [
  'client_credentials',
  'authorization_code',
  'password',
  'refresh_token',
  TOKEN_EXCHANGE,
] as const;
const METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const;
const ENCODINGS = ['application/x-www-form-urlencoded', 'application/json'] as const;

/** Throws `configuration` if a token could not even be asked for. */
export function readOAuth(part: Part): OAuthSettings {
  const kind = part.path === 'oidc' ? 'oidc' : 'oauth2';
  const authority = readAuthority(part);
  textOf(part, 'grant');
  const client = readClient(part);
  const request = findPart(part, 'request');
  const scopes = textsOf(part, 'scopes');
  const audiences = textsOf(part, 'audiences').map((audience) => ['audience', audience] as const);
  const grant = [...readGrant(part), ...audiences];
  return {
    ...{ kind, authority, client, grant },
    endpoints: kind === 'oidc' ? undefined : endpointsOf(part, authority),
    isJson: request !== undefined && choiceOf(request, 'encoding', ENCODINGS) === ENCODINGS[1],
    scope: scopes.length === 0 ? [] : [['scope', scopes.join(' ')]],
    issuers: textsOf(part, 'issuers'),
    secrets: secretsOf(client, grant),
  };
}

/** Each relative to the authority, with all of its path; a whole URL stands for itself. */
function endpointsOf(part: Part, authority: URL): Endpoints {
  const given = findPart(part, 'endpoints');
  const place = (name: keyof Endpoints, byDefault: string): string => {
    const path = (given && findText(given, name)) ?? byDefault;
    if (/^https?:\/\//i.test(path)) return path;
    const base = `${authority.origin}${authority.pathname}`.replace(/\/+$/, '');
    return `${base}/${path.replace(/^\/+/, '')}`;
  };
  return {
    token: place('token', '/oauth2/token'),
    revocation: place('revocation', '/oauth2/revoke'),
    introspection: place('introspection', '/oauth2/introspect'),
  };
}

function readAuthority(part: Part): URL {
  const text = textOf(part, 'authority');
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw wrong(`${part.path}.authority is a URL that begins with https:// or http://`);
}

function readClient(part: Part): OAuthClient | undefined {
  const given = findPart(part, 'client');
  if (given === undefined) return undefined;
  const secret = findText(given, 'secret');
  const assertion = findText(given, 'assertion');
  const isNamed = findText(given, 'authentication') !== undefined;
  const method = choiceOf(given, 'authentication', METHODS);
  const needs = NEEDS[method];
  const has = { secret, assertion };
  if (needs.length > 0 && needs.every((name) => has[name] === undefined)) {
    // Who has no secret and says nothing of it is a public client.
    if (isNamed) throw wrong(`${given.path}.${needs.join(' or ')} is missing, for ${method}`);
    return { ...readId(given), secret, assertion, method: 'none' };
  }
  return { ...readId(given), secret, assertion, method };
}

function readId(given: Part): Pick<OAuthClient, 'id' | 'keyId'> {
  return { id: textOf(given, 'id'), keyId: findText(given, 'keyId', 'kid') };
}

const NEEDS: Readonly<Record<ClientMethod, readonly ('secret' | 'assertion')[]>> = {
  client_secret_post: ['secret'],
  client_secret_basic: ['secret'],
  client_secret_jwt: ['secret', 'assertion'],
  private_key_jwt: ['assertion', 'secret'],
  none: [],
};

function readGrant(part: Part): Parameters {
  const grant = choiceOf(part, 'grant', GRANTS);
  const type = ['grant_type', grant] as const;
  switch (grant) {
    case 'client_credentials':
      return [type];
    case 'password':
      return [type, ['username', textOf(part, 'username')], ['password', textOf(part, 'password')]];
    case 'refresh_token':
      return [type, ['refresh_token', refreshTokenOf(part)]];
    case 'authorization_code':
      return [type, ...codeOf(part)];
    case TOKEN_EXCHANGE:
      return [type, ...tokenOf(part, 'subject'), ...tokenOf(part, 'actor')];
    default:
      throw wrong(`${part.path}.grant is one of ${GRANTS.join(', ')}`);
  }
}

function refreshTokenOf(part: Part): string {
  const subject = findPart(part, 'subject');
  const token =
    findText(part, 'refreshToken', 'refresh_token') ?? (subject && textOf(subject, 'token'));
  if (token !== undefined) return token;
  throw wrong(`${part.path}.refreshToken is missing: the grant refresh_token needs one`);
}

function codeOf(part: Part): Parameters {
  const code = findText(part, 'code');
  if (code === undefined) {
    throw wrong(
      `${part.path}.code is missing: nobody can log in while a workflow runs, so the grant ` +
        'authorization_code needs a code that was obtained before, with its redirectUri',
    );
  }
  const redirectUri = findText(part, 'redirectUri', 'redirect_uri');
  const verifier = findText(part, 'codeVerifier', 'code_verifier');
  return [
    ['code', code],
    ...(redirectUri === undefined ? [] : [['redirect_uri', redirectUri] as const]),
    ...(verifier === undefined ? [] : [['code_verifier', verifier] as const]),
  ];
}

/** An exchange needs a subject; who acts for it is optional. */
function tokenOf(part: Part, role: 'subject' | 'actor'): Parameters {
  const given = findPart(part, role);
  if (given === undefined && role === 'actor') return [];
  if (given === undefined) throw wrong(`${part.path}.subject is missing: whose token is exchanged`);
  return [
    [`${role}_token`, textOf(given, 'token')],
    [`${role}_token_type`, textOf(given, 'type')],
  ];
}

const SECRET_PARAMETERS = /^(password|code|code_verifier|refresh_token|subject_token|actor_token)$/;

function secretsOf(client: OAuthClient | undefined, grant: Parameters): readonly string[] {
  const own = [client?.secret, client?.assertion].filter((text) => text !== undefined);
  const asked = grant.filter(([name]) => SECRET_PARAMETERS.test(name)).map(([, value]) => value);
  return [...own, ...asked].filter((text) => text !== '');
}
