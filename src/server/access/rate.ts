/**
 * How often somebody may ask. Everybody has a bucket that fills by itself; a request takes one out
 * of it, and finds it empty or not. Who has said who they are has one of their own, wherever they
 * ask from; who has not shares one with their network.
 *
 * Credentials that were wrong are counted apart, and sooner too many. That changes what a wrong one
 * is told, never whether a good one is taken: behind a proxy everybody comes from one address, and
 * one who guesses is not to lock out the others.
 *
 * It is kept in memory, of each process by itself. There are so many buckets at most; then the one
 * that was not used for longest goes, and whose it was begins with a full one.
 */
import { RequestError } from '../problem.ts';
import { wrong } from '../wrong.ts';
import { networkOf } from './address.ts';
import type { Principal } from './principal.ts';

export interface RateOptions {
  readonly perSecond: number;
  /** So many at once, after a while in which there were none. */
  readonly burst: number;
}

export const RATE_PER_SECOND_DEFAULT = 1_000;
export const RATE_BURST_DEFAULT = 2_000;
/** Of credentials that were wrong, from one network. */
export const FAILURES_PER_SECOND = 0.2;
export const FAILURES_BURST = 10;
/** Of principals, of networks, and of networks with wrong credentials: so many each. */
export const BUCKETS_MAX = 10_000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

class Buckets {
  readonly #rate: RateOptions;
  /** In the order of their last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: RateOptions) {
    this.#rate = rate;
  }

  /** Zero if there was one to take; otherwise how long until there is. */
  take(key: string, now: number): number {
    const { perSecond, burst } = this.#rate;
    const { left: before, at } = this.#buckets.get(key) ?? { left: burst, at: now };
    // A clock that was set back fills nothing.
    const elapsedMs = Math.max(now - at, 0);
    const left = Math.min(before + (elapsedMs / 1_000) * perSecond, burst);
    const isThere = left >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: isThere ? left - 1 : left, at: now });
    if (this.#buckets.size > BUCKETS_MAX) this.#forgetOldest();
    return isThere ? 0 : ((1 - left) / perSecond) * 1_000;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

export class Rates {
  readonly #now: () => number;
  readonly #principals: Buckets | undefined;
  readonly #networks: Buckets | undefined;
  readonly #failures: Buckets | undefined;

  constructor(rate: RateOptions | false | undefined, now: () => number) {
    this.#now = now;
    if (rate === false) return;
    const read = readRate(rate);
    this.#principals = new Buckets(read);
    this.#networks = new Buckets(read);
    this.#failures = new Buckets({ perSecond: FAILURES_PER_SECOND, burst: FAILURES_BURST });
  }

  /** Throws if it is one request too many, of whoever asks. */
  take(principal: Principal | null, peer: string | undefined): void {
    const waitMs =
      principal === null
        ? this.#networks?.take(networkOf(peer ?? ''), this.#now())
        : this.#principals?.take(JSON.stringify([principal.tenant, principal.id]), this.#now());
    if (waitMs !== undefined && waitMs > 0) throw tooMany('requests', waitMs);
  }

  /** Counts a credential that was wrong; throws if it is one too many. */
  takeFailure(peer: string | undefined): void {
    const waitMs = this.#failures?.take(networkOf(peer ?? ''), this.#now()) ?? 0;
    if (waitMs > 0) throw tooMany('wrong credentials', waitMs);
  }
}

function tooMany(what: string, waitMs: number): RequestError {
  const seconds = Math.max(Math.ceil(waitMs / 1_000), 1);
  return new RequestError('access.too-many', `too many ${what}; come again in ${seconds} s`, {
    retryable: true,
    headers: { 'retry-after': `${seconds}` },
  });
}

function readRate(rate: RateOptions = DEFAULTS): RateOptions {
  const { perSecond, burst } = rate ?? {};
  if (Number.isFinite(perSecond) && perSecond > 0 && Number.isFinite(burst) && burst >= 1) {
    return { perSecond, burst };
  }
  throw wrong('rate is { perSecond, burst }, numbers of which burst is 1 or more; or false');
}

const DEFAULTS: RateOptions = {
  perSecond: RATE_PER_SECOND_DEFAULT,
  burst: RATE_BURST_DEFAULT,
};
