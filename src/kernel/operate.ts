/**
 * What people do to an instance from outside. Whatever makes no sense in the state the instance is
 * in is refused by name and changes nothing; what is so already is left as it is, without a word.
 *
 * The kernel cannot see whether a worker has claimed a ready token (D2). What alters or ends such a
 * token takes the claim away with it: its fence no longer holds, and its handler is told to stop.
 */
import type { Json } from '../base/json.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { cancelInside, rootOf } from './cancel.ts';
import { isChain, isLinedUp } from './chain.ts';
import { failHeld } from './failures.ts';
import { isLive, phaseOf } from './instance.ts';
import type { Move, NodeKind, Place } from './kind.ts';
import { isClear } from './machine.ts';
import { closeIfEmpty, finish, leaveRegion } from './moves.ts';
import { post } from './posts.ts';
import { startSaga, UNDO, undone } from './sagas.ts';
import type { Stride } from './stride.ts';
import { traceAmong, traceOf } from './traces.ts';
import { isUnwanted, sagaOf } from './undos.ts';
import { isReserved, refuseReserved } from './reserved.ts';
import { hintAwaited, wakeWith } from './waking.ts';

/** An instance that is being undone is not undone again; it can be stopped, though. */
export function admitCancel(stride: Stride, saga: boolean): void {
  const { head } = stride.scratch;
  if (head.version === 0 || head.endedAt !== null) return;
  const root = rootOf(stride);
  const isUndone = phaseOf(head) === 'compensating';
  stride.trace = traceAmong(stride.scratch.tokens.values());
  if (saga && (isUndone || startSaga(stride, root, { fault: null }))) return;
  if (!saga) cancelInside(stride, root, { saga: null, atOnce: true });
  stride.record({ did: 'close-scope', scope: root });
  finish(stride, { as: 'canceled' });
}

/** The same token once more, with as many executions as it had to begin with; or all that wait. */
export function admitRetry(stride: Stride, id: TokenId | null): void {
  if (isOver(stride)) return;
  if (id !== null) {
    const token = liveToken(stride, id);
    if (token === undefined) return;
    if (retryToken(stride, token)) return;
    return stride.refuse('token.not-parked', `token ${id} waits for nobody to retry it`, { id });
  }
  const tokens = stride.scratch.tokens.values().filter(isLive);
  if (tokens.map((token) => retryToken(stride, token)).includes(true)) return;
  stride.refuse('token.not-parked', 'no token waits for someone to retry it');
}

function retryToken(stride: Stride, token: Token): boolean {
  if (token.wait?.on === 'incident') {
    mend(stride, token);
    return true;
  }
  if (token.status === 'ready' && token.availableAt > stride.at) {
    hasten(stride, token);
    return true;
  }
  // A region that failed and is tried again after a while waits for nothing else; a sleep does.
  const isRegion = stride.machine.spots.get(token.node)?.kind.rescue !== undefined;
  if (token.wait?.on !== 'time' || !isRegion) return false;
  wakeWith(stride, token, { reason: 'timeout', payload: null });
  return true;
}

export function hasten(stride: Stride, { id, handler }: Token): void {
  stride.record({ did: 'hasten-token', token: id });
  if (handler !== null) stride.hint({ do: 'offer', token: id, handler });
}

function mend(stride: Stride, token: Token): void {
  const { id } = token;
  const wake = { reason: 'retry', payload: null, since: stride.at } as const;
  const spot = stride.machine.spots.get(token.node);
  if (spot?.offer === undefined) {
    if (stride.machine.code === null) {
      const { handler } = stride.machine;
      stride.record({ did: 'wake-token', token: id, wake, handler, anew: true });
      return stride.hint({ do: 'offer', token: id, handler });
    }
    stride.record({ did: 'wake-token', token: id, wake, enter: true, anew: true });
    return void stride.agenda.push({ token: id, signal: null, hops: 0 });
  }
  const { handler: forward, offer } = spot;
  const undoing = token.mode === 'compensation';
  const handler = undoing ? forward + UNDO : forward;
  const more = (undoing ? offer.undoAttempts : offer.maxAttempts) ?? 1;
  const maxAttempts = token.attempts + more;
  stride.record({ did: 'wake-token', token: id, wake, handler, maxAttempts });
  stride.hint({ do: 'offer', token: id, handler });
}

/** It goes on as if it had been done, whatever it does now: what it opened or called ends. */
export function admitSkip(stride: Stride, id: TokenId, value: Json): void {
  if (isOver(stride)) return;
  const token = liveToken(stride, id);
  if (token === undefined) return;
  stride.trace = traceOf(token);
  const spot = stride.machine.spots.get(token.node);
  const why = unskippable(stride, token) ?? spot?.kind.unskipped?.(spot, value);
  if (why !== undefined) return stride.refuse('operation.refused', why, { token: id });
  const wake = { reason: 'resume', payload: { on: 'skip', value } } as const;
  if (token.status === 'ready') stride.record({ did: 'enter-token', token: id });
  if (token.mode === 'compensation' && stride.machine.code === null) {
    // What comes after the last of them may take closures of the flow (D19).
    const { handler } = stride.machine;
    if (token.status === 'ready') {
      stride.hint({ do: 'abort', token: id });
      stride.record({ did: 'rest-token', token: id, handler, hops: 0 });
    } else stride.record({ did: 'wake-token', token: id, wake, handler });
    return stride.hint({ do: 'offer', token: id, handler });
  }
  stopDoing(stride, token);
  if (stride.scratch.tokens.get(id)?.status === 'waiting') {
    stride.record({ did: 'wake-token', token: id, wake, enter: true });
  }
  if (token.mode === 'compensation') return undone(stride, token);
  stride.agenda.push({ token: id, signal: { on: 'skip', value }, hops: 0 });
}

/** Ends one token, and whatever it has others do. */
export function cancelBranch(stride: Stride, token: Token): void {
  stopDoing(stride, token);
  stride.record({ did: 'end-token', token: token.id, why: 'cancelled' });
}

/** What a token has others do is over: its region ends, and the instance it called is cancelled. */
function stopDoing(stride: Stride, token: Token): void {
  const { id, status, wait } = token;
  if (status === 'ready') stride.hint({ do: 'abort', token: id });
  if (wait?.on === 'child' && wait.lasts !== true) {
    post(stride, { do: 'cancel', instance: wait.instance, saga: false });
  }
  const region = regionOf(stride, token);
  if (region === null) return;
  cancelInside(stride, region, { saga: sagaOf(stride, token.scope) });
  leaveRegion(stride, token);
}

/** The scope a token opened and waits for, or was woken by and has not left. */
function regionOf(stride: Stride, { id, wait }: Token): ScopeId | null {
  if (wait?.on === 'scope') return wait.scope;
  if (wait !== null) return null;
  return stride.scratch.scopes.values().find(({ owner }) => owner === id)?.id ?? null;
}

function unskippable(stride: Stride, token: Token): string | undefined {
  const { id, wait, node: at } = token;
  const spot = stride.machine.spots.get(at);
  if (spot === undefined) return `token ${id} is at "${at}", whose kind is not known here`;
  const { kind } = spot;
  if (kind.unskippable !== undefined) return `token ${id}: ${kind.unskippable}`;
  if (isUnwanted(stride.scratch, token)) return `nobody wants the result of token ${id} any more`;
  switch (wait?.on) {
    case 'incident':
      return wait.can.includes('skip') ? undefined : `token ${id} has more than one way to go on`;
    case 'join':
    case 'inclusive':
    case 'merge':
      return `token ${id} waits at "${at}" for others; skip or move those`;
    case 'saga':
      return `what token ${id} opened is being undone`;
    default:
  }
  if (token.mode === 'compensation') return undefined;
  if (isClear(stride.machine, at)) return undefined;
  return `token ${id} has more than one way to go on from "${at}"; move it instead`;
}

/** A variable of one scope, or of the whole instance; of a chain, what it is about. */
export function admitSet(
  stride: Stride,
  { scope, name, value }: Extract<Input, { type: 'set' }>,
): void {
  if (isOver(stride)) return;
  const isOpen = scope === null || stride.scratch.scopes.get(scope) !== undefined;
  if (isReserved(name)) return refuseReserved(stride, name);
  if (isOpen && isChain(stride)) return setContext(stride, name, value);
  const at = scope ?? rootOf(stride);
  if (stride.scratch.scopes.get(at) === undefined) {
    return stride.refuse('operation.refused', `scope ${at} is not open`, { scope: at });
  }
  stride.record({ did: 'write', scope: at, space: 'vars', name, value });
}

function setContext(stride: Stride, name: string, value: Json): void {
  if (name !== 'context') {
    return stride.refuse('operation.refused', 'a chain has no variables but its "context"');
  }
  if (value === null && !isLinedUp(stride.scratch.tokens.values())) {
    const why = 'the chain has not begun: its context is its input until it is another, not null';
    return stride.refuse('operation.refused', why);
  }
  stride.record({ did: 'set-output', output: value });
}

/** What is at work goes on to the end of its step; nothing after that begins. */
export function admitSuspend(stride: Stride, { haltedAt }: Told<'suspend'>): void {
  if (isOver(stride)) return;
  const { status, pauses } = stride.scratch.head;
  const last = pauses.at(-1);
  if (haltedAt === undefined) {
    const isSo = status === 'suspended' && last?.halt === undefined;
    return isSo ? undefined : stride.record({ did: 'suspend' });
  }
  // What was said of the instance itself counts for more than what was said of its flow.
  const isExempt = last?.freed === true && (last.to ?? 0) >= haltedAt;
  if (status !== 'suspended' && !isExempt) stride.record({ did: 'suspend', halt: true });
}

/** Due times have waited, and timeouts have stood still. Whoever could be called is called. */
export function admitResume(stride: Stride, { halt }: Told<'resume'>): void {
  if (isOver(stride)) return;
  const { status, pauses } = stride.scratch.head;
  const pause = pauses.at(-1);
  if (status !== 'suspended' || pause === undefined) return;
  if (halt === true && pause.halt === undefined) return;
  stride.record(halt === true ? { did: 'resume', halt } : { did: 'resume' });
  for (const token of stride.scratch.tokens.values())
    if (isLive(token)) goOn(stride, token, pause.from);
  // It may have come to its end meanwhile, but for that.
  closeIfEmpty(stride, rootOf(stride));
}

type Told<Type extends Input['type']> = Extract<Input, { type: Type }>;

function goOn(stride: Stride, token: Token, since: number): void {
  const { id, status, handler, availableAt, wait } = token;
  if (status === 'ready') {
    if (availableAt > stride.at) return stride.hint({ do: 'alarm', at: availableAt });
    if (handler !== null) stride.hint({ do: 'offer', token: id, handler });
    return;
  }
  if (wait?.on === 'incident' && wait.held !== undefined) {
    return failHeld(stride, token, wait.held);
  }
  if (token.wakeAt !== null) {
    // It may have begun to wait when the instance was suspended already.
    const stood = stride.at - Math.max(since, token.updatedAt);
    const wakeAt =
      wait?.on === 'time' ? token.wakeAt : ((token.wakeAt + stood) as typeof stride.at);
    if (wakeAt !== token.wakeAt) stride.record({ did: 'defer-token', token: id, wakeAt });
    stride.hint({ do: 'alarm', at: wakeAt });
  }
  hintAwaited(stride, id, wait);
}

/** A step as if its handler had answered; any other node by the only way there is. */
export function skipped(stride: Stride, kind: NodeKind, place: Place, value: Json): Move {
  if (kind.skip !== undefined) return kind.skip(place, stride, value);
  if (kind.offer !== undefined && kind.resume !== undefined) {
    return kind.resume(place, stride, { on: 'result', value, sets: [] });
  }
  return { move: 'take', edges: place.node.out };
}

/** Refuses what cannot be done to an instance that is over, or was never there. */
export function isOver(stride: Stride): boolean {
  const { id, status, endedAt, version } = stride.scratch.head;
  if (version > 0 && endedAt === null) return false;
  stride.refuse('instance.over', `instance ${id} is ${status}`, { instance: id, status });
  return true;
}

/** The token, or a refusal that says which ones there are. */
export function liveToken(stride: Stride, id: TokenId): Token | undefined {
  const token = stride.scratch.tokens.get(id);
  if (token !== undefined && isLive(token)) return token;
  const live = stride.scratch.tokens.values().filter(isLive);
  const tokens = live.map(({ id: token_, node }) => ({ id: token_, node }));
  const what = token === undefined ? 'does not exist (any more)' : `is ${token.status}`;
  stride.refuse('token.not-found', `token ${id} ${what}; ${brief(tokens)}`, { token: id, tokens });
  return undefined;
}

const SHOWN_MAX = 5;

function brief(tokens: readonly Shown[]): string {
  return tokens.length === 0 ? 'no token is alive' : `alive: ${listed(tokens)}`;
}

type Shown = Pick<Token, 'id' | 'node'>;

/** The first of them: there may be thousands. */
export function listed(tokens: readonly Shown[]): string {
  const shown = tokens.slice(0, SHOWN_MAX).map(({ id, node }) => `${id} at "${node}"`);
  const more = tokens.length > SHOWN_MAX ? ` and ${tokens.length - SHOWN_MAX} more` : '';
  return `${shown.join(', ')}${more}`;
}
