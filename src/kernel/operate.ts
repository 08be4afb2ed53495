/** What people do to an instance from outside: end it, and mend what waits to be mended. */
import type { Json } from '../base/json.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { cancelInside, rootOf } from './cancel.ts';
import type { Move, NodeKind, Place } from './kind.ts';
import { finish } from './moves.ts';
import { startSaga, UNDO, undone } from './sagas.ts';
import type { Stride } from './stride.ts';

/** An instance that is being undone is not undone again; it can be stopped, though. */
export function admitCancel(stride: Stride, saga: boolean): void {
  const { status, version } = stride.scratch.head;
  if (version === 0 || (status !== 'running' && status !== 'compensating')) return;
  const root = rootOf(stride);
  if (saga && (status === 'compensating' || startSaga(stride, root, { fault: null }))) return;
  if (!saga) cancelInside(stride, root, { saga: null, atOnce: true });
  stride.record({ did: 'close-scope', scope: root });
  finish(stride, { as: 'canceled' });
}

/** The same token once more, with as many executions as it had to begin with. */
export function admitRetry(stride: Stride, id: TokenId): void {
  const token = parked(stride, id);
  if (token === undefined) return;
  const wake = { reason: 'retry', payload: null, since: stride.at } as const;
  const { handler: forward, offer } = stride.spotOf(token.node);
  if (offer === undefined) {
    if (stride.machine.code === null) {
      const { handler } = stride.machine;
      stride.record({ did: 'wake-token', token: id, wake, handler, anew: true });
      return stride.hint({ do: 'offer', token: id, handler });
    }
    stride.record({ did: 'wake-token', token: id, wake, enter: true, anew: true });
    return void stride.agenda.push({ token: id, signal: null, hops: 0 });
  }
  const undoing = token.mode === 'compensation';
  const handler = undoing ? forward + UNDO : forward;
  const more = (undoing ? offer.undoAttempts : offer.maxAttempts) ?? 1;
  const maxAttempts = token.attempts + more;
  stride.record({ did: 'wake-token', token: id, wake, handler, maxAttempts });
  stride.hint({ do: 'offer', token: id, handler });
}

/** It goes on as if it had been done. */
export function admitSkip(stride: Stride, id: TokenId, value: Json): void {
  const token = parked(stride, id);
  if (token?.wait?.on !== 'incident' || !token.wait.can.includes('skip')) return;
  const wake = { reason: 'resume', payload: { on: 'skip', value } } as const;
  if (token.mode === 'compensation' && stride.machine.code === null) {
    // What comes after the last of them may take closures of the flow (D19).
    const { handler } = stride.machine;
    stride.record({ did: 'wake-token', token: id, wake, handler });
    return stride.hint({ do: 'offer', token: id, handler });
  }
  stride.record({ did: 'wake-token', token: id, wake, enter: true });
  if (token.mode === 'compensation') return undone(stride, token);
  stride.agenda.push({ token: id, signal: { on: 'skip', value }, hops: 0 });
}

function parked(stride: Stride, id: TokenId): Token | undefined {
  const token = stride.scratch.tokens.get(id);
  return token?.wait?.on === 'incident' ? token : undefined;
}

/** A step as if its handler had answered; any other node by the only way there is. */
export function skipped(stride: Stride, kind: NodeKind, place: Place, value: Json): Move {
  if (kind.skip !== undefined) return kind.skip(place, stride, value);
  if (kind.offer !== undefined && kind.resume !== undefined) {
    return kind.resume(place, stride, { on: 'result', value, sets: [] });
  }
  return { move: 'take', edges: place.node.out };
}
