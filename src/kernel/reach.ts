/**
 * What the plan alone tells of an inclusive join: from where it can still be reached, edge by edge,
 * without passing through it; and which forks are over once it has fired.
 *
 * A fork is over at the join if none of its branches could meet another beyond it: if no parallel
 * join behind the inclusive one can be reached from the fork by another way. Whether a branch is
 * still alive has no say in it, so the order in which branches end has none either.
 *
 * Worked out once for each join of a plan and kept with the machine.
 */
import type { EdgeId, NodeId } from '../model/ids.ts';
import type { Plan } from '../model/plan.ts';
import type { Spots } from './machine.ts';

export interface Meeting {
  /** By each edge into the join: the nodes from which a token can come to it. */
  readonly reach: ReadonlyMap<EdgeId, ReadonlySet<NodeId>>;
  /** Through how many forks whoever stands there came; null if that depends on the way. */
  readonly forks: number | null;
  /** How many of these, from the outermost, are not over. */
  readonly keeps: number;
}

export function meetingAt(plan: Plan, spots: Spots, join: NodeId): Meeting {
  const edges = plan.nodes.get(join)?.in ?? [];
  const reach = new Map(edges.map((edge) => [edge, nodesBefore(plan, edge, join)]));
  const stack = stacksIn(plan, spots).get(join) ?? null;
  const keeps = stack === null ? 0 : kept(plan, spots, stack, join).length;
  return { reach, forks: stack?.length ?? null, keeps };
}

function nodesBefore(plan: Plan, edge: EdgeId, join: NodeId): ReadonlySet<NodeId> {
  const from = plan.edges.get(edge)?.from;
  if (from === undefined || from === join) return new Set();
  return spread([from], (node) => ends(plan, plan.nodes.get(node)?.in ?? [], 'from', join));
}

/** Every node that can be reached, without passing through the join. */
export function nodesAfter(plan: Plan, node: NodeId, join: NodeId | null): ReadonlySet<NodeId> {
  return spread(ends(plan, plan.nodes.get(node)?.out ?? [], 'to', join), (next) =>
    ends(plan, plan.nodes.get(next)?.out ?? [], 'to', join),
  );
}

function ends(
  plan: Plan,
  edges: readonly EdgeId[],
  which: 'from' | 'to',
  but: NodeId | null,
): readonly NodeId[] {
  return edges
    .flatMap((edge) => plan.edges.get(edge)?.[which] ?? [])
    .filter((node) => node !== but);
}

function spread(
  from: readonly NodeId[],
  next: (node: NodeId) => readonly NodeId[],
): ReadonlySet<NodeId> {
  const found = new Set(from);
  // What is added while it is walked is walked, too.
  for (const node of found) for (const other of next(node)) found.add(other);
  return found;
}

/** The forks a token came through by the time it stands at a node; null if the ways differ. */
export type Stack = readonly NodeId[] | null;

export function stacksIn(plan: Plan, spots: Spots): ReadonlyMap<NodeId, Stack> {
  const stacks = new Map<NodeId, Stack>();
  const open: (readonly [NodeId, Stack])[] = startsOf(plan).map((start) => [start, []]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [id, came] = next;
    const was = stacks.get(id);
    if (was === null || (was !== undefined && isSame(was, came))) continue;
    const stack = was === undefined ? came : null;
    stacks.set(id, stack);
    const after = stack === null ? null : stackAfter(plan, spots, id, stack);
    for (const edge of plan.nodes.get(id)?.out ?? []) {
      const to = plan.edges.get(edge)?.to;
      if (to !== undefined) open.push([to, after]);
    }
  }
  return stacks;
}

/** The first node of the flow, and of every region. */
function startsOf(plan: Plan): readonly NodeId[] {
  const bodies = [...plan.nodes.values()].map(({ config }) =>
    typeof config === 'object' && config !== null && 'body' in config ? config.body : null,
  );
  const inside = bodies.filter((body) => plan.nodes.has(body as NodeId));
  return [plan.start, ...(inside as NodeId[])];
}

function isSame(a: readonly NodeId[], b: Stack): boolean {
  return b !== null && a.length === b.length && a.every((fork, at) => fork === b[at]);
}

function stackAfter(
  plan: Plan,
  spots: Spots,
  id: NodeId,
  stack: readonly NodeId[],
): readonly NodeId[] {
  const kind = spots.get(id)?.kind;
  if (kind?.forks === true) return [...stack, id];
  if (kind?.joins === true) return stack.slice(0, -1);
  return kind?.inclusive === true ? kept(plan, spots, stack, id) : stack;
}

/** Those that are not over at this join. */
function kept(plan: Plan, spots: Spots, stack: readonly NodeId[], join: NodeId): readonly NodeId[] {
  const isJoin = (node: NodeId): boolean => spots.get(node)?.kind.joins === true;
  const beyond = [...nodesAfter(plan, join, join)].filter(isJoin);
  let left = stack;
  for (let fork = left.at(-1); fork !== undefined; fork = left.at(-1)) {
    const beside = nodesAfter(plan, fork, join);
    if (beyond.some((node) => beside.has(node))) break;
    left = left.slice(0, -1);
  }
  return left;
}
