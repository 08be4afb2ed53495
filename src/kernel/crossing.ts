/**
 * Two plans of one flow, and where the places of the one are in the other. What a plan alone tells
 * about moving an instance is worked out here; `standing.ts` puts the instance beside it.
 *
 * A node keeps its name unless the mapping says otherwise. An edge is known by its ends: by which
 * name it goes is the compiler's business. And a region that no author wrote comes and goes with
 * the number of steps in it (a branch of one step has none), so an edge that left such a region may
 * leave the step itself now, or the other way round.
 */
import type { EdgeId, NodeId } from '../model/ids.ts';
import type { Plan, PlanNode } from '../model/plan.ts';
import type { Machine, Spot } from './machine.ts';
import { nodesAfter, type Stack, stacksIn } from './reach.ts';

export class Crossing {
  readonly from: Machine;
  readonly to: Machine;
  readonly #nodes: Readonly<Record<string, string>>;
  readonly #stacks = new Map<Machine, ReadonlyMap<NodeId, Stack>>();

  constructor(from: Machine, to: Machine, nodes: Readonly<Record<string, string>>) {
    this.from = from;
    this.to = to;
    this.#nodes = nodes;
  }

  /** What a node is called in the other plan, if it is there. */
  nameOf(node: NodeId): NodeId {
    return (Object.hasOwn(this.#nodes, node) ? this.#nodes[node] : node) as NodeId;
  }

  spotOf(node: NodeId): Spot | undefined {
    return this.to.spots.get(this.nameOf(node));
  }

  /** The forks around a node; null if the ways to it differ. */
  stackAt(machine: Machine, node: NodeId): Stack {
    let stacks = this.#stacks.get(machine);
    if (stacks === undefined) {
      stacks = stacksIn(machine.plan, machine.spots);
      this.#stacks.set(machine, stacks);
    }
    return stacks.get(node) ?? null;
  }

  /** The joins that can be reached from a node and end the fork at this depth around it. */
  joinsOf(machine: Machine, node: NodeId, depth: number): ReadonlySet<NodeId> {
    const { plan, spots } = machine;
    const fork = this.stackAt(machine, node)?.[depth];
    const ends = (join: NodeId): boolean => {
      if (spots.get(join)?.kind.joins !== true) return false;
      const stack = this.stackAt(machine, join);
      // Where the ways differ, any join may be the one.
      if (fork === undefined || stack === null) return true;
      return stack.length === depth + 1 && stack[depth] === fork;
    };
    return new Set([...nodesAfter(plan, node, null)].filter(ends));
  }

  /** The edges of the other plan by which whoever came by this one would have come to a node. */
  waysTo(edge: EdgeId, to: PlanNode): readonly EdgeId[] {
    const { from: source, to: end } = this.from.plan.edges.get(edge) ?? {};
    const target = end && this.from.plan.nodes.get(end);
    if (source === undefined || target === undefined) return [];
    const { plan } = this.to;
    // In a flowchart an edge is named by its ends and its outcome.
    const kept = to.merge === undefined ? undefined : plan.edges.get(edge);
    if (kept?.from === this.nameOf(source) && kept.to === to.id) return [edge];
    const from = plan.nodes.get(this.nameOf(source));
    const direct = from === undefined ? [] : edgesBetween(plan, [from.id], to);
    if (direct.length > 0) {
      // Where several lead from the one to the other, they are told apart by their order.
      const beside = edgesBetween(this.from.plan, [source], target);
      const same = direct[beside.indexOf(edge)];
      return direct.length === beside.length && same !== undefined ? [same] : direct;
    }
    const around = from && ancestorIn(plan, from, to.parent);
    if (around !== undefined) return edgesBetween(plan, [around], to);
    const inside = insideOf(this.from.plan, source).map((node) => this.nameOf(node));
    return edgesBetween(plan, inside, to);
  }
}

function edgesBetween(plan: Plan, from: readonly NodeId[], to: PlanNode): readonly EdgeId[] {
  return to.in.filter((edge) => {
    const source = plan.edges.get(edge)?.from;
    return source !== undefined && from.includes(source);
  });
}

/** The node around this one that lies in a region itself, if there is one. */
function ancestorIn(plan: Plan, node: PlanNode, region: NodeId | null): NodeId | undefined {
  for (let at = plan.nodes.get(node.parent ?? node.id); at !== undefined; ) {
    if (at.parent === region) return at.id;
    if (at.parent === null) return undefined;
    at = plan.nodes.get(at.parent);
  }
  return undefined;
}

function insideOf(plan: Plan, region: NodeId): readonly NodeId[] {
  const inside = new Set([region]);
  // Regions within it are found as it is walked.
  for (const at of inside) {
    for (const { id, parent } of plan.nodes.values()) if (parent === at) inside.add(id);
  }
  return [...inside].filter((id) => id !== region);
}
