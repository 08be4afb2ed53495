/** The part of `apply` that alters what is to be undone, and the sagas that do it. */
import { assert } from '../base/assert.ts';
import type { NewUndo } from '../model/change.ts';
import type { ScopeId, TokenId, UndoId } from '../model/ids.ts';
import type { Fault, Undo } from '../model/instance.ts';
import { type Scratch, undosOf } from './instance.ts';

export function recordUndo(scratch: Scratch, fields: NewUndo): void {
  if (fields.id > scratch.counter) scratch.counter = fields.id;
  undosOf(scratch).set(fields.id, {
    id: fields.id,
    saga: fields.saga,
    node: fields.node,
    token: fields.token,
    visit: fields.visit ?? 1,
    result: fields.result ?? null,
    index: fields.index ?? null,
    item: fields.item ?? null,
    inDoubt: fields.inDoubt ?? false,
    status: 'pending',
    by: null,
    fault: null,
  });
}

/** A compensation is born for it. */
export function undoBy(scratch: Scratch, id: UndoId, by: TokenId): void {
  undosOf(scratch).set(id, { ...pending(scratch, id), by });
}

export function settleUndo(
  scratch: Scratch,
  id: UndoId,
  status: 'completed' | 'failed',
  fault: Fault | null,
): void {
  undosOf(scratch).set(id, { ...pending(scratch, id), status, by: null, fault });
}

/** What was tried in vain stays, wherever it came from. */
export function handUndos(scratch: Scratch, from: ScopeId, to: ScopeId | null): void {
  for (const undo of scratch.undos.values()) {
    if (undo.saga !== from) continue;
    if (to !== null) undosOf(scratch).set(undo.id, { ...undo, saga: to });
    else if (undo.status !== 'failed') undosOf(scratch).delete(undo.id);
  }
}

export function dropUndos(scratch: Scratch, which: (undo: Undo) => boolean): void {
  if (scratch.undos.size === 0) return;
  for (const undo of scratch.undos.values()) if (which(undo)) undosOf(scratch).delete(undo.id);
}

function pending(scratch: Scratch, id: UndoId): Undo {
  const undo = scratch.undos.get(id);
  assert(undo?.status === 'pending', () => `undo ${id} is settled once`);
  return undo;
}
