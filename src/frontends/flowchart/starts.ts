/** Where a flowchart begins, what cannot be come to from there, and what would never end. */
import { Knots } from '../../base/knots.ts';

export interface Beginner {
  readonly id: string;
  readonly type: string;
  readonly canStart: boolean;
}

interface Way {
  readonly from: string;
  readonly to: string;
}

/** E-42, where it is not said: of type `start`; can start; nothing leads to it; the first. */
export function startOf(activities: readonly Beginner[], ways: readonly Way[]): string | undefined {
  const inbound = new Set(ways.map(({ to }) => to));
  const first =
    activities.find(({ type }) => type === 'start') ??
    activities.find(({ canStart }) => canStart) ??
    activities.find(({ id }) => !inbound.has(id)) ??
    activities[0];
  return first?.id;
}

/** How many are tried where it is to be guessed. */
const GUESSES_MAX = 100;

/** From where most can be come to, of those that nothing leads to; of several the first. */
export function likeliestStart(ids: readonly string[], ways: readonly Way[]): string | undefined {
  const inbound = new Set(ways.map(({ to }) => to));
  const heads = ids.filter((id) => !inbound.has(id)).slice(0, GUESSES_MAX);
  const next = byFrom(ways);
  const reach = (id: string): number => walk(id, next).size;
  const counts = (heads.length > 0 ? heads : ids.slice(0, 1)).map((id) => ({
    id,
    size: reach(id),
  }));
  return counts.toSorted((a, b) => b.size - a.size)[0]?.id;
}

export function reachedFrom(start: string, ways: readonly Way[]): ReadonlySet<string> {
  return walk(start, byFrom(ways));
}

function walk(start: string, next: ReadonlyMap<string, readonly Way[]>): ReadonlySet<string> {
  const reached = new Set([start]);
  // What is added while it is walked is walked, too.
  for (const at of reached) for (const { to } of next.get(at) ?? []) reached.add(to);
  return reached;
}

/** A circle of those that do nothing and wait for nothing; empty if there is none. */
export function endlessAmong(idle: readonly string[], ways: readonly Way[]): readonly string[] {
  const numbers = new Map(idle.map((id, number) => [id, number]));
  const next = idle.map((): number[] => []);
  for (const { from, to } of ways) {
    const [at, there] = [numbers.get(from), numbers.get(to)];
    if (at !== undefined && there !== undefined) next[at]?.push(there);
  }
  const knots = new Knots(idle.length).among([...idle.keys()], next);
  const isCircle = ([first = -1, ...others]: readonly number[]): boolean =>
    others.length > 0 || next[first]?.includes(first) === true;
  return (knots.find(isCircle) ?? []).toSorted((a, b) => a - b).map((at) => idle[at] as string);
}

/** The ways out of each. */
export function byFrom<Any extends Way>(ways: readonly Any[]): ReadonlyMap<string, Any[]> {
  const leaving = new Map<string, Any[]>();
  for (const way of ways) {
    const list = leaving.get(way.from);
    if (list === undefined) leaving.set(way.from, [way]);
    else list.push(way);
  }
  return leaving;
}
