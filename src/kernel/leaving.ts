/**
 * A wait of an application's kind is over exactly once, however that comes about: the node goes on,
 * it fails, or something outside it is decided. What is to be sent then stands in the wait itself,
 * so that a process that does not have the kind can end it as well: a command line that cancels.
 *
 * From when it is woken until the node has gone on, the wait stays with the token: who woke it may
 * not have been able to go on with it, and how it ends is known only then.
 */
import { type Json, sameJson } from '../base/json.ts';
import type { Change, Departure } from '../model/change.ts';
import type { LeaveReason } from '../model/custom-kind.ts';
import type { TokenId } from '../model/ids.ts';
import type { KindWait, Token, Wait } from '../model/instance.ts';
import type { Letter } from '../model/letter.ts';
import type { Instance } from './instance.ts';
import { send } from './posts.ts';
import type { Stride } from './stride.ts';
import { inTrace, traceLeft, traceOf } from './traces.ts';

type Kept = Wait & KindWait;

/** The wait, if it is one of an application's kind. */
export function findKindWait(wait: Wait | null | undefined): Kept | undefined {
  const isOwn = typeof wait === 'object' && wait !== null && 'name' in wait;
  return isOwn ? (wait as Kept) : undefined;
}

/** The one that a token has not left yet, whether it was woken or not. */
function openWait({ wait, wake }: Pick<Token, 'wait' | 'wake'>): Kept | undefined {
  return findKindWait(wait) ?? wake?.waited;
}

const REASONS: Readonly<Record<Departure, LeaveReason>> = {
  done: 'done',
  joined: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** A token that is woken keeps its wait. */
export function keepingWait({ tokens }: Instance, change: Change): Change {
  if (change.did !== 'wake-token') return change;
  const waited = findKindWait(tokens.get(change.token)?.wait);
  return waited === undefined ? change : { ...change, wake: { ...change.wake, waited } };
}

/** What is to be sent once a change is recorded that ends a wait. */
export function lettersFor({ tokens }: Instance, change: Change): Unsent {
  switch (change.did) {
    case 'end-token':
      return lettersOf(tokens.get(change.token), REASONS[change.why]);
    case 'park-token':
      // With what its kind parks it again it says itself that the last time is over.
      return change.wait.on === 'incident' ? lettersOf(tokens.get(change.token), 'failed') : NONE;
    default:
      return NONE;
  }
}

type Unsent = readonly Omit<Letter, 'id'>[];
const NONE: Unsent = [];

/** They are the token's own, whoever moves: it may be another that ends the wait. */
function lettersOf(token: Token | undefined, why: LeaveReason): Unsent {
  const letters = token && openWait(token)?.leave?.[why];
  if (token === undefined || letters === undefined) return NONE;
  return letters.map((letter) => ({ ...letter, ...inTrace(traceOf(token)) }));
}

/** The instance is to be as it once was: waits that are open now and were not then are over. */
export function leaveBehind(
  stride: Stride,
  now: Iterable<Token>,
  then: ReadonlyMap<TokenId, Token>,
): void {
  for (const token of now) {
    const wait = openWait(token);
    if (wait === undefined || isOpenIn(then, token.id, wait)) continue;
    for (const letter of lettersOf(token, 'cancelled')) send(stride, letter);
  }
}

/**
 * A token out of the past, as it can be now. A wait that has been left since then is known to the
 * outside as over: the node begins anew. If it had been answered, it goes on from the answer.
 */
export function waitingAnew(token: Token, now: ReadonlyMap<TokenId, Token>): Token {
  const wait = openWait(token);
  if (wait === undefined || isOpenIn(now, token.id, wait)) return token;
  if (token.wait !== null) {
    const wake = traceLeft(token.wake);
    return { ...token, status: 'ready', handler: null, wait: null, wakeAt: null, wake };
  }
  const { leave: _, ...waited } = wait;
  return { ...token, wake: token.wake && { ...token.wake, waited } };
}

function isOpenIn(tokens: ReadonlyMap<TokenId, Token>, id: TokenId, wait: Kept): boolean {
  const token = tokens.get(id);
  const open = token && openWait(token);
  return open !== undefined && sameJson(open as unknown as Json, wait as unknown as Json);
}
