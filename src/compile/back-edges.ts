/**
 * Which connections of a flowchart lead back.
 *
 * As people read a chart: from the start, level by level, a connection leads forward unless it
 * would close a circle of those that do already (E-44). So whatever the chart looks like, what
 * leads forward has no circle, and every circle has a connection that leads back.
 *
 * A connection can only close a circle if it leads to an activity that was looked at before, within
 * a knot: a set of activities each of which can be reached from each other. All others are forward
 * without a look, and the looks are over numbers: a chart may be all one knot of thousands.
 */
import { Knots } from '../base/knots.ts';
import type { Draft } from '../model/draft.ts';

/** The ids of all edges that lead back, in all regions that are flowcharts. */
export function backEdges({ nodes, edges, start }: Draft): ReadonlySet<string> {
  const activities = nodes.filter(({ merge }) => merge !== undefined);
  const numbers = new Map(activities.map(({ id }, number) => [id, number]));
  const ways: Way[][] = activities.map(() => []);
  for (const { id, from, to } of edges) {
    const [at, there] = [numbers.get(from), numbers.get(to)];
    if (at !== undefined && there !== undefined) ways[at]?.push({ id, to: there });
  }
  const bodies = nodes.map(({ settings }) => settings['body']);
  const starts = [start, ...bodies].flatMap((id) => numbers.get(id as string) ?? []);
  return walk(ways, starts);
}

interface Way {
  readonly id: string;
  readonly to: number;
}

function walk(ways: readonly (readonly Way[])[], starts: readonly number[]): ReadonlySet<string> {
  const knotOf = knotsOf(ways);
  const back = new Set<string>();
  const forward: number[][] = ways.map(() => []);
  const reaches = reachIn(forward);
  const met = new Set(starts);
  // What is added while it is walked is walked, too.
  for (const at of met) {
    for (const { id, to } of ways[at] ?? []) {
      met.add(to);
      if (knotOf[at] !== knotOf[to]) continue;
      if (at === to || reaches(to, at)) back.add(id);
      else forward[at]?.push(to);
    }
  }
  return back;
}

function knotsOf(ways: readonly (readonly Way[])[]): readonly number[] {
  const next = ways.map((all) => all.map(({ to }) => to));
  const knotOf: number[] = ways.map(() => -1);
  const all = new Knots(ways.length).among([...ways.keys()], next);
  for (const [number, knot] of all.entries()) for (const at of knot) knotOf[at] = number;
  return knotOf;
}

/** Answers whether one can be reached from another, by what leads forward so far. */
function reachIn(forward: readonly (readonly number[])[]): (from: number, to: number) => boolean {
  const seen = new Int32Array(forward.length);
  let look = 0;
  return (from, to) => {
    look += 1;
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === to) return true;
      for (const next of forward[at] ?? []) {
        if (seen[next] === look) continue;
        seen[next] = look;
        open.push(next);
      }
    }
    return false;
  };
}
