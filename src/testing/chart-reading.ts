/**
 * A flowchart as the oracle reads it: what leads back (E-44), which loops there are, and what
 * becomes of a token's pass. Written from the definition alone and in the plainest way, so that it
 * shares nothing with the compiler and the kernel, and no mistake.
 */
import type { ActivityDefinition, FlowchartBody } from '../frontends/flowchart/definition.ts';

/** A name for each loop around an activity, outermost first; '' for the first time round. */
export type Pass = readonly string[];

export interface Way {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly outcome: string;
  readonly isBack: boolean;
  /** If it leads back: how many loops lie around the one that it begins anew. */
  readonly level: number;
}

export interface Reading {
  readonly start: string;
  readonly activities: ReadonlyMap<string, ActivityDefinition>;
  readonly ways: readonly Way[];
  readonly loops: ReadonlyMap<string, readonly string[]>;
  /** The chart inside an activity, and how often at a time. */
  readonly inner: ReadonlyMap<string, Reading>;
}

/** Every name has those of the charts around it before it. */
export function readChart(body: FlowchartBody, prefix = ''): Reading {
  const { activities, connections = [] } = body;
  const start = prefix + startOf(body);
  const bare = connections.map(({ from, outcome = 'Done', to }) => {
    const [a, b] = [prefix + from, prefix + to];
    return { id: `${a}:${outcome}->${b}`, from: a, to: b, outcome };
  });
  const back = backIn(start, bare);
  const names = activities.map(({ id }) => prefix + id);
  const { loops, levels } = loopsIn(names, bare, back);
  const inner = activities
    .filter(({ type }) => type === 'flowchart' || type === 'forEach')
    .map(({ id, config }) => {
      const inside = config as unknown as FlowchartBody;
      return [prefix + id, readChart(inside, `${prefix}${id}/`)] as const;
    });
  return {
    start,
    activities: new Map(activities.map((activity) => [prefix + activity.id, activity])),
    ways: bare.map((way) => {
      return { ...way, isBack: back.has(way.id), level: levels.get(way.id) ?? -1 };
    }),
    loops,
    inner: new Map(inner),
  };
}

function startOf({ start, activities }: FlowchartBody): string {
  return start ?? activities[0]?.id ?? '';
}

type Bare = Pick<Way, 'id' | 'from' | 'to'>;

/** From the start, level by level: what would close a circle of those that lead forward is back. */
function backIn(start: string, ways: readonly Bare[]): ReadonlySet<string> {
  const forward: Bare[] = [];
  const back = new Set<string>();
  const queue = [start];
  for (const at of queue) {
    for (const way of ways.filter(({ from }) => from === at)) {
      if (!queue.includes(way.to)) queue.push(way.to);
      if (reachedBy(way.to, forward).has(at)) back.add(way.id);
      else forward.push(way);
    }
  }
  return back;
}

/** Where these ways lead to from there, itself included. */
export function reachedBy(from: string, ways: readonly Bare[]): ReadonlySet<string> {
  const met = new Set([from]);
  for (const at of met) for (const way of ways) if (way.from === at) met.add(way.to);
  return met;
}

interface Loops {
  readonly loops: Map<string, string[]>;
  readonly levels: Map<string, number>;
}

/**
 * Activities that lead to each other are a loop. What leads back to the first of those that
 * something leads back to begins it anew; without these ways there may be loops inside it.
 */
function loopsIn(
  names: readonly string[],
  ways: readonly Bare[],
  back: ReadonlySet<string>,
): Loops {
  const found: Loops = { loops: new Map(), levels: new Map() };
  const order = inOrder(
    names,
    ways.filter(({ id }) => !back.has(id)),
  );
  const look = (those: readonly string[], left: readonly Bare[]): void => {
    const open = new Set(those);
    for (const one of those) {
      if (!open.has(one)) continue;
      const there = reachedBy(one, left);
      const knot = those.filter((at) => there.has(at) && reachedBy(at, left).has(one));
      for (const at of knot) open.delete(at);
      const inside = left.filter(({ from, to }) => knot.includes(from) && knot.includes(to));
      if (inside.length === 0) continue;
      const isHeader = (at: string): boolean => {
        return inside.some(({ id, to }) => to === at && back.has(id));
      };
      const header = order.find((at) => knot.includes(at) && isHeader(at));
      const again = inside.filter(({ id, to }) => to === header && back.has(id));
      const level = found.loops.get(one)?.length ?? 0;
      for (const { id } of again) found.levels.set(id, level);
      for (const at of knot) {
        found.loops.set(at, [...(found.loops.get(at) ?? []), `${header} at ${level}`]);
      }
      look(
        knot,
        inside.filter((way) => !again.includes(way)),
      );
    }
  };
  look(names, ways);
  return found;
}

/** Whoever nothing leads to any more is next, in the order in which that comes to be. */
function inOrder(names: readonly string[], forward: readonly Bare[]): readonly string[] {
  const order: string[] = [];
  const left = [...forward];
  const isFree = (at: string): boolean => !order.includes(at) && !left.some(({ to }) => to === at);
  order.push(...names.filter(isFree));
  for (const at of order) {
    for (const way of forward.filter(({ from }) => from === at)) {
      left.splice(left.indexOf(way), 1);
      if (isFree(way.to)) order.push(way.to);
    }
  }
  return order;
}

/** The pass of whoever takes a way; `fresh` names the loop that is begun anew. */
export function passAfter(chart: Reading, way: Way, pass: Pass, fresh: () => string): Pass {
  const from = chart.loops.get(way.from) ?? [];
  const to = chart.loops.get(way.to) ?? [];
  if (way.isBack) {
    const kept = Array.from({ length: way.level }, (_, level) => pass[level] ?? '');
    return [...kept, fresh()];
  }
  const after: string[] = [];
  for (const [level, loop] of to.entries()) {
    // Who comes into a loop goes round it for the first time.
    after.push(from[level] === loop ? (pass[level] ?? '') : '');
  }
  while (after.at(-1) === '') after.pop();
  return after;
}

export function waysInto(chart: Reading, at: string): readonly Way[] {
  return chart.ways.filter(({ to }) => to === at);
}

export function isSame(one: Pass, other: Pass): boolean {
  return one.join('|') === other.join('|');
}

/** Where somebody is, and in which pass. */
export interface Standing {
  readonly at: string;
  readonly pass: Pass;
}

/** Who walks begins loops anew, and it is all the same how often. */
const FRESH = '?';

/** Walks every way from there, with the pass it would have, and sees whether it comes by one. */
export function canCome(chart: Reading, from: Standing, by: Way, pass: Pass): boolean {
  const met = new Set<string>();
  const open = [from];
  for (const here of open) {
    for (const way of chart.ways.filter(({ from }) => from === here.at)) {
      const after = passAfter(chart, way, here.pass, () => FRESH);
      if (way === by && isSame(after, pass)) return true;
      const name = `${way.to} ${after.join('|')}`;
      if (met.has(name)) continue;
      met.add(name);
      open.push({ at: way.to, pass: after });
    }
  }
  return false;
}

/** Whether one can come from there to where nothing leads on, without coming by. */
export function endsElsewhere(chart: Reading, from: string, by: string): boolean {
  const open = [from];
  for (const at of open) {
    const ways = chart.ways.filter((way) => way.from === at);
    if (ways.length === 0) return true;
    for (const { to } of ways) if (to !== by && !open.includes(to)) open.push(to);
  }
  return false;
}
