/**
 * Merge modes: when the tokens that come to an activity of a flowchart have it run.
 *
 * An arrival is a token that waits before the activity, and is decided on when nothing else moves,
 * like every join (D7). It is of one pass (see `chart.ts`), and only those of one pass meet.
 *
 * converge: every forward edge holds a token, or nobody who is alive can still come by it. merge:
 * every forward edge holds a token. convergeStrict: every edge does, whatever the passes. Each
 * firing takes the oldest token of each edge; what else stands there is asked about anew. A token
 * that came back fires alone: it begins a pass, and nobody else can be of that.
 *
 * race and stream: the first that comes fires, and puts a block on every other forward edge by
 * which somebody can still come in this pass. Whoever comes by a blocked edge is consumed, and the
 * block with it. A block is a token too, so that it is stored, shown and cleaned up as all are; it
 * is gone as soon as nobody can come by its edge any more. race then cancels whoever is alive, of
 * this pass, and could lead nowhere but here.
 *
 * So for each pass the activity runs as often as its busiest edge delivers, never more, whatever
 * the order in which things happen; with merge and convergeStrict as often as its laziest one.
 * Nothing is counted: what is taken ends, and cannot be taken twice.
 */
import type { EdgeId, NodeId, ScopeId } from '../model/ids.ts';
import type { StalledJoin, Token } from '../model/instance.ts';
import type { EdgeSet } from './approach.ts';
import { cancelBranch } from './cancel.ts';
import { type Chart, type Gate, type Pass, samePass } from './chart.ts';
import { tokenOf } from './instance.ts';
import { birth, block, closeIfEmpty, end } from './moves.ts';
import type { Stirred, Stride } from './stride.ts';

/** Looks at every activity that tokens wait at and that something has changed for. */
export function settleMerges(stride: Stride): boolean {
  const { chart } = stride.machine;
  const before = stride.changes.length;
  if (chart === null) return false;
  for (const [scope, stirred] of stride.takeStirredCharts()) {
    const settled = stride.changes.length;
    if (stirred.all) letThrough(stride, scope);
    for (const hall of hallsIn(stride, chart, scope)) {
      if (!isAsked(hall, stirred)) continue;
      settleHall(stride, hall);
    }
    for (const hall of hallsIn(stride, chart, scope)) dropBlocks(stride, hall, stirred);
    // It cannot have been empty before.
    if (stride.changes.length > settled) closeIfEmpty(stride, scope);
  }
  return stride.changes.length > before;
}

/** By another version of its plan an activity may have nothing to wait for. */
function letThrough(stride: Stride, scope: ScopeId): void {
  const { scratch, machine } = stride;
  for (const [node, waiting] of [...(scratch.halls.get(scope) ?? [])]) {
    if (machine.spots.get(node)?.gate !== null) continue;
    for (const token of waiting.values()) {
      if (!isBlock(token)) birth(stride, scope, node, token.groups);
      end(stride, token.id, 'joined');
    }
  }
}

/** Where tokens wait: before one activity, in one scope. */
interface Hall {
  readonly chart: Chart;
  readonly scope: ScopeId;
  readonly gate: Gate;
}

/** Who waits there now, oldest first: what is settled elsewhere may have ended some of them. */
function waitingIn({ scratch }: Stride, { scope, gate }: Hall): readonly Token[] {
  return scratch.halls.get(scope)?.get(gate.node)?.values() ?? [];
}

/** Sorted by name, so that in which order they came does not matter. */
function hallsIn({ scratch, machine }: Stride, chart: Chart, scope: ScopeId): readonly Hall[] {
  const halls = scratch.halls.get(scope);
  if (halls === undefined) return [];
  const nodes = halls.size > 1 ? [...halls.keys()].sort() : halls.keys();
  return Array.from(nodes).flatMap((node) => {
    const gate = machine.spots.get(node)?.gate ?? null;
    return gate === null ? [] : [{ chart, scope, gate }];
  });
}

function isAsked({ gate }: Hall, { all, came, left }: Stirred): boolean {
  if (all || came.has(gate.node)) return true;
  for (const node of left) if (gate.approach.leadsFrom(node)) return true;
  return false;
}

function isBlock({ wait }: Token): boolean {
  return wait?.on === 'merge' && wait.block === true;
}

function settleHall(stride: Stride, hall: Hall): void {
  const { gate } = hall;
  const arrived = waitingIn(stride, hall).filter((token) => !isBlock(token));
  if (arrived.length === 0) return;
  if (gate.mode === 'convergeStrict') return settleStrict(stride, hall, arrived);
  const isBack = ({ via }: Token): boolean => via !== null && gate.isBack(via);
  for (const token of arrived) if (isBack(token)) fire(stride, hall, token.groups, [token]);
  const came = arrived.filter((token) => !isBack(token));
  for (const those of passesOf(came)) {
    if (gate.mode === 'race' || gate.mode === 'stream') settleFirst(stride, hall, those);
    else settleAll(stride, hall, those);
  }
}

/** Those of each pass, in the order in which the first of them came. */
function passesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const passes: Token[][] = [];
  for (const token of tokens) {
    const own = passes.find(([first]) => samePass((first as Token).groups, token.groups));
    if (own === undefined) passes.push([token]);
    else own.push(token);
  }
  return passes;
}

/** All that came are of one pass, and by edges that lead forward. */
function settleAll(stride: Stride, hall: Hall, arrived: readonly Token[]): void {
  for (let left = arrived; left.length > 0; ) {
    if (hall.gate.mode === 'converge' && isSeenComing(stride, hall, left)) return;
    const taken = oneByEach(left);
    if (!isComplete(stride, hall, taken)) return;
    fire(stride, hall, (taken[0] as Token).groups, taken);
    left = left.filter((token) => !taken.includes(token));
  }
}

/** The oldest of each edge. */
function oneByEach(arrived: readonly Token[]): readonly Token[] {
  const seen = new Set<EdgeId | null>();
  return arrived.filter(({ via }) => {
    if (seen.has(via)) return false;
    seen.add(via);
    return true;
  });
}

/**
 * Whether the first who can still come would come by an edge where nobody stands. Most often it is
 * so where many are to come, and then nobody needs to look at all who have.
 */
function isSeenComing(stride: Stride, hall: Hall, arrived: readonly Token[]): boolean {
  const { gate } = hall;
  const pass = (arrived[0] as Token).groups;
  const first = firstComing(stride, hall, pass, gate.approach.everyEdge);
  if (first === undefined) return false;
  const [edge] = gate.approach.edgesFrom(first.node, gate.approach.everyEdge, 1);
  return !arrived.some(({ via }) => via === edge);
}

function isComplete(stride: Stride, hall: Hall, taken: readonly Token[]): boolean {
  const { gate } = hall;
  if (taken.length >= gate.forward.length) return true;
  if (gate.mode === 'merge') return false;
  const empty = gate.approach.edgesBut(taken.map(({ via }) => via));
  return firstComing(stride, hall, (taken[0] as Token).groups, empty) === undefined;
}

function firstComing(stride: Stride, hall: Hall, pass: Pass, edges: EdgeSet): Token | undefined {
  for (const token of comingBy(stride, hall, pass, edges)) return token;
  return undefined;
}

/** Who is alive and can still come by one of these edges, in this pass; oldest first. */
function* comingBy(
  { scratch }: Stride,
  { chart, scope, gate }: Hall,
  pass: Pass,
  edges: EdgeSet,
): Generator<Token> {
  for (const id of scratch.crowds?.get(scope)?.keys() ?? []) {
    const token = tokenOf(scratch, id);
    const { node, groups } = token;
    if (isBlock(token) || !gate.approach.leadsBy(node, edges)) continue;
    if (chart.mayMeet(node, groups, gate.node, pass)) yield token;
  }
}

function settleStrict(stride: Stride, hall: Hall, arrived: readonly Token[]): void {
  for (let left = arrived; left.length > 0; ) {
    const taken = oneByEach(left);
    if (taken.length < hall.gate.edges.length) return;
    const newest = taken.reduce((a, b) => (isNewer(b.groups, a.groups) ? b : a));
    fire(stride, hall, newest.groups, taken);
    left = left.filter((token) => !taken.includes(token));
  }
}

function isNewer(one: Pass, other: Pass): boolean {
  const level = one.findIndex((number, at) => number !== (other[at] ?? 0));
  return level >= 0 && (one[level] ?? 0) > (other[level] ?? 0);
}

function settleFirst(stride: Stride, hall: Hall, arrived: readonly Token[]): void {
  const { gate } = hall;
  for (let left = arrived; left.length > 0; ) {
    const [first, ...others] = left as [Token, ...Token[]];
    left = others;
    const held = blockFor(stride, hall, first);
    if (held !== undefined) {
      end(stride, held.id, 'joined');
      end(stride, first.id, 'joined');
      continue;
    }
    // Who came at the same time has lost already.
    const losers = oneByEach(others.filter(({ via }) => via !== first.via));
    fire(stride, hall, first.groups, [first, ...losers]);
    left = others.filter((token) => !losers.includes(token));
    blockOthers(stride, hall, [first, ...losers]);
    if (gate.mode === 'race') cancelLosers(stride, hall, first.groups);
  }
}

function blockFor(stride: Stride, hall: Hall, { via, groups }: Token): Token | undefined {
  return waitingIn(stride, hall).find(
    (token) => isBlock(token) && token.via === via && samePass(token.groups, groups),
  );
}

/** Every other edge by which somebody may still come, in this pass. */
function blockOthers(stride: Stride, hall: Hall, came: readonly Token[]): void {
  const { scope, gate } = hall;
  const pass = (came[0] as Token).groups;
  const open = gate.approach.edgesBut(came.map(({ via }) => via));
  for (const { node } of comingBy(stride, hall, pass, open)) {
    const edges = gate.approach.edgesFrom(node, open);
    for (const edge of edges) block(stride, scope, gate.node, edge, pass);
    gate.approach.drop(open, edges);
  }
}

/** Whoever is alive, is of this pass and can lead nowhere but here. */
function cancelLosers(stride: Stride, { chart, scope, gate }: Hall, pass: Pass): void {
  const { scratch } = stride;
  const crowd = scratch.crowds?.get(scope)?.keys() ?? [];
  for (const id of crowd) {
    const token = scratch.tokens.get(id);
    if (token === undefined || isBlock(token)) continue;
    if (!gate.approach.isOnlyWayFrom(token.node)) continue;
    if (chart.mayMeet(token.node, token.groups, gate.node, pass)) cancelBranch(stride, token);
  }
}

/** The activity is born before those who came to it end, so that its scope is never empty. */
function fire(stride: Stride, { scope, gate }: Hall, pass: Pass, taken: readonly Token[]): void {
  birth(stride, scope, gate.node, pass);
  for (const { id } of taken) end(stride, id, 'joined');
}

/** A block is for someone who can still come: it is looked at when somebody left who could. */
function dropBlocks(stride: Stride, hall: Hall, { all, left }: Stirred): void {
  const { gate } = hall;
  const isFirst = gate.mode === 'race' || gate.mode === 'stream';
  if (!isFirst && !all) return;
  for (const token of waitingIn(stride, hall)) {
    if (!isBlock(token)) continue;
    // By another version of its plan its edge may be gone, or lead back.
    const edge = token.via === null ? null : gate.approach.only(token.via);
    const wasComing = (node: NodeId): boolean => edge !== null && gate.approach.leadsBy(node, edge);
    if (!all && !Array.from(left).some(wasComing)) continue;
    if (edge === null || !isFirst || firstComing(stride, hall, token.groups, edge) === undefined) {
      end(stride, token.id, 'joined');
    }
  }
}

/** Every activity that holds tokens, pass by pass, and the edges by which nobody came. */
export function stalledMerges(stride: Stride): StalledJoin[] {
  const { chart } = stride.machine;
  if (chart === null) return [];
  const halls = stride.scratch.halls.keys().flatMap((scope) => hallsIn(stride, chart, scope));
  return halls.flatMap((hall) => {
    const arrived = waitingIn(stride, hall).filter((token) => !isBlock(token));
    const isStrict = hall.gate.mode === 'convergeStrict';
    const passes = isStrict && arrived.length > 0 ? [arrived] : passesOf(arrived);
    return passes.map((those) => lacking(stride, hall, those));
  });
}

function lacking(stride: Stride, hall: Hall, arrived: readonly Token[]): StalledJoin {
  const { gate, scope } = hall;
  const { mode, node, approach } = gate;
  const held = new Set(arrived.map(({ via }) => via));
  const pass = arrived[0]?.groups ?? [];
  const isMissing = (edge: EdgeId): boolean => {
    if (held.has(edge)) return false;
    const only = mode === 'converge' ? approach.only(edge) : null;
    return only === null || firstComing(stride, hall, pass, only) !== undefined;
  };
  const missing = (mode === 'convergeStrict' ? gate.edges : gate.forward).filter(isMissing);
  const group = mode === 'convergeStrict' ? null : (pass.at(-1) ?? null);
  return { node, scope, group, arrived: arrived.map(({ id }) => id), missing };
}
