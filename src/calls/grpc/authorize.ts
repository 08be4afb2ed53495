/**
 * How a call by gRPC shows who asks: by the same policies as HTTP, in the metadata of the call.
 *
 * Tokens are kept as long as the client lives through which they were asked for. Digest has no
 * place in gRPC: nobody asks twice there.
 */
import type { JsonObject } from '../../base/json.ts';
import { type Authentication, createAuthentication } from '../auth/authentication.ts';
import type { Authorization, Calling, HttpClient } from '../calling.ts';
import { notAskable } from '../http/failures.ts';
import type { GrpcCall } from './exchange.ts';

const known = new WeakMap<HttpClient, Authentication>();

export async function authorize(
  { http, signal }: Calling,
  policy: JsonObject,
  { host, port, path }: Pick<GrpcCall, 'host' | 'port' | 'path'>,
): Promise<Authorization> {
  const authentication = known.get(http) ?? createAuthentication(http, Date.now);
  known.set(http, authentication);
  const url = new URL(`https://${host}:${port}${path}`);
  const authorization = await authentication.of(policy).first({ method: 'POST', url }, signal);
  if (authorization !== undefined) return authorization;
  throw notAskable('gRPC has no digest authentication: use basic, bearer, oauth2 or oidc');
}
