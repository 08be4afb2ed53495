/** How long an execution may take, and what comes of one that takes longer (D11). */
import type { Offer } from '../kernel/kind.ts';
import { asleep } from '../kernel/pauses.ts';
import type { Instant } from '../model/ids.ts';
import type { Outcome } from '../model/input.ts';
import type { Limits } from '../model/limits.ts';
import type { Store } from '../stores/store.ts';
import { failedWith, type Handler, type Work } from './handlers.ts';
import type { Library } from './library.ts';
import type { Logger } from './logger.ts';

export interface TimeLimit {
  /** What is left. */
  readonly ms: number;
  readonly reason: string;
  /** What comes of it if it takes longer, or was not begun in time. */
  giveUp(ask: Handler | undefined, inDoubt: boolean): Outcome;
}

export interface TimeHouse {
  readonly store: Store;
  readonly library: Library;
  readonly logger: Logger;
  readonly limits: Limits;
}

const NO_OFFER: Offer = {};

export function offerOf(
  { library }: Pick<TimeHouse, 'library'>,
  { plan, token }: Pick<Work, 'plan' | 'token'>,
): Offer {
  return library.find(plan)?.spots.get(token.node)?.offer ?? NO_OFFER;
}

/** What is left for one that began then, or begins now: of its attempt, or of all of them. */
export function limitOf(house: TimeHouse, work: Work, begun?: Instant): TimeLimit | null {
  const { token, head } = work;
  const offer = offerOf(house, work);
  const isUndo = token.mode === 'compensation';
  const timeoutMs = isUndo ? offer.undoTimeoutMs : offer.timeoutMs;
  const deadlineMs = isUndo ? undefined : offer.deadlineMs;
  if (timeoutMs === undefined && deadlineMs === undefined) return null;
  const now = house.store.now();
  const leftOf = (ms: number | undefined, since: Instant): number =>
    ms === undefined ? Number.POSITIVE_INFINITY : ms - (now - since - asleep(head, since, now));
  const left = leftOf(deadlineMs, token.wake?.since ?? token.createdAt);
  const leftNow = leftOf(timeoutMs, begun ?? now);
  const isLast = left < leftNow;
  const code = isLast ? 'step.deadline' : 'step.timeout';
  const reason = isLast
    ? `"${token.node}" was not done within ${deadlineMs} ms of its first attempt (deadline)`
    : `an attempt of "${token.node}" took longer than ${timeoutMs} ms (timeout)`;
  const giveUp = (ask: Handler | undefined, inDoubt: boolean): Outcome => ({
    ...failedWith(Object.assign(new Error(reason), { code }), ask, house),
    // Past the deadline there is no next attempt.
    ...(isLast ? { final: true } : {}),
    ...(inDoubt ? { inDoubt: true } : {}),
  });
  return { ms: Math.min(left, leftNow), reason, giveUp };
}
