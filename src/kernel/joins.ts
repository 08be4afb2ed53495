/**
 * Joins, decided when nothing else moves (D7).
 *
 * An arrival parks and is looked at once the agenda is empty; so is every join of a group that lost
 * a member. Who is expected and who came is read off the live tokens each time: there is nothing to
 * count and so nothing to miscount. The latch row makes a firing happen once.
 */
import { assert } from '../base/assert.ts';
import type { LatchKey } from '../model/change.ts';
import type { EdgeId, TokenId } from '../model/ids.ts';
import type { StalledJoin } from '../model/instance.ts';
import { byNode, type Gathering, gatheringOf, latchesOf, tokenOf } from './instance.ts';
import { birthVia, closeIfEmpty, end, thin } from './moves.ts';
import type { Stride } from './stride.ts';
import { traceAmong } from './traces.ts';

/** Looks at every join that may have become complete. True if one fired, so there is more to do. */
export function settleJoins(stride: Stride): boolean {
  let fired = false;
  for (const group of stride.takeUnsettled()) {
    const gatherings = stride.scratch.gatherings.get(group) ?? NONE;
    // Sorted: the latches of a reloaded instance come in another order.
    const all = gatherings.length > 1 ? [...gatherings].sort(byNode) : gatherings;
    for (const { node } of all) if (settleJoin(stride, { group, node })) fired = true;
  }
  return fired;
}

const NONE: readonly Gathering[] = [];

/** Cheap while it stays: a wide join is looked at once for every arrival. */
function settleJoin(stride: Stride, key: Pick<LatchKey, 'group' | 'node'>): boolean {
  const { latch = null, arrived } = gatheringOf(stride.scratch, key) ?? {};
  if (latch === null) return false;
  const someone = arrived?.first();
  assert(arrived !== undefined && someone !== undefined, 'an open latch has an arrival');
  const place = stride.placeOf(tokenOf(stride.scratch, someone));
  const move = stride.spotOf(place.node.id).kind.resume?.(place, stride, { on: 'join' });
  if (move?.move === 'stay') return false;
  assert(move?.move === 'join', 'a join that is looked at again fires or stays');
  fire(stride, latch, arrived.keys(), move.edges);
  return true;
}

function fire(
  stride: Stride,
  { scope, node, group }: LatchKey,
  arrived: readonly TokenId[],
  edges: readonly EdgeId[],
): void {
  const latch = { scope, node, group };
  stride.record({ did: 'fire-latch', latch });
  const groups = tokenOf(stride.scratch, arrived[0] as TokenId).groups.slice(0, -1);
  stride.trace = traceAmong(arrived.map((id) => tokenOf(stride.scratch, id)));
  for (const edge of edges) birthVia(stride, scope, edge, groups);
  for (const token of arrived) end(stride, token, 'joined');
  // Nobody carries the group any more, so nobody can arrive again: the row has done its work.
  stride.record({ did: 'drop-latch', latch });
  if (edges.length === 0) thin(stride, groups);
  closeIfEmpty(stride, scope);
}

/** Every join that holds tokens, and the edges by which nobody came. */
export function stalledJoins(stride: Stride): StalledJoin[] {
  const { scratch } = stride;
  return latchesOf(scratch).map(({ scope, node, group }) => {
    const arrived = gatheringOf(scratch, { node, group })?.arrived.keys() ?? [];
    const held = new Set(arrived.map((id) => scratch.tokens.get(id)?.via));
    const missing = stride.spotOf(node).node.in.filter((edge) => !held.has(edge));
    return { node, scope, group, arrived, missing };
  });
}
