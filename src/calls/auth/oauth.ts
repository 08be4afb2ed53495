/**
 * OAuth 2 and OpenID Connect: a request brings a token that an authority gave for it.
 *
 * A token is kept, by a fingerprint of its policy, until shortly before it ends, and given to
 * whoever asks with the same policy; those who ask at the same time wait for the same one. It is
 * renewed by the refresh token that came with it, or asked for anew. A server that refuses a kept
 * token may know more than we do: it is asked once more, with a new one.
 */
import type { HttpClient } from '../calling.ts';
import { createSharing, type Sharing } from '../http/sharing.ts';
import { createShelf, type Shelf } from '../http/shelf.ts';
import type { Authenticator } from './authenticator.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { type OAuthSettings, readOAuth } from './oauth-settings.ts';
import { fingerprintOf, type Part } from './policy.ts';
import { obtainToken, type Token } from './tokens.ts';

/** Policies whose tokens are kept. */
export const TOKENS_MAX = 1_000;

interface House {
  readonly client: HttpClient;
  readonly now: () => number;
  readonly discover: Discovery;
  readonly kept: Shelf<Token>;
  readonly share: Sharing<Token>;
}

export function createOAuth(client: HttpClient, now: () => number): (part: Part) => Authenticator {
  const house: House = {
    ...{ client, now },
    discover: createDiscovery(client, now),
    kept: createShelf<Token>({ entriesMax: TOKENS_MAX }),
    share: createSharing<Token>(),
  };
  return (part) => {
    const key = fingerprintOf({ [part.path]: part.values });
    return authenticatorOf(house, readOAuth(part), key);
  };
}

function authenticatorOf(house: House, settings: OAuthSettings, key: string): Authenticator {
  const { kept, now } = house;
  let used: Token | undefined;
  let isKept = false;
  return {
    first: async (_asked, signal) => {
      const found = kept.find(key);
      isKept = found !== undefined && now() < found.usableUntil;
      used = found !== undefined && isKept ? found : await renew(house, settings, key, signal);
      return used.authorization;
    },
    again: async (_asked, _challenges, signal) => {
      if (!isKept) return undefined;
      isKept = false;
      const found = kept.find(key);
      // Another request was refused, too, and there is a new one by now.
      const isNewer = found !== undefined && found !== used;
      used = isNewer ? found : await renew(house, settings, key, signal);
      return used.authorization;
    },
  };
}

async function renew(
  { client, now, discover, kept, share }: House,
  settings: OAuthSettings,
  key: string,
  signal: AbortSignal,
): Promise<Token> {
  return share(key, signal, async (shared) => {
    const endpoints = settings.endpoints ?? (await discover(settings.authority, shared));
    const token = await obtainToken({ client, now, settings, endpoints }, kept.find(key), shared);
    kept.put(key, token);
    return token;
  });
}
