/**
 * What came of a claim as a request: the answer, under the fence that proves the holding; and the
 * note that is left of an answer that nobody waits for any more. The same for handlers that run
 * here and for workers elsewhere.
 */
import { unreachable } from '../base/assert.ts';
import type { Instant } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Claim, Held, Store } from '../stores/store.ts';
import type { Where } from './handler-log.ts';
import type { Logger } from './logger.ts';
import type { Measuring } from './measuring.ts';
import type { Applied, Request } from './strides.ts';

/** Null: it takes no handler, and the kernel alone goes on. */
export function answerTo(
  claim: Pick<Claim, keyof Held | 'at'>,
  outcome: Outcome | null,
): Request & Required<Pick<Request, 'fence'>> {
  const { instance, token, version, worker } = claim;
  const input = (at: Instant): Input =>
    outcome === null
      ? { type: 'continue', at, token, claim }
      : { type: 'result', at, token, claim, outcome };
  const fence = { instance, token, version, worker, expired: false };
  return { instance, input, fence };
}

export interface DroppingHouse {
  readonly store: Store;
  readonly logger: Logger;
  readonly measuring: Measuring;
}

/** A result that nobody waits for any more is shown, never numbered history (D3). */
export async function noteDropped(
  { store, logger, measuring }: DroppingHouse,
  held: Held,
  applied: Applied,
  where?: Where,
): Promise<void> {
  const at = store.now();
  const { instance, token, version, worker } = held;
  const reason = reasonOf(applied);
  const note = { instance, token, version, worker, reason, at };
  if (applied.outcome === 'fenced') measuring.tell({ what: 'lease-lost', where: 'result' });
  measuring.tell({ what: 'dropped', reason });
  // Of an instance that was removed nothing is to be left, and nobody could be shown it.
  if (applied.outcome !== 'missing') await store.drop(note);
  logger.info({ instance, token, worker, ...where }, 'a result came too late and was dropped');
}

export function reasonOf(applied: Applied): string {
  switch (applied.outcome) {
    case 'fenced':
      return 'lease lost';
    case 'nothing':
      return 'token gone';
    case 'missing':
      return 'instance gone';
    case 'committed':
    case 'delivered':
    case 'exists':
      return applied.outcome;
    default:
      return unreachable(applied);
  }
}
