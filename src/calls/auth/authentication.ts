/**
 * The five ways to authenticate: basic, bearer, digest, oauth2, oidc.
 *
 * A policy comes with every value in it; which name or secret they were behind, whoever asks has
 * settled. Requests for tokens go through the same guarded client as all others.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Authorization, HttpClient } from '../calling.ts';
import type { Authenticator } from './authenticator.ts';
import { createDigest } from './digest.ts';
import { createOAuth } from './oauth.ts';
import { type Part, textOf, wrong } from './policy.ts';

export interface Authentication {
  /** For one request. Throws `configuration` if the policy cannot be meant. */
  readonly of: (policy: JsonObject) => Authenticator;
}

const KINDS = 'basic, bearer, digest, oauth2 or oidc';

export function createAuthentication(client: HttpClient, now: () => number): Authentication {
  const digest = createDigest();
  const oauth = createOAuth(client, now);
  return {
    of: (policy) => {
      const part = onlyPart(policy);
      switch (part.path) {
        case 'basic':
          return fixed(basicOf(part));
        case 'bearer':
          return fixed(bearerOf(part));
        case 'digest':
          return digest(part);
        case 'oauth2':
        case 'oidc':
          return oauth(part);
        default:
          throw wrong(`a policy is one of ${KINDS}; came "${part.path.slice(0, 40)}"`);
      }
    },
  };
}

function onlyPart(policy: JsonObject): Part {
  const [[path, values] = [], ...others] = Object.entries(policy);
  if (path === undefined || values === undefined || others.length > 0) {
    throw wrong(`a policy is exactly one of ${KINDS}`);
  }
  if (!isJsonObject(values)) throw wrong(`${path.slice(0, 40)} is an object`);
  return { path, values };
}

/** In UTF-8, as RFC 7617 has it today. */
function basicOf(part: Part): Authorization {
  const username = textOf(part, 'username');
  const password = textOf(part, 'password');
  if (username.includes(':')) throw wrong('basic.username holds a colon, which nobody could read');
  if (/[\x00-\x1f\x7f]/.test(username + password)) {
    throw wrong('basic.username and basic.password hold no control characters');
  }
  const parameter = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return { scheme: 'Basic', parameter };
}

function bearerOf(part: Part): Authorization {
  const parameter = textOf(part, 'token');
  if (!/^[\x21-\x7e]+$/.test(parameter)) {
    throw wrong('bearer.token holds visible ASCII characters only, and no spaces');
  }
  return { scheme: 'Bearer', parameter };
}

/** Known from the start; a 401 cannot change it. */
function fixed(authorization: Authorization): Authenticator {
  return { first: async () => authorization, again: async () => undefined };
}
