/**
 * What may have been done although nobody will hear of it: a step that can be undone was at work,
 * or had given no answer the last time, and is taken back. Its undo is told that this is not known.
 */
import type { Doubt } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { mayBeAtWork } from './cancel.ts';
import type { Stride } from './stride.ts';
import { passAround, sagaOf } from './undos.ts';

/** Null if nothing can have been done, or nobody would undo it. */
export function doubtOf(stride: Stride, token: Token): Doubt | null {
  const { id, scope, node, visit, mode, lastError } = token;
  if (mode === 'compensation' || stride.spotOf(node).offer?.undoAttempts === undefined) return null;
  if (lastError?.unanswered !== true && !mayBeAtWork(stride, token)) return null;
  const saga = sagaOf(stride, scope);
  if (saga === null) return null;
  const { index = null, item = null } = passAround(stride, scope) ?? {};
  const unknown = {
    result: null,
    inDoubt: true,
    status: 'pending',
    by: null,
    fault: null,
  } as const;
  return { saga, node, token: id, visit, index, item, ...unknown };
}
