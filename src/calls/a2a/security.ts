/**
 * What an agent card asks of whoever calls, met by the one policy that a task has.
 *
 * A card names schemes, and in `security` which of them, or none, are enough. The first one that
 * the policy can serve is taken: a token also serves as a key, wherever the card wants to have
 * that. A card that asks for nothing gets the policy as it is. A call that cannot be enough is not
 * made.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { Authorization, HttpRequest } from '../calling.ts';
import { readHeaders } from '../http/headers.ts';
import { writePairs } from '../name-values.ts';
import { addQuery } from '../http-url.ts';
import type { Agent } from './agent-card.ts';

/** The parts of a request that show who asks. */
export interface Shown {
  readonly request: Required<Pick<HttpRequest, 'url' | 'headers'>> &
    Pick<HttpRequest, 'authentication'>;
  /** If not the client, but the request itself says it. */
  readonly authorization: Authorization | undefined;
}

interface Demand {
  readonly scheme: JsonObject;
  readonly scopes: Json;
}

const TOKENS: ReadonlySet<string> = new Set(['bearer', 'oauth2', 'oidc']);

export function showWho({ url, card, policy }: Agent): Shown {
  const demands = demandsOf(card ?? {});
  if (policy === undefined) {
    if (demands.isAsked && !demands.isOptional) throw notEnough(demands.all, 'nothing');
    return plainly(url);
  }
  const [kind = ''] = Object.keys(policy);
  const demand = demands.all.find(({ scheme }) => serves(kind, scheme));
  if (demand !== undefined) return meet(url, demand, policy);
  if (demands.isAsked) throw notEnough(demands.all, kind);
  return plainly(url, policy);
}

/** One scheme each: several at once are more than one policy can serve. */
function demandsOf(card: JsonObject): {
  readonly all: readonly Demand[];
  readonly isAsked: boolean;
  readonly isOptional: boolean;
} {
  const schemes = isJsonObject(card['securitySchemes']) ? card['securitySchemes'] : {};
  const security = Array.isArray(card['security']) ? (card['security'] as Json[]) : [];
  const wanted = security.filter(isJsonObject).map((one) => Object.entries(one));
  const named = wanted.length > 0 ? wanted : Object.keys(schemes).map((name) => [[name, []]]);
  const all = (named as (readonly (readonly [string, Json])[])[]).flatMap((entries) => {
    const [[name, scopes] = ['', []], ...others] = entries;
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    return others.length === 0 && isJsonObject(scheme) ? [{ scheme, scopes }] : [];
  });
  const isOptional = wanted.some((entries) => entries.length === 0);
  return { all, isAsked: wanted.length > 0, isOptional };
}

/** Whether a policy of this kind is what the scheme wants. */
function serves(kind: string, { type, scheme }: JsonObject): boolean {
  switch (type) {
    case 'http': {
      const name = typeof scheme === 'string' ? scheme.toLowerCase() : '';
      return name === 'bearer' ? TOKENS.has(kind) : name === kind;
    }
    case 'oauth2':
    case 'openIdConnect':
      return TOKENS.has(kind);
    case 'apiKey':
      return kind === 'bearer';
    default:
      return false;
  }
}

function meet(url: URL, { scheme, scopes }: Demand, policy: JsonObject): Shown {
  if (scheme['type'] !== 'apiKey') return plainly(url, withScopes(policy, scopes));
  const { token } = policy['bearer'] as JsonObject;
  const { name, in: place } = scheme;
  if (typeof token !== 'string' || typeof name !== 'string') {
    const detail = 'a key needs its name in the agent card, and its value as "bearer.token"';
    throw new WorkflowError('authentication', { detail });
  }
  const authorization = { scheme: 'ApiKey', parameter: token };
  const pair = writePairs([[name, token]]);
  if (place === 'query') {
    return { request: { url: addQuery(url, pair), headers: {} }, authorization };
  }
  const headers = readHeaders(place === 'cookie' ? { cookie: pair } : { [name]: token });
  return { request: { url, headers }, authorization };
}

/** Those the card asks for, unless the author has named some. */
function withScopes(policy: JsonObject, scopes: Json): JsonObject {
  const [[kind, values] = ['', null]] = Object.entries(policy);
  const isAsked = Array.isArray(scopes) && scopes.length > 0 && /^(oauth2|oidc)$/.test(kind);
  if (!isAsked || !isJsonObject(values) || values['scopes'] !== undefined) return policy;
  return { [kind]: { ...values, scopes } };
}

function plainly(url: URL, authentication?: JsonObject): Shown {
  const policy = authentication === undefined ? {} : { authentication };
  return { request: { url, headers: {}, ...policy }, authorization: undefined };
}

function notEnough(demands: readonly Demand[], kind: string): WorkflowError {
  const wanted = demands.map(({ scheme }) => {
    const parts = [scheme['type'], scheme['scheme']];
    return parts.filter((part) => typeof part === 'string').join(' ');
  });
  const list = wanted.length === 0 ? 'more than one policy can serve' : wanted.join(' or ');
  return new WorkflowError('authentication', {
    detail: `the agent card asks for ${list}, and the task authenticates by ${kind}`,
  });
}
