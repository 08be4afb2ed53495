/**
 * From a request to the answer at its end: past redirects, and past servers that ask who is there.
 *
 * Each of the requests this takes is checked by the guard. An answer that only leads on is let go
 * of unread.
 */
import type { Authorization } from '../calling.ts';
import { brokenAs, brokenBy, placeOf } from './failures.ts';
import type { Guard } from './guard.ts';
import { type HttpLimits, REDIRECTS_MAX } from './limits.ts';
import type { Patience } from './patience.ts';
import { type Hop, nextHop } from './redirects.ts';
import type { Incoming, Transport } from './transport.ts';

export interface ReachHouse {
  readonly guard: Guard;
  readonly limits: HttpLimits;
  readonly transport: Transport;
}

export interface Reached {
  /** As it was sent in the end, credentials included. */
  readonly hop: Hop;
  readonly incoming: Incoming;
  readonly authorization: Authorization | undefined;
}

/** Challenge, then a nonce that has grown old meanwhile: nobody needs to be asked a fourth time. */
const RETRIES_MAX = 2;

/** The answer, at the end of all redirects if they are to be followed. */
export async function reach(
  house: ReachHouse,
  first: Hop,
  follows: boolean,
  patience: Patience,
): Promise<Reached> {
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const reached = await askWith(house, hop, patience);
    const { incoming } = reached;
    if (!follows) return reached;
    const from = hop;
    const next = await holding(incoming, () => nextHop(from, incoming));
    if (next === undefined) return reached;
    incoming.discard();
    if (redirects === REDIRECTS_MAX) {
      throw brokenAs(`${placeOf(first.url)} redirected more than ${REDIRECTS_MAX} times`);
    }
    hop = next;
  }
}

/** One answer, with whatever credentials it takes. */
async function askWith(house: ReachHouse, hop: Hop, patience: Patience): Promise<Reached> {
  const { signal } = patience;
  // Before its credentials are fetched, too: a place that is refused needs none.
  house.guard.check(hop.url);
  let authorization = await hop.authenticator?.first(hop, signal);
  for (let retries = 0; ; retries += 1) {
    const asked = { ...hop, headers: { ...hop.headers, ...headerOf(authorization) } };
    const incoming = await exchange(house, asked, patience);
    const reached = { hop: asked, incoming, authorization };
    if (incoming.status !== 401 || retries === RETRIES_MAX) return reached;
    const challenges = incoming.headers['www-authenticate'] ?? '';
    const better = await holding(incoming, () => hop.authenticator?.again(hop, challenges, signal));
    if (better === undefined) return reached;
    incoming.discard();
    authorization = better;
  }
}

async function exchange(house: ReachHouse, hop: Hop, patience: Patience): Promise<Incoming> {
  patience.signal.throwIfAborted();
  try {
    return await house.transport.exchange(hop, patience);
  } catch (thrown) {
    patience.signal.throwIfAborted();
    throw brokenBy(thrown, placeOf(hop.url));
  }
}

/** An answer whose use failed is let go of. */
async function holding<Value>(
  incoming: Incoming,
  use: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await use();
  } catch (thrown) {
    incoming.discard();
    throw thrown;
  }
}

function headerOf(authorization: Authorization | undefined): Readonly<Record<string, string>> {
  if (authorization === undefined) return {};
  return { authorization: `${authorization.scheme} ${authorization.parameter}` };
}
