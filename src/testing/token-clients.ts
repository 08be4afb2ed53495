/** Who asks an authority for a token: each client shows it in its own way, and in no other. */
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, parseJson } from '../base/json.ts';
import type { LocalRequest } from './http-server.ts';

export type TokenClient =
  | { readonly by: 'post' | 'basic'; readonly secret: string }
  | { readonly by: 'secret-jwt'; readonly secret: string }
  | { readonly by: 'key-jwt'; readonly publicKey: string; readonly alg: 'RS256' | 'ES256' }
  | { readonly by: 'none' };

/** Why an authority gives no token. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface Showing {
  readonly clients: Readonly<Record<string, TokenClient>>;
  readonly parameters: JsonObject;
  readonly request: LocalRequest;
  readonly now: number;
  /** The ids of assertions that came before. */
  readonly seen: Set<string>;
  readonly url: string;
}

/** The text of that name; empty if there is none. */
export function textIn(parameters: JsonObject, name: string): string {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
}

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Throws a refusal unless it is a client that is known. */
export function showsClient(showing: Showing): void {
  const { clients, parameters, request } = showing;
  const login = loginOf(request.headers['authorization']);
  const id = login?.id ?? textIn(parameters, 'client_id');
  // Nobody in particular may ask where nobody is registered.
  if (id === '' && Object.keys(clients).length === 0) return;
  const client = clients[id];
  if (client === undefined) throw bad('unknown client');
  const ways = [
    login && 'basic',
    parameters['client_secret'] !== undefined && 'post',
    parameters['client_assertion'] !== undefined && 'jwt',
  ].filter((way) => typeof way === 'string');
  if (ways.length > 1) throw bad(`several ways at once: ${ways.join(', ')}`);
  const [way = 'none'] = ways;
  switch (client.by) {
    case 'none':
      return expect(way, 'none');
    case 'post':
      expect(way, 'post');
      return expect(parameters['client_secret'], client.secret);
    case 'basic':
      expect(way, 'basic');
      return expect(login?.secret, client.secret);
    case 'secret-jwt':
    case 'key-jwt':
      expect(way, 'jwt');
      expect(parameters['client_assertion_type'], JWT_BEARER);
      return checkAssertion(showing, client, id);
    default:
      throw bad('a way that nobody knows');
  }
}

function expect(came: unknown, wanted: unknown): void {
  if (came !== wanted) throw bad(`it does not fit: ${String(came)}`);
}

function bad(message: string): Refusal {
  return new Refusal('invalid_client', message, 401);
}

/** RFC 6749 has both halves encoded as in a form. */
function loginOf(header: string | undefined): { id: string; secret: string } | undefined {
  const [, base64] = /^Basic (.+)$/.exec(header ?? '') ?? [];
  if (base64 === undefined) return undefined;
  const [id = '', secret = ''] = Buffer.from(base64, 'base64').toString().split(':');
  return { id: formDecoded(id), secret: formDecoded(secret) };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`a=${text}`).get('a') ?? '';
}

function checkAssertion(
  { parameters, request, now, seen, url }: Showing,
  client: Extract<TokenClient, { by: 'secret-jwt' | 'key-jwt' }>,
  id: string,
): void {
  const [head = '', claims = '', signature = ''] = textIn(parameters, 'client_assertion').split(
    '.',
  );
  const { alg } = partOf(head);
  const text = `${head}.${claims}`;
  if (client.by === 'secret-jwt') {
    expect(alg, 'HS256');
    expect(signature, createHmac('sha256', client.secret).update(text).digest('base64url'));
  } else {
    expect(alg, client.alg);
    const key = { key: createPublicKey(client.publicKey), dsaEncoding: 'ieee-p1363' as const };
    const isGood = verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64url'));
    expect(isGood, true);
  }
  const { iss, sub, aud, jti, exp } = partOf(claims);
  expect(JSON.stringify([iss, sub, aud]), JSON.stringify([id, id, `${url}${request.path}`]));
  expect(typeof exp === 'number' && exp * 1_000 > now, true);
  if (typeof jti !== 'string' || seen.has(jti)) throw bad('it came before');
  seen.add(jti);
}

function partOf(text: string): JsonObject {
  const value = parseJson(Buffer.from(text, 'base64url').toString());
  if (!isJsonObject(value)) throw bad('no JWT');
  return value;
}
