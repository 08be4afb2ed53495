/**
 * Moving an instance to another plan of its flow while it runs.
 *
 * Every row stays what it is; only where it stands gets another name, and with it the handler that
 * a worker must have. Nothing is run again that has an answer, and nothing is run that lies behind:
 * a step that was put before the place of a token is not made up for. What has no place in the
 * other plan refuses the whole of it, and then nothing is changed.
 *
 * The kernel cannot see whether a worker has claimed a ready token (D2). One whose handler has
 * another name now is taken from whoever has it, as a lease that runs out would: it is run again,
 * by the same idempotency key, and at the cost of no attempt. Until then it is in doubt, so that it
 * is undone if nobody wants it by then. One whose handler has the same name (a link of a chain) is
 * left to whoever has it, with the number of attempts, the priority and the limits it began with.
 *
 * Afterwards everything is looked at anew: a join may be complete by the other plan, or may have
 * nobody left who could come.
 */
import { assert } from '../base/assert.ts';
import type { LatchKey, NewToken, Placing } from '../model/change.ts';
import type { EdgeId, GroupId, NodeId, PlanHash, ScopeId, TokenId } from '../model/ids.ts';
import type { Migration } from '../model/input.ts';
import type { Latch, Token } from '../model/instance.ts';
import type { Mutable } from '../base/mutable.ts';
import { conclude, type Outcome } from './advance.ts';
import { NO_GROUPS } from './births.ts';
import { Crossing } from './crossing.ts';
import { doubtOf, unheard } from './doubts.ts';
import { gatheringOf, type Instance, isResting, latchesOf, latchOf, tokenOf } from './instance.ts';
import { lanesAnew } from './lanes.ts';
import type { Machine, Spot } from './machine.ts';
import { placeLinks } from './migrate-chain.ts';
import { checkPlaces } from './migrate-checks.ts';
import { birth, closeIfEmpty } from './moves.ts';
import { isOver } from './operate.ts';
import { UNDO } from './sagas.ts';
import type { Reason, Standing } from './standing.ts';
import { Stride } from './stride.ts';
import { forgetTags } from './tags.ts';
import { inTrace, traceOf } from './traces.ts';
import { isUndoing } from './undos.ts';

/** `from` is the machine of the plan it runs, `to` that of the one it is to run. */
export function migrate(from: Machine, to: Machine, before: Instance, input: Migration): Outcome {
  assert(before.head.plan === from.plan.hash, 'an instance leaves the plan it runs');
  // A stride on the machine of the other plan, as if it had been started with that.
  const head = { ...before.head, plan: to.plan.hash };
  const stride = new Stride(to, { ...before, head }, input.at);
  if (!isOver(stride)) crossFrom(stride, new Crossing(from, to, input.nodes), input.from);
  return conclude(stride, before, { ...input, type: 'migrate' });
}

function crossFrom(stride: Stride, crossing: Crossing, seen: PlanHash): void {
  const { hash } = crossing.from.plan;
  if (hash !== seen) {
    // Whoever asked looks again: the same names may mean other nodes by now.
    return stride.refuse('operation.refused', 'the instance has moved on', { stale: true });
  }
  if (hash !== crossing.to.plan.hash) cross(stride, crossing);
}

function cross(stride: Stride, crossing: Crossing): void {
  const { standings, reasons } = checkPlaces(stride, crossing);
  if (reasons.length > 0) return refuse(stride, crossing, reasons);
  const { hash: plan, version: flowVersion } = crossing.to.plan;
  stride.record({ did: 'migrate', plan, flowVersion });
  placeScopes(stride, crossing, standings);
  placeTokens(stride, crossing, standings);
  placeUndos(stride, crossing);
  placeLinks(stride, crossing);
  forgetTags(stride, crossing.from.plan.search);
  lookAnew(stride);
}

function refuse(stride: Stride, { to }: Crossing, reasons: readonly Reason[]): void {
  const { id } = stride.scratch.head;
  const what = `instance ${id} cannot go on by version ${to.plan.version} of "${to.plan.name}"`;
  const why = reasons.map(({ message }) => message).join('; ');
  stride.refuse('migration.refused', `${what}: ${why}`, { instance: id, reasons });
}

function placeScopes(stride: Stride, crossing: Crossing, standings: readonly Standing[]): void {
  const left = new Set(standings.flatMap(({ outOf }) => outOf?.scope.id ?? []));
  for (const { id, node } of stride.scratch.scopes.values()) {
    if (node === null || left.has(id) || crossing.nameOf(node) === node) continue;
    stride.record({ did: 'place-scope', scope: id, node: crossing.nameOf(node) });
  }
}

function placeTokens(stride: Stride, crossing: Crossing, standings: readonly Standing[]): void {
  const latches = latchesOf(stride.scratch).filter(({ node }) => crossing.nameOf(node) !== node);
  for (const latch of latches) stride.record({ did: 'drop-latch', latch: keyOf(latch) });
  for (const standing of standings) {
    const placing = placingOf(stride, crossing, standing);
    if (standing.into.length > 0) enclose(stride, crossing, standing, placing);
    else if (standing.outOf !== null) takeOut(stride, crossing, standing, placing);
    else place(stride, standing.token, placing);
  }
  for (const { token } of standings) if (token.wait?.on === 'join') openLatch(stride, token.id);
}

function keyOf({ scope, node, group }: Latch): LatchKey {
  return { scope, node, group };
}

function openLatch(stride: Stride, id: TokenId): void {
  const latch = latchOf(tokenOf(stride.scratch, id));
  if (gatheringOf(stride.scratch, latch)?.latch === null) {
    stride.record({ did: 'open-latch', latch });
  }
}

/** What is otherwise about it by the other plan. */
function placingOf(
  stride: Stride,
  crossing: Crossing,
  { token, spot, into, outOf }: Standing,
): Mutable<Placing> {
  const placing: Mutable<Placing> = {};
  const handler = handlerOf(stride, token, spot);
  if (spot.node.id !== token.node) placing.node = spot.node.id;
  if (handler !== token.handler) placing.handler = handler;
  const via = token.via === null ? null : wayTo(crossing, token.via, spot.node.id);
  if (via !== token.via) placing.via = via;
  const isThere = Object.keys(placing).length === 0 && into.length === 0 && outOf === null;
  if (isThere && mayBeAtWork(stride, token)) return placing;
  const was = crossing.from.spots.get(token.node)?.offer;
  if (was === undefined || spot.offer === undefined) return placing;
  const attempts = attemptsBy(token, { was, is: spot.offer });
  if (attempts !== token.maxAttempts) placing.maxAttempts = attempts;
  const { priority = stride.scratch.head.priority } = spot.offer;
  if (was.priority !== spot.offer.priority) placing.priority = priority;
  const { lanes } = lanesAnew(spot.limits, stride.scratch.head, token);
  if (lanes !== token.lanes) placing.lanes = lanes;
  return placing;
}

/** Writing it would take it from whoever has it. What is not due yet nobody has. */
function mayBeAtWork(stride: Stride, { status, handler, availableAt }: Token): boolean {
  return status === 'ready' && handler !== null && availableAt <= stride.at;
}

/** A row of a chain keeps the name of its step whatever state it is in; any other while ready. */
function handlerOf(stride: Stride, token: Token, spot: Spot): string | null {
  if (token.handler === null) return null;
  if (token.status === 'ready' && isResting(token)) return stride.machine.handler;
  return token.mode === 'compensation' ? spot.handler + UNDO : spot.handler;
}

/** The only way there that it can have come by, if there is one. */
function wayTo(crossing: Crossing, via: EdgeId, node: NodeId): EdgeId | null {
  const to = crossing.to.plan.nodes.get(node);
  const ways = to === undefined ? [] : crossing.waysTo(via, to);
  return ways.length === 1 ? (ways[0] ?? null) : null;
}

type Offered = NonNullable<Spot['offer']>;

/** As many executions more or fewer as the plan has; one is always left to what is not over. */
function attemptsBy(
  { mode, attempts, maxAttempts }: Token,
  { was, is }: { readonly was: Offered; readonly is: Offered },
): number {
  const most = (offer: Offered): number =>
    (mode === 'compensation' ? offer.undoAttempts : offer.maxAttempts) ?? 1;
  if (most(was) === most(is)) return maxAttempts;
  return Math.max(maxAttempts + most(is) - most(was), attempts + 1);
}

function place(stride: Stride, token: Token, placing: Placing): void {
  if (Object.keys(placing).length === 0) return;
  const there = { ...token, ...placing };
  const isNew = token.lastError?.unanswered !== true && doubtOf(stride, there) !== null;
  const doubt = isNew ? { lastError: unheard(there) } : {};
  stride.record({ did: 'place-token', token: token.id, ...placing, ...doubt });
  call(stride, token.id);
}

/** Whoever had it has lost it, and somebody must have it. */
function call(stride: Stride, id: TokenId): void {
  const { status, handler, availableAt } = tokenOf(stride.scratch, id);
  if (status !== 'ready') return;
  stride.hint({ do: 'abort', token: id });
  if (handler === null) return;
  if (availableAt > stride.at) stride.hint({ do: 'alarm', at: availableAt });
  else stride.hint({ do: 'offer', token: id, handler });
}

/** Regions that no author wrote are opened around it, and their owners stand where it stood. */
function enclose(
  stride: Stride,
  crossing: Crossing,
  { token, into }: Standing,
  placing: Mutable<Placing>,
): void {
  let scope = token.scope;
  let groups: readonly GroupId[] = token.groups;
  for (const node of into) {
    const id = stride.nextId() as TokenId;
    const owner: Mutable<NewToken> = { id, scope, node, ...inTrace(traceOf(token)) };
    const came = scope === token.scope ? token.via : null;
    const via = came === null ? null : wayTo(crossing, came, node);
    if (via !== null) owner.via = via;
    if (groups.length > 0) owner.groups = groups;
    stride.record({ did: 'birth-token', token: owner });
    const region = stride.nextId() as ScopeId;
    stride.record({ did: 'open-scope', scope: { id: region, parent: scope, owner: id, node } });
    scope = region;
    groups = NO_GROUPS;
  }
  place(stride, token, { ...placing, scope, groups, via: null });
}

/** It takes the place of whoever opened its region, and what is known in there goes with it. */
function takeOut(
  stride: Stride,
  crossing: Crossing,
  { token, outOf, spot }: Standing,
  placing: Mutable<Placing>,
): void {
  assert(outOf !== null, 'it leaves a region');
  const { scope, owner } = outOf;
  const via = owner.via === null ? null : wayTo(crossing, owner.via, spot.node.id);
  place(stride, token, { ...placing, scope: owner.scope, groups: owner.groups, via });
  const promote = scope.results.isEmpty ? {} : { promote: true as const };
  stride.record({ did: 'return-scope', scope: scope.id, ...promote });
  stride.record({ did: 'end-token', token: owner.id, why: 'done' });
}

/** What is settled stays under the name it was done by, if there is no other. */
function placeUndos(stride: Stride, crossing: Crossing): void {
  for (const { id, node } of stride.scratch.undos.values()) {
    const name = crossing.nameOf(node);
    if (name === node || crossing.spotOf(node) === undefined) continue;
    stride.record({ did: 'place-undo', undo: id, node: name });
  }
}

/** Where there is nothing to wait for in the other plan nobody does, nor is anybody kept out. */
function letThrough(stride: Stride): void {
  const arrivals = stride.scratch.tokens.values().filter(({ wait }) => wait?.on === 'merge');
  for (const { id, scope, node, via, groups, wait, wake } of arrivals) {
    const gate = stride.machine.chart?.gateAt(node) ?? null;
    const isBlock = wait?.on === 'merge' && wait.block === true;
    const isFirst = gate?.mode === 'race' || gate?.mode === 'stream';
    const isKept = isBlock ? isFirst && via !== null && !gate.isBack(via) : gate !== null;
    if (isKept) continue;
    stride.trace = traceOf({ wake });
    if (!isBlock) birth(stride, scope, node, groups);
    stride.record({ did: 'end-token', token: id, why: 'joined' });
    closeIfEmpty(stride, scope);
  }
}

function lookAnew(stride: Stride): void {
  stride.countCrowdsAnew();
  letThrough(stride);
  for (const group of stride.scratch.gatherings.keys()) stride.unsettle(group);
  stride.stirAll();
  for (const { id } of stride.scratch.scopes.values()) {
    if (isUndoing(stride.scratch, id)) stride.unsettleSaga(id);
  }
}
