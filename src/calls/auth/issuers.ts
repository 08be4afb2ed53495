/**
 * Whether a token is of an issuer that its policy names.
 *
 * A JWT says so itself. Of any other token the authority is asked, at its introspection endpoint
 * (RFC 7662). If nobody can tell, the token is not used.
 */
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { placeOf } from '../http/failures.ts';
import { claimsOf } from './jwt.ts';
import { askAuthority, type Authority } from './token-request.ts';

interface Given {
  readonly access: string;
  /** What came with it. */
  readonly answer: JsonObject;
}

/** Throws `authentication` if the policy names issuers and the token is of none of them. */
export async function checkIssuer(
  authority: Authority,
  { access, answer }: Given,
  signal: AbortSignal,
): Promise<void> {
  const { issuers } = authority.settings;
  if (issuers.length === 0) return;
  const { id_token: identity } = answer;
  const told = claimsOf(access) ?? (typeof identity === 'string' ? claimsOf(identity) : undefined);
  const { iss: issuer } = told ?? (await introspect(authority, access, signal));
  if (typeof issuer === 'string' && issuers.includes(issuer)) return;
  const came = typeof issuer === 'string' ? `"${issuer.slice(0, 200)}"` : 'none';
  const place = placeOf(new URL(authority.endpoints.token));
  const detail = `the token of ${place} is of an issuer that issuers does not name; came ${came}`;
  throw new WorkflowError('authentication', { detail });
}

async function introspect(
  authority: Authority,
  access: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { introspection } = authority.endpoints;
  // Nobody can tell, so nothing is told.
  if (introspection === undefined) return {};
  const told = await askAuthority(authority, introspection, [['token', access]], signal);
  if (told['active'] === true) return told;
  const detail = `${placeOf(new URL(introspection))} does not know the token that was just given`;
  throw new WorkflowError('authentication', { detail });
}
