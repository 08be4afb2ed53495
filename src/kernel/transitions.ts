/**
 * Which token state may follow which, by the name of the transition.
 *
 * The ordinary ones are the seed's diagram: created → ready → executing → completed, waiting or
 * failed, and waiting → ready. What recovery and operators need is not squeezed in by loosening
 * that table but has names of its own. Nothing leaves a final state.
 */
import { InvariantError } from '../base/assert.ts';
import type { TokenStatus } from '../model/instance.ts';

export type Transition =
  | 'activate'
  | 'claim'
  | 'complete'
  | 'park'
  | 'fail'
  | 'wake'
  /** A waiting arrival is taken by the join it waits at. */
  | 'join'
  /** The kernel sets a token down in mid-stride. */
  | 'rest'
  /** The lease of a worker ran out. */
  | 'recover'
  /** The handler failed and its policy has it run again. */
  | 'retry'
  /** Ended from outside: its scope closed, the instance ended or an operator said so. */
  | 'cancel';

interface Row {
  readonly from: readonly TokenStatus[];
  readonly to: TokenStatus;
}

export const TRANSITIONS: Readonly<Record<Transition, Row>> = {
  activate: { from: ['created'], to: 'ready' },
  claim: { from: ['ready'], to: 'executing' },
  complete: { from: ['executing'], to: 'completed' },
  park: { from: ['executing'], to: 'waiting' },
  fail: { from: ['executing'], to: 'failed' },
  wake: { from: ['waiting'], to: 'ready' },
  join: { from: ['waiting'], to: 'completed' },
  rest: { from: ['executing'], to: 'ready' },
  recover: { from: ['executing'], to: 'ready' },
  retry: { from: ['executing'], to: 'ready' },
  cancel: { from: ['created', 'ready', 'executing', 'waiting'], to: 'terminated' },
};

const FINAL: ReadonlySet<TokenStatus> = new Set(['completed', 'failed', 'terminated']);

export function isFinal(status: TokenStatus): boolean {
  return FINAL.has(status);
}

/** The state after a transition, or a refusal by name: a bug of ours, never of a flow's. */
export function move(from: TokenStatus, by: Transition, token: number): TokenStatus {
  const row = TRANSITIONS[by];
  if (row.from.includes(from)) return row.to;
  const name = isFinal(from) && isFinal(row.to) ? 'TokenFinalizedTwice' : 'TokenInvalidTransition';
  throw new TransitionError(name, `token ${token} cannot ${by}: ${refusalOf(from, by)}`);
}

/** Why a transition is refused, for a person; undefined if it is allowed. */
export function refusal(from: TokenStatus, by: Transition): string | undefined {
  return TRANSITIONS[by].from.includes(from) ? undefined : refusalOf(from, by);
}

function refusalOf(from: TokenStatus, by: Transition): string {
  if (isFinal(from)) return `it is ${from}, which is final`;
  if (by === 'claim') return `it is ${from} and must be ready first`;
  if (TRANSITIONS[by].from.includes('executing')) return `it is ${from} and must execute first`;
  return `it is ${from}, not ${TRANSITIONS[by].from.join(' or ')}`;
}

/** Its `code` is part of the contract: `TokenInvalidTransition` or `TokenFinalizedTwice`. */
export class TransitionError extends InvariantError {
  override readonly code: string;

  constructor(code: 'TokenInvalidTransition' | 'TokenFinalizedTwice', message: string) {
    super(message);
    this.code = code;
  }
}
