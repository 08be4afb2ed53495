/**
 * Where an OpenID provider has its endpoints: it says so at a place that is the same everywhere.
 *
 * The authority of a policy may be named with that place or without. What was said is kept for a
 * while; endpoints move rarely.
 */
import type { JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { HttpClient } from '../calling.ts';
import { placeOf } from '../http/failures.ts';
import { createSharing } from '../http/sharing.ts';
import { createShelf } from '../http/shelf.ts';
import type { Endpoints } from './oauth-settings.ts';
import { readObject } from './read-object.ts';

export type Discovery = (authority: URL, signal: AbortSignal) => Promise<Endpoints>;

export const DISCOVERY_MS = 3_600_000;
/** Providers whose endpoints are kept. */
export const PROVIDERS_MAX = 100;

const WELL_KNOWN = '/.well-known/openid-configuration';

export function createDiscovery(client: HttpClient, now: () => number): Discovery {
  const kept = createShelf<{ readonly endpoints: Endpoints; readonly until: number }>({
    entriesMax: PROVIDERS_MAX,
  });
  const sharing = createSharing<Endpoints>();
  return async (authority, signal) => {
    const url = placeFor(authority);
    const found = kept.find(url);
    if (found !== undefined && now() < found.until) return found.endpoints;
    return sharing(url, signal, async (shared) => {
      const endpoints = await ask(client, url, shared);
      kept.put(url, { endpoints, until: now() + DISCOVERY_MS });
      return endpoints;
    });
  };
}

function placeFor(authority: URL): string {
  const path = `${authority.origin}${authority.pathname}`.replace(/\/+$/, '');
  return path.endsWith(WELL_KNOWN) ? path : `${path}${WELL_KNOWN}`;
}

async function ask(client: HttpClient, url: string, signal: AbortSignal): Promise<Endpoints> {
  const { status, body } = await client.send({
    ...{ method: 'GET', url, signal },
    headers: { accept: 'application/json' },
    redirect: true,
  });
  const place = placeOf(new URL(url));
  if (status !== 200) {
    const detail = `${place} answered ${status}: it is where a provider tells its endpoints`;
    throw new WorkflowError('communication', { status, detail });
  }
  const document = readObject(body);
  const token = findUrl(document, 'token_endpoint');
  if (token === undefined) {
    const detail = `${place} answered without the URL of a token_endpoint`;
    throw new WorkflowError('communication', { detail });
  }
  return {
    token,
    revocation: findUrl(document, 'revocation_endpoint'),
    introspection: findUrl(document, 'introspection_endpoint'),
  };
}

function findUrl(document: JsonObject | undefined, name: string): string | undefined {
  const url = document?.[name];
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}
