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
import { latchName, tokenOf } from './instance.ts';
import { birthVia, closeIfEmpty, end, thin } from './moves.ts';
import type { Stride } from './stride.ts';

/** Looks at every join that may have become complete. True if one fired, so there is more to do. */
export function settleJoins(stride: Stride): boolean {
  if (stride.unsettled.size === 0 && stride.thinned.size === 0) return false;
  const { index, latches } = stride.scratch;
  const names = new Set(stride.unsettled);
  for (const group of stride.thinned) for (const name of index.latches.list(group)) names.add(name);
  stride.unsettled.clear();
  stride.thinned.clear();

  let fired = false;
  for (const name of [...names].sort()) {
    const latch = latches.get(name);
    if (latch !== undefined && settleJoin(stride, latch)) fired = true;
  }
  return fired;
}

/** Cheap while it stays: a wide join is looked at once for every arrival. */
function settleJoin(stride: Stride, latch: LatchKey): boolean {
  const { parked } = stride.scratch.index;
  const name = latchName(latch);
  const someone = parked.any(name);
  assert(someone !== undefined, 'an open latch has an arrival');
  const place = stride.placeOf(tokenOf(stride.scratch, someone));
  const move = stride.kindOf(place.node).resume?.(place, stride, { on: 'join' });
  if (move?.move === 'stay') return false;
  assert(move?.move === 'join', 'a join that is looked at again fires or stays');
  fire(stride, latch, parked.list(name), move.edges);
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
  for (const edge of edges) birthVia(stride, scope, edge, groups);
  for (const token of arrived) end(stride, token, 'joined');
  // Nobody carries the group any more, so nobody can arrive again: the row has done its work.
  stride.record({ did: 'drop-latch', latch });
  if (edges.length === 0) thin(stride, groups);
  closeIfEmpty(stride, scope);
}

/** Every join that holds tokens, and the edges by which nobody came. */
export function stalledJoins(stride: Stride): StalledJoin[] {
  const { latches, index, tokens } = stride.scratch;
  const rows = Array.from(latches.entries()).sort(([a], [b]) => (a < b ? -1 : 1));
  return rows.map(([name, { scope, node, group }]) => {
    const arrived = index.parked.list(name);
    const held = new Set(arrived.map((id) => tokens.get(id)?.via));
    const missing = stride.nodeOf(node).in.filter((edge) => !held.has(edge));
    return { node, scope, group, arrived, missing };
  });
}
