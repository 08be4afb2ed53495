/**
 * A token: how it is had of an authority, and how long it may be used.
 *
 * It counts as old a little before it ends, since a request takes its time. Of one that does not
 * say when it ends a short life is assumed; that costs a request for a new one now and then.
 */
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Authorization } from '../calling.ts';
import { placeOf } from '../http/failures.ts';
import { checkIssuer } from './issuers.ts';
import { claimsOf } from './jwt.ts';
import type { Parameters } from './oauth-settings.ts';
import { askAuthority, type Authority } from './token-request.ts';

export interface Token {
  readonly authorization: Authorization;
  /** Milliseconds since 1970. */
  readonly usableUntil: number;
  /** Renews it, if the authority gave one. */
  readonly refresh: string | undefined;
}

/** How long before its end a token is renewed, and the part of its life that is at most. */
export const MARGIN_MS = 30_000;
export const MARGIN_PART = 0.1;
/** Of a token that says nothing of its end. */
export const LIFE_MS_UNKNOWN = 60_000;

/** By what came with the one before, if that is still good; otherwise by the policy's grant. */
export async function obtainToken(
  authority: Authority,
  before: Token | undefined,
  signal: AbortSignal,
): Promise<Token> {
  const { grant, scope } = authority.settings;
  const renewed = before?.refresh && (await renew(authority, before.refresh, signal));
  return renewed || ask(authority, [...grant, ...scope], signal);
}

/** Undefined if the authority does not want to. */
async function renew(
  authority: Authority,
  refresh: string,
  signal: AbortSignal,
): Promise<Token | undefined> {
  const { scope } = authority.settings;
  const parameters: Parameters = [
    ['grant_type', 'refresh_token'],
    ['refresh_token', refresh],
    ...scope,
  ];
  try {
    const token = await ask(authority, parameters, signal);
    return { ...token, refresh: token.refresh ?? refresh };
  } catch (thrown) {
    if (thrown instanceof WorkflowError && thrown.kind === 'authentication') return undefined;
    throw thrown;
  }
}

async function ask(
  authority: Authority,
  parameters: Parameters,
  signal: AbortSignal,
): Promise<Token> {
  const { endpoints, now } = authority;
  const askedAt = now();
  const answer = await askAuthority(authority, endpoints.token, parameters, signal);
  const { access_token: access, refresh_token: refresh } = answer;
  if (typeof access !== 'string' || !/^[\x21-\x7e]+$/.test(access)) {
    const detail = `${placeOf(new URL(endpoints.token))} answered without an access_token`;
    throw new WorkflowError('authentication', { detail });
  }
  await checkIssuer(authority, { access, answer }, signal);
  return {
    authorization: { scheme: schemeOf(answer), parameter: access },
    usableUntil: usableUntil(access, answer, askedAt),
    refresh: typeof refresh === 'string' && refresh !== '' ? refresh : undefined,
  };
}

function usableUntil(access: string, answer: JsonObject, askedAt: number): number {
  const lifeMs = lifeOf(access, answer, askedAt);
  return askedAt + lifeMs - Math.min(MARGIN_MS, lifeMs * MARGIN_PART);
}

function lifeOf(access: string, { expires_in: seconds }: JsonObject, askedAt: number): number {
  const told = typeof seconds === 'string' && seconds !== '' ? Number(seconds) : seconds;
  if (typeof told === 'number' && Number.isFinite(told)) return told * 1_000;
  const end = claimsOf(access)?.['exp'];
  return typeof end === 'number' ? end * 1_000 - askedAt : LIFE_MS_UNKNOWN;
}

/** Most say "bearer", in any case; one that is exchanged for may say that it has none. */
function schemeOf({ token_type: type }: JsonObject): string {
  if (typeof type !== 'string' || !/^[A-Za-z][\w-]*$/.test(type)) return 'Bearer';
  return /^(bearer|N_A)$/i.test(type) ? 'Bearer' : type;
}
