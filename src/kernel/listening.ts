/**
 * Listening: waiting for whatever comes, again and again, and being told the whole event.
 *
 * All of an instance that listen to a message are told of it in one commit, and never again. So
 * while one of them has heard something and has not been told yet (a process without its code woke
 * it, or a stride was long enough), the next message waits: nobody misses it, and they come in
 * order.
 */
import type { Instant } from '../model/ids.ts';
import type { Listening, Token, Wait } from '../model/instance.ts';

type FirstWait = Extract<Wait, { on: 'first' }>;
type LiveWait = FirstWait & Listening & { readonly live: true };

export function isListening(wait: Wait | null | undefined): wait is LiveWait {
  return wait?.on === 'first' && wait.live === true;
}

/** Whoever listens and does not say since when does so from now on. */
export function beganAt(at: Instant, wait: Wait): Wait {
  const isOpen = wait.on === 'first' && wait.live === true && wait.since === undefined;
  return isOpen ? { ...wait, since: at } : wait;
}

/** What a token listens to, also while it is still to be told what it has heard. */
export function listeningOf({ wait, wake }: Token): Listening | undefined {
  return isListening(wait) ? wait : wait === null ? wake?.listens : undefined;
}

/** A token that has heard something listens on until it has been told. */
export function heardBy(wait: Wait | null): { readonly listens?: Listening } {
  return isListening(wait) ? { listens: { any: wait.any, since: wait.since } } : {};
}
