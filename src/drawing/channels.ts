/**
 * The room between two rows of a drawing, and how ways get through it: down, along a track, down.
 *
 * Ways from one thing share a track, and so do ways to one thing: a fork looks like a fork. Others
 * have tracks of their own where they would touch. Where one way comes down in the column in which
 * another sets out, its track is the lower one; and if that would have to be so both ways round,
 * one of them comes down a column beside.
 */

/** A way from a column above to a column below. */
export interface Passage {
  /** Who it comes from and who it leads to: those of the same share tracks. */
  readonly from: string;
  readonly to: string;
  readonly top: number;
  readonly bottom: number;
  /** Loops keep to themselves. */
  readonly isBack: boolean;
}

export interface Routed {
  /** The track of each passage, counted from above; null if it goes straight down. */
  readonly tracks: readonly (number | null)[];
  /** The column in which each comes down. */
  readonly bottoms: readonly number[];
  readonly count: number;
}

/** Ways that share a track. */
interface Net {
  readonly members: readonly number[];
  readonly tops: ReadonlySet<number>;
  readonly bottoms: ReadonlySet<number>;
  readonly from: number;
  readonly to: number;
}

export function routeOf(passages: readonly Passage[]): Routed {
  const bottoms = passages.map(({ bottom }) => bottom);
  setApart(passages, bottoms);
  let nets = netsOf(passages, bottoms);
  // Each turn takes a net out of the ring, or there is no column left to go to.
  for (const _ of nets) {
    const ring = ringIn(nets);
    if (ring === undefined || !stepAside(passages, bottoms, nets, ring)) break;
    nets = netsOf(passages, bottoms);
  }
  const levels = levelsOf(nets);
  const tracks = passages.map((_, index) => {
    const net = nets.findIndex(({ members }) => members.includes(index));
    return net < 0 ? null : (levels[net] ?? 0);
  });
  return { tracks, bottoms, count: Math.max(0, ...levels.map((level) => level + 1)) };
}

/**
 * Where a fork meets a way of another, who looks could follow that into the other arms of the fork:
 * so the fork's comes down a column beside.
 */
function setApart(passages: readonly Passage[], bottoms: number[]): void {
  const forked = groupsOf(passages, (one) => (one.isBack ? null : one.from));
  const met = groupsOf(passages, (one) => (one.isBack ? null : one.to));
  const taken = new Set(passages.flatMap(({ top, bottom }) => [top, bottom]));
  for (const [index, { from, to, bottom, isBack }] of passages.entries()) {
    const isFork = (forked.get(from) ?? []).some((one) => passages[one]?.to !== to);
    const isShared = (met.get(to) ?? []).some((one) => passages[one]?.from !== from);
    const beside = [1, -1].map((step) => bottom + step).find((one) => !taken.has(one));
    if (isBack || !isFork || !isShared || beside === undefined) continue;
    bottoms[index] = beside;
    taken.add(beside);
  }
}

/** The places of those that are called the same; null is nobody's. */
function groupsOf(
  passages: readonly Passage[],
  nameOf: (passage: Passage, index: number) => string | null,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, passage] of passages.entries()) {
    const name = nameOf(passage, index);
    if (name === null) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  }
  return groups;
}

function netsOf(passages: readonly Passage[], bottoms: readonly number[]): readonly Net[] {
  const forked = groupsOf(passages, (one) => (one.isBack ? null : one.from));
  const groups = groupsOf(passages, ({ from, to, isBack }, index) => {
    const many = (forked.get(from)?.length ?? 0) > 1;
    return isBack ? `back ${index}` : many ? `from ${from}` : `to ${to}`;
  });
  return [...groups.values()].flatMap((members) => {
    const tops = new Set(members.map((index) => passages[index]?.top ?? 0));
    const ends = new Set(members.map((index) => bottoms[index] ?? 0));
    const all = [...tops, ...ends];
    const net = { members, tops, bottoms: ends, from: Math.min(...all), to: Math.max(...all) };
    return net.from === net.to ? [] : [net];
  });
}

/** Whether the first must be above the second, since it sets out where the second comes down. */
function isAbove(one: Net, other: Net): boolean {
  return one !== other && [...one.tops].some((column) => other.bottoms.has(column));
}

/** Nets that would all have to be above each other; undefined if there are none. */
function ringIn(nets: readonly Net[]): readonly Net[] | undefined {
  const left = new Set(nets);
  for (let went = true; went; ) {
    went = false;
    for (const net of [...left]) {
      if ([...left].some((other) => isAbove(other, net))) continue;
      left.delete(net);
      went = true;
    }
  }
  return left.size === 0 ? undefined : [...left];
}

/** Has one way of a ring come down beside where it would; false if there is no room. */
function stepAside(
  passages: readonly Passage[],
  bottoms: number[],
  nets: readonly Net[],
  ring: readonly Net[],
): boolean {
  const taken = new Set(nets.flatMap(({ tops, bottoms: ends }) => [...tops, ...ends]));
  for (const net of ring) {
    const clash = net.members.find((index) => {
      return ring.some((other) => other !== net && other.tops.has(bottoms[index] ?? 0));
    });
    const passage = clash === undefined ? undefined : passages[clash];
    if (clash === undefined || passage === undefined || passage.isBack) continue;
    const beside = [1, -1].map((step) => passage.bottom + step).find((one) => !taken.has(one));
    if (beside === undefined) continue;
    bottoms[clash] = beside;
    return true;
  }
  return false;
}

/** A track for each: below those that must be above it, and beside none that it would touch. */
function levelsOf(nets: readonly Net[]): readonly number[] {
  const levels = new Map<Net, number>();
  const left = new Set([...nets].sort((a, b) => a.from - b.from || a.to - b.to));
  while (left.size > 0) {
    const free = [...left].find((net) => ![...left].some((other) => isAbove(other, net)));
    const [first] = left;
    const net = free ?? first;
    if (net === undefined) break;
    left.delete(net);
    const above = [...levels].flatMap(([other, level]) => (isAbove(other, net) ? [level + 1] : []));
    let level = Math.max(0, ...above);
    while ([...levels].some(([other, at]) => at === level && touches(other, net))) level += 1;
    levels.set(net, level);
  }
  return nets.map((net) => levels.get(net) ?? 0);
}

function touches(one: Net, other: Net): boolean {
  return one.from <= other.to + 1 && other.from <= one.to + 1;
}
