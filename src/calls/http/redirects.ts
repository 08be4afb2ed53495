/**
 * Where an answer sends a request on to, by the rules of fetch.
 *
 * 303 asks for what there is to see, and so do 301 and 302 after a POST; 307 and 308 have the same
 * asked again. Another origin, be it only http in the place of https, gets neither credentials nor
 * cookies, and gets none on the way back either.
 */
import type { Authenticator } from '../auth/authenticator.ts';
import { brokenAs, placeOf } from './failures.ts';
import { type Headers, withoutContent, withoutSecrets } from './headers.ts';
import type { Incoming, Outgoing } from './transport.ts';

/** One request on the way to an answer. */
export interface Hop extends Outgoing {
  readonly authenticator: Authenticator | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The next request, or undefined if there is none: the answer is the answer. */
export function nextHop(hop: Hop, { status, headers }: Incoming): Hop | undefined {
  const { location } = headers;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const { url: from, method, body } = hop;
  if (!URL.canParse(location, from.href)) {
    throw brokenAs(`${placeOf(from)} redirected to what is no URL`);
  }
  const url = new URL(location, from);
  const isSame = url.origin === from.origin;
  const kept: Headers = isSame ? hop.headers : withoutSecrets(hop.headers);
  const authenticator = isSame ? hop.authenticator : undefined;
  const isLook = asksToLook(status, method);
  if (!isLook) return { method, url, headers: kept, body, authenticator };
  return { method: 'GET', url, headers: withoutContent(kept), body: undefined, authenticator };
}

function asksToLook(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}
