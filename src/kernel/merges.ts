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
import {
  addBit,
  addBits,
  commonBits,
  countBits,
  dropBit,
  meetBits,
  noBits,
  type ReadonlyBits,
  someCommon,
} from '../base/bits.ts';
import type { EdgeId, ScopeId } from '../model/ids.ts';
import type { StalledJoin, Token } from '../model/instance.ts';
import { type Chart, type Gate, type Pass, samePass } from './chart.ts';
import { type Crowd, type Hall, type Party, type Sources } from './crowds.ts';
import { birth, block, closeIfEmpty, end } from './moves.ts';
import { cancelBranch } from './operate.ts';
import { Stirring } from './stirring.ts';
import type { Stride } from './stride.ts';
import { traceAmong } from './traces.ts';

/** Looks at every activity that tokens wait at and that something has changed for. */
export function settleMerges(stride: Stride): boolean {
  const { chart } = stride.machine;
  const before = stride.changes.length;
  if (chart === null) return false;
  for (const [scope, stirred] of stride.takeStirredCharts()) {
    const crowd = stride.scratch.crowds?.in(scope);
    if (crowd === undefined) continue;
    const settled = stride.changes.length;
    const stirring = new Stirring(stride.machine, chart, crowd, stirred);
    const place = (gate: Gate): Place => ({ stride, chart, scope, gate });
    for (const gate of byName(stirring.asked)) settleHall(place(gate));
    for (const gate of byName(stirring.losing)) {
      dropBlocks(place(gate), stirring.lostTo(gate));
    }
    // It cannot have been empty before.
    if (stride.changes.length > settled) closeIfEmpty(stride, scope);
  }
  return stride.changes.length > before;
}

/** One activity in one scope. */
interface Place {
  readonly stride: Stride;
  readonly chart: Chart;
  readonly scope: ScopeId;
  readonly gate: Gate;
}

/** So that in which order they came does not matter. */
function byName(gates: Iterable<Gate>): readonly Gate[] {
  const all = Array.from(gates);
  return all.length < 2 ? all : all.sort((a, b) => (a.node < b.node ? -1 : 1));
}

/** As they are now: while one activity is settled, others may change as well. */
function crowdAt({ stride, scope }: Place): Crowd | undefined {
  return stride.scratch.crowds?.in(scope);
}

function hallAt(place: Place): Hall | undefined {
  return crowdAt(place)?.hallAt(place.gate.number);
}

function settleHall(place: Place): void {
  const { gate } = place;
  if (gate.mode === 'convergeStrict') return settleStrict(place);
  for (const token of hallAt(place)?.backs() ?? []) fire(place, token.groups, [token]);
  for (const pass of hallAt(place)?.passes() ?? []) {
    if (gate.mode === 'race' || gate.mode === 'stream') settleFirst(place, pass);
    else settleAll(place, pass);
  }
}

/** Those of one pass, who came by edges that lead forward. */
function settleAll(place: Place, pass: Pass): void {
  for (;;) {
    const party = hallAt(place)?.party(pass);
    if (party === undefined || !isComplete(place, party)) return;
    fire(place, pass, oneByEach(party.tokens.values()));
  }
}

function isComplete(place: Place, { held, open, pass }: Party): boolean {
  const { gate } = place;
  if (held >= gate.forward.length) return true;
  return gate.mode === 'converge' && !isComing(place, pass, open);
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

/** Whether somebody is alive who can still come from one of these, in this pass. */
function isComing(place: Place, pass: Pass, { few, all }: Sources): boolean {
  const crowd = crowdAt(place);
  if (crowd === undefined) return false;
  const { gate, chart } = place;
  const { approach } = crowd.region;
  const hasLoops = approach.nest.loops > 0;
  const mayCome = (at: number): boolean => {
    if (!hasLoops) return true;
    return crowd.at(at).some(({ node, groups }) => chart.mayMeet(node, groups, gate.node, pass));
  };
  const { alive } = crowd;
  const isComingFrom = (at: number): boolean =>
    someCommon(approach.to(at, gate.loop), alive, mayCome);
  if (few !== null) return few.some(isComingFrom);
  // Most often somebody stands right there; else by way of whichever are fewer.
  if (someCommon(alive, all, mayCome)) return true;
  if (areFewer(all, alive)) return someCommon(all, all, isComingFrom);
  const isLeading = (at: number): boolean =>
    meetBits(approach.from(at, gate.loop), all) && mayCome(at);
  return someCommon(alive, alive, isLeading);
}

function areFewer(some: ReadonlyBits, others: ReadonlyBits): boolean {
  const many = countBits(others, Number.POSITIVE_INFINITY);
  return countBits(some, many) < many;
}

/** Where somebody is alive who can come from one of these. */
function leadingTo(
  { alive, region }: Crowd,
  { loop }: Gate,
  sources: ReadonlyBits,
): readonly number[] {
  const { approach } = region;
  if (!areFewer(sources, alive)) {
    return commonBits(alive, alive).filter((at) => meetBits(approach.from(at, loop), sources));
  }
  const leading = noBits(approach.words);
  for (const source of commonBits(sources, sources)) addBits(leading, approach.to(source, loop));
  return commonBits(leading, alive);
}

function settleStrict(place: Place): void {
  for (;;) {
    const party = hallAt(place)?.party([]);
    if (party === undefined || party.held < place.gate.edges.length) return;
    const taken = oneByEach(party.tokens.values());
    const newest = taken.reduce((a, b) => (isNewer(b.groups, a.groups) ? b : a));
    fire(place, newest.groups, taken);
  }
}

function isNewer(one: Pass, other: Pass): boolean {
  const level = one.findIndex((number, at) => number !== (other[at] ?? 0));
  return level >= 0 && (one[level] ?? 0) > (other[level] ?? 0);
}

function settleFirst(place: Place, pass: Pass): void {
  const { stride, gate } = place;
  for (;;) {
    const [first, ...others] = hallAt(place)?.party(pass)?.tokens.values() ?? [];
    if (first === undefined) return;
    const blocks = hallAt(place)?.blocksAt(gate.placeOf(first.via)) ?? [];
    const held = blocks.find((token) => samePass(token.groups, pass));
    if (held !== undefined) {
      end(stride, held.id, 'joined');
      end(stride, first.id, 'joined');
      continue;
    }
    // Who came at the same time has lost already.
    const losers = oneByEach(others.filter(({ via }) => via !== first.via));
    fire(place, pass, [first, ...losers]);
    blockOthers(place, [first, ...losers]);
    if (gate.mode === 'race') cancelLosers(place, pass);
  }
}

/** Every other edge by which somebody may still come, in this pass. */
function blockOthers(place: Place, came: readonly Token[]): void {
  const { stride, chart, scope, gate } = place;
  const crowd = crowdAt(place);
  const pass = (came[0] as Token).groups;
  const taken = new Set(came.map(({ via }) => gate.placeOf(via)));
  const isOpen = (edge: number): boolean => !taken.has(edge);
  const open = noBits(gate.every.length);
  for (const [edge, source] of gate.sources.entries()) if (isOpen(edge)) addBit(open, source);
  if (crowd === undefined) return;
  const coming = leadingTo(crowd, gate, open).flatMap((at) =>
    crowd.at(at).filter(({ node, groups }) => chart.mayMeet(node, groups, gate.node, pass)),
  );
  // Oldest first, and for each of them in the order of the edges.
  for (const { node } of coming.sort((a, b) => a.id - b.id)) {
    const at = chart.spotAt(node)?.number ?? 0;
    const sources = commonBits(crowd.region.approach.from(at, gate.loop), open);
    const edges = sources.flatMap((source) => gate.placesFrom(source).filter(isOpen));
    for (const edge of edges.sort((a, b) => a - b)) {
      block(stride, scope, gate.node, gate.forward[edge] as EdgeId, pass);
    }
    for (const source of sources) dropBit(open, source);
  }
}

/** Whoever is alive, is of this pass and can lead nowhere but here. */
function cancelLosers(place: Place, pass: Pass): void {
  const { stride, chart, gate } = place;
  const crowd = crowdAt(place);
  if (crowd === undefined) return;
  const losers = commonBits(crowd.alive, gate.only).flatMap((at) => crowd.at(at));
  for (const { id } of losers.sort((a, b) => a.id - b.id)) {
    const token = stride.scratch.tokens.get(id);
    if (token === undefined) continue;
    if (chart.mayMeet(token.node, token.groups, gate.node, pass)) cancelBranch(stride, token);
  }
}

/** The activity is born before those who came to it end, so that its scope is never empty. */
function fire({ stride, scope, gate }: Place, pass: Pass, taken: readonly Token[]): void {
  stride.trace = traceAmong(taken);
  birth(stride, scope, gate.node, pass);
  for (const { id } of taken) end(stride, id, 'joined');
}

/** A block is for someone who can still come: it is looked at when somebody left who could. */
function dropBlocks(place: Place, lost: ReadonlySet<number>): void {
  const { stride, gate } = place;
  const hall = hallAt(place);
  if (hall === undefined) return;
  const edges = [...lost].flatMap((source) => gate.placesFrom(source));
  const blocks = edges.flatMap((edge) => hall.blocksAt(edge)).sort((a, b) => a.id - b.id);
  for (const { id, via, groups } of blocks) {
    if (!isComing(place, groups, sourceOf(gate, via))) end(stride, id, 'joined');
  }
}

function sourceOf(gate: Gate, edge: EdgeId | null): Sources {
  const source = gate.sources[gate.placeOf(edge)];
  return { few: source === undefined ? [] : [source], all: null };
}

/** Every activity that holds tokens, pass by pass, and the edges by which nobody came. */
export function stalledMerges(stride: Stride): StalledJoin[] {
  const { chart } = stride.machine;
  const { crowds } = stride.scratch;
  if (chart === null || crowds === null) return [];
  return crowds.scopes().flatMap((scope) => {
    const crowd = crowds.in(scope);
    const gates = crowd?.halls().flatMap((number) => crowd.region.gates[number] ?? []) ?? [];
    return byName(gates).flatMap((gate) => {
      const place = { stride, chart, scope, gate };
      const arrived = crowd?.hallAt(gate.number)?.arrived() ?? [];
      const passes = gate.mode === 'convergeStrict' ? [arrived] : passesOf(arrived);
      return passes.map((those) => lacking(place, those));
    });
  });
}

/** Those of each pass, in the order in which the first of them came. */
function passesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const passes = new Map<string, Token[]>();
  for (const token of tokens) {
    const name = token.groups.join(' ');
    const own = passes.get(name);
    if (own === undefined) passes.set(name, [token]);
    else own.push(token);
  }
  return [...passes.values()];
}

function lacking(place: Place, arrived: readonly Token[]): StalledJoin {
  const { scope, gate } = place;
  const { mode, node } = gate;
  const held = new Set(arrived.map(({ via }) => via));
  const pass = arrived[0]?.groups ?? [];
  const isMissing = (edge: EdgeId): boolean => {
    if (held.has(edge)) return false;
    return mode !== 'converge' || isComing(place, pass, sourceOf(gate, edge));
  };
  const missing = (mode === 'convergeStrict' ? gate.edges : gate.forward).filter(isMissing);
  const group = mode === 'convergeStrict' ? null : (pass.at(-1) ?? null);
  return { node, scope, group, arrived: arrived.map(({ id }) => id), missing };
}
