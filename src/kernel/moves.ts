/**
 * Moves into changes: the only switch over moves, and straight lines below it.
 *
 * Two orders matter everywhere here. Successors are born before their parent ends, so that a scope
 * is never empty in between; and a scope that has emptied is not closed at once but handed to the
 * node that opened it, which decides what of it is kept.
 */
import { assert, unreachable } from '../base/assert.ts';
import type { Mutable } from '../base/mutable.ts';
import type { Change, Departure, LatchKey, NewScope, NewToken } from '../model/change.ts';
import type { EdgeId, GroupId, InstanceId, NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { ParentRef, Token, Wait } from '../model/instance.ts';
import type { ChildAnswer } from '../model/post.ts';
import { NO_GROUPS } from './births.ts';
import { cancelInside, passOn, rootOf } from './cancel.ts';
import { childId } from './child-id.ts';
import { gatheringOf, scopeOf } from './instance.ts';
import type { Calling, Close, Move, Place, Said, Write } from './kind.ts';
import { callNext, lineUp } from './chain.ts';
import { lanesIn } from './lanes.ts';
import { beganAt } from './listening.ts';
import { nextPostId, post, send } from './posts.ts';
import { isUndoing, recordUndo, sagaOf, undoesItself } from './undos.ts';
import { regionOf } from './signals.ts';
import type { Stride } from './stride.ts';
import { inTrace } from './traces.ts';
import { hintAwaited } from './waking.ts';

export function settle(stride: Stride, place: Place, move: Move): void {
  const { token } = place;
  switch (move.move) {
    case 'take':
      return take(stride, place, move);
    case 'park':
      return park(stride, place, move);
    case 'open':
      return open(stride, place, move);
    case 'line-up':
      lineUp(stride, token.scope, move.nodes);
      return end(stride, token.id, 'done');
    case 'next':
      callNext(stride, token);
      end(stride, token.id, 'done');
      return closeIfEmpty(stride, token.scope);
    case 'call':
      return call(stride, token, move);
    case 'prevail':
      return prevail(stride, place, move);
    case 'terminate':
      leaveRegion(stride, token);
      stride.record({ did: 'set-output', output: move.output });
      stride.record({ did: 'end-token', token: token.id, why: 'done' });
      cancelInside(stride, rootOf(stride), { saga: null, atOnce: true });
      stride.record({ did: 'close-scope', scope: rootOf(stride) });
      return finish(stride, { as: 'completed' });
    case 'fault':
      leaveRegion(stride, token);
      stride.raise({ token: token.id, fault: { ...move.fault, node: token.node } });
      return;
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

function open(stride: Stride, place: Place, move: Extract<Move, { move: 'open' }>): void {
  const { writes = NOTHING, close, index, item, vars } = move;
  for (const write of writes) recordWrite(stride, place, write);
  if (close !== undefined) returnScope(stride, close);
  const { id: owner, scope: parent, node } = place.token;
  const id = stride.nextId() as ScopeId;
  const scope: Mutable<NewScope> = { id, parent, owner, node };
  if (index !== undefined) scope.index = index;
  if (item !== undefined) scope.item = item;
  if (vars !== undefined) scope.vars = vars;
  stride.record({ did: 'open-scope', scope });
  birth(stride, id, move.start);
  // Last, so that whoever goes back to its arrival finds all of this done, and nothing half.
  if (move.beside === true) birth(stride, parent, node);
}

const NOTHING: readonly Write[] = [];

function take(stride: Stride, place: Place, move: Extract<Move, { move: 'take' }>): void {
  const { token } = place;
  if (move.writes !== undefined) for (const write of move.writes) recordWrite(stride, place, write);
  if (move.close !== undefined) returnScope(stride, move.close);
  if (move.output !== undefined) stride.record({ did: 'set-output', output: move.output });
  if (move.undo !== undefined) recordUndo(stride, token, move.undo);
  say(stride, move);
  const groups = move.fork === true ? [...token.groups, stride.nextId() as GroupId] : token.groups;
  for (const edge of move.edges) birthVia(stride, token.scope, edge, groups);
  const { outcomes } = move;
  if (outcomes === undefined) end(stride, token.id, 'done');
  else stride.record({ did: 'end-token', token: token.id, why: 'done', outcomes });
  if (move.edges.length === 0) thin(stride, token.groups);
  closeIfEmpty(stride, token.scope);
}

function recordWrite(stride: Stride, place: Place, { in: where, space, name, value }: Write): void {
  let scope = place.scope;
  while (where === 'instance' && scope.parent !== null)
    scope = scopeOf(stride.scratch, scope.parent);
  stride.record({ did: 'write', scope: scope.id, space, name, value });
}

function park(stride: Stride, place: Place, move: Extract<Move, { move: 'park' }>): void {
  const { token } = place;
  const { wait, wakeAt, error, close, letters = [], writes = NOTHING } = move;
  for (const write of writes) recordWrite(stride, place, write);
  if (close !== undefined) returnScope(stride, close);
  for (const letter of letters) send(stride, letter);
  const begun = beganAt(stride.at, wait);
  const change: Mutable<Did<'park-token'>> = { did: 'park-token', token: token.id, wait: begun };
  if (error !== undefined) change.error = error;
  if (wakeAt !== undefined) {
    change.wakeAt = wakeAt;
    stride.hint({ do: 'alarm', at: wakeAt });
  }
  stride.record(change);
  hintAwaited(stride, token.id, wait);
}

function say(stride: Stride, { emit, starts = [], letters = [] }: Said): void {
  if (emit !== undefined) {
    const { type, key, data } = emit;
    const { tenant } = stride.head;
    const named = { ...(key === null ? {} : { key }), ...(tenant === null ? {} : { tenant }) };
    post(stride, { do: 'publish', type, ...named, data, ...inTrace(stride.trace) });
  }
  for (const calling of starts) startOther(stride, calling);
  for (const letter of letters) send(stride, letter);
}

function call(stride: Stride, token: Token, move: Extract<Move, { move: 'call' }>): void {
  const parent = { instance: stride.scratch.head.id, token: token.id };
  const instance = startOther(stride, move, parent);
  const { lasts } = move;
  const wait: Wait = { on: 'child', instance, ...(lasts === undefined ? {} : { lasts }) };
  stride.record({ did: 'park-token', token: token.id, wait });
}

/** The other instance has its name from here, so that it can be cancelled before it is there. */
function startOther(stride: Stride, calling: Calling, parent?: ParentRef): InstanceId {
  const id = nextPostId(stride);
  const instance = childId(id, stride.at);
  const { flow, version, input, key, known } = calling;
  const { head } = stride.scratch;
  const more = {
    ...(version === null ? {} : { version }),
    ...(key === null ? {} : { key }),
    ...(known === undefined ? {} : { known }),
    ...(head.tenant === null ? {} : { tenant: head.tenant }),
    ...(head.priority === 0 ? {} : { priority: head.priority }),
    ...(parent === undefined ? {} : { parent }),
    ...inTrace(stride.trace),
  };
  post(stride, { do: 'start', instance, flow, input, ...more }, id);
  return instance;
}

/** The first to come ends everything else in its scope, and the scope with it. */
function prevail(
  stride: Stride,
  place: Place,
  { writes = NOTHING, close, ...said }: Extract<Move, { move: 'prevail' }>,
): void {
  const { id, scope } = place.token;
  for (const write of writes) recordWrite(stride, place, write);
  if (close !== undefined) returnScope(stride, close);
  say(stride, said);
  const { owner, parent } = stride.scopeOf(scope);
  const saga = parent === null ? null : sagaOf(stride, parent);
  cancelInside(stride, scope, { saga, except: id });
  end(stride, id, 'done');
  if (stride.scratch.inhabitants.get(scope) === undefined) return closeIfEmpty(stride, scope);
  assert(owner !== null, 'only a region leaves something behind');
  stride.agenda.push({ token: owner, signal: { on: 'scope', scope }, hops: stride.hops });
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
  const spot = stride.machine.spots.get(at);
  const group = groups.at(-1);
  // Also where its kind is not known: whoever has that finds those who met.
  if (via !== undefined && isGated(stride, at)) {
    const token: Mutable<NewToken> = { id, scope, node: at, status: 'waiting', wait: MERGE };
    return stride.record({ did: 'birth-token', token: come(stride, token, groups, via) });
  }
  if (spot?.kind.inclusive === true) {
    const token: Mutable<NewToken> = { id, scope, node: at, status: 'waiting', wait: INCLUSIVE };
    return stride.record({ did: 'birth-token', token: come(stride, token, groups, via) });
  }
  if (spot?.kind.joins === true && group !== undefined) {
    const token: Mutable<NewToken> = { id, scope, node: at, status: 'waiting', wait: AT_JOIN };
    stride.record({ did: 'birth-token', token: come(stride, token, groups, via) });
    return reachJoin(stride, { scope, node: at, group });
  }
  // Where its kind is not known, it is then set down, for a worker that has it (D19).
  if (spot?.offer === undefined) {
    stride.record({
      did: 'birth-token',
      token: come(stride, { id, scope, node: at }, groups, via),
    });
    stride.agenda.push({ token: id, signal: null, hops: stride.hops });
    return;
  }
  const { handler, offer, limits } = spot;
  const priority = offer.priority ?? stride.scratch.head.priority;
  const token: Mutable<NewToken> = { id, scope, node: at, status: 'ready', handler };
  if (priority !== 0) token.priority = priority;
  if (offer.maxAttempts !== undefined) token.maxAttempts = offer.maxAttempts;
  if (limits.length > 0) token.lanes = lanesIn(limits, stride.scratch.head);
  stride.record({ did: 'birth-token', token: come(stride, token, groups, via) });
  stride.hint({ do: 'offer', token: id, handler });
}

/** Whether whoever comes by an edge waits before it first. */
function isGated({ machine: { chart } }: Stride, node: NodeId): boolean {
  return chart !== null && chart.gateAt(node) !== null;
}

/** How it came: through which forks, by which edge, and as part of which trace. */
function come(
  { trace }: Stride,
  token: Mutable<NewToken>,
  groups: readonly GroupId[],
  via: EdgeId | undefined,
): NewToken {
  if (via !== undefined) token.via = via;
  if (groups.length > 0) token.groups = groups;
  if (trace !== undefined) token.trace = trace;
  return token;
}

const AT_JOIN = { on: 'join' } as const;
const INCLUSIVE = { on: 'inclusive' } as const;
const MERGE = { on: 'merge' } as const;
const BLOCK = { on: 'merge', block: true } as const;

/** Whoever comes to an activity by this edge, in this pass, is consumed. */
export function block(
  stride: Stride,
  scope: ScopeId,
  node: NodeId,
  via: EdgeId,
  pass: readonly GroupId[],
): void {
  const id = stride.nextId() as TokenId;
  const token: Mutable<NewToken> = { id, scope, node, status: 'waiting', wait: BLOCK };
  stride.record({ did: 'birth-token', token: come(stride, token, pass, via) });
}

export function birthVia(
  stride: Stride,
  scope: ScopeId,
  via: EdgeId,
  groups: readonly GroupId[],
): void {
  const edge = stride.machine.plan.edges.get(via);
  assert(edge !== undefined, () => `edge "${via}" is in the plan`);
  const { chart } = stride.machine;
  const pass = chart === null ? groups : chart.passBy(edge, groups, () => stride.nextId());
  birth(stride, scope, edge.to, pass, via);
}

export function end(stride: Stride, token: TokenId, why: Departure): void {
  stride.record({ did: 'end-token', token, why });
}

/** A member left these groups for good: their joins may be waiting for nobody else. */
export function thin(stride: Stride, groups: readonly GroupId[]): void {
  for (const group of groups) stride.unsettle(group);
}

/** The owner of a region that is over goes no further: nothing of the region is kept. */
export function leaveRegion(stride: Stride, token: Token): void {
  const scope = regionOf(token);
  // It may be over already: then it is nobody's.
  if (scope === undefined || stride.scratch.scopes.get(scope)?.owner !== token.id) return;
  const kind = stride.machine.spots.get(token.node)?.kind;
  if (kind?.leaves !== undefined) {
    const place = stride.placeOf(token);
    const writes = kind.leaves(place, stride.scopeOf(scope));
    for (const write of writes) recordWrite(stride, place, write);
  }
  returnScope(stride, { scope, promote: false });
}

export function returnScope(stride: Stride, { scope, promote }: Close): void {
  const { results } = stride.scopeOf(scope);
  passOn(stride, scope);
  if (promote && !results.isEmpty) {
    stride.record({ did: 'return-scope', scope, promote: true });
  } else stride.record({ did: 'return-scope', scope });
}

/** An empty scope ends the instance, or wakes the token that opened it. */
export function closeIfEmpty(stride: Stride, id: ScopeId): void {
  if (stride.scratch.inhabitants.get(id) !== undefined) return;
  const { owner, parent, drains } = scopeOf(stride.scratch, id);
  // Whoever had it drain has told its owner already.
  if (owner !== null && drains !== null) return;
  if (isUndoing(stride.scratch, id)) return stride.unsettleSaga(id);
  if (owner === null && parent !== null) {
    stride.record({ did: 'close-scope', scope: id });
    return stride.unsettleSaga(parent);
  }
  if (owner === null) {
    // What has failed and is being undone is waited for; what is suspended has no end.
    if (undoesItself(stride.scratch) || stride.scratch.head.status === 'suspended') return;
    // Nobody will undo anything else, so nobody needs to know how the rest of it ends.
    if (stride.scratch.scopes.size > 1) cancelInside(stride, id, { saga: null });
    stride.record({ did: 'close-scope', scope: id });
    return finish(stride, { as: 'completed' });
  }
  stride.agenda.push({ token: owner, signal: { on: 'scope', scope: id }, hops: stride.hops });
}

/** Ends the instance, and lets whoever called it know. */
export function finish(stride: Stride, end: Omit<Did<'finish'>, 'did'>): void {
  const { parent, output } = stride.scratch.head;
  stride.record({ did: 'finish', ...end });
  stride.hint({ do: 'ended' });
  if (parent === null) return;
  const { as: status, fault } = end;
  const isFailure = status === 'failed' && fault !== undefined;
  const answer: ChildAnswer =
    status === 'completed'
      ? { status, output }
      : isFailure
        ? { status, fault }
        : { status: 'canceled' };
  post(stride, { do: 'answer', to: parent, from: stride.scratch.head.id, answer });
}

type Did<What extends Change['did']> = Extract<Change, { did: What }>;
