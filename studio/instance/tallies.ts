/** How often each node was done, failed or is open, as a graph wants it. */
import type { NodeTally } from '../graph/graph.tsx';
import { isFailed, isOpen, type Visit } from './visit.ts';

export function talliesOf(visits: readonly Visit[]): ReadonlyMap<string, NodeTally> {
  const tallies = new Map<string, { done: number; failed: number; open: number }>();
  for (const visit of visits) {
    if (visit.how === 'joined' || visit.node === '') continue;
    const tally = tallies.get(visit.node) ?? { done: 0, failed: 0, open: 0 };
    tallies.set(visit.node, tally);
    if (visit.how === 'done') tally.done += 1;
    if (isFailed(visit)) tally.failed += 1;
    if (isOpen(visit)) tally.open += 1;
  }
  return tallies;
}

/** The edges by which somebody came. */
export function edgesTakenBy(visits: readonly Visit[]): ReadonlySet<string> {
  return new Set(visits.flatMap(({ via }) => via ?? []));
}
