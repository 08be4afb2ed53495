/**
 * Moves into changes: the only switch over moves, and straight lines below it.
 *
 * Two orders matter everywhere here. Successors are born before their parent ends, so that a scope
 * is never empty in between; and a scope that has emptied is not closed at once but handed to the
 * node that opened it, which decides what of it is kept.
 */
import { assert, unreachable } from '../base/assert.ts';
import type { Departure, LatchKey, NewScope, NewToken } from '../model/change.ts';
import type { EdgeId, GroupId, ScopeId, TokenId } from '../model/ids.ts';
import type { Fault, Token } from '../model/instance.ts';
import { isLive, latchName, scopeOf, tokenOf } from './instance.ts';
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
      const { index, item } = move;
      const fields = { parent: token.scope, owner: token.id, node: token.node };
      const passing = index === undefined ? {} : { index };
      const carrying = item === undefined ? {} : { item };
      const scope = openScope(stride, { ...fields, ...passing, ...carrying });
      birth(stride, { scope, node: move.start, groups: [] });
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
  for (const write of move.writes ?? []) recordWrite(stride, place, write);
  if (move.close !== undefined) returnScope(stride, move.close);
  if (move.output !== undefined) stride.record({ did: 'set-output', output: move.output });
  const groups = move.fork === true ? [...token.groups, stride.nextId() as GroupId] : token.groups;
  for (const edge of move.edges) birthVia(stride, token.scope, edge, groups);
  end(stride, token.id, 'done');
  if (move.edges.length === 0) thin(stride, token.groups);
  closeIfEmpty(stride, token.scope);
}

function recordWrite(stride: Stride, place: Place, { in: where, space, values }: Write): void {
  let scope = place.scope;
  while (where === 'instance' && scope.parent !== null)
    scope = scopeOf(stride.scratch, scope.parent);
  stride.record({ did: 'write', scope: scope.id, space, values });
}

function park(stride: Stride, token: Token, move: Extract<Move, { move: 'park' }>): void {
  const { wait, wakeAt } = move;
  const until = wakeAt === undefined ? {} : { wakeAt };
  stride.record({ did: 'park-token', token: token.id, wait, ...until });
  if (wakeAt !== undefined) stride.hints.push({ do: 'alarm', at: wakeAt });
  if (wait.on === 'message') {
    stride.hints.push({ do: 'await', type: wait.type, key: wait.key });
  }
}

/** A token stands at a join: its latch is there, and is looked at when nothing else moves. */
function reachJoin(stride: Stride, latch: LatchKey): void {
  const name = latchName(latch);
  if (stride.scratch.latches.get(name) === undefined) stride.record({ did: 'open-latch', latch });
  stride.unsettled.add(name);
}

/**
 * A token at a node that a handler runs is ready at once, one at a join waits at once, and the
 * kernel goes on with any other.
 */
export function birth(
  stride: Stride,
  at: Pick<NewToken, 'scope' | 'node'> & { groups: readonly GroupId[]; via?: EdgeId },
): void {
  const id = stride.nextId() as TokenId;
  const node = stride.nodeOf(at.node);
  const kind = stride.kindOf(node);
  const token: Mutable<NewToken> = { id, scope: at.scope, node: at.node };
  if (at.via !== undefined) token.via = at.via;
  const group = at.groups.at(-1);
  if (group !== undefined) token.groups = at.groups;
  if (kind.joins === true && group !== undefined) {
    token.status = 'waiting';
    token.wait = AT_JOIN;
    stride.record({ did: 'birth-token', token });
    return reachJoin(stride, { scope: at.scope, node: at.node, group });
  }
  const offer = kind.offer?.({ node });
  if (offer === undefined) {
    stride.record({ did: 'birth-token', token });
    stride.agenda.push({ token: id, signal: null, hops: stride.hops });
    return;
  }
  const handler = stride.machine.handler + node.id;
  const priority = offer.priority ?? stride.scratch.head.priority;
  token.status = 'ready';
  token.handler = handler;
  if (priority !== 0) token.priority = priority;
  if (offer.maxAttempts !== undefined) token.maxAttempts = offer.maxAttempts;
  stride.record({ did: 'birth-token', token });
  stride.hints.push({ do: 'offer', token: id, handler });
}

const AT_JOIN = { on: 'join' } as const;

type Mutable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };

export function birthVia(
  stride: Stride,
  scope: ScopeId,
  via: EdgeId,
  groups: readonly GroupId[],
): void {
  const edge = stride.machine.plan.edges.get(via);
  assert(edge !== undefined, () => `edge "${via}" is in the plan`);
  birth(stride, { scope, node: edge.to, groups, via });
}

export function end(stride: Stride, token: TokenId, why: Departure): void {
  stride.record({ did: 'end-token', token, why });
}

/** A member left these groups for good: their joins may be waiting for nobody else. */
export function thin(stride: Stride, groups: readonly GroupId[]): void {
  for (const group of groups) stride.thinned.add(group);
}

export function openScope(stride: Stride, fields: Omit<NewScope, 'id'>): ScopeId {
  const id = stride.nextId() as ScopeId;
  const { vars, ...rest } = fields;
  const holding = vars === undefined || Object.keys(vars).length === 0 ? {} : { vars };
  stride.record({ did: 'open-scope', scope: { id, ...rest, ...holding } });
  return id;
}

/** The owner of a region that is over ends here itself: nothing of the region is kept. */
function leaveRegion(stride: Stride, { wait }: Token): void {
  if (wait?.on === 'scope') returnScope(stride, { scope: wait.scope, promote: false });
}

function returnScope(stride: Stride, { scope, promote }: Close): void {
  const { results } = stride.scopeOf(scope);
  if (promote && Object.keys(results).length > 0) {
    stride.record({ did: 'return-scope', scope, promote: true });
  } else stride.record({ did: 'return-scope', scope });
}

/** An empty scope ends the instance, or wakes the token that opened it. */
export function closeIfEmpty(stride: Stride, id: ScopeId): void {
  if (stride.scratch.index.inhabitants.get(id) !== undefined) return;
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
  const ids = Array.from(scratch.tokens.entries(), ([id]) => id).sort((a, b) => b - a);
  for (const id of ids) {
    const token = tokenOf(scratch, id);
    if (!isLive(token)) continue; // A finished step of a chain, which stays as a row.
    if (token.status === 'ready') stride.hints.push({ do: 'abort', token: id });
    end(stride, id, 'cancelled');
  }
  // Sorted like the rest: the rows of a reloaded instance come in another order.
  const latches = Array.from(scratch.latches.entries()).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, { scope, node, group }] of latches) {
    stride.record({ did: 'drop-latch', latch: { scope, node, group } });
  }
  const scopes = Array.from(scratch.scopes.entries(), ([id]) => id).sort((a, b) => b - a);
  for (const scope of scopes) stride.record({ did: 'close-scope', scope });
}

function finish(stride: Stride, fault: Fault | null): void {
  if (fault === null) stride.record({ did: 'finish', as: 'completed' });
  else stride.record({ did: 'finish', as: 'failed', fault });
  stride.hints.push({ do: 'ended' });
}
