import type { Instant, TokenId } from './ids.ts';

/**
 * What the shell may do after commit, and may lose without harm: ring a bell, abort a signal.
 * Whatever must happen is a row of the commit and found by a sweep.
 */
export type Hint =
  /** A token became ready for a worker that has this handler. */
  | { readonly do: 'offer'; readonly token: TokenId; readonly handler: string }
  /** A token sleeps until then. */
  | { readonly do: 'alarm'; readonly at: Instant }
  /** A token waits for a message, which may be there already. */
  | {
      readonly do: 'await';
      readonly token: TokenId;
      readonly type: string;
      readonly key: string;
    }
  /** A token that a handler may be working on is gone. */
  | { readonly do: 'abort'; readonly token: TokenId }
  /** Something is to be carried to another instance. */
  | { readonly do: 'carry' }
  /** Something is to be sent outside. */
  | { readonly do: 'send' }
  /** Tokens may have come to lanes, or left them. */
  | { readonly do: 'lanes' }
  /** The instance is over. */
  | { readonly do: 'ended' };
