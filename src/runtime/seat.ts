import type { TokenId } from '../model/ids.ts';
import type { Head } from '../model/instance.ts';
import type { Tx } from '../model/tx.ts';
import type { Claim, Held } from '../stores/store.ts';

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

/** Another claim of the same token may be at work beside it: one that was taken away, or came. */
export function isAt({ claim }: Seat, { instance, token, version }: Held): boolean {
  return claim.token === token && claim.instance === instance && claim.version === version;
}

/** Whoever asks for the signal only later finds it aborted. */
export function abortSeat(seat: Seat, reason: string): void {
  seat.abort ??= new AbortController();
  seat.abort.abort(new Error(reason));
}

/** Somebody else has it by now, or this worker itself has it anew: that one goes on. */
export function abortLost(seats: Iterable<Seat>, held: Held): void {
  for (const seat of seats) if (isAt(seat, held)) abortSeat(seat, 'the lease is lost');
}

/** A commit has taken a token away from whoever worked on it before. */
export function abortOlder(seats: Iterable<Seat>, { id, version }: Head, token: TokenId): void {
  for (const seat of seats) {
    const { claim } = seat;
    if (claim.token !== token || claim.instance !== id) continue;
    // It may be found out late, when what the commit made ready is at work already.
    if (claim.instanceVersion < version) abortSeat(seat, 'the token is gone');
  }
}

/** Whether a claim is at work, or one of the same token that came after it. */
export function isAtOrAfter(seats: Iterable<Seat>, { instance, token, version }: Held): boolean {
  for (const { claim } of seats) {
    if (claim.token !== token || claim.instance !== instance) continue;
    if (claim.version >= version) return true;
  }
  return false;
}
