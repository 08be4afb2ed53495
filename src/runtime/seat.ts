import type { Tx } from '../model/tx.ts';
import type { Claim } from '../stores/store.ts';

/** The slot of one line of work: the claim it holds now, which hand-over replaces. */
export interface Seat {
  claim: Claim;
  /** Made when the handler asks for its signal. */
  abort: AbortController | null;
  /** A handler has begun whose step can be undone. */
  undoable: boolean;
  /** Ends the time limit of the handler that runs, if it has one. */
  stopLimit: (() => void) | null;
  /** What it holds is a lone token: nothing else is at work here. */
  isLone: boolean;
  /** That of the handler that runs, if its step has one. */
  tx: Tx | null;
}
