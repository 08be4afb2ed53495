/**
 * Which claims this process holds, and which of them are running out (D15). The worker renews what
 * it holds every third of a lease, and then nothing here is ever due. When its thread is blocked it
 * cannot, and what has less than half of its lease left is renewed from the store's own thread.
 *
 * Only bookkeeping: whoever owns it has the timer and the database. A claim that is taken away by
 * others (its token was ended, say) is found out when it is next renewed, and harms nobody until
 * then, since renewing goes by its version.
 */
import type { Held, TokenRef } from './store.ts';

export interface Watched extends Held {
  readonly leaseMs: number;
}

interface Entry {
  readonly claim: Watched;
  until: number;
  letGoAt: number;
}

export class Watch {
  readonly #entries = new Map<string, Entry>();
  #shortestMs = Number.POSITIVE_INFINITY;

  /**
   * The shortest lease held, infinite if none is. It may be that of a claim that is gone by now:
   * looking too often does no harm.
   */
  get shortestMs(): number {
    return this.#shortestMs;
  }

  /** A token is held once: whatever was known of it before is over. */
  hold({ instance, token, version, worker, leaseMs, until }: Watched & { until: number }): void {
    const claim = { instance, token, version, worker, leaseMs };
    const letGoAt = Number.POSITIVE_INFINITY;
    this.#entries.set(nameOf(claim), { claim, until, letGoAt });
    this.#shortestMs = Math.min(this.#shortestMs, leaseMs);
  }

  /** It is settled, given back or lost. */
  drop(held: Held): void {
    if (this.#find(held) !== undefined) this.#delete(nameOf(held));
  }

  /** From that moment on it is not renewed any more. */
  letGo(held: Held, at: number): void {
    const entry = this.#find(held);
    if (entry !== undefined) entry.letGoAt = Math.min(entry.letGoAt, at);
  }

  renewed(held: Held, until: number): void {
    const entry = this.#find(held);
    if (entry !== undefined) entry.until = Math.max(entry.until, until);
  }

  /** Those with less than half of their lease left. */
  due(now: number): Watched[] {
    const found: Watched[] = [];
    for (const [name, { claim, until, letGoAt }] of this.#entries) {
      if (letGoAt <= now) this.#delete(name);
      else if (until - now < claim.leaseMs / 2) found.push(claim);
    }
    return found;
  }

  /** Old news about a token that is held anew find nothing. */
  #find(held: Held): Entry | undefined {
    const entry = this.#entries.get(nameOf(held));
    if (entry === undefined) return undefined;
    const { version, worker } = entry.claim;
    return version === held.version && worker === held.worker ? entry : undefined;
  }

  #delete(name: string): void {
    this.#entries.delete(name);
    if (this.#entries.size === 0) this.#shortestMs = Number.POSITIVE_INFINITY;
  }
}

function nameOf({ instance, token }: TokenRef): string {
  return `${token} ${instance}`;
}
