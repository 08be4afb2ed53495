/** A token server for one test, and calls to its resource with a policy of its authority. */
import { afterEach } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../base/json.ts';
import type { HttpAnswer, HttpRequest } from '../calls/calling.ts';
import type { ClosableHttpClient, HttpOptions } from '../calls/http/client.ts';
import { ask, guarded } from './guarded-http.ts';
import { startTokenServer, type TokenServer, type TokenServerOptions } from './token-server.ts';

const servers: TokenServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

export interface TokenOffice {
  readonly server: TokenServer;
  readonly http: ClosableHttpClient;
  /** Asks the resource, with an `oauth2` policy of these settings, or an `oidc` one. */
  readonly call: (
    settings: JsonObject,
    parts?: Partial<HttpRequest> & { readonly kind?: 'oauth2' | 'oidc' },
  ) => Promise<HttpAnswer>;
  /** One that the server has given to somebody. */
  readonly refreshToken: () => Promise<string>;
}

export async function authorityFor(
  options: TokenServerOptions = {},
  httpOptions: HttpOptions = {},
): Promise<TokenOffice> {
  const users = { somebody: 'some password', ...options.users };
  const server = await startTokenServer({ ...options, users });
  servers.push(server);
  const http = guarded(httpOptions);
  return {
    ...{ server, http },
    call: (settings, { kind = 'oauth2', ...parts } = {}) => {
      const authentication = { [kind]: { authority: server.url, ...settings } };
      return ask(http, `${server.url}/api`, { authentication, ...parts });
    },
    refreshToken: () => refreshTokenOf(server, http, options),
  };
}

async function refreshTokenOf(
  { url }: TokenServer,
  http: ClosableHttpClient,
  { clients = {}, paths = {} }: TokenServerOptions,
): Promise<string> {
  const [[id, client] = ['', { by: 'none' } as const]] = Object.entries(clients);
  const shown = client.by === 'post' ? { client_id: id, client_secret: client.secret } : {};
  const login = { grant_type: 'password', username: 'somebody', password: 'some password' };
  const { body } = await ask(http, `${url}${paths.token ?? '/oauth2/token'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...login, ...shown }).toString(),
  });
  const answer = parseJson(Buffer.from(body).toString());
  const token = isJsonObject(answer) ? answer['refresh_token'] : undefined;
  if (typeof token !== 'string') throw new Error('no refresh token was given');
  return token;
}
