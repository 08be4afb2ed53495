/**
 * Inclusive joins, decided when nothing else moves, like all joins (D7).
 *
 * Such a join waits for nobody in particular: it goes on as soon as no one can still come by an
 * edge that is empty. A token elsewhere in the scope holds it back if it can reach an empty edge
 * and cannot reach one where somebody stands already, by ways that do not pass through the join.
 * (One that can reach both may come as a second on a filled edge, and waiting for it could last for
 * ever.) It is asked again whenever a token of its scope has moved or ended. One token of each
 * filled edge is taken; whoever else stands there is asked about anew.
 *
 * There is no latch: the tokens it takes end with the firing, so it cannot fire for them twice.
 */
import { assert } from '../base/assert.ts';
import type { EdgeId, GroupId, NodeId, ScopeId } from '../model/ids.ts';
import type { StalledJoin, Token } from '../model/instance.ts';
import { isLive, tokenOf } from './instance.ts';
import { birthVia, closeIfEmpty, end, thin } from './moves.ts';
import type { Stride } from './stride.ts';
import { traceAmong } from './traces.ts';

/** Looks at every inclusive join that may be complete. True if one fired. */
export function settleInclusive(stride: Stride): boolean {
  let fired = false;
  for (const scope of stride.takeStirred()) {
    for (const node of joinsIn(stride, scope)) {
      const arrived = arrivalsAt(stride, scope, node);
      if (arrived.length === 0 || isHeldBack(stride, scope, node, arrived)) continue;
      fire(stride, scope, node, arrived);
      fired = true;
    }
  }
  return fired;
}

/** Sorted, so that the order of arrival does not matter. */
function joinsIn({ scratch }: Stride, scope: ScopeId): readonly NodeId[] {
  const arrived = scratch.merging.get(scope) ?? [];
  return [...new Set(arrived.map((id) => tokenOf(scratch, id).node))].sort();
}

/** Oldest first. */
function arrivalsAt({ scratch }: Stride, scope: ScopeId, node: NodeId): readonly Token[] {
  const arrived = (scratch.merging.get(scope) ?? []).map((id) => tokenOf(scratch, id));
  return arrived.filter((token) => token.node === node).sort((a, b) => a.id - b.id);
}

function isHeldBack(
  stride: Stride,
  scope: ScopeId,
  join: NodeId,
  arrived: readonly Token[],
): boolean {
  const filled = new Set(arrived.map(({ via }) => via));
  const { reach } = stride.meetingAt(join);
  const edges = [...reach.keys()];
  const empty = edges.filter((edge) => !filled.has(edge));
  if (empty.length === 0) return false;
  const reaches = (at: NodeId, edge: EdgeId): boolean => reach.get(edge)?.has(at) ?? false;
  return stride.scratch.tokens.values().some((token) => {
    if (token.scope !== scope || token.node === join || !isLive(token)) return false;
    if (!empty.some((edge) => reaches(token.node, edge))) return false;
    return !edges.some((edge) => filled.has(edge) && reaches(token.node, edge));
  });
}

function fire(stride: Stride, scope: ScopeId, join: NodeId, arrived: readonly Token[]): void {
  const taken = arrived.filter(
    ({ via }, index) => arrived.findIndex((other) => other.via === via) === index,
  );
  const groups = merged(stride, join, taken);
  const { out } = stride.spotOf(join).node;
  stride.trace = traceAmong(taken);
  for (const edge of out) birthVia(stride, scope, edge, groups);
  for (const { id } of taken) end(stride, id, 'joined');
  thin(stride, dropped(taken, out.length === 0 ? [] : groups));
  closeIfEmpty(stride, scope);
}

/** The groups all of them came through, but for those that are over here. */
function merged(stride: Stride, join: NodeId, taken: readonly Token[]): readonly GroupId[] {
  const [first, ...others] = taken;
  assert(first !== undefined, 'an inclusive join fires for someone');
  let shared = first.groups.filter((group, at) =>
    others.every(({ groups }) => groups[at] === group),
  );
  const { forks, keeps } = stride.meetingAt(join);
  if (taken.every(({ groups }) => groups.length === forks)) return shared.slice(0, keeps);
  // By which forks they came depends on the way: all that is left to go by is who is alive.
  if (others.length === 0) return shared;
  const isOver = (group: GroupId): boolean => stride.members(group) === taken.length;
  while (shared.length > 0 && isOver(shared.at(-1) as GroupId)) shared = shared.slice(0, -1);
  return shared;
}

/** Groups that some of them carried and the one that goes on does not. */
function dropped(taken: readonly Token[], kept: readonly GroupId[]): readonly GroupId[] {
  const groups = taken.flatMap((token) => token.groups.filter((group) => !kept.includes(group)));
  return [...new Set(groups)];
}

/** Every inclusive join that holds tokens, and the edges by which nobody came. */
export function stalledInclusive(stride: Stride): StalledJoin[] {
  return stride.scratch.merging.keys().flatMap((scope) =>
    joinsIn(stride, scope).map((node) => {
      const tokens = arrivalsAt(stride, scope, node);
      const held = new Set(tokens.map(({ via }) => via));
      const missing = stride.spotOf(node).node.in.filter((edge) => !held.has(edge));
      return { node, scope, group: null, arrived: tokens.map(({ id }) => id), missing };
    }),
  );
}
