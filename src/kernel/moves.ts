/**
 * Moves into changes: the only switch over moves, and straight lines below it.
 *
 * Two orders matter everywhere here. Successors are born before their parent ends, so that a scope
 * is never empty in between; and a scope that has emptied is not closed at once but handed to the
 * node that opened it, which decides what of it is kept.
 */
import { assert, unreachable } from '../base/assert.ts';
import type { Mutable } from '../base/mutable.ts';
import type { Departure, LatchKey, NewScope, NewToken } from '../model/change.ts';
import type { EdgeId, GroupId, NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { Fault, Token } from '../model/instance.ts';
import { NO_GROUPS } from './apply.ts';
import { gatheringOf, isLive, latchesOf, scopeOf, tokenOf } from './instance.ts';
import type { Close, Move, Place, Write } from './kind.ts';
import type { Stride } from './stride.ts';

export function settle(stride: Stride, place: Place, move: Move): void {
  const { token } = place;
  switch (move.move) {
    case 'take':
      return take(stride, place, move);
    case 'park':
      return park(stride, token, move);
    case 'open': {
      if (move.close !== undefined) returnScope(stride, move.close);
      const id = stride.nextId() as ScopeId;
      const { id: owner, scope: parent, node } = token;
      const scope: Mutable<NewScope> = { id, parent, owner, node };
      if (move.index !== undefined) scope.index = move.index;
      if (move.item !== undefined) scope.item = move.item;
      stride.record({ did: 'open-scope', scope });
      birth(stride, id, move.start);
      return;
    }
    case 'terminate':
      leaveRegion(stride, token);
      stride.record({ did: 'set-output', output: move.output });
      stride.record({ did: 'end-token', token: token.id, why: 'done' });
      cancelAll(stride);
      return finish(stride, null);
    case 'fault':
      leaveRegion(stride, token);
      return fail(stride, token.id, { ...move.fault, node: token.node });
    case 'join':
    case 'stay':
      assert(
        false,
        () => `"${move.move}" answers a join that is looked at again, and nothing else`,
      );
      return;
    default:
      unreachable(move);
  }
}

function take(stride: Stride, place: Place, move: Extract<Move, { move: 'take' }>): void {
  const { token } = place;
  if (move.writes !== undefined) for (const write of move.writes) recordWrite(stride, place, write);
  if (move.close !== undefined) returnScope(stride, move.close);
  if (move.output !== undefined) stride.record({ did: 'set-output', output: move.output });
  const groups = move.fork === true ? [...token.groups, stride.nextId() as GroupId] : token.groups;
  for (const edge of move.edges) birthVia(stride, token.scope, edge, groups);
  end(stride, token.id, 'done');
  if (move.edges.length === 0) thin(stride, token.groups);
  closeIfEmpty(stride, token.scope);
}

function recordWrite(stride: Stride, place: Place, { in: where, space, name, value }: Write): void {
  let scope = place.scope;
  while (where === 'instance' && scope.parent !== null)
    scope = scopeOf(stride.scratch, scope.parent);
  stride.record({ did: 'write', scope: scope.id, space, name, value });
}

function park(stride: Stride, token: Token, move: Extract<Move, { move: 'park' }>): void {
  const { wait, wakeAt } = move;
  if (wakeAt === undefined) stride.record({ did: 'park-token', token: token.id, wait });
  else {
    stride.record({ did: 'park-token', token: token.id, wait, wakeAt });
    stride.hint({ do: 'alarm', at: wakeAt });
  }
  if (wait.on === 'message') {
    stride.hint({ do: 'await', type: wait.type, key: wait.key });
  }
}

/** A token stands at a join: its latch is there, and is looked at when nothing else moves. */
function reachJoin(stride: Stride, latch: LatchKey): void {
  if (gatheringOf(stride.scratch, latch)?.latch === null)
    stride.record({ did: 'open-latch', latch });
  stride.unsettle(latch.group);
}

/**
 * A token at a node that a handler runs is ready at once, one at a join waits at once, and the
 * kernel goes on with any other.
 */
export function birth(
  stride: Stride,
  scope: ScopeId,
  at: NodeId,
  groups: readonly GroupId[] = NO_GROUPS,
  via?: EdgeId,
): void {
  const id = stride.nextId() as TokenId;
  const { node, kind, handler } = stride.spotOf(at);
  const group = groups.at(-1);
  if (kind.joins === true && group !== undefined) {
    const token: Mutable<NewToken> = { id, scope, node: at, status: 'waiting', wait: AT_JOIN };
    stride.record({ did: 'birth-token', token: come(token, groups, via) });
    return reachJoin(stride, { scope, node: at, group });
  }
  const offer = kind.offer?.({ node });
  if (offer === undefined) {
    stride.record({ did: 'birth-token', token: come({ id, scope, node: at }, groups, via) });
    stride.agenda.push({ token: id, signal: null, hops: stride.hops });
    return;
  }
  const priority = offer.priority ?? stride.scratch.head.priority;
  const token: Mutable<NewToken> = { id, scope, node: at, status: 'ready', handler };
  if (priority !== 0) token.priority = priority;
  if (offer.maxAttempts !== undefined) token.maxAttempts = offer.maxAttempts;
  stride.record({ did: 'birth-token', token: come(token, groups, via) });
  stride.hint({ do: 'offer', token: id, handler });
}

/** How it came: through which forks, and by which edge. */
function come(
  token: Mutable<NewToken>,
  groups: readonly GroupId[],
  via: EdgeId | undefined,
): NewToken {
  if (via !== undefined) token.via = via;
  if (groups.length > 0) token.groups = groups;
  return token;
}

const AT_JOIN = { on: 'join' } as const;

export function birthVia(
  stride: Stride,
  scope: ScopeId,
  via: EdgeId,
  groups: readonly GroupId[],
): void {
  const edge = stride.machine.plan.edges.get(via);
  assert(edge !== undefined, () => `edge "${via}" is in the plan`);
  birth(stride, scope, edge.to, groups, via);
}

export function end(stride: Stride, token: TokenId, why: Departure): void {
  stride.record({ did: 'end-token', token, why });
}

/** A member left these groups for good: their joins may be waiting for nobody else. */
export function thin(stride: Stride, groups: readonly GroupId[]): void {
  for (const group of groups) stride.unsettle(group);
}

/** The owner of a region that is over ends here itself: nothing of the region is kept. */
function leaveRegion(stride: Stride, { wait }: Token): void {
  if (wait?.on === 'scope') returnScope(stride, { scope: wait.scope, promote: false });
}

function returnScope(stride: Stride, { scope, promote }: Close): void {
  const { results } = stride.scopeOf(scope);
  if (promote && !results.isEmpty) {
    stride.record({ did: 'return-scope', scope, promote: true });
  } else stride.record({ did: 'return-scope', scope });
}

/** An empty scope ends the instance, or wakes the token that opened it. */
export function closeIfEmpty(stride: Stride, id: ScopeId): void {
  if (stride.scratch.inhabitants.get(id) !== undefined) return;
  const { owner } = scopeOf(stride.scratch, id);
  if (owner === null) {
    stride.record({ did: 'close-scope', scope: id });
    return finish(stride, null);
  }
  stride.agenda.push({ token: owner, signal: { on: 'scope', scope: id }, hops: stride.hops });
}

/** Nothing above catches it: the token fails, everything else is cancelled, the instance fails. */
export function fail(stride: Stride, token: TokenId, fault: Fault): void {
  stride.record({ did: 'end-token', token, why: 'failed', fault });
  cancelAll(stride);
  finish(stride, fault);
}

/** Youngest first, so that a scope is always emptied before the token that owns it ends. */
function cancelAll(stride: Stride): void {
  const { scratch } = stride;
  for (const id of scratch.tokens.keys().reverse()) {
    const token = tokenOf(scratch, id);
    if (!isLive(token)) continue; // A finished step of a chain, which stays as a row.
    if (token.status === 'ready') stride.hint({ do: 'abort', token: id });
    end(stride, id, 'cancelled');
  }
  for (const { scope, node, group } of latchesOf(scratch)) {
    stride.record({ did: 'drop-latch', latch: { scope, node, group } });
  }
  for (const scope of scratch.scopes.keys().reverse()) stride.record({ did: 'close-scope', scope });
}

function finish(stride: Stride, fault: Fault | null): void {
  if (fault === null) stride.record({ did: 'finish', as: 'completed' });
  else stride.record({ did: 'finish', as: 'failed', fault });
  stride.hint({ do: 'ended' });
}
