/**
 * What may have been done although nobody will hear of it: a step that can be undone was at work,
 * or had given no answer the last time, and is taken back. Its undo is told that this is not known.
 */
import type { Doubt } from '../model/input.ts';
import type { Fault, Token } from '../model/instance.ts';
import { mayBeAtWork } from './cancel.ts';
import { passAround } from './instance.ts';
import type { Stride } from './stride.ts';
import { sagaOf } from './undos.ts';

/** Null if nothing can have been done, or nobody would undo it. */
export function doubtOf(stride: Stride, token: Token): Doubt | null {
  const { id, scope, node, visit, mode, lastError } = token;
  const { offer } = stride.machine.spots.get(node) ?? {};
  if (mode === 'compensation' || offer?.undoAttempts === undefined) return null;
  if (lastError?.unanswered !== true && !mayBeAtWork(stride, token)) return null;
  const saga = sagaOf(stride, scope);
  if (saga === null) return null;
  const { index, item } = passAround(stride.scratch, scope);
  const unknown = {
    result: null,
    inDoubt: true,
    status: 'pending',
    by: null,
    fault: null,
  } as const;
  return { saga, node, token: id, visit, index, item, ...unknown };
}

/**
 * It is taken from whoever may have it and stays what it is: most often it is run again by the same
 * key, and then nothing is in doubt any more. If it never is, this tells that it may be done.
 */
export function unheard({ node, lastError }: Token): Fault {
  const message = `"${node}" was taken from whoever had it, and no answer came`;
  return { code: 'step.interrupted', message, node, ...lastError, unanswered: true };
}
