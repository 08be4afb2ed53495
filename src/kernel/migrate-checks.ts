/**
 * All that stands in the way of an instance going on by another plan: every token, region and
 * record must have its place there, and those that wait for each other must still be able to meet.
 * Everything is said at once, so that whoever mends the mapping need not ask again and again.
 */
import type { EdgeId, GroupId, NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { Token, Wait } from '../model/instance.ts';
import type { Crossing } from './crossing.ts';
import { isLive } from './instance.ts';
import {
  frontOf,
  goesNowhere,
  placeFor,
  type Reason,
  type Standing,
  standingOf,
  stoodAs,
} from './standing.ts';
import type { Stride } from './stride.ts';
import { isUnwanted, undoneBy } from './undos.ts';

export interface Checked {
  readonly standings: readonly Standing[];
  readonly reasons: readonly Reason[];
}

export function checkPlaces(stride: Stride, crossing: Crossing): Checked {
  const tokens = stride.scratch.tokens.values().filter(isLive);
  const found = tokens.map((token) => standingOf(stride, crossing, token));
  const standings = found.flatMap((one) => ('standing' in one ? [one.standing] : []));
  const left = new Set(standings.flatMap(({ outOf }) => outOf?.scope.id ?? []));
  // Whoever opened a region that ends with this ends, too.
  const isLeaving = ({ wait }: Token): boolean => wait?.on === 'scope' && left.has(wait.scope);
  const staying = standings.filter(({ token }) => !isLeaving(token));
  const homeless = found.flatMap((one, at) =>
    'reason' in one && !isLeaving(tokens[at] as Token) ? [one.reason] : [],
  );
  const reasons = [
    ...homeless,
    ...staying.flatMap((standing) => settingReasons(stride, standing)),
    ...staying.flatMap((standing) => loopReasons(crossing, standing)),
    ...edgeReasons(crossing, staying),
    ...scopeReasons(stride, crossing, left),
    ...undoReasons(stride, crossing),
    ...meetingReasons(crossing, membersOf(stride, staying)),
  ];
  return { standings: staying, reasons };
}

function settingReasons(stride: Stride, { token, spot }: Standing): readonly Reason[] {
  const { node, kind, offer } = spot;
  const place = { node, token, scope: stride.scopeOf(token.scope) };
  const message = kind.unfit?.(place, stride);
  const about = { node: token.node, token: token.id };
  if (message !== undefined) return [{ code: 'node.settings', message, ...about }];
  if (offer?.undoAttempts !== undefined) return [];
  const gone = `"${node.id}" cannot be undone there, and token ${token.id}`;
  if (token.mode === 'compensation') {
    const { id: undo } = undoneBy(stride.scratch, token.id);
    return [{ code: 'undo.missing', message: `${gone} is undoing it`, undo, ...about }];
  }
  if (!isUnwanted(stride.scratch, token)) return [];
  return [{ code: 'undo.missing', message: `${gone} may have to be`, ...about }];
}

/** Its pass has a number for each loop that it has gone round: they must be there. */
function loopReasons({ to }: Crossing, { token, spot }: Standing): readonly Reason[] {
  const { id, merge } = spot.node;
  const loops = merge === undefined ? 0 : (to.chart?.depthAt(id) ?? 0);
  const isCharted = merge !== undefined && token.groups.length > loops;
  if (!isCharted) return [];
  const rule = `token ${token.id} has gone round ${token.groups.length} loops, one in the other`;
  const message = `${rule}, and "${id}" lies in ${loops} in version ${to.plan.version}`;
  return [{ code: 'loop.differs', message, node: token.node, token: token.id }];
}

/** Where those who come are told apart. */
const MEETINGS: ReadonlySet<Wait['on']> = new Set(['join', 'inclusive', 'merge']);

/** Joins tell their arrivals apart by the edges they came by, so these must stay apart. */
function edgeReasons(crossing: Crossing, standings: readonly Standing[]): readonly Reason[] {
  const reasons: Reason[] = [];
  /** By the edge of the other plan, with its scope and group: the edge of this one. */
  const known = new Map<string, EdgeId>();
  for (const { token, spot } of standings) {
    const { id, via, wait, node, scope, groups } = token;
    if (wait === null || !MEETINGS.has(wait.on) || via === null) continue;
    // Where nobody can come, nobody needs to be kept out.
    if (wait.on === 'merge' && wait.block === true) continue;
    const [way, another] = crossing.waysTo(via, spot.node);
    const source = crossing.from.plan.edges.get(via)?.from ?? via;
    const came = `token ${id} came to "${node}" from "${source}"`;
    const about = { node, token: id };
    if (way === undefined) {
      const message = `${came}, and no such way is there`;
      reasons.push({ code: 'edge.missing', message, ...about });
      continue;
    }
    const name = `${scope} ${groups.at(-1) ?? ''} ${way}`;
    const isShared = (known.get(name) ?? via) !== via;
    known.set(name, via);
    if (another === undefined && !isShared) continue;
    const message = isShared
      ? `${came}, and another by the only way there`
      : `${came}, and several ways are there`;
    reasons.push({ code: 'edge.ambiguous', message, ...about });
  }
  return reasons;
}

/** Regions have their place if their owners do; those that nobody owns any more are looked up. */
function scopeReasons(
  { scratch }: Stride,
  crossing: Crossing,
  left: ReadonlySet<ScopeId>,
): readonly Reason[] {
  const reasons: Reason[] = [];
  for (const { id, node, owner, drains } of scratch.scopes.values()) {
    if (node === null || left.has(id)) continue;
    const spot = placeFor(crossing, node);
    if ('code' in spot) {
      if (owner === null) reasons.push({ ...spot, scope: id });
      continue;
    }
    const was = crossing.from.spots.get(node);
    const isSaga = owner !== null && was?.kind.saga?.({ node: was.node }) === 'scope';
    const isUsed =
      scratch.undos.values().some(({ saga }) => saga === id) ||
      scratch.scopes.values().some((one) => one.drains === id) ||
      drains === id ||
      (owner !== null && scratch.tokens.get(owner)?.wait?.on === 'saga');
    if (!isSaga || !isUsed || spot.kind.saga?.({ node: spot.node }) === 'scope') continue;
    const message = `"${node}" undoes what was done in it, and "${spot.node.id}" does not`;
    reasons.push({ code: 'saga.differs', message, node, scope: id });
  }
  return reasons;
}

/** What may still have to be undone. What is settled is for people to read. */
function undoReasons({ scratch }: Stride, crossing: Crossing): readonly Reason[] {
  return scratch.undos.values().flatMap(({ id, node, status, by }): readonly Reason[] => {
    // Of one that is being undone it is said of the token that does, while that is there.
    const isUndone = by !== null && scratch.tokens.get(by) !== undefined;
    if (status !== 'pending' || isUndone) return [];
    const spot = placeFor(crossing, node);
    if ('code' in spot) return [{ ...spot, code: 'undo.missing', undo: id }];
    if (spot.offer?.undoAttempts !== undefined) return [];
    const message = `"${node}" was done and can be undone, and "${spot.node.id}" cannot be`;
    return [{ code: 'undo.missing', message, node, undo: id }];
  });
}

/** A token as one of those that came through the same forks. */
interface Member {
  readonly token: Token;
  /** Where it stands now and then, among the others of its scope. */
  readonly was: NodeId;
  readonly is: NodeId;
  readonly groups: readonly GroupId[];
  /** Its own node, in a region that is opened around it alone; mostly null. */
  readonly inside: NodeId | null;
}

function membersOf(stride: Stride, standings: readonly Standing[]): readonly Member[] {
  return standings.flatMap((standing): readonly Member[] => {
    const { token } = standing;
    if (goesNowhere(stride, token)) return [];
    // What stands there in a flowchart is a pass, and no fork.
    if (standing.spot.node.merge !== undefined) return [];
    const { node: was, groups } = stoodAs(standing);
    const inside = standing.into.length > 0 ? standing.spot.node.id : null;
    return [{ token, was, is: frontOf(standing), groups, inside }];
  });
}

function meetingReasons(crossing: Crossing, members: readonly Member[]): readonly Reason[] {
  const depths = members.flatMap((member) => depthReasons(crossing, member));
  if (depths.length > 0) return depths;
  const groups = new Map<GroupId, Member[]>();
  for (const member of members) {
    for (const group of member.groups) {
      const others = groups.get(group);
      if (others === undefined) groups.set(group, [member]);
      else others.push(member);
    }
  }
  return [...groups].flatMap(([group, all]) => [
    ...apartReasons(crossing, group, all),
    ...joinReasons(crossing, group, all),
  ]);
}

/** It must have come through as many forks as whoever stands there has. */
function depthReasons(crossing: Crossing, member: Member): readonly Reason[] {
  const { token, is, groups, inside } = member;
  const stack = crossing.stackAt(crossing.to, is);
  const differs = stack !== null && stack.length !== groups.length;
  if (differs) return [forkDiffers(crossing, token, is, { stack, groups })];
  if (inside === null) return [];
  // In a region of its own it is in no branch: nobody else could come to a join in there.
  const within = crossing.stackAt(crossing.to, inside);
  if (within === null || within.length === 0) return [];
  return [forkDiffers(crossing, token, inside, { stack: within, groups })];
}

function forkDiffers(
  crossing: Crossing,
  { id, node }: Token,
  is: NodeId,
  { stack, groups }: { stack: readonly NodeId[]; groups: readonly GroupId[] },
): Reason {
  const { version } = crossing.to.plan;
  const there = stack.length === 0 ? 'in no branch' : `in a branch of "${stack.at(-1)}"`;
  const here = groups.length === 0 ? 'in none' : `in ${groups.length}, one in the other`;
  const message = `"${is}" is ${there} in version ${version}, and token ${id} is ${here}`;
  return { code: 'fork.differs', message, node, token: id };
}

/** Branches of one fork must be branches of one fork. */
function apartReasons(
  crossing: Crossing,
  group: GroupId,
  members: readonly Member[],
): readonly Reason[] {
  const forks = new Map<NodeId, TokenId>();
  for (const { token, is, groups } of members) {
    const fork = crossing.stackAt(crossing.to, is)?.[groups.indexOf(group)];
    if (fork !== undefined && !forks.has(fork)) forks.set(fork, token.id);
  }
  const [[fork, first] = [], [other, second] = []] = forks;
  if (other === undefined || second === undefined) return [];
  const token = members.find((member) => member.token.id === second)?.token;
  const message =
    `tokens ${first} and ${second} are branches of one fork here, ` +
    `and there of "${fork}" and "${other}"`;
  return [{ code: 'fork.differs', message, node: token?.node ?? other, token: second }];
}

/** Whoever could come to the join of its fork must be able to, and where others wait, to theirs. */
function joinReasons(
  crossing: Crossing,
  group: GroupId,
  members: readonly Member[],
): readonly Reason[] {
  const isThere = ({ token, groups }: Member): boolean =>
    token.wait?.on === 'join' && groups.at(-1) === group;
  const arrived = members.filter(isThere);
  return members.flatMap((member): readonly Reason[] => {
    if (isThere(member)) return [];
    const { token, was, is, groups } = member;
    const depth = groups.indexOf(group);
    const before = crossing.joinsOf(crossing.from, was, depth);
    if (before.size === 0) return [];
    const after = crossing.joinsOf(crossing.to, is, depth);
    const lost = arrived.find((one) => before.has(one.was) && !after.has(one.is))?.was;
    if (lost === undefined && (after.size > 0 || isOver(crossing, is, depth))) return [];
    const join = lost ?? [...before][0] ?? was;
    const message = `token ${token.id} can no longer come to the join "${join}" from "${is}"`;
    return [{ code: 'join.unreachable', message, node: token.node, token: token.id }];
  });
}

/** The fork has no join there at all: its branches end by themselves. */
function isOver(crossing: Crossing, node: NodeId, depth: number): boolean {
  const { to } = crossing;
  const fork = crossing.stackAt(to, node)?.[depth];
  return fork !== undefined && crossing.joinsOf(to, fork, depth).size === 0;
}
