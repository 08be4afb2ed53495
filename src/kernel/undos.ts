/**
 * Which saga a scope belongs to, and writing down what it may have to undo.
 *
 * A saga is a scope: that of the whole instance, or one inside it that was said to be undone by
 * itself. What a step did belongs to the innermost saga around it; when that is over, to the next.
 */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import type { NewUndo } from '../model/change.ts';
import type { SagaReach } from '../model/draft.ts';
import type { ScopeId, TokenId, UndoId } from '../model/ids.ts';
import type { Token, Undo } from '../model/instance.ts';
import { type Instance, type OpenScope, passAround, phaseOf, scopeOf } from './instance.ts';
import type { Stride } from './stride.ts';

/** The saga that undoes what is done in a scope; null if nobody does. */
export function sagaOf(stride: Stride, id: ScopeId): ScopeId | null {
  let asksForAll = false;
  for (let scope = stride.scopeOf(id); ; scope = stride.scopeOf(scope.parent)) {
    if (scope.drains !== null) return scope.drains;
    if (scope.parent === null) {
      return asksForAll || stride.machine.plan.saga !== 'none' ? scope.id : null;
    }
    if (asksForAll) continue;
    const reach = reachOf(stride, scope);
    if (reach === 'scope') return scope.id;
    if (reach === 'none') return null;
    asksForAll = reach === 'instance';
  }
}

/** What the node of a region says of it; undefined if nothing. */
export function reachOf(stride: Stride, { node: at }: OpenScope): SagaReach | undefined {
  if (at === null) return undefined;
  const { node, kind } = stride.spotOf(at);
  return kind.saga?.({ node });
}

/** No saga is running and nothing drains: as in most instances at most times. */
function isCalm({ head, troubled }: Instance): boolean {
  return troubled === 0 && phaseOf(head) !== 'compensating';
}

/** Whether some scope that was let go of is still being undone. */
export function undoesItself({ scopes, troubled }: Instance): boolean {
  return troubled > 0 && scopes.values().some(({ id, drains }) => drains === id);
}

/** Whether the saga of this very scope is running. */
export function isUndoing(instance: Instance, id: ScopeId): boolean {
  if (isCalm(instance)) return false;
  const { owner, parent, drains } = scopeOf(instance, id);
  if (owner === null) {
    return parent === null ? phaseOf(instance.head) === 'compensating' : drains === id;
  }
  const wait = instance.tokens.get(owner)?.wait;
  return wait?.on === 'saga' && wait.scope === id;
}

/** Nobody waits for its result any more; only whether it did anything is of interest. */
export function isUnwanted(instance: Instance, { scope, mode }: Token): boolean {
  if (isCalm(instance) || mode === 'compensation') return false;
  return scopeOf(instance, scope).drains !== null || isUndoing(instance, scope);
}

/** What a compensation undoes. */
export function undoneBy(instance: Instance, token: TokenId): Undo {
  const undo = instance.undos.values().find(({ by }) => by === token);
  assert(undo !== undefined, () => `compensation ${token} undoes something`);
  return undo;
}

/** A step that can be undone has an answer. */
export function recordUndo(stride: Stride, token: Token, { result }: { result: Json }): void {
  record(stride, token, result === null ? {} : { result });
}

/** A step has ended without an answer: if it can be undone, it may have to be. */
export function recordDoubt(stride: Stride, token: Token): void {
  // What undoes has its record already.
  if (token.mode === 'compensation') return;
  if (stride.machine.spots.get(token.node)?.offer?.undoAttempts === undefined) return;
  record(stride, token, { inDoubt: true });
}

function record(
  stride: Stride,
  { id: token, scope, node, visit }: Token,
  more: Partial<NewUndo>,
): void {
  const saga = isUndoing(stride.scratch, scope) ? scope : sagaOf(stride, scope);
  if (saga === null) return;
  const undo: Mutable<NewUndo> = { id: stride.nextId() as UndoId, saga, node, token, ...more };
  if (visit !== 1) undo.visit = visit;
  const { index, item } = passAround(stride.scratch, scope);
  if (index !== null) undo.index = index;
  if (item !== null) undo.item = item;
  stride.record({ did: 'record-undo', undo });
}
