/** Where a flowchart begins, and what cannot be come to from there. */

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

/** From where most can be come to; of several the first. What nothing leads to is looked at alone. */
export function likeliestStart(ids: readonly string[], ways: readonly Way[]): string | undefined {
  const inbound = new Set(ways.map(({ to }) => to));
  const heads = ids.filter((id) => !inbound.has(id));
  const reach = (id: string): number => reachedFrom(id, ways).size;
  const counts = (heads.length > 0 ? heads : ids.slice(0, 1)).map((id) => ({
    id,
    size: reach(id),
  }));
  return counts.toSorted((a, b) => b.size - a.size)[0]?.id;
}

export function reachedFrom(start: string, ways: readonly Way[]): ReadonlySet<string> {
  const next = byFrom(ways);
  const reached = new Set([start]);
  // What is added while it is walked is walked, too.
  for (const at of reached) for (const { to } of next.get(at) ?? []) reached.add(to);
  return reached;
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
