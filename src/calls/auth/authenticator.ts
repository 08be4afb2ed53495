/**
 * How a request shows who asks: what it brings at first, and what it brings after a 401.
 *
 * One authenticator is made for one request and sees all its tries; what outlives a request
 * (tokens, nonces) it shares with others.
 */
import type { Authorization } from '../calling.ts';

export interface Authenticator {
  /** Before anything is sent. Undefined: a challenge has to come first. */
  readonly first: (asked: Asked, signal: AbortSignal) => Promise<Authorization | undefined>;
  /** After a 401 with these challenges. Undefined: the 401 is the answer. */
  readonly again: (
    asked: Asked,
    challenges: string,
    signal: AbortSignal,
  ) => Promise<Authorization | undefined>;
}

export interface Asked {
  readonly method: string;
  readonly url: URL;
}
