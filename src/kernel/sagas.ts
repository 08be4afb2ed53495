/**
 * Sagas: undoing what was done, newest first, one at a time.
 *
 * A saga begins when something has failed for good, or when an operator cancels with it. First
 * everything in its scope ends; what a handler may be at work on is waited for. Then one
 * compensation after the other is born for what was recorded, each a token of its own, and the next
 * only when the last has its end. One that fails for good is kept as failed and the rest go on,
 * unless the flow says to halt there. All of it is rows, so after a crash it goes on where it was;
 * a second failure finds the saga running and starts none.
 */
import { assert } from '../base/assert.ts';
import type { Mutable } from '../base/mutable.ts';
import type { NewToken } from '../model/change.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Fault, Token, Undo } from '../model/instance.ts';
import { cancelInside, passOn } from './cancel.ts';
import { faultFrom, incident, retry, tooManyCrashes } from './attempts.ts';
import { scopeOf } from './instance.ts';
import { closeIfEmpty, end, finish } from './moves.ts';
import type { Stride } from './stride.ts';
import { isUndoing, recordDoubt, recordUndo, undoneBy } from './undos.ts';

/** What a worker must have to undo a step, after the name of the step's own handler. */
export const UNDO = '/:undo';

/** Without a fault the instance is canceled. */
interface Cause {
  readonly fault: Fault | null;
  /** What this scope did stands: it only waits for what is being undone elsewhere. */
  readonly alone?: boolean;
}

/**
 * Ends everything in a scope and begins to undo it. False if there is nothing to undo, and nothing
 * to wait for: then the scope is empty.
 */
export function startSaga(stride: Stride, scope: ScopeId, cause: Cause): boolean {
  const { fault, alone = false } = cause;
  cancelInside(stride, scope, { saga: alone ? null : scope });
  if (alone && newest(stride, scope) !== undefined) {
    stride.record({ did: 'hand-undos', from: scope, to: null });
  }
  if (isDrained(stride, scope) && newest(stride, scope) === undefined) return false;
  stride.record({ did: 'start-saga', scope, ...(fault === null ? {} : { fault }) });
  stride.unsettleSaga(scope);
  return true;
}

/** Goes on with every saga that may have something to do. True if one had. */
export function settleSagas(stride: Stride): boolean {
  let moved = false;
  for (const scope of stride.takeSagas()) {
    const isOpen = stride.scratch.scopes.get(scope) !== undefined;
    if (!isOpen || !isUndoing(stride.scratch, scope) || !isDrained(stride, scope)) continue;
    const undo = newest(stride, scope);
    if (undo === undefined && isHeld(stride, scope)) continue;
    if (undo === undefined) endSaga(stride, scope);
    else birthCompensation(stride, scope, undo);
    moved = true;
  }
  return moved;
}

/** With its saga the instance ends, and what is suspended has no end. */
function isHeld({ scratch }: Stride, saga: ScopeId): boolean {
  return scratch.head.status === 'suspended' && scopeOf(scratch, saga).parent === null;
}

/** Nobody in it is at work any more, nor in what drains for it. */
function isDrained({ scratch }: Stride, saga: ScopeId): boolean {
  if (scratch.inhabitants.get(saga) !== undefined) return false;
  if (scratch.draining === 0) return true;
  // The whole instance waits for those that undo themselves as well.
  const isRoot = scopeOf(scratch, saga).parent === null;
  return !scratch.scopes
    .values()
    .some(({ id, drains }) => id !== saga && (drains === saga || (isRoot && drains === id)));
}

function newest({ scratch }: Stride, scope: ScopeId): Undo | undefined {
  return scratch.undos
    .values()
    .findLast(({ saga, status }) => saga === scope && status === 'pending');
}

function birthCompensation(stride: Stride, scope: ScopeId, { id: undoes, node: at }: Undo): void {
  const id = stride.nextId() as TokenId;
  const { handler: forward, offer = {} } = stride.spotOf(at);
  const { undoAttempts: maxAttempts, priority = stride.scratch.head.priority } = offer;
  assert(maxAttempts !== undefined, () => `"${at}" can be undone`);
  const handler = forward + UNDO;
  const token: Mutable<NewToken> = { id, scope, node: at, status: 'ready', handler, maxAttempts };
  token.mode = 'compensation';
  token.undoes = undoes;
  if (priority !== 0) token.priority = priority;
  if (stride.trace !== undefined) token.trace = stride.trace;
  stride.record({ did: 'birth-token', token });
  stride.hint({ do: 'offer', token: id, handler });
}

/** Everything is undone that could be: the instance is over, or the region fails. */
function endSaga(stride: Stride, scope: ScopeId): void {
  const { owner, parent } = stride.scopeOf(scope);
  // It may have waited for steps that turned out to have done nothing.
  const tried = stride.scratch.undos.values().some(({ saga }) => saga === scope);
  if (owner === null && parent !== null) return endAlone(stride, scope, parent);
  if (owner === null) {
    const { fault } = stride.scratch.head;
    stride.record({ did: 'end-saga', scope });
    const ending = fault === null ? { as: 'canceled' as const } : { as: 'failed' as const, fault };
    return finish(stride, tried ? { ...ending, outcome: 'compensated' } : ending);
  }
  const wait = stride.scratch.tokens.get(owner)?.wait;
  assert(wait?.on === 'saga', 'the owner of a scope that is undone waits for it');
  passOn(stride, scope);
  stride.record({ did: 'end-saga', scope });
  stride.raise({ token: owner, fault: wait.fault, past: true, ...(tried ? { undone: true } : {}) });
}

/** Nobody waits for it any more but the instance as a whole. */
function endAlone(stride: Stride, scope: ScopeId, root: ScopeId): void {
  // All of it is settled. The instance keeps it, to say in the end that something was undone.
  if (stride.scratch.undos.values().some(({ saga }) => saga === scope)) {
    stride.record({ did: 'hand-undos', from: scope, to: root });
  }
  stride.record({ did: 'end-saga', scope });
  closeIfEmpty(stride, root);
}

type Claimed = Extract<Input, { type: 'result' | 'continue' | 'expire' }>;

/** An answer for a token that nobody waits for: all that counts is what it may have done. */
export function settleUnwanted(stride: Stride, token: Token, input: Claimed): void {
  const outcome = input.type === 'result' ? input.outcome : null;
  if (outcome?.outcome === 'done') {
    recordUndo(stride, token, { result: outcome.value });
    end(stride, token.id, 'done');
  } else if (outcome?.outcome === 'failed') {
    if (outcome.inDoubt === true) recordDoubt(stride, token);
    const fault = faultFrom(outcome, token.node);
    stride.record({ did: 'end-token', token: token.id, why: 'failed', fault });
  } else {
    // Its lease ran out, now or the last time it was run: no answer will come.
    const unanswered = input.type === 'expire' || token.lastError?.unanswered === true;
    if (unanswered) recordDoubt(stride, token);
    end(stride, token.id, 'cancelled');
  }
  closeIfEmpty(stride, token.scope);
}

/** An answer for a compensation. */
export function settleCompensation(stride: Stride, token: Token, input: Claimed): void {
  if (input.type === 'expire') {
    const error = tooManyCrashes(stride, token);
    return error === null ? undefined : giveUp(stride, token, error);
  }
  // Someone said that it need not be done, in a process that could not go on from there.
  if (input.type === 'continue') return undone(stride, token);
  const { outcome } = input;
  if (outcome.outcome !== 'failed') return undone(stride, token);
  const fault = faultFrom(outcome, token.node);
  const again = outcome.final !== true && retry(stride, token, fault);
  if (!again) giveUp(stride, token, fault);
}

/** It is done, or someone says that it need not be. */
export function undone(stride: Stride, { id, scope }: Token): void {
  const undo = undoneBy(stride.scratch, id).id;
  stride.record({ did: 'settle-undo', undo, as: 'completed' });
  end(stride, id, 'done');
  closeIfEmpty(stride, scope);
}

function giveUp(stride: Stride, token: Token, fault: Fault): void {
  if (stride.machine.plan.onUndoFailure === 'halt') return incident(stride, token, fault);
  const undo = undoneBy(stride.scratch, token.id).id;
  stride.record({ did: 'settle-undo', undo, as: 'failed', fault });
  stride.record({ did: 'end-token', token: token.id, why: 'failed', fault });
  closeIfEmpty(stride, token.scope);
}
