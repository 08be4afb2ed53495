/**
 * What happens to a fault, in this order (D12): the policy of its own node runs the handler again;
 * the nearest node around it that catches it does; where the definition asks for repair, the token
 * waits for someone to mend it; what was done is undone; the instance fails.
 *
 * On its way out of a region that is a saga of its own, the fault waits until that is undone, and
 * goes on from there.
 *
 * While the instance is suspended nothing follows from a fault: its token waits as an incident, to
 * be mended or to fail once the instance goes on.
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { Fault, Passage, Token, Wake } from '../model/instance.ts';
import { incident, retry } from './attempts.ts';
import { cancelInside, rootOf } from './cancel.ts';
import { isLive, scopeOf, tokenOf } from './instance.ts';
import type { Move } from './kind.ts';
import { finish, returnScope, settle } from './moves.ts';
import { startSaga } from './sagas.ts';
import type { Raised, Stride } from './stride.ts';
import { reachOf, recordDoubt, sagaOf } from './undos.ts';

/** Deals with everything that went wrong since the last time. */
export function settleFaults(stride: Stride): void {
  for (let faults = stride.takeFaults(); faults.length > 0; faults = stride.takeFaults()) {
    for (const raised of faults) {
      const token = stride.scratch.tokens.get(raised.token);
      // One before it may have ended the token, and everything around it.
      if (token !== undefined && isLive(token)) settleFault(stride, token, raised);
    }
  }
}

function settleFault(stride: Stride, token: Token, raised: Raised): void {
  const { retries = false, afterMs, past = false, undone = false } = raised;
  // Whoever catches it hands it to code of the flow's (D20).
  const fault = frozen(raised.fault);
  if (retries && retry(stride, token, fault, afterMs)) return;
  const { catcher, saga } = lookAround(stride, token, fault);
  if (catcher === null && mends(stride, token)) return incident(stride, token, fault);
  if (stride.scratch.head.status === 'suspended') {
    return incident(stride, token, fault, passageOf(raised));
  }
  if (fault.unanswered === true) recordDoubt(stride, token);
  stride.record({ did: 'end-token', token: token.id, why: 'failed', fault });
  // A flow that undoes the scope it failed in has done so: what is around that stands.
  const enough = past && stride.machine.plan.saga === 'scope';
  if (saga !== null && !enough) undo(stride, saga, { ...raised, fault });
  else if (catcher !== null) rescue(stride, catcher);
  else fail(stride, fault, { enough, undone });
}

function passageOf({ past, undone }: Passage): Passage {
  return { ...(past === true ? { past } : {}), ...(undone === true ? { undone } : {}) };
}

/**
 * The instance goes on, and with it what has failed meanwhile. Without the flow's closures nobody
 * can tell who catches it: then a worker that has them deals with it (D19).
 */
export function failHeld(stride: Stride, { id, scope, lastError }: Token, held: Passage): void {
  assert(lastError !== null, () => `token ${id} says what failed`);
  const raised = { fault: lastError, ...held };
  const payload = { on: 'fault', ...raised } as unknown as Json;
  const wake: Wake = { reason: 'resume', payload };
  if (stride.machine.code === null && asksCode(stride, scope)) {
    const { handler } = stride.machine;
    stride.record({ did: 'wake-token', token: id, wake, handler });
    return stride.hint({ do: 'offer', token: id, handler });
  }
  stride.record({ did: 'wake-token', token: id, wake, enter: true });
  stride.raise({ token: id, ...raised });
}

/** Whether some region around catches faults by a closure, for all that is known here. */
export function asksCode({ machine, scratch }: Stride, scope: ScopeId): boolean {
  for (let at = scopeOf(scratch, scope); at.node !== null; ) {
    const spot = machine.spots.get(at.node);
    if (spot === undefined || (spot.kind.rescue !== undefined && spot.node.code.length > 0)) {
      return true;
    }
    if (at.parent === null) return false;
    at = scopeOf(scratch, at.parent);
  }
  return false;
}

function frozen(fault: Fault): Fault {
  if (fault.details !== undefined) Object.freeze(fault.details);
  return Object.freeze(fault);
}

interface Catcher {
  readonly owner: TokenId;
  readonly scope: ScopeId;
  readonly move: Move;
}

/** Who catches a fault, and the first saga it leaves on the way there. */
function lookAround(
  stride: Stride,
  token: Token,
  fault: Fault,
): { catcher: Catcher | null; saga: ScopeId | null } {
  let saga: ScopeId | null = null;
  let scope = stride.scopeOf(token.scope);
  while (scope.owner !== null && scope.parent !== null) {
    const owner = tokenOf(stride.scratch, scope.owner);
    const { kind } = stride.spotOf(owner.node);
    const isFor = fault.guard === undefined;
    const move = (isFor && kind.rescue?.(stride.placeOf(owner), stride, fault)) || null;
    if (move !== null) return { catcher: { owner: owner.id, scope: scope.id, move }, saga };
    if (saga === null && reachOf(stride, scope) === 'scope') saga = scope.id;
    scope = stride.scopeOf(scope.parent);
  }
  return { catcher: null, saga };
}

function mends(stride: Stride, token: Token): boolean {
  if (stride.machine.plan.onFailure === 'incident') return true;
  return stride.machine.spots.get(token.node)?.offer?.mends === true;
}

/** Everything in the region ends, and the node that opened it does what it said it would. */
function rescue(stride: Stride, { owner, scope, move }: Catcher): void {
  const token = tokenOf(stride.scratch, owner);
  cancelInside(stride, scope, { saga: sagaOf(stride, token.scope) });
  settle(stride, stride.placeOf(token), move);
}

/** A region is undone; with nothing to undo, its owner fails at once. */
function undo(stride: Stride, scope: ScopeId, { fault, undone }: Raised): void {
  if (startSaga(stride, scope, { fault })) return;
  const { owner } = stride.scopeOf(scope);
  returnScope(stride, { scope, promote: false });
  if (owner === null) return;
  const was = undone === true ? { undone } : {};
  stride.raise({ token: owner, fault, past: true, ...was });
}

/** Nothing catches it: everything else is cancelled and the instance fails. */
function fail(stride: Stride, fault: Fault, by: { enough: boolean; undone: boolean }): void {
  const root = rootOf(stride);
  if (startSaga(stride, root, { fault, alone: by.enough })) return;
  stride.record({ did: 'close-scope', scope: root });
  const outcome = by.undone ? { outcome: 'compensated' as const } : {};
  finish(stride, { as: 'failed', fault, ...outcome });
}
