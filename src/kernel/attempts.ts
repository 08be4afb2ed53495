/**
 * Executions of one token by a handler, and what becomes of it when one of them fails (D11).
 *
 * `maxAttempts` counts executions in all; a failure of the last of them is final. A lease that runs
 * out counts as an execution but is never the last word: it has a limit of its own.
 */
import type { Instant, NodeId } from '../model/ids.ts';
import type { Outcome } from '../model/input.ts';
import type { Fault, Passage, Remedy, Token } from '../model/instance.ts';
import { isClear } from './machine.ts';
import type { Stride } from './stride.ts';

/** What a handler failed with, at its node. */
export function faultFrom({ fault, inDoubt }: Failed, node: NodeId): Fault {
  return inDoubt === true ? { ...fault, node, unanswered: true } : { ...fault, node };
}

type Failed = Extract<Outcome, { outcome: 'failed' }>;

/** Runs a failed handler again, if its policy says so; after so long, if it said so itself. */
export function retry(stride: Stride, token: Token, fault: Fault, afterMs?: number): boolean {
  if (fault.fatal === true || token.attempts + 1 >= token.maxAttempts) return false;
  const { RETRY_DELAY_MS_MAX } = stride.machine.limits;
  const availableAt =
    afterMs === undefined
      ? (stride.spotOf(token.node).kind.again?.(stride.placeOf(token), stride) ?? null)
      : ((stride.at + Math.min(afterMs, RETRY_DELAY_MS_MAX)) as Instant);
  if (availableAt === null) return false;
  stride.record({ did: 'retry-token', token: token.id, error: fault, availableAt });
  if (availableAt > stride.at) stride.hint({ do: 'alarm', at: availableAt });
  else ring(stride, token);
  return true;
}

/** A lease ran out: the token is ready again, or this is the fault it fails with. */
export function tooManyCrashes(stride: Stride, token: Token): Fault | null {
  const { CRASHES_MAX } = stride.machine.limits;
  const times = `${token.crashes + 1} of CRASHES_MAX ${CRASHES_MAX}`;
  const error: Fault = {
    code: 'LEASE_EXPIRED',
    message: `no result before the lease ran out (${times})`,
    node: token.node,
    unanswered: true,
  };
  if (token.crashes + 1 > CRASHES_MAX) return error;
  stride.record({ did: 'recover-token', token: token.id, error });
  ring(stride, token);
  return null;
}

function ring(stride: Stride, { id, handler }: Token): void {
  if (handler !== null) stride.hint({ do: 'offer', token: id, handler });
}

/** It stays where it failed, and says what failed and what can be done about it. */
export function incident(stride: Stride, token: Token, error: Fault, held?: Passage): void {
  const { machine } = stride;
  const isSkippable = machine.spots.get(token.node)?.kind.unskippable === undefined;
  const skips = isSkippable && isClear(machine, token.node);
  const can: readonly Remedy[] = skips ? ['retry', 'skip', 'cancel'] : ['retry', 'cancel'];
  const wait = { on: 'incident', can, ...(held === undefined ? {} : { held }) } as const;
  stride.record({ did: 'park-token', token: token.id, wait, error });
}
