/**
 * An authority that gives tokens, and a resource that asks for them, on this machine.
 *
 * It is as strict as a good one: a client shows who it is in its own way and no other, codes and
 * refresh tokens are used once, assertions are verified and do not come twice. What it was asked it
 * keeps; time is a number that the test sets.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import { type LocalAnswer, type LocalRequest, startHttpServer } from './http-server.ts';
import { Refusal, showsClient, textIn, type TokenClient } from './token-clients.ts';

export interface TokenServerOptions {
  readonly clients?: Readonly<Record<string, TokenClient>>;
  readonly users?: Readonly<Record<string, string>>;
  /** Codes that people have obtained by logging in, each with its redirect URI. */
  readonly codes?: Readonly<Record<string, string>>;
  /** Tokens of others that may be exchanged. */
  readonly foreign?: readonly string[];
  readonly paths?: Partial<typeof PATHS>;
  /** Tokens that say nothing themselves, in the place of JWTs. */
  readonly isOpaque?: boolean;
  readonly lifeSeconds?: number | null;
  readonly issuer?: string;
  readonly now?: () => number;
}

const PATHS = { token: '/oauth2/token', introspection: '/oauth2/introspect' };

/** One request for a token or about one: what was in it. */
export interface TokenAsk {
  readonly path: string;
  readonly type: string;
  readonly parameters: JsonObject;
  readonly headers: LocalRequest['headers'];
}

export interface TokenServer {
  readonly url: string;
  readonly asked: readonly TokenAsk[];
  /** What the resource at `/api` was shown, in order. */
  readonly shown: readonly string[];
  /** How often endpoints were asked for. */
  readonly discoveries: () => number;
  /** Has the resource refuse every token that was given so far. */
  readonly revokeAll: () => void;
  readonly forgetRefreshTokens: () => void;
  /** While it is set, every request for a token is answered so. */
  answer: LocalAnswer | undefined;
  close(): Promise<void>;
}

export async function startTokenServer(options: TokenServerOptions = {}): Promise<TokenServer> {
  const office = new Office(options);
  const server = await startHttpServer((request) => office.answer(request));
  office.url = server.url;
  return Object.assign(office.server, { url: server.url, close: () => server.close() });
}

class Office {
  readonly #options: TokenServerOptions;
  readonly #asked: TokenAsk[] = [];
  readonly #shown: string[] = [];
  readonly #good = new Map<string, JsonObject>();
  readonly #refresh = new Set<string>();
  readonly #codes: Map<string, string>;
  readonly #seen = new Set<string>();
  #discoveries = 0;
  url = '';
  readonly server: Omit<TokenServer, 'url' | 'close'>;

  constructor(options: TokenServerOptions) {
    this.#options = options;
    this.#codes = new Map(Object.entries(options.codes ?? {}));
    this.server = {
      asked: this.#asked,
      shown: this.#shown,
      discoveries: () => this.#discoveries,
      revokeAll: () => this.#good.clear(),
      forgetRefreshTokens: () => this.#refresh.clear(),
      answer: undefined,
    };
  }

  answer(request: LocalRequest): LocalAnswer {
    const paths = { ...PATHS, ...this.#options.paths };
    const [path] = request.path.split('?', 1);
    if (path === '/api') return this.#serve(request);
    if (path?.endsWith('/.well-known/openid-configuration')) return this.#discover(paths);
    if (path !== paths.token && path !== paths.introspection) return { status: 404 };
    try {
      const parameters = this.#read(request);
      if (this.server.answer !== undefined) return this.server.answer;
      const now = this.#options.now?.() ?? Date.now();
      const { clients = {} } = this.#options;
      showsClient({ clients, parameters, request, now, seen: this.#seen, url: this.url });
      const isToken = path === paths.token;
      return json(200, isToken ? this.#grant(parameters, now) : this.#introspect(parameters));
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      return json(thrown.status, { error: thrown.code, error_description: thrown.message });
    }
  }

  #serve({ headers }: LocalRequest): LocalAnswer {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    this.#shown.push(token);
    if (this.#good.has(token)) return json(200, { hello: 'there' });
    return { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } };
  }

  #discover(paths: typeof PATHS): LocalAnswer {
    this.#discoveries += 1;
    return json(200, {
      issuer: this.#issuer(),
      token_endpoint: `${this.url}${paths.token}`,
      introspection_endpoint: `${this.url}${paths.introspection}`,
    });
  }

  #read(request: LocalRequest): JsonObject {
    const type = request.headers['content-type'] ?? '';
    const parameters = type === 'application/json' ? readJson(request) : readForm(request, type);
    const { path, headers } = request;
    this.#asked.push({ path, type, parameters, headers });
    return parameters;
  }

  #grant(parameters: JsonObject, now: number): JsonObject {
    switch (parameters['grant_type']) {
      case 'client_credentials':
        return this.#give(parameters, now, false);
      case 'password':
        this.#checkUser(parameters);
        return this.#give(parameters, now, true);
      case 'refresh_token':
        if (!this.#refresh.delete(textIn(parameters, 'refresh_token'))) throw badGrant();
        return this.#give(parameters, now, true);
      case 'authorization_code':
        this.#useCode(parameters);
        return this.#give(parameters, now, true);
      case 'urn:ietf:params:oauth:grant-type:token-exchange':
        this.#checkExchange(parameters);
        return this.#give(parameters, now, false);
      default:
        throw new Refusal('unsupported_grant_type', 'what is that');
    }
  }

  #checkUser(parameters: JsonObject): void {
    const { users = {} } = this.#options;
    const password = textIn(parameters, 'password');
    if (users[textIn(parameters, 'username')] !== password) {
      throw new Refusal('invalid_grant', `wrong password ${password}`);
    }
  }

  #useCode(parameters: JsonObject): void {
    const code = textIn(parameters, 'code');
    const wanted = this.#codes.get(code);
    this.#codes.delete(code);
    if (wanted === undefined || wanted !== parameters['redirect_uri']) throw badGrant();
  }

  #checkExchange(parameters: JsonObject): void {
    const { foreign = [] } = this.#options;
    for (const role of ['subject', 'actor']) {
      const token = parameters[`${role}_token`];
      if (token === undefined && role === 'actor') continue;
      const isKnown = typeof token === 'string' && foreign.includes(token);
      if (!isKnown || typeof parameters[`${role}_token_type`] !== 'string') throw badGrant();
    }
  }

  #give(parameters: JsonObject, now: number, isRenewable: boolean): JsonObject {
    const { isOpaque = false, lifeSeconds = 3_600 } = this.#options;
    const claims = { iss: this.#issuer(), jti: randomUUID(), iat: Math.floor(now / 1_000) };
    const token = isOpaque ? claims.jti : jwtOf(claims);
    this.#good.set(token, claims);
    const refresh = randomUUID();
    if (isRenewable) this.#refresh.add(refresh);
    return {
      ...{ access_token: token, token_type: 'bearer', scope: parameters['scope'] ?? '' },
      ...(lifeSeconds === null ? {} : { expires_in: lifeSeconds }),
      ...(isRenewable ? { refresh_token: refresh } : {}),
    };
  }

  #introspect(parameters: JsonObject): JsonObject {
    const claims = this.#good.get(textIn(parameters, 'token'));
    return claims === undefined ? { active: false } : { active: true, ...claims };
  }

  #issuer(): string {
    return this.#options.issuer ?? this.url;
  }
}

function badGrant(): Refusal {
  return new Refusal('invalid_grant', 'it is not good, or no longer');
}

function readForm({ body }: LocalRequest, type: string): JsonObject {
  if (type !== 'application/x-www-form-urlencoded') throw new Refusal('invalid_request', type);
  const form = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name): [string, Json] => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function readJson({ body }: LocalRequest): JsonObject {
  const value = parseJson(body);
  if (!isJsonObject(value)) throw new Refusal('invalid_request', 'not an object');
  return value;
}

function jwtOf(claims: JsonObject): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const key = createHash('sha256').update('the key of this authority').digest();
  return [...text, createHmac('sha256', key).update(text.join('.')).digest('base64url')].join('.');
}

function json(status: number, value: Json): LocalAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: JSON.stringify(value) };
}
